"""Line breaks: lines of a paragraph to one text.

Owns hyphens at line ends and spaces between lines. Knows nothing about geometry.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_TAIL = re.compile(r"([^\W\d_]+)-$")
_HEAD = re.compile(r"[^\W\d_]+")
_ADDRESS = re.compile(r"(?:https?://|www\.)\S*$")
_LONGEST_WORD = 60
_LONGEST_ADDRESS = 400
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uff00-\uffef]")


class Words:
    """The words of a document, hyphenated ones whole, to tell a hyphen that was printed from one that was written."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._known: set[str] = set()
        for text in texts:
            words = _WORD.findall(text.lower())
            if words and text.endswith("-"):
                words.pop()
            self._known.update(words)

    def keeps_hyphen(self, head: str, tail: str) -> bool:
        """Tell whether `head-tail`, broken at its hyphen, is written with the hyphen."""
        head, tail = head.lower(), tail.lower()
        if head + tail in self._known:
            return False
        if f"{head}-{tail}" in self._known:
            return True
        return len(head) > 2 and len(tail) > 2 and head in self._known and tail in self._known


def joined(texts: Sequence[str], words: Words) -> str:
    """Return lines as one text: white space single, a word broken over lines whole again."""
    if not texts:
        return ""
    text = texts[0]
    for line in texts[1:]:
        text = _append(text, line, words)
    return text


def _append(text: str, line: str, words: Words) -> str:
    if not text or not line:
        return text or line
    if text.endswith("-"):
        return _append_hyphenated(text, line, words)
    if text.endswith("/") and _ADDRESS.search(text[-_LONGEST_ADDRESS:]):
        return text + line
    if _UNSPACED.match(text[-1]) and _UNSPACED.match(line[0]):
        return text + line
    return f"{text} {line}"


def _append_hyphenated(text: str, line: str, words: Words) -> str:
    tail, head = _TAIL.search(text[-_LONGEST_WORD:]), _HEAD.match(line)
    if tail and head and line[0].islower():
        return text + line if words.keeps_hyphen(tail[1], head[0]) else text[:-1] + line
    if len(text) > 1 and text[-2].isalnum() and line[0].isalnum():
        return text + line
    return f"{text} {line}"
