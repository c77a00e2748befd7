"""How the elements of an HTML page look: shown or not, raised, struck out, on which ground. Text only; no layout."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from octavo_documents.parsing import css_values as css
from octavo_documents.parsing.css import ElementPlaces, StyleSheet
from octavo_documents.parsing.css_selectors import Attributes
from octavo_documents.parsing.css_values import WHITE, Colour
from octavo_documents.parsing.html_forms import FIELDS, value_of
from octavo_documents.parsing.inline_marks import marked
from octavo_documents.parsing.left_out import Unseen
from octavo_documents.parsing.look_marks import YELLOW

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

STRUCK_TAGS = frozenset(("s", "strike", "del"))
_STYLED = {"b": "b", "strong": "b", "i": "i", "em": "i", "cite": "i", "dfn": "i", "u": "u", "ins": "u", "mark": "h"}
"""What tags say of how words look, as letters of `StyledWords`."""
_TELLING = STRUCK_TAGS | _STYLED.keys() | {"sup", "sub", "a", "font"}
_ATTRIBUTES = frozenset(("style", "hidden", "bgcolor", "background"))
_OLD = ("color", "background", "bgcolor")
_CELLS = frozenset(("td", "th", "tr", "table", "img", "tbody", "thead"))
_UNREAD = frozenset(("script", "style", "template", "-comment"))
_UNEVEN = (
    "sup, sub, s, strike, del, b, strong, i, em, cite, dfn, u, ins, mark, font, "
    "script, style, template, [style], [hidden], [bgcolor], [background], "
    "input, select, textarea"
)
"""Elements that may look in another way than those around them, and those whose text is none."""
_SCRIPTED_SHARE, _SCRIPTED_WORDS = 1 / 3, 200
"""Share of a page's words, and their number, from which on words that scripts may show are kept."""
_OPENED_BY = ("aria-controls", "data-target", "data-bs-target", "data-toggle-target")


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """What words inherit from the elements they stand in. `ground` and `ink` are None where they are not known.

    It is equal to itself alone, so that what follows from one is found again fast.
    """

    is_seen: bool = True
    """Whether its visibility is not hidden."""
    is_sizeless: bool = False
    is_raised: bool = False
    is_struck: bool = False
    is_lowered: bool = False
    ground: Colour | None = None
    ink: Colour | None = None
    styled: str = ""
    """Letters of `StyledWords`."""
    marker: int = -1
    """The colour that words are highlighted in, 0xRRGGBB."""

    is_shown: bool = field(init=False)
    """Whether its words can be seen."""
    is_ordinary: bool = field(init=False)
    """Whether its words are neither hidden nor without size, on whatever ground."""
    is_plain: bool = field(init=False)
    """Whether its words need no marks."""

    def __post_init__(self) -> None:
        """Work out what is asked of each piece of text."""
        is_ordinary = self.is_seen and not self.is_sizeless
        object.__setattr__(self, "is_ordinary", is_ordinary)
        object.__setattr__(self, "is_shown", is_ordinary and not css.is_same(self.ground, self.ink))
        object.__setattr__(self, "is_plain", not (self.is_raised or self.is_struck or self.styled))

    def on(self, text: str) -> str:
        """Return words with the marks of how they stand."""
        if self.is_plain:
            return text
        looks = (self.styled, self.marker)
        return marked(text, is_raised=self.is_raised, is_struck=self.is_struck, looks=looks[0], ground=looks[1])


PLAIN = Look(ground=WHITE)


class _AnyName(frozenset[str]):
    """Names, any of which it holds."""

    def __contains__(self, name: object) -> bool:
        """Hold any name."""
        return True


class _Effect:
    """What declarations do to the look of an element, worked out once for all elements that have the same."""

    def __init__(self, said: css.Declared) -> None:
        self.said = said
        self.hides = css.hides(said)
        self._visibility = said.get("visibility", "inherit")
        self._sizeless = css.is_sizeless(said)
        self._has_ground, self._ground = css.ground(said)
        # What is placed over other things may stand on any of them.
        self._is_placed = said.get("position") in ("absolute", "fixed")
        self._inks = "color" in said and said["color"] != "inherit"
        self._ink = css.colour(said["color"]) if self._inks else None
        if "text" in said.get("background-clip", said.get("-webkit-background-clip", "")):
            self._inks, self._ink = True, None
        self._raises, self._strikes = css.is_raised(said), css.is_struck(said)
        is_seen_as_before = self._visibility not in ("hidden", "collapse", "visible")
        self._styles = css.styles(said)
        is_plain = is_seen_as_before and self._sizeless is None and not (self._raises or self._strikes or self._styles)
        self.is_none = is_plain and not (self._has_ground or self._is_placed or self._inks)
        self._known: dict[tuple[Look, bool], Look] = {}

    def on(self, look: Look, tag: str) -> Look:
        """Return a look with it."""
        key = (look, tag in _CELLS)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._on(*key)
        return found

    def _on(self, look: Look, is_cell: bool) -> Look:  # noqa: FBT001
        seen = self._visibility
        return replace(
            look,
            is_seen=look.is_seen if seen not in ("hidden", "collapse", "visible") else seen == "visible",
            is_sizeless=look.is_sizeless if self._sizeless is None else self._sizeless,
            is_raised=look.is_raised or (self._raises and not is_cell),
            is_struck=look.is_struck or self._strikes,
            styled=_with_styles(look.styled, self._styles),
            ground=self._ground if self._has_ground else None if self._is_placed else look.ground,
            ink=self._ink if self._inks else look.ink,
        )


class Looks:
    """How the elements of a page look. `unseen` takes the words that are left out."""

    def __init__(self, tree: LexborHTMLParser, sheet: StyleSheet, unseen: Unseen, page: str, start: Look) -> None:
        """Keep the rules of a page; `page` is its source, in which controls are looked for that open what is hidden."""
        self._tree, self._sheet, self.unseen, self._page = tree, sheet, unseen, page
        self._uneven: set[int] | None = None
        self.start = start
        self.has_scripts = "<script" in page
        self.is_lenient = False
        """Whether what scripts may show is read."""
        self._was_tied = False
        self._has_rules = bool(sheet)
        self.telling = _AnyName() if "*" in sheet.tags else _TELLING | sheet.tags
        """The names of elements that say something of their look without attributes."""
        self._places = ElementPlaces()
        self._known: dict[tuple[object, ...], Look] = {}
        self._effects: dict[tuple[tuple[int, ...], str, bool], _Effect] = {}

    def of(self, node: LexborNode, tag: str, look: Look, attributes: Attributes | None = None) -> Look | None:
        """Return how the words in an element look; None where it is not shown with all that is in it."""
        if attributes is None:
            attributes = node.attributes
        if not attributes and tag not in self.telling:
            return look
        rules: tuple[int, ...] = ()
        if self._has_rules:
            is_ordinary = look.is_ordinary and "style" not in attributes and "hidden" not in attributes
            rules = self._sheet.of(node, tag, attributes, self._places, is_ordinary=is_ordinary)
        is_idle = _ATTRIBUTES.isdisjoint(attributes) and (tag not in _TELLING or (tag == "a" and look.ink is None))
        if not rules and is_idle:
            return look
        own = look if is_idle else self._of_tag(tag, attributes, look)
        style = attributes.get("style") or ""
        is_hidden = "hidden" in attributes and attributes["hidden"] != "until-found"
        if not rules and not style and not is_hidden:
            return own
        key = (rules, style, is_hidden)
        effect = self._effects.get(key)
        if effect is None:
            effect = self._effects[key] = self._effect(*key)
        if effect.hides and not self.is_lenient and not self._is_opened(node, tag, attributes, effect.said):
            return None
        return own if effect.is_none else effect.on(own, tag)

    def _of_tag(self, tag: str, attributes: Attributes, look: Look) -> Look:
        key = (tag, look, bool(attributes), *map(attributes.get, _OLD))
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = _of_tag(tag, attributes, look)
        return found

    def _effect(self, rules: tuple[int, ...], style: str, is_hidden: bool) -> _Effect:  # noqa: FBT001
        said = self._sheet.said(rules, style)
        if is_hidden and "display" not in said:
            said["display"] = "none"
        return _Effect(said)

    def _is_opened(self, node: LexborNode, tag: str, attributes: Attributes, said: css.Declared) -> bool:
        """Whether a person can have an element shown: by a control of the page, or by what a rule says of a state."""
        if self._sheet.opens(node, tag, attributes, said):
            return True
        if not self.has_scripts:
            return False
        id_ = attributes.get("id")
        return attributes.get("role") == "tabpanel" or bool(
            id_ and any(f'{name}="{sign}{id_}"' in self._page for name in _OPENED_BY for sign in ("", "#"))
        )

    def may_be_scripted(self, shown: Iterable[str]) -> bool:
        """Whether so much is hidden beside the `shown` texts that scripts are likely to show it."""
        hidden = self.unseen.words
        if hidden <= _SCRIPTED_WORDS or not self.has_scripts or self.is_lenient:
            return False
        return hidden > _SCRIPTED_SHARE * (hidden + sum(len(text.split()) for text in shown))

    def hide(self, node: LexborNode) -> None:
        """Note the words of an element that is left out."""
        self.unseen.hide(node.text(separator=" "))

    def text(self, node: LexborNode, look: Look, *, gap: str = "") -> str:
        """Return the words in an element with their marks, `gap` between pieces that no raised text ties."""
        first = node.child
        if first is None or (first.next is None and first.tag == "-text"):
            return self.words(node.text(), look)
        found: list[str] = []
        if self._is_even(node, look):
            return node.text(separator=gap)
        self._was_tied = False
        self._gather(node, look, found, gap)
        return "".join(found)

    def _is_even(self, node: LexborNode, look: Look) -> bool:
        """Whether all words in an element are seen, and stand as all others do."""
        if self._has_rules or look.ink is not None or look.is_lowered or not (look.is_plain and look.is_shown):
            return False
        if self._uneven is None:
            self._uneven = _around(self._tree.css(_UNEVEN))
        return node.mem_id not in self._uneven

    def words(self, text: str, look: Look) -> str:
        """Return words in a look with their marks; those that are not seen are noted."""
        if look.is_shown:
            return look.on(text)
        self.unseen.hide(text)
        return ""

    def _gather(self, node: LexborNode, look: Look, found: list[str], gap: str, depth: int = 0) -> None:
        child = node.child
        while child is not None:
            tag = child.tag or ""
            if tag == "-text":
                text = self.words(child.text_content or "", look)
                is_tied = look.is_raised or look.is_lowered
                if gap and found and not is_tied and not self._was_tied:
                    found.append(gap)
                self._was_tied = is_tied
                if text:
                    found.append(text)
            elif tag in FIELDS:
                found.append(f" {self.words(value_of(child), look)} ")
            elif tag not in _UNREAD and depth > 200:
                found.append(f" {child.text(separator=' ')} ")
            elif tag not in _UNREAD:
                inside = self.of(child, tag, look, child.attributes)
                if inside is None:
                    self.hide(child)
                else:
                    self._gather(child, inside, found, gap, depth + 1)
            child = child.next


def _around(nodes: Iterable[LexborNode]) -> set[int]:
    """Return the elements that hold one of these, by their place in memory."""
    found = set[int]()
    for node in nodes:
        up = node.parent
        while up is not None and up.mem_id not in found:
            found.add(up.mem_id)
            up = up.parent
    return found


def _of_tag(tag: str, attributes: Attributes, look: Look) -> Look:
    """Return a look with what the element's name and its own old attributes say."""
    if tag == "sup":
        return replace(look, is_raised=True)
    if tag in STRUCK_TAGS:
        return replace(look, is_struck=True)
    if tag == "sub":
        return replace(look, is_lowered=True)
    if tag in _STYLED:
        marker = YELLOW if tag == "mark" else look.marker
        return replace(look, styled=_with_styles(look.styled, {_STYLED[tag]: True}), marker=marker)
    if not attributes:
        return look
    if tag == "font" and attributes.get("color"):
        return replace(look, ink=css.colour(attributes["color"] or ""))
    if tag == "a" and look.ink is not None:
        return replace(look, ink=None)
    if attributes.get("background"):
        return replace(look, ground=None)
    if attributes.get("bgcolor"):
        return replace(look, ground=css.colour(attributes["bgcolor"] or ""))
    return look


def _with_styles(styled: str, said: Mapping[str, bool]) -> str:
    """Return the letters of looks with those that are said to be there, and without those that are said not to be."""
    return "".join(letter for letter in "biuh" if said.get(letter, letter in styled)) if said else styled


@lru_cache(maxsize=2)
def _sheet(text: str, *, has_scripts: bool) -> StyleSheet:
    """Return the rules of style sheets; the chapters of a book and the parts of a mailbox often share theirs."""
    return StyleSheet(text, has_scripts=has_scripts)


def looks_of(tree: LexborHTMLParser, page: str, unseen: Unseen, styles: str = "") -> Looks:
    """Return how the elements of a page look, by its own style sheets and others that belong to it."""
    within = tree.css("style") if "<style" in page or styles else ()
    texts = [styles, *(node.text() for node in within if (node.attributes.get("media") or "") != "print")]
    own = "\n".join(filter(None, texts))
    is_whole = "stylesheet" not in page and "@import" not in own
    start = PLAIN if is_whole else Look()
    return Looks(tree, _sheet(own, has_scripts="<script" in page), unseen, page, start)
