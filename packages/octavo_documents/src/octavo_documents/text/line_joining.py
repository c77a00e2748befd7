"""Lines to running text: a word that a line break parts is whole again, by the words of the document."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from octavo_documents.text.struck import STRUCK

_HYPHENS = "-\u2010\u2011"
_PLAIN = str.maketrans("\u2010\u2011", "--")
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_TAIL = re.compile(rf"([^\W\d_]+(?:[{_HYPHENS}][^\W\d_]+)*)[{_HYPHENS}]$")
_HEAD = re.compile(rf"[^\W\d_]+(?:[{_HYPHENS}][^\W\d_]+)*")
_PARTICIPLE = re.compile(r"[^\W\d_]{4,}(?:ed|ing|able|ible)")
_PREFIXES = frozenset(("under", "over", "inter", "counter", "super", "trans", "fore", "with", "cross", "after"))
_CLOSED = frozenset(
    ("cannot", "into", "onto", "another", "within", "without", "throughout", "however", "therefore", "moreover")
)
"""Words all of whose parts are words, which are never written with a hyphen."""
_OFTEN_CLOSED = frozenset(
    (
        "anti",
        "bi",
        "co",
        "de",
        "inter",
        "micro",
        "multi",
        "non",
        "over",
        "post",
        "pre",
        "re",
        "semi",
        "sub",
        "un",
        "under",
    )
)
"""First parts that are written with a hyphen before some words and closed up before most."""
_SHORTEST_REST = 4
_RANGE = re.compile(r"\d–$")
_ADDRESS = re.compile(r"(?:https?://|www\.)\S*$")
_PATH = re.compile(r"[\w.-]+/[\w./-]*\w[./_]$")
_PATH_HEAD = re.compile(r"[a-z0-9_]+(?:[./_]|$|\s)")
_LONGEST_WORD = 60
_LONGEST_ADDRESS = 400
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uff00-\uffef]")


class Words:
    """The words of a document, hyphenated ones whole, to tell a hyphen that was printed from one that was written."""

    def __init__(self, texts: Iterable[str]) -> None:
        """Learn from lines in the order of the text: what a line break parts is no word, nor is its rest."""
        self._known: set[str] = set()
        self._firsts: set[str] = set()
        is_broken = False
        for text in texts:
            words = _WORD.findall(text.lower().translate(_PLAIN))
            first = 1 if is_broken else 0
            is_broken = text.endswith(tuple(_HYPHENS))
            whole = words[first : len(words) - 1 if is_broken else None]
            self._known.update(whole)
            self._firsts.update({word.split("-", 1)[0] for word in whole if "-" in word} - _OFTEN_CLOSED)

    def keeps_hyphen(self, head: str, tail: str) -> bool:
        """Return whether `head-tail`, broken at its hyphen, is written with the hyphen; each may have more hyphens."""
        head, tail = head.lower().translate(_PLAIN), tail.lower().translate(_PLAIN)
        if head + tail in self._known or head + tail in _CLOSED:
            return False
        if f"{head}-{tail}" in self._known:
            return True
        before, after = head.rsplit("-", 1)[-1], tail.split("-", 1)[0]
        if before + after in self._known:
            return False
        if head != before or tail != after:  # "six-in-/ten" goes on with the hyphens it has
            return (before if head != before else after) in self._known
        return (before in self._known or before in self._firsts) and self._is_second(after, before)

    def is_rest(self, word: str) -> bool:
        """Return whether a text is long enough to be a word and is none of the document."""
        return len(word) >= _SHORTEST_REST and word.lower() not in self._known

    def _is_second(self, word: str, first: str) -> bool:
        """Return whether this is the second word of a compound: known, or a participle after no prefix."""
        if len(first) > 2 and len(word) > 2 and word in self._known:
            return True
        return len(first) > 3 and first not in _PREFIXES and bool(_PARTICIPLE.fullmatch(word))

    def is_whole(self, head: str, tail: str) -> bool:
        """Return whether the document writes `headtail` elsewhere, and `head-tail` nowhere."""
        head, tail = head.lower().translate(_PLAIN), tail.lower().translate(_PLAIN)
        return head + tail in self._known and f"{head}-{tail}" not in self._known


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
    if text.endswith(STRUCK) and line.startswith(STRUCK) and len(text) > len(STRUCK) < len(line):
        return _append(text[: -len(STRUCK)], line[len(STRUCK) :], words)
    if text.endswith(tuple(_HYPHENS)):
        return _append_hyphenated(text, line, words)
    if (text.endswith("/") and _is_address(text)) or (line[0].isdigit() and _RANGE.search(text[-2:])):
        return text + line
    if text[-1] in "./_" and _PATH.search(text[-_LONGEST_ADDRESS:]) and _PATH_HEAD.match(line):
        return text + line
    if _UNSPACED.match(text[-1]) and _UNSPACED.match(line[0]):
        return text + line
    return f"{text} {line}"


def _is_address(text: str) -> bool:
    return bool(_ADDRESS.search(text[-_LONGEST_ADDRESS:]))


def _append_hyphenated(text: str, line: str, words: Words) -> str:
    tail, head = _TAIL.search(text[-_LONGEST_WORD:]), _HEAD.match(line)
    if tail and head and not _is_address(text):
        return text + line if _keeps_hyphen(tail[1], head[0], words) else text[:-1] + line
    if len(text) > 1 and text[-2].isalnum() and line[0].isalnum():
        return text + line
    return f"{text} {line}"


def _keeps_hyphen(head: str, tail: str, words: Words) -> bool:
    """Return whether a hyphen was written: by the words of the document, and before a capital but for all capitals."""
    if tail[0].islower():
        return words.keeps_hyphen(head, tail)
    goes_on = head.isupper() and tail.isupper() and words.is_rest(tail) and not words.keeps_hyphen(head, tail)
    return not (goes_on or words.is_whole(head, tail))
