"""The tags in wikitext: which hold text to keep as it is, which hold none, which part paragraphs.

Owns these rules. Goes over a text once; an element that is never closed is a tag to drop, its words stay.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from octavo.document import Kind
from octavo.parsing.flow import FlowBlock, tidy
from octavo.parsing.wikitext.kept import Kept

_TAG = re.compile(r"<(?:!--|(/?)([a-zA-Z][a-zA-Z0-9]*+)([^<>]*+)>)")
_COMMENT = "!--"
_INLINE = re.compile(r"\binline\b")
_UNREAD = "ref references style script templatestyles includeonly timeline imagemap graph mapframe maplink score"
_DROPPED = frozenset(_UNREAD.split())
_BLOCKS = "blockquote p div center table tr ul ol dl dd dt poem section hr h1 h2 h3 h4 h5 h6"
_PARTING = frozenset(_BLOCKS.split())
_SPACE = frozenset(("br", "td", "th", "caption"))


def without_tags(text: str, kept: Kept) -> str:
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
        else:
            parts.append(_of_tag(name, tag[1]))
    parts.append(text[at:])
    return "".join(parts)


def _of_tag(name: str, slash: str) -> str:
    if name == "li":
        return "" if slash else "\n* "
    return "\n\n" if name in _PARTING else " " if name in _SPACE else ""


def _nothing(content: str, attributes: str, kept: Kept) -> str:
    del content, attributes, kept
    return ""


def _verbatim(content: str, attributes: str, kept: Kept) -> str:
    del attributes
    return kept.put(content) if content else ""


def _code(content: str, attributes: str, kept: Kept) -> str:
    text = content.strip("\n")
    if not text.strip():
        return ""
    return kept.put(text if _INLINE.search(attributes) else FlowBlock(Kind.CODE, text))


def _formula(content: str, attributes: str, kept: Kept) -> str:
    del attributes
    text = tidy(content)
    return kept.put(FlowBlock(Kind.FORMULA, text)) if text else ""


def _gallery(content: str, attributes: str, kept: Kept) -> str:
    """Return a picture's link for each line."""
    del attributes, kept
    return "".join(f"\n\n[[File:|{line.partition('|')[2]}]]\n\n" for line in content.split("\n") if "|" in line)


_Element = Callable[[str, str, Kept], str]
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
