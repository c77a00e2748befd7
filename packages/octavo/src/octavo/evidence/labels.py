"""How an answer came about, told by its words: quoted where they stand in the quotes it cites, else who wrote them.

Pure functions of the JSON of an answer, so that one that was kept is told of as one that is new.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from octavo.evidence.claims import claims_of
from octavo.evidence.own_words import answering
from octavo_documents.text.lines import on_one_line
from octavo_documents.wording import t

if TYPE_CHECKING:
    from octavo.evidence.answer_shapes import LabelsShape

QUOTED = "quoted from the text"
WRITTEN = "written by a model, quotes checked"
SEEN = "read off a picture by a model"
READ = "read from the text"
WORKED_OUT = "worked out from what is cited"
_FROM = {
    "table": "read from a table",
    "figure": "read from a figure",
    "chart": "read from a chart",
    "caption": "read from a caption",
    "list_item": "read from a list",
}
_MARKS = re.compile(r"(?<=\w)[\u00b9\u00b2\u00b3\u2070-\u2079\u1d43-\u1d6a\u1d9c-\u1dbb\u207d\u207e]+(?!\w)")
"""Marks of notes behind a word, which a short answer leaves out and a quote keeps."""
_NUMBER_BEFORE = r"(?<![A-Za-z0-9_])(?<!\d[.,])(?<!(?<!\w)[-\u2212])"
_NUMBER_AFTER = r"(?![A-Za-z0-9_])(?![.,]\d)"
_SPACED = re.compile(r"[A-Za-z\u00aa-\u0dff\u10a0-\u10ff\u1200-\u139f\u1e00-\u1fff]")
"""Letters of scripts that part words by spaces."""
_WORD = re.compile(r"(?:(?<!\w)[-\u2212])?\w+(?:[.,:]\d+)*")


def is_quoted(texts: Iterable[str], quotes: Sequence[str]) -> bool:
    """Whether each text stands in one of the quotes as it is, white space and marks of notes aside; False for none."""
    plain = [_plain(quote) for quote in quotes]
    wanted = [_plain(text) for text in texts]
    return bool(wanted) and all(any(_stands_in(one, quote) for quote in plain) for one in wanted)


def _plain(text: str) -> str:
    return _MARKS.sub("", on_one_line(text))


def _stands_in(text: str, quote: str) -> bool:
    """Whether a text stands in a quote as whole words and numbers: 2 stands neither in 12 nor in 1.2 nor in −2."""
    if not text:
        return False
    before = _NUMBER_BEFORE if text[0].isdigit() else r"(?<!\w)" if _SPACED.match(text[0]) else ""
    after = _NUMBER_AFTER if text[-1].isdigit() else r"(?!\w)" if _SPACED.match(text[-1]) else ""
    return re.search(before + re.escape(text) + after, quote) is not None


def labels_of(answer: Mapping[str, Any]) -> LabelsShape:
    """Return what tells how the answer of some JSON came about; the label is "" where it is none."""
    if answer.get("outcome") != "answer":
        return {"answer_is_quoted": False, "answer_label": ""}
    citations = cast("list[dict[str, Any]]", answer.get("citations") or [])
    quotes = [str(one.get("quote") or "") for one in citations]
    text, value = str(answer.get("answer") or ""), answer.get("value")
    items = [str(one) for one in cast("list[Any]", value)] if isinstance(value, list) else []
    quoted = is_quoted([text], quotes) or (_is_list_of(text, items) and is_quoted(items, quotes))
    kinds = {str(one.get("kind") or "") for one in citations}
    place = _FROM.get(next(iter(kinds))) if len(kinds) == 1 else None
    if quoted:
        label = place or QUOTED
    elif written_by_model(answer):
        label = SEEN if answer.get("is_seen") else WRITTEN
    else:
        label = (place or READ) if _words_stand_in(text, quotes) else WORKED_OUT
    with answering(str(answer.get("question") or "")):
        label = t(label)
    if not written_by_model(answer):
        return {"answer_is_quoted": quoted, "answer_label": label}
    asked = f"{answer.get('question') or ''} {answer.get('understood') or ''}"
    return {"answer_is_quoted": quoted, "answer_label": label, "claims": claims_of(text, asked, quotes)}


def _is_list_of(text: str, items: Sequence[str]) -> bool:
    """Whether a text is items in a row and nothing besides."""
    rest = text
    for item in sorted(items, key=len, reverse=True):
        rest = rest.replace(item, "", 1)
    return bool(items) and not re.sub(r"\b(?:and|or|und|et|y)\b|[\s,;.&\[\]'\"\u2022-]", "", rest)


def _words_stand_in(text: str, quotes: Sequence[str]) -> bool:
    """Whether all words of a text stand in one quote, such as a number and the unit at the head of its column."""
    words = set(_WORD.findall(_plain(text).casefold()))
    return bool(words) and any(words <= set(_WORD.findall(_plain(quote).casefold())) for quote in quotes)


def written_by_model(answer: Mapping[str, Any]) -> bool:
    """Whether a model took part, its reply new or from the journal: words that are no quote may be its own."""
    decided = cast("Mapping[str, int]", answer.get("decided_by") or {})
    return any(count for who, count in decided.items() if who != "rule")
