"""Candidates from running text: sentences, and the values and names inside them.

Owns what is taken from a sentence for each type of question. Knows nothing about tables or lists.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from octavo.decisions.rules.question import VALUE_KINDS, Expects, Question
from octavo.decisions.rules.values import Value, ValueKind, values_in, with_unit
from octavo.models.analyzer import analyze
from octavo.models.sentences import line_spans, sentence_spans
from octavo.operators.reader.matching import Matcher
from octavo.operators.reader.names import named_spans
from octavo.operators.reading.candidate import Candidate, Quote

_MOST_CHARACTERS = 600
"""A longer sentence is no answer; it is a table or a page that was not read well."""
_LABEL_BEFORE = re.compile(
    r"\b(?:figure|fig\.?|table|section|chapter|appendix|page|step|list|annex|no\.?)\s*$", re.IGNORECASE
)
_ORDINAL_MARK = re.compile(r"\s*(?:\(?\d{1,3}[.)]|[•▪◦*–-])\s")
_LABELLED = re.compile(r"^(?P<label>[^:\n]{2,60}):\s+(?P<rest>\S.*)$", re.DOTALL)

_OTHER_KIND = 0.6
"""How well a value fits that is not of the kind asked for but may stand for it: 35 per cent as a charge."""
_YEAR_FOR_WHEN = 0.9
"""How well a year fits a question that asks when, and for no day: a full date says more, but not another answer."""
_ASKS_DAY = re.compile(r"\b(?:date|day|month|time|deadline)\b", re.IGNORECASE)
_YEAR = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)")
_SENTENCE_FIT = {Expects.PASSAGE: 0.85, Expects.DEFINITION: 0.9, Expects.YES_NO: 1.0, Expects.LIST: 0.5}
_LONGER_THAN_ASKED = 0.3
"""Fit of a whole sentence where something shorter is asked for, and of a value in the wrong units."""
_UNSPECIFIC = 0.6
"""How near a whole sentence counts as, of its coverage, where something shorter is asked for."""
_COUNT_LABEL = re.compile(r"(?:^|[.;|\n])\s*([^.;:|\n]{2,40}):\s*$")
"""A label right before a number: "Employees: 5,168"."""
_LEAST_SERIES, _SERIES_WORDS = 3, 6
"""Values of a series of labels and values, and the most words that may come with each."""
_UNLABELLED = 0.3
"""Share of plain nearness in a series, where it matters more whose label a value has."""
_POINTS = re.compile(r"\s*(?:please )?(?:refer to|see|consult|turn to)\b", re.IGNORECASE)
"""How a sentence begins that only says where to look."""
_LEAST_NEW = 2
"""Terms a sentence must have beyond the question's: a heading that repeats the question answers nothing."""


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a block, lines apart; too long and empty ones are left out."""
    for start, stop in line_spans(text):
        line = text[start:stop]
        for first, last in sentence_spans(line):
            sentence = line[first:last].strip()
            if 0 < len(sentence) <= _MOST_CHARACTERS:
                yield sentence


def from_sentence(
    matcher: Matcher, quotes: tuple[Quote, ...], sentence: str, context: tuple[str, ...]
) -> Iterator[Candidate]:
    """Yield the candidates of one sentence: the sentence, its values, its names, what stands after a label."""
    question = matcher.question
    coverage = matcher.coverage(matcher.terms(sentence), context)
    if not coverage:
        return
    if _may_answer_whole(question, sentence):
        fit = _SENTENCE_FIT.get(question.expects, _LONGER_THAN_ASKED)
        near = coverage if question.expects in _SENTENCE_FIT else _UNSPECIFIC * coverage
        yield Candidate(sentence, quotes, sentence, coverage, near, fit)
    values = asked_values(question, sentence)
    labels = series_labels(sentence, values)
    for at, value in enumerate(values):
        fit = value_fit(question, value, sentence)
        if fit:
            near = matcher.nearness(sentence, value.start, value.stop)
            if labels:
                near = _UNLABELLED * near + (1 - _UNLABELLED) * coverage * _label_share(matcher, labels, at)
            printed = with_unit(sentence, value) if question.expects is Expects.NUMBER else value.text
            yield Candidate(printed, quotes, sentence, coverage, near, fit, value=value)
    for start, stop, fit in [*named_spans(question, sentence), *_labelled(matcher, sentence)]:
        near = matcher.nearness(sentence, start, stop)
        yield Candidate(sentence[start:stop], quotes, sentence, coverage, near, fit)


def asked_values(question: Question, text: str) -> list[Value]:
    """Return the values of a text as a question wants them: of a date only its year where a year is asked for."""
    values = values_in(text)
    return [_year_of(value) for value in values] if question.expects is Expects.YEAR else values


def _year_of(value: Value) -> Value:
    found = _YEAR.search(value.text) if value.kind is ValueKind.DATE else None
    if not found:
        return value
    start = value.start + found.start()
    return Value(ValueKind.YEAR, found[0], start, start + len(found[0]), float(found[0]))


def series_labels(text: str, values: Sequence[Value]) -> list[str]:
    """Return the label of each value where labels and values take turns, as in the text of a chart; else none.

    "Heat 38% Light 17% Galley 11%" labels before, "38% heat 17% light 11% galley" after the value.
    """
    if len(values) < _LEAST_SERIES or len(text.split()) > _SERIES_WORDS * len(values):
        return []
    is_before = any(map(str.isalpha, text[: values[0].start]))
    edges = [0, *(value.stop for value in values)] if is_before else [*(value.start for value in values[1:]), len(text)]
    if is_before:
        return [text[start : value.start] for start, value in zip(edges, values, strict=False)]
    return [text[value.stop : stop] for stop, value in zip(edges, values, strict=True)]


def _label_share(matcher: Matcher, labels: Sequence[str], at: int) -> float:
    """Return how much of the question a label has, 1 for the label that has most of it."""
    shares = [matcher.share(analyze(label)) for label in labels]
    return shares[at] / max(shares) if max(shares) > 0 else 0.0


def _may_answer_whole(question: Question, sentence: str) -> bool:
    """Say whether a whole sentence may answer: it tells what the question does not, and introduces nothing."""
    if question.expects in VALUE_KINDS or question.is_for_name or sentence.endswith(":") or _POINTS.match(sentence):
        return False
    return question.expects is Expects.YES_NO or says_more(question, sentence)


def says_more(question: Question, text: str) -> bool:
    """Say whether a text tells anything that the question does not."""
    return len(set(analyze(text)) - question.asked) >= _LEAST_NEW


def value_fit(question: Question, value: Value, text: str) -> float:
    """Return how well a value's form answers a question, 0 when it cannot: wrong kind, or in the question itself."""
    kinds = VALUE_KINDS.get(question.expects, ())
    if value.kind not in kinds or _is_mark(value, text):
        return 0.0
    if any(value.text == asked.text or (value.number == asked.number is not None) for asked in question.values):
        return 0.0
    if question.expects is Expects.COUNT:
        return _count_fit(question, value, text)
    if not any(character.isdigit() for character in value.text):
        return 0.0
    if question.expects is Expects.NUMBER:
        return _measure_fit(question, value, text)
    if question.expects is Expects.DATE and value.kind is ValueKind.YEAR and not _ASKS_DAY.search(question.text):
        return _YEAR_FOR_WHEN
    return 1.0 if value.kind is kinds[0] else _OTHER_KIND


def _measure_fit(question: Question, value: Value, text: str) -> float:
    """Return 1 for a value in the units asked for, less for one without a unit, little for one in other units."""
    unit = with_unit(text, value)[len(value.text) :].strip(" -")
    if not question.units or re.fullmatch(question.units, unit, re.IGNORECASE):
        return 1.0
    return _OTHER_KIND if not unit and value.kind is ValueKind.NUMBER else _LONGER_THAN_ASKED


def _is_mark(value: Value, text: str) -> bool:
    """Say whether a number only numbers a list item, a section or a figure."""
    mark = _ORDINAL_MARK.match(text)
    return bool(mark and value.stop <= mark.end()) or bool(_LABEL_BEFORE.search(text[: value.start]))


def _count_fit(question: Question, value: Value, text: str) -> float:
    """Return 1 for a number right before what is counted or after it as a label, little for other whole numbers."""
    if value.number is None or value.number < 0:
        return 0.0
    label = _COUNT_LABEL.search(text[: value.start])
    if label and set(analyze(label[1])) & set(question.subject):
        return 1.0
    after = analyze(" ".join(re.split(r"[\s-]+", text[value.stop :].strip())[:3]))
    if set(after) & set(question.subject):
        return 1.0
    return 0.35 if value.number == int(value.number) else 0.0


def _labelled(matcher: Matcher, sentence: str) -> Iterator[tuple[int, int, float]]:
    """Yield what stands after a label that the question asks for: "Defendant: J. Bradley"."""
    found = _LABELLED.match(sentence)
    if not found or matcher.question.expects in (Expects.COUNT, Expects.YES_NO):
        return
    label = analyze(found["label"])
    if label and matcher.share(label) > 0.2 and sum(term in matcher.weights for term in label) >= len(label) / 2:
        yield found.start("rest"), found.end("rest"), 0.9 if len(found["rest"]) <= 80 else 0.6
