"""The first words of an answer: one sentence of what was found and where, or that nothing was and what was searched.

No surer than what is known: of passages it does not say that they are the answer.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from octavo.evidence.own_words import answering, in_turn, is_on, page_told
from octavo.evidence.view import View
from octavo_documents.document.document import is_no_page
from octavo_documents.text.lines import on_one_line
from octavo_documents.text.segmentation import has_unspaced
from octavo_documents.wording import ENGLISH, counted, language, t

if TYPE_CHECKING:
    from octavo.evidence.answer import Answer
    from octavo.evidence.citation import Citation, Passage

_LABEL = re.compile(
    r"\s*((?:table|figure|fig\.?|chart|exhibit|box|plate|map|tabelle|abbildung|abb\.?|tableau|tabla|cuadro|tabella)"
    r"\s+(?:[A-Z]{0,3}[-.]?\d+(?:[.-]\d+)*[a-z]?|[IVXL]+|[A-Z])(?:-[A-Z\d]+)?)\b",
    re.IGNORECASE,
)
"""The name and number that open a caption: "Table 5.2"."""
_LONGEST_TITLE = 60
"""Characters of a title or caption that are named."""
_MOST_NAMED = 3
"""Documents that are named one by one."""
_COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_LIKELY = 0.5
"""Chance from which on a passage is said to fit; below it only to come closest."""
_FAR = 4
"""How many times the odds of a passage the first one's are from which on it is not said to fit as well; by hand."""
_TABLE, _PICTURES, _ITEM = "table", ("figure", "chart"), "list_item"
_SPOKEN = ("paragraph", _ITEM)
_ENDS = (".", "!", "?", "”", ")", "。", "？", "！")
_LEAST_WORDS, _LONGEST_QUOTE = 4, 240
"""Words of a sentence that is told alone, at least, and its characters, at most."""
_LABELLED = re.compile(r"[^\W\d_][^:.]{2,40}: \S")
"""A label and what it is of: "Default value: 128"."""
_MARK = re.compile(r"[•▪◦*–-]\s+")
"""The mark of an item, which is no word of it; its number is."""
_STRUCK = re.compile(r"~~(.+?)~~", re.DOTALL)


def lead_of(answer: Answer) -> str:
    """Return the first sentence of an answer, without a full stop, in the language of its question."""
    kinds = {"answer": _found, "passages": _fitting, "nothing": _nothing}
    with answering(answer.question):
        return kinds[answer.outcome.value](answer)


def struck_out(answer: Answer) -> tuple[str, ...]:
    """Return what is struck out in the words an answer stands on, or in those of its first passage that fit."""
    if answer.outcome.value == "answer":
        read = [one.quote for one in answer.citations]
    else:
        read = [one.text[start:stop] for one in answer.passages[:1] for start, stop in one.emphasis]
    found = (on_one_line(struck) for text in read for struck in _STRUCK.findall(text))
    return tuple(dict.fromkeys(filter(None, found)))


def _found(answer: Answer) -> str:
    places: Sequence[Citation | Passage] = answer.citations or answer.passages[:1]
    if not places:
        return t("An answer was found")
    others = len({(one.document_id, one.block) for one in places}) - 1
    more = (
        "" if not others else t(" and in one other place") if others == 1 else t(" and in {n} other places", n=others)
    )
    seen = t("Seen {at}" if answer.is_seen else "Found {at}", at=_at(answer, places[0]))
    return f"{seen}{more}{_warned(answer)}{_or(answer)}"


def _or(answer: Answer) -> str:
    """Return what the answer may also be."""
    rivals = in_turn([f"“{_short(on_one_line(one))}”" for one in answer.rivals])
    return t("; it may also be {rivals}", rivals=rivals) if rivals else ""


def _fitting(answer: Answer) -> str:
    if not answer.passages:
        return t("No passage could be shown")
    strangers = _strangers(answer)
    if strangers:
        at = _at(answer, answer.passages[0])
        return t("No document here is about {strangers}; the nearest passage is {at}", strangers=strangers, at=at)
    nowhere = _nowhere(answer)
    if nowhere:
        return nowhere
    first, count = answer.passages[0], _that_fit(answer.passages)
    is_likely = first.score >= _LIKELY
    quoted = _quoted(first) if is_likely else ""
    if quoted:
        at = _at(answer, first)
        return t("{at}, it says: “{sentence}”", at=at[:1].upper() + at[1:], sentence=quoted)
    what = _piece(first)
    if what:
        at = _at(answer, first)
        told = f"{at}," if ", " in at and language() == ENGLISH else at
        return t("{what} {at} fits best" if is_likely else "{what} {at} comes closest", what=what, at=told) + _warned(
            answer
        )
    at = _at(answer, first)
    if count == 1 < len(answer.passages):
        best = "The passage that fits best is {at}" if is_likely else "The passage that comes closest is {at}"
        return t(best, at=at) + _warned(answer)
    if count == 1:
        return t("One passage fits, {at}" if is_likely else "One passage may fit, {at}", at=at) + _warned(answer)
    several = "{n} passages fit; the closest is {at}" if is_likely else "{n} passages may fit; the closest is {at}"
    in_words = language() == ENGLISH and count < len(_COUNTS)
    return t(several, n=_COUNTS[count].capitalize() if in_words else count, at=at) + _warned(answer)


def _quoted(passage: Passage) -> str:
    """Return the marked sentence of a passage, of a short paragraph or item the whole; "" for a row and the like."""
    if passage.kind not in _SPOKEN or len(passage.emphasis) != 1:
        return ""
    start, stop = passage.emphasis[0]
    line = slice(passage.text.rfind("\n", 0, start) + 1, (passage.text + "\n").index("\n", stop))
    is_short = line.stop - line.start <= _LONGEST_QUOTE  # what stands beside a sentence may say the rest
    said = on_one_line(passage.text[line] if is_short else passage.text[start:stop])
    said = said[mark.end() :] if (mark := _MARK.match(said)) else said
    is_whole = said.endswith(_ENDS) or passage.kind == _ITEM
    is_aside = said.startswith("(") and said.rstrip(".").endswith(")")
    is_sentence = (is_whole and not is_aside and len(said.split()) >= _LEAST_WORDS) or has_unspaced(said)
    is_value = passage.kind in _SPOKEN and _LABELLED.match(said) is not None
    is_told = (is_sentence or is_value) and len(said) <= _LONGEST_QUOTE and not _STRUCK.search(said)
    return said.removesuffix(".").removesuffix("。") if is_told else ""  # the lead is closed by whoever shows it


def _that_fit(passages: Sequence[Passage]) -> int:
    """Return how many passages fit as the first does: those whose odds are not far below its own."""
    odds = [one.score / max(1 - one.score, 1e-3) for one in passages]
    return sum(one * _FAR >= odds[0] for one in odds)


def _strangers(answer: Answer) -> str:
    """Return the names, or the years of a name, that no document is about and no passage shown has; "" for none."""
    if answer.meant is None:
        return ""
    shown = "\n".join(one.text for one in answer.passages).casefold()
    names = [f"“{name}”" for name in answer.meant.get("strangers", []) if name.casefold() not in shown]
    of = " ".join(answer.meant.get("named", []))
    years = [year for year in answer.meant.get("uncovered", []) if year not in shown]
    of_years = [t("“{name}” in {years}", name=of, years=in_turn(years))] if years and not names else []
    return in_turn([*names, *of_years])


def _chosen_of(answer: Answer) -> int | None:
    """Return of how many documents the best ones were opened; None where all were."""
    return next((step.parameters.get("documents") for step in answer.trace if step.step == "FirstStage"), None)


def _nowhere(answer: Answer) -> str:
    """Return that words of the question stand nowhere and what is nearest; "" for none, or where not all was opened."""
    names = answer.evidence.view.names
    if not answer.looked_for or _chosen_of(answer) is not None:
        return ""
    where = t(", ").join(names) if len(names) <= _MOST_NAMED else t("these {n} documents", n=len(names))
    words = t(" and ").join(f"“{_short(word)}”" for word in answer.looked_for)
    told = "{words} stands nowhere in {where}; the nearest is {at}"
    several = "{words} stand nowhere in {where}; the nearest is {at}"
    at = _at(answer, answer.passages[0])
    return t(several if len(answer.looked_for) > 1 else told, words=words, where=where, at=at)


def _nothing(answer: Answer) -> str:
    view = answer.evidence.view
    names = view.names
    chosen = _chosen_of(answer)
    if len(names) > _MOST_NAMED or not names:
        where = (
            t("the best {best} of {n} documents", best=str(len(names)), n=chosen)
            if chosen
            else t("these {n} documents", n=len(names))
            if names
            else t("these documents")
        )
    else:
        where = ", ".join(names)
    size = _size(view)
    searched = f"{where} ({size})" if size else where
    words = in_turn([f"“{_short(word)}”" for word in answer.looked_for])
    if words:
        return t("Nothing in {searched} matches {words}", searched=searched, words=words)
    return t("Nothing in {searched} was found that answers this", searched=searched)


def _size(view: View) -> str:
    """Return how much was searched: "41 pages"; "" for text that has no pages."""
    units = {document.unit for document in view.documents}
    pages = sum(len(document.pages) for document in view.documents)
    if units <= {"part", "page"} and units != {"page"}:
        return ""
    return counted(pages, units.pop() if len(units) == 1 else "page") if pages else ""


def _piece(passage: Passage) -> str:
    """Return what a passage is a piece of, where it is no running text: "A row"."""
    if passage.kind == _TABLE:
        return t("A row" if passage.emphasis else "A table")
    if passage.kind in _PICTURES:
        return t(f"A {passage.kind}")
    return t("An item of a list") if passage.kind == _ITEM else ""


def _at(answer: Answer, place: Citation | Passage) -> str:
    """Return where something stands: "in Table 3, page 12", "on slide 5", "in sheet Costs, cells B4:D9"."""
    view = answer.evidence.view
    name, page = _name(view, place), _page(view, place)
    of = place.document if len(view.documents) > 1 or not (name or page) else ""
    told = t(", ").join(filter(None, (name, page, place.cells_told)))
    if not told:
        return t("in {place}", place=of)
    at = t("on {place}" if page and not name and is_on(place.page_label) else "in {place}", place=told)
    return t("{at} of {document}", at=at, document=of) if of else at


def _page(view: View, place: Citation | Passage) -> str:
    """Return the page; "" where the document is one part, which its name tells."""
    document = next((one for one in view.documents if one.id == place.document_id), None)
    is_whole = document is not None and len(document.pages) == 1 and place.page_label == "part 1"
    return "" if is_whole else on_one_line(page_told(place.page, place.page_label))


def _name(view: View, place: Citation | Passage) -> str:
    """Return the number of the table or figure something stands in, else the title of its section; "" for neither."""
    if place.kind == _TABLE or place.kind in _PICTURES:
        label = _LABEL.match(_caption(view, place))
        if label:
            return on_one_line(label[1])
    title = on_one_line(place.section[-1]).rstrip(" :") if place.section else ""
    is_page = (
        is_no_page(place.page_label) and title.casefold() in place.page_label.casefold()
    )  # a sheet or slide that is called so
    return t("{title}", title=_short(title)) if title and not is_page else ""


def _caption(view: View, place: Citation | Passage) -> str:
    at = next((at for at, one in enumerate(view.documents) if one.id == place.document_id), None)
    if at is None or not place.block[1:].isdigit():
        return ""
    part = view.parts[at]
    rows = part.captions.get(int(place.block[1:]), [])
    return part.blocks.text[rows[-1]] if rows else ""


def _short(title: str) -> str:
    return title if len(title) <= _LONGEST_TITLE else f"{title[: _LONGEST_TITLE - 1].rstrip()}…"


def _warned(answer: Answer) -> str:
    """Return that something is struck out there."""
    struck = [f"“{_short(one)}”" for one in struck_out(answer)]
    if not struck:
        return ""
    told = t(" and ").join(struck)
    return t("; {words} are struck out there" if len(struck) > 1 else "; {words} is struck out there", words=told)
