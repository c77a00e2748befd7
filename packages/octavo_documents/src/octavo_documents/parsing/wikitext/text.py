"""Runs of wikitext as people read them: tags, comments and marks of type replaced by what they show.

Verbatim text, pictures and boxes are set aside while marks are read; control characters, which no source has, stand
for them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from html import unescape

from octavo_documents.document import Kind
from octavo_documents.parsing.flow import FlowBlock, collapse_whitespace
from octavo_documents.parsing.inline_marks import LEVEL, STRUCK, UP, VALID
from octavo_documents.parsing.left_out import Unseen

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
_UNREAD = "ref references style script templatestyles includeonly timeline imagemap graph mapframe maplink score"
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


class Placeholders:
    """Blocks and verbatim texts set aside, by number."""

    def __init__(self) -> None:
        self._things: list[FlowBlock | str] = []
        self.unseen = Unseen()

    def put(self, thing: FlowBlock | str) -> str:
        """Set something aside and return the mark that stands for it."""
        self._things.append(thing)
        mark = f"\x01{len(self._things) - 1}\x02"
        return f"\n{mark}\n" if isinstance(thing, FlowBlock) and thing.kind in _APART else mark

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
    if name == "li":
        return "" if slash else "\n* "
    return "\n\n" if name in _PARTING else " " if name in _SPACE else ""


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
