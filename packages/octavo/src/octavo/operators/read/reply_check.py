"""What of a model's reply is believed: what it says stands in the passages it names, or follows from what it quotes.

Small models like to answer what they were not told; what fails here is shown as passages.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from octavo.decisions.answer_from_evidence import EvidenceReply
from octavo.evidence import Citation, View
from octavo.evidence.claims import BORNE_OUT
from octavo.operators.extractive.unit_scores import QuestionTerms
from octavo.operators.read.packing import Packed
from octavo.operators.read.worked_numbers import is_worked_out
from octavo.question import Question, understand
from octavo.question.expects import Expects
from octavo_documents.text.analyzer import analyze, sentence_spans
from octavo_documents.text.values import number_words, unit_of_measure, values_in, word_value

if TYPE_CHECKING:
    from octavo.operators.read.material import Material

_SHORT = 60
"""Characters of an answer that is a value by itself."""
_COUNTABLE = 100
"""A whole number up to this may be a count of what the passages show; it need not stand in them."""
_QUOTED = 0.8
"""Least share of a quote's words that its passage has; of an answer's new words passages have `BORNE_OUT`. Higher ones
would refuse what a model words in its own way, lower ones let through what stands nowhere; chosen by hand."""
_TRUSTED = 3
"""The best passages, which may bear out a reply that names others."""
_AROUND = 3
"""Lines of a passage that are read together."""
_NEAR = 0.25
"""Share of what a question asks that stands beside a number which is not quoted."""
_REFUSED_BEYOND = 2
"""Terms beyond the question's of a sentence that says only that something is not told."""
_YES_OR_NO = frozenset(("yes", "no"))
_DENIED = r"(?:\b(?:not|cannot|never)|n['’]t)\b(?: \w+){0,3}? "
_REFUSING = re.compile(
    rf"{_DENIED}(?:specif|mention|provid|stat|giv|disclos|indicat|describ|detail|said|say|told|tell|known?)\w*"
    r"|\bno (?:\w+ ){0,2}(?:information|mention|details?|data)\b",
    re.IGNORECASE,
)
"""How a sentence says that something is not told."""
_LACKING = re.compile(
    rf"{_DENIED}(?:report|list|includ|contain|shown?|found|find|answer|determin|availab)\w*", re.IGNORECASE
)
"""How it may say so of a document; of anything else it says what is not so."""
_OF_DOCUMENTS = frozenset(
    analyze("document text passage passages context information material source sources available given provided")
)
_SCALE_TOLD = re.compile(
    r"thousand|million|billion|trillion|crore|lakh|(?<![\d,.])000s?\b|%|per ?cent|\d\s?(?:mn|bn|[mkbt])\b",
    re.IGNORECASE,
)
"""What tells that numbers are printed in other sizes than they may be said in."""
_LINE = re.compile(r"\n|(?<=[.;!?])\s+")


def only_refuses(reply: EvidenceReply, question: Question, quotes: Sequence[str]) -> bool:
    """Return whether what is called an answer says no more than that there is none, as small models put it.

    What a document denies in such words itself, or is asked for in them, is an answer.
    """
    said = [reply.answer[start:end] for start, end in sentence_spans(reply.answer)]
    if question.expects is Expects.YES_NO or not said or not all(map(_refuses, said)):
        return False
    if (reply.value.strip() and not _denies(reply.value)) or any(map(_denies, quotes)):
        return False
    if _all_digits([reply.answer]) - _all_digits([question.text]):
        return False
    beyond = set(analyze(_LACKING.sub(" ", _REFUSING.sub(" ", reply.answer)))) - question.asked - _OF_DOCUMENTS
    return not question.is_negated and len(beyond) <= _REFUSED_BEYOND


def _refuses(sentence: str) -> bool:
    is_of_document = not _OF_DOCUMENTS.isdisjoint(analyze(sentence))
    return _denies(sentence) if is_of_document else _REFUSING.search(sentence) is not None


def _denies(text: str) -> bool:
    return _REFUSING.search(text) is not None or _LACKING.search(text) is not None


def holds(
    reply: EvidenceReply, named: Sequence[Packed], quotes: Sequence[str], material: Material, question: str
) -> bool:
    """Return whether passages bear a reply out.

    Its value stands in those it names, a number that is no count in what it quotes of them or beside what is asked, or
    it may follow from what it quotes. Words beyond the question, half of them, stand there or in the best passages,
    since small models misnumber them. A quote alone bears nothing out, nor does the question said again without one.
    """
    asked = understand(question)
    texts = [*material.seen, *(_place_and_text(one) for one in named)]
    value = reply.value.strip() or (reply.answer.strip() if len(reply.answer.strip()) <= _SHORT else "")
    new = _all_digits([value]) - _all_digits([question])
    quoted = [numbers for quote in quotes if (numbers := _numbers(quote))]
    apart = {
        _digits(number) for number in _numbers(value) if not _is_count(number) and not is_worked_out(number, quoted)
    }
    printed = new & apart & _all_digits(texts)
    if printed and not material.seen and not _stand_beside(printed, quotes, named, asked, material.evidence.view):
        return False
    if changes_units(value, reply.answer, quotes, asked):
        return False
    if _changes_scale(value, reply.answer, quoted, texts) and not _tells_scale([question, *texts], named, material):
        return False
    if value and _share_of(value, [*texts, question]) == 1.0 and _share_of(value, texts) > 0:
        return True
    if new:
        return bool(quotes) and _may_follow(value, reply.answer, quoted, [*texts, question], asked)
    best = [_place_and_text(one) for one in material.packed[:_TRUSTED]]
    is_new = bool(set(analyze(reply.answer)) - set(analyze(question)) - _YES_OR_NO)
    return bool(quotes or (is_new and not value)) and _is_told(value or reply.answer, [*texts, *best], question)


def changes_units(value: str, answer: str, quotes: Sequence[str], question: Question) -> bool:
    """Return whether a value measures something else than is counted, or is quoted in other units than it is said in.

    "Within two hours" says neither two days nor, where days are asked for, two; and that it is two hours is no answer.
    Nor is it one to what something costs.
    """
    asked = set(question.subject) if question.expects is Expects.COUNT else set[str]()
    is_of_kind = bool(asked) or question.expects is Expects.MONEY
    said, quoted = _measures_of([value, answer]), _measures_of(quotes)
    stated = {number: said[number] - {""} for number in _measures_of([value])}
    if is_of_kind and stated and all(units and units.isdisjoint(asked) for units in stated.values()):
        return True
    return any(
        "" not in found and (units or asked) and found.isdisjoint(units or asked)
        for number, units in stated.items()
        if (found := quoted.get(number))
    )


def _tells_scale(texts: Iterable[str], named: Sequence[Packed], material: Material) -> bool:
    """Return whether texts, or the pages of some passages, tell that numbers are in thousands or parts of a hundred."""
    view = material.evidence.view
    pages = {int(view.page_index[row]) for one in named for row in one.rows}
    printed = (text for page in pages for text in view.blocks.text[view.page_rows(page)])
    return any(map(_SCALE_TOLD.search, (*texts, *printed)))


def _changes_scale(value: str, answer: str, quoted: Sequence[Sequence[float]], texts: Sequence[str]) -> bool:
    """Return whether a number of a value is printed in texts, but only a power of ten apart from it.

    An age of 59 is no salary of $59,000, where nothing is told in thousands.
    """
    if _SCALE_TOLD.search(value):
        return False
    printed = {abs(number) for text in texts for number in (*_numbers(text), *number_words(text))}
    said = [
        (one.number, word_value(one.unit) or 1.0) for text in (value, answer) for one in values_in(text) if one.number
    ]
    kept = {_digits(number) for number, scale in said if not printed.isdisjoint((abs(number), abs(number) * scale))}
    apart = set(map(_digits, printed)) - kept
    return any(
        _digits(number) in apart and not _is_count(number) and not is_worked_out(number, quoted)
        for number in _numbers(value)
    )


def _measures_of(texts: Iterable[str]) -> dict[str, set[str]]:
    """Return the units of each number in texts, by its digits: a spelled unit of measure as a term, else ""."""
    found: dict[str, set[str]] = {}
    for text in texts:
        for one in values_in(text):
            if one.number is not None:
                unit = " ".join(re.findall(r"\w{3,}", unit_of_measure(text, one)))
                found.setdefault(_digits(one.number), set()).update(analyze(unit) or [""])
    return found


def quotes_of(reply: EvidenceReply, material: Material) -> list[str]:
    """Return what a reply quotes that stands in the passage it names."""
    return [
        support.quote
        for support in reply.evidence
        if (one := material.at(support.id)) and _stands_in(support.quote, one)
    ]


def _stand_beside(
    numbers: set[str], quotes: Sequence[str], named: Sequence[Packed], question: Question, view: View
) -> bool:
    """Return whether each of some numbers is quoted, or stands in a passage beside a quote or some of what is asked."""
    found = _all_digits(quotes)
    wanted = QuestionTerms.of(question, view)
    for one in named:
        lines = [line for line in _LINE.split(one.shown.text) if line.strip()]
        for at in range(max(1, len(lines) - _AROUND + 1)):
            around = "\n".join(lines[at : at + _AROUND])
            said = wanted.held(analyze(f"{one.shown.where}\n{around}"))
            if wanted.share(said) >= _NEAR or any(quote.strip() and quote.strip() in around for quote in quotes):
                found |= _all_digits([around])
    return numbers <= found


def _place_and_text(passage: Packed) -> str:
    return f"{passage.shown.where}\n{passage.shown.text}"


def _is_told(answer: str, texts: Sequence[str], question: str) -> bool:
    """Return whether texts say at least half of what an answer says beyond the question; yes and no say no more."""
    new = set(analyze(answer)) - set(analyze(question)) - _YES_OR_NO
    known = set[str]().union(*map(analyze, texts))
    return len(new & known) >= BORNE_OUT * len(new)


def _stands_in(quote: str, packed: Packed) -> bool:
    """Return whether words are quoted from a passage: nearly all of them stand in it, whatever was left out between."""
    return _share_of(quote, [packed.shown.where, packed.shown.text]) >= _QUOTED


def _may_follow(
    value: str, answer: str, quoted: Sequence[Sequence[float]], texts: Sequence[str], question: Question
) -> bool:
    """Return whether the numbers of a value are printed, are counts, or may be worked out of what is quoted.

    They may where quoted numbers give them, or where the answer shows at least two printed numbers beside them.
    What is measured in days or metres is no count where no number is quoted.
    """
    printed = _all_digits(texts)
    wanted = [number for number in _numbers(value) if _digits(number) not in printed]
    shown = _all_digits([answer]) & printed
    is_counted = bool(quoted) or not any(map(_is_measure, question.subject))
    return len(shown) > 1 or all(
        (is_counted and _is_count(number)) or is_worked_out(number, quoted) for number in wanted
    )


def _is_count(number: float) -> bool:
    return number == int(number) and 0 <= number <= _COUNTABLE


def _is_measure(word: str) -> bool:
    return any(unit_of_measure(f"1 {word}", one) for one in values_in(f"1 {word}"))


def _numbers(text: str) -> list[float]:
    return [one.number for one in values_in(text) if one.number is not None]


def _all_digits(texts: Iterable[str]) -> set[str]:
    return {_digits(number) for text in texts for number in (*_numbers(text), *number_words(text))}


def _digits(number: float) -> str:
    """Return the digits that tell a number, whatever its sign and scale: 3.1 billion is 3,100 million."""
    return f"{abs(number):.6f}".replace(".", "").strip("0")


def _share_of(text: str, others: Sequence[str]) -> float:
    """Return the share (0..1) of a text's terms that others have, 0 for none."""
    terms = set(analyze(text))
    known = set[str]().union(*map(analyze, others)) if others else set[str]()
    return len(terms & known) / len(terms) if terms else 0.0


def sureness(answer: str, cited: Sequence[Citation], question: str) -> float:
    """Return how sure (0.4..0.9) an answer by text is, from how much the quotes bear out."""
    return round(0.4 + 0.5 * borne_out(answer, cited, question), 3)


def borne_out(answer: str, cited: Sequence[Citation], question: str) -> float:
    """Return the share (0..1) of the answer's terms that the quotes or the question have."""
    return _share_of(answer, [question, *(one.quote for one in cited)])
