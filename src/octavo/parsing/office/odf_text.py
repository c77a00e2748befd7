"""The words of a paragraph in OpenDocument, and what hangs on it: notes, comments, frames."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from octavo.parsing.flow import tidy
from octavo.parsing.mathml import MATHML, linear
from octavo.parsing.office.odf import DRAW, HREF, OFFICE, TABLE, TEXT, OpenDocument
from octavo.parsing.office.odf_styles import Style, Styles, count_of
from octavo.parsing.package import Element

_DEEPEST = 120
"""Elements inside each other that are followed."""
_MOST_SPACES = 200


@dataclass(slots=True)
class Words:
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

    def raw(self) -> str:
        """Return the text with its line breaks."""
        return "".join(self.parts)

    def text(self) -> str:
        """Return the text on one line."""
        return tidy("".join(self.parts))


class Reader:
    """Reads paragraphs of a file."""

    def __init__(self, file: OpenDocument, styles: Styles) -> None:
        self._file, self._styles = file, styles

    def words(self, paragraph: Element, style: Style) -> Words:
        """Return what a paragraph of a style holds."""
        found = Words()
        if not style.hidden:
            self._inside(paragraph, found, style, 0)
        return found

    def _inside(self, node: Element, found: Words, style: Style, depth: int) -> None:
        self._add(node.text, found, style)
        for child in node:
            self._one(child, found, style, depth)
            self._add(child.tail, found, style)

    def _one(self, child: Element, found: Words, style: Style, depth: int) -> None:
        tag = child.tag
        if tag in _HANGING:
            if not self._formula(child, found):
                found.hanging.append(child)
        elif tag in _SPACES:
            found.parts.append(_SPACES[tag] * min(count_of(child, f"{TEXT}c") or 1, _MOST_SPACES))
        elif tag in LEFT_OUT or depth > _DEEPEST:
            return
        elif tag == f"{TEXT}span":
            own = self._styles.of(child.get(f"{TEXT}style-name"), "text")
            if not own.hidden:
                self._inside(child, found, _over(own, style), depth + 1)
        elif tag == f"{TEXT}ruby-text":
            found.parts.append(f"({''.join(child.itertext())})")
        else:
            found.counted |= tag == f"{TEXT}sequence"
            self._inside(child, found, style, depth + 1)

    def _add(self, text: str | None, found: Words, style: Style) -> None:
        if text:
            found.parts.append(tidy(text) if text.isspace() else _collapsed(text))
            if text.strip():
                found.bold = found.bold and style.bold
                found.monospaced = found.monospaced and style.monospaced

    def _formula(self, frame: Element, found: Words) -> bool:
        """Take a frame that holds a formula as words; return whether it does."""
        held = frame.find(f"{DRAW}object")
        if held is None:
            return False
        root = self.object_of(held)
        if root is None or not root.tag.startswith(MATHML):
            return False
        text = tidy(linear(root))
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


def _over(own: Style, around: Style) -> Style:
    """Return the style of a span in a paragraph: what is bold or monospaced around it is so inside too."""
    if own.bold >= around.bold and own.monospaced >= around.monospaced:
        return own
    return Style(own.name, bold=own.bold or around.bold, monospaced=own.monospaced or around.monospaced)


def _collapsed(text: str) -> str:
    """Return text whose white space is one space, also at its ends: the file's own line breaks mean nothing."""
    before, after = text[0].isspace(), text[-1].isspace()
    return f"{' ' if before else ''}{tidy(text)}{' ' if after else ''}"


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
