"""Runs of wikitext as people read them: tags, comments and marks of type replaced by what they show.

Verbatim text, pictures and boxes are set aside while marks are read; control characters, which no source has, stand
for them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from html import unescape

from octavo_documents.document import Kind
from octavo_documents.parsing.flow import FlowBlock, collapse_whitespace
from octavo_documents.parsing.inline_marks import LEVEL, STRUCK, UP, VALID, note_mark
from octavo_documents.parsing.left_out import Unseen
from octavo_documents.parsing.numerals import whole_number
from octavo_documents.parsing.ordered_lists import HTML_FORMS, ListNumbers

_WEB = re.compile(r"\[(?:(?:https?|ftps?|news|irc|gopher|git):|mailto:)?//?[^\s\[\]<>\"]++[^\S\n]*+([^\[\]\n]*+)\]")
_MAIL = re.compile(r"\[mailto:[^\s\[\]]++[^\S\n]*+([^\[\]\n]*+)\]")
_GAP = re.compile(r"(?<=\()[\s;,]++|(?<![\s;,])[\s;,]++(?=\))")
"""What a dropped template leaves inside brackets."""
_SWITCH = re.compile(r"__[A-Z]{3,30}__")
_PLACEHOLDER = re.compile("\x01(\\d+)\x02")
_APART = (Kind.CODE, Kind.TABLE)
"""Kinds that always stand on their own."""
_TAG = re.compile(r"<(?:!--|(/?)([a-zA-Z][a-zA-Z0-9]*+)([^<>]*+)>)")
_COMMENT = "!--"
_INLINE = re.compile(r"\binline\b")
_UNREAD = "style script templatestyles includeonly timeline imagemap graph mapframe maplink score"
_ATTRIBUTE = re.compile(r"\b([a-zA-Z]{1,20})\s*+=\s*+(\"[^\"]*+\"|'[^']*+'|[^\s\"'/>]++)")
_LISTED = re.compile(r"<ref\b([^<>/]*+)>(.*?)</ref\s*+>", re.IGNORECASE | re.DOTALL)
"""A note among those that are listed."""
_DROPPED = frozenset(_UNREAD.split())
_BLOCKS = "blockquote p div center table tr ul ol dl dd dt poem section hr h1 h2 h3 h4 h5 h6"
_PARTING = frozenset(_BLOCKS.split())
_SPACE = frozenset(("br", "td", "th", "caption"))


def words(text: str, kept: Placeholders) -> str:
    """Return the words on one line."""
    return collapse_whitespace(unmarked(text, kept))


def unmarked(text: str, kept: Placeholders) -> str:
    """Return the words with all white space as it is."""
    if "''" in text:
        text = text.replace("'''''", "").replace("'''", "").replace("''", "")
    if "[" in text:
        text = _MAIL.sub(r"\1", _WEB.sub(r"\1", text))
    if "(" in text:
        text = _GAP.sub("", text).replace(" ()", "").replace("()", "")
    if "__" in text:
        text = _SWITCH.sub("", text)
    if "&" in text:
        text = unescape(text)
    return kept.filled(text)


@dataclass(slots=True)
class _Note:
    group: str
    label: str
    source: str = ""
    marks: list[int] = field(default_factory=list[int])
    """What stands for its marks, by number."""


class Placeholders:
    """Blocks and verbatim texts set aside, by number."""

    def __init__(self) -> None:
        self._things: list[FlowBlock | str] = []
        self._notes: dict[str, _Note] = {}
        self.unseen = Unseen()

    def put(self, thing: FlowBlock | str) -> str:
        """Set something aside and return the mark that stands for it."""
        self._things.append(thing)
        mark = f"\x01{len(self._things) - 1}\x02"
        return f"\n{mark}\n" if isinstance(thing, FlowBlock) and thing.kind in _APART else mark

    def note(self, content: str, attributes: str) -> str:
        """Set a note aside and return the mark that stands for its own; one with a name may be referred to again."""
        said = {name.lower(): value.strip(" \"'") for name, value in _ATTRIBUTE.findall(attributes)}
        group, name = said.get("group", ""), said.get("name", "")
        key = f"{group}/{name}" if name else f"{group}/\0{len(self._notes)}"
        count = sum(one.group == group for one in self._notes.values())
        one = self._notes.setdefault(key, _Note(group, f"{group} {count + 1}".strip()))
        one.source = one.source or content
        self._things.append("")
        one.marks.append(len(self._things) - 1)
        return f"\x01{one.marks[-1]}\x02"

    def notes(self, read: Callable[[str], str]) -> list[FlowBlock]:
        """Return the notes that have words of their own, by `read`; their marks are then in their places."""
        found: list[FlowBlock] = []
        for one in self._notes.values():
            text = read(one.source) if one.source.strip() else ""
            if any(map(str.isalnum, text)):
                found.append(FlowBlock(Kind.FOOTNOTE, f"[{one.label}] {text}"))
                for at in one.marks:
                    self._things[at] = note_mark(one.label)
        return found

    def alone(self, text: str) -> FlowBlock | None:
        """Return the block that all of a stripped text stands for, punctuation after it aside."""
        mark = _PLACEHOLDER.fullmatch(text.rstrip(" .,;"))
        thing = self._things[int(mark[1])] if mark else None
        return thing if isinstance(thing, FlowBlock) else None

    def figures(self, text: str) -> tuple[list[FlowBlock], str]:
        """Return the pictures in a text, and the text without them."""
        found: list[FlowBlock] = []

        def taken(mark: re.Match[str]) -> str:
            thing = self._things[int(mark[1])]
            if not isinstance(thing, FlowBlock) or thing.kind != Kind.FIGURE:
                return mark[0]
            found.append(thing)
            return ""

        return found, _PLACEHOLDER.sub(taken, text)

    def filled(self, text: str) -> str:
        """Return a text with the words of what was set aside back in their places."""
        return _PLACEHOLDER.sub(self._words, text) if "\x01" in text else text

    def _words(self, mark: re.Match[str]) -> str:
        thing = self._things[int(mark[1])]
        return thing if isinstance(thing, str) else thing.text.replace("\n", " ")


def without_tags(text: str, kept: Placeholders) -> str:
    """Return a text without tags and comments; what has to be taken as it is stands in `kept`."""
    if "<" not in text:
        return text
    parts: list[str] = []
    unclosed: set[str] = set()
    lists = _Lists()
    at = 0
    while tag := _TAG.search(text, at):
        parts.append(text[at : tag.start()])
        name = (tag[2] or _COMMENT).lower()
        at = tag.end()
        if name in _CLOSERS and not tag[1] and not (tag[3] or "").endswith("/") and name not in unclosed:
            closer = _CLOSERS[name].search(text, at)
            if closer:
                parts.append(_ELEMENTS[name](text[at : closer.start()], tag[3] or "", kept))
                at = closer.end()
            else:
                unclosed.add(name)
        elif tag[3] and not tag[1] and _UNSEEN.search(tag[3]) and (end := _end_of(text, name, at)):
            kept.unseen.hide(_TAG.sub(" ", text[at : end[0]]))
            at = end[1]
        elif name == "ref" and (tag[3] or "").endswith("/"):
            parts.append(kept.note("", tag[3].rstrip("/")))
        elif name in ("ol", "ul", "li"):
            parts.append(lists.tag(name, tag[3] or "", is_end=bool(tag[1])))
        else:
            parts.append(_of_tag(name, tag[1]))
    parts.append(text[at:])
    return "".join(parts)


def _end_of(text: str, name: str, at: int) -> tuple[int, int] | None:
    """Return where an element that has been begun before a place ends, before and after its last tag."""
    depth = 1
    for match in _BOUND.finditer(text, at, at + _LONGEST_UNSEEN):
        if match[2].lower() == name and not match[3].endswith("/"):
            depth += -1 if match[1] else 1
            if not depth:
                return match.span()
    return None


_BOUND = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*+)([^<>]*+)>")
_LONGEST_UNSEEN = 20_000
_SIGNS = {
    "sup": (UP, LEVEL),
    **dict.fromkeys(("s", "del", "strike"), (STRUCK, VALID)),
}
"""What stands for tags of raised and of struck-out text."""
_UNSEEN = re.compile(
    r"display\s*+:\s*+none|visibility\s*+:\s*+hidden|font-size\s*+:\s*+0(?![.\d]*[1-9])", re.IGNORECASE
)


def _of_tag(name: str, slash: str) -> str:
    if name in _SIGNS:
        return _SIGNS[name][bool(slash)]
    return "\n\n" if name in _PARTING else " " if name in _SPACE else ""


class _Lists:
    """The lists in tags that are open, as the lines of items that wikitext has for them."""

    def __init__(self) -> None:
        self._numbers = ListNumbers()
        self._depth = 0

    def tag(self, name: str, attributes: str, *, is_end: bool) -> str:
        """Return what stands for a tag of a list or an item; the number of an item is written out."""
        said = {key.lower(): value.strip(" \"'") for key, value in _ATTRIBUTE.findall(attributes)}
        if name == "li":
            number = "" if is_end else self._numbers.item(whole_number(said.get("value", "")))
            return "" if is_end else f"\n{'*' * max(self._depth, 1)} {number} "
        if is_end:
            self._numbers.end()
            self._depth = max(self._depth - 1, 0)
        else:
            start = whole_number(said.get("start", ""))
            first = None if name == "ul" else 1 if start is None else start
            self._numbers.begin(first, form=HTML_FORMS.get(said.get("type", ""), "decimal"))
            self._depth += 1
        return "\n\n" if self._depth == int(not is_end) else "\n"


def _note(content: str, attributes: str, kept: Placeholders) -> str:
    return kept.note(content, attributes)


def _references(content: str, attributes: str, kept: Placeholders) -> str:
    """Take the notes that are written where all are listed."""
    group = "".join(f' group="{value}"' for name, value in _ATTRIBUTE.findall(attributes) if name.lower() == "group")
    for own, said in _LISTED.findall(content):
        kept.note(said, f"{own}{group}")
    return "\n\n"


def _nothing(content: str, attributes: str, kept: Placeholders) -> str:
    del content, attributes, kept
    return ""


def _verbatim(content: str, attributes: str, kept: Placeholders) -> str:
    del attributes
    return kept.put(content) if content else ""


def _code(content: str, attributes: str, kept: Placeholders) -> str:
    text = content.strip("\n")
    if not text.strip():
        return ""
    return kept.put(text if _INLINE.search(attributes) else FlowBlock(Kind.CODE, text))


def _formula(content: str, attributes: str, kept: Placeholders) -> str:
    del attributes
    text = collapse_whitespace(content)
    return kept.put(FlowBlock(Kind.FORMULA, text)) if text else ""


def _gallery(content: str, attributes: str, kept: Placeholders) -> str:
    """Return a picture's link for each line."""
    del attributes, kept
    return "".join(f"\n\n[[File:|{line.partition('|')[2]}]]\n\n" for line in content.split("\n") if "|" in line)


_Element = Callable[[str, str, Placeholders], str]
_ELEMENTS: Mapping[str, _Element] = {
    _COMMENT: _nothing,
    **dict.fromkeys(_DROPPED, _nothing),
    "ref": _note,
    "references": _references,
    "nowiki": _verbatim,
    "pre": _code,
    "syntaxhighlight": _code,
    "source": _code,
    "math": _formula,
    "chem": _formula,
    "ce": _formula,
    "gallery": _gallery,
}
_CLOSERS = {name: re.compile("-->" if name == _COMMENT else rf"</(?i:{name})\s*+>") for name in _ELEMENTS}
