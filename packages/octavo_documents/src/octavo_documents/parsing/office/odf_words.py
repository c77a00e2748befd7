"""The words of the paragraphs of OpenDocument files, and what hangs on them."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from octavo_documents.parsing.css_values import Colour
from octavo_documents.parsing.flow import collapse_whitespace
from octavo_documents.parsing.formulas import MATHML, of_mathml
from octavo_documents.parsing.inline_marks import marked
from octavo_documents.parsing.office.odf import OpenDocument
from octavo_documents.parsing.office.odf_names import DRAW, HREF, OFFICE, TABLE, TEXT
from octavo_documents.parsing.office.odf_styles import OdfStyle, OdfStyles, count_of
from octavo_documents.parsing.office.paint import Fill, is_seen
from octavo_documents.parsing.package import Element
from octavo_documents.text.raised import as_mark

_DEEPEST = 120
"""Elements inside each other that are followed."""
_MOST_SPACES = 200


@dataclass(slots=True)
class OdfWords:
    """What a paragraph holds. Texts may have tabs and line breaks."""

    parts: list[str] = field(default_factory=list[str])
    bold: bool = True
    monospaced: bool = True
    counted: bool = False
    """Whether a field counts tables or figures in it."""
    formulas: int = 0
    """How many of the parts are formulas."""
    hanging: list[Element] = field(default_factory=list[Element])
    """Notes, comments and drawings, in order."""
    unseen: list[str] = field(default_factory=list[str])
    """What is said and not shown."""

    def raw(self) -> str:
        """Return the text with its line breaks."""
        return "".join(self.parts)

    def text(self) -> str:
        """Return the text on one line."""
        return collapse_whitespace("".join(self.parts))


class OdfReader:
    """Reads paragraphs of a file."""

    def __init__(self, file: OpenDocument, styles: OdfStyles, ground: Colour | None = None) -> None:
        self._file, self._styles = file, styles
        self._ground = ground
        self._ink: Fill | None = None

    @contextmanager
    def on(self, ground: Fill | None, ink: Fill | None = None) -> Generator[None]:
        """Read what stands on a ground, where there is one, and is painted so where its styles do not say."""
        before = self._ground, self._ink
        if ground is not None and not ground.is_none:
            self._ground = ground.colour
        self._ink = self._ink if ink is None else ink
        try:
            yield
        finally:
            self._ground, self._ink = before

    def _is_seen(self, style: OdfStyle) -> bool:
        ground = self._ground if style.ground is None else style.ground.colour
        ink = self._ink if style.ink is None else style.ink
        return not style.hidden and is_seen(ink, ground)

    def words(self, paragraph: Element, style: OdfStyle) -> OdfWords:
        """Return what a paragraph of a style holds."""
        found = OdfWords()
        self._inside(paragraph, found, style, 0)
        return found

    def _inside(self, node: Element, found: OdfWords, style: OdfStyle, depth: int) -> None:
        self._add(node.text, found, style)
        for child in node:
            self._one(child, found, style, depth)
            self._add(child.tail, found, style)

    def _one(self, child: Element, found: OdfWords, style: OdfStyle, depth: int) -> None:
        tag = child.tag
        if tag == f"{DRAW}control":
            found.parts.append(f" {self._file.fields.get(child.get(f'{DRAW}control', ''), '')} ")
        elif tag in _HANGING:
            if not self._formula(child, found):
                found.hanging.append(child)
                found.parts += [as_mark(text) for text in citation(child) if self._is_seen(style)]
        elif tag in _SPACES:
            found.parts.append(_SPACES[tag] * min(count_of(child, f"{TEXT}c") or 1, _MOST_SPACES))
        elif tag in LEFT_OUT or depth > _DEEPEST:
            found.unseen += [child.get(f"{TEXT}string-value", "")] if tag == f"{TEXT}hidden-text" else []
        elif tag == f"{TEXT}span":
            own = self._styles.of(child.get(f"{TEXT}style-name"), "text")
            self._inside(child, found, _over(own, style), depth + 1)
        elif tag == f"{TEXT}ruby-text":
            found.parts.append(f"({''.join(child.itertext())})")
        else:
            found.counted |= tag == f"{TEXT}sequence"
            self._inside(child, found, style, depth + 1)

    def _add(self, text: str | None, found: OdfWords, style: OdfStyle) -> None:
        if text and not self._is_seen(style):
            found.unseen.append(text)
        elif text:
            shown = collapse_whitespace(text) if text.isspace() else _collapsed(text)
            found.parts.append(
                marked(
                    shown,
                    is_raised=style.raised,
                    is_struck=bool(style.struck),
                    looks=style.looks,
                    ground=style.marker,
                )
            )
            if text.strip():
                found.bold = found.bold and style.bold
                found.monospaced = found.monospaced and style.monospaced

    def _formula(self, frame: Element, found: OdfWords) -> bool:
        """Take a frame that holds a formula as words; return whether it does."""
        held = frame.find(f"{DRAW}object")
        if held is None:
            return False
        root = self.object_of(held)
        if root is None or not root.tag.startswith(MATHML):
            return False
        text = collapse_whitespace(of_mathml(root))
        if text:
            is_apart = bool(found.parts) and found.parts[-1][-1:].isalnum()
            found.parts.append(f" {text}" if is_apart else text)
            found.formulas += 1
            found.bold = found.monospaced = False
        return True

    def object_of(self, held: Element) -> Element | None:
        """Return the root of an object in a frame: one that stands in it, or in a part of its own."""
        inside = next(iter(held), None)
        return inside if inside is not None else self._file.object(held.get(HREF, ""))


def _over(own: OdfStyle, around: OdfStyle) -> OdfStyle:
    """Return the style of a span in a paragraph: what holds around it holds inside too."""
    return OdfStyle(
        own.name,
        bold=own.bold or around.bold,
        hidden=own.hidden or around.hidden,
        raised=own.raised or around.raised,
        struck=around.struck if own.struck is None else own.struck,
        monospaced=own.monospaced or around.monospaced,
        ink=around.ink if own.ink is None else own.ink,
        ground=around.ground if own.ground is None else own.ground,
        looks="".join(letter for letter in "biuh" if letter in own.looks or letter in around.looks),
        marker=around.marker if own.marker < 0 else own.marker,
    )


def citation(node: Element) -> Iterator[str]:
    """Yield the mark of a note where it stands in the text."""
    if node.tag == f"{TEXT}note":
        mark = node.find(f"{TEXT}note-citation")
        if mark is not None and (text := collapse_whitespace("".join(mark.itertext()))):
            yield text


def _collapsed(text: str) -> str:
    """Return text whose white space is one space, also at its ends: the file's own line breaks mean nothing."""
    before, after = text[0].isspace(), text[-1].isspace()
    return f"{' ' if before else ''}{collapse_whitespace(text)}{' ' if after else ''}"


_DRAWN = ("frame", "custom-shape", "g", "rect", "ellipse", "circle", "line", "connector", "polygon", "path", "caption",
          "polyline", "regular-polygon", "measure", "a", "control", "page-thumbnail")  # fmt: skip
HUNG = frozenset((f"{TEXT}note", f"{OFFICE}annotation", *(DRAW + name for name in _DRAWN)))
"""Notes, comments and drawings."""
_HANGING = HUNG | {f"{TABLE}table"}
_SOURCES = ("table-of-content", "illustration-index", "table-index", "alphabetical-index", "bibliography", "user-index",
            "object-index")  # fmt: skip
_MARKS = ("tracked-changes", "hidden-text", "alphabetical-index-mark", "script", "number", "sequence-decls",
          "variable-decls", "user-field-decls", *(f"{name}-source" for name in _SOURCES))  # fmt: skip
LEFT_OUT = frozenset((
    *(TEXT + name for name in _MARKS),
    *(OFFICE + name for name in ("annotation-end", "event-listeners", "forms")),
    *(DRAW + name for name in ("glue-point", "enhanced-geometry")),
))  # fmt: skip
"""What says nothing to readers."""
_SPACES: Mapping[str, str] = {f"{TEXT}s": " ", f"{TEXT}tab": "\t", f"{TEXT}line-break": "\n"}
