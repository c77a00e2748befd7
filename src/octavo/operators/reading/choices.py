"""Candidates for questions that name their possible answers, such as "Which is older, the pier or the light?".

Owns what the options are and which of them the evidence speaks for. Knows nothing about other questions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from octavo.decisions.rules.values import ValueKind, values_in
from octavo.models.analyzer import analyze
from octavo.operators.reading.candidate import Candidate

_ASKS = re.compile(r"\b(?:which|who|what|whose)\b", re.IGNORECASE)
_NAME = r"(?:the |The )?(?:[A-Z0-9][\w'’.&-]*|[“\"][^“”\"]+[”\"])(?: (?:(?:of|the|and|for|de|in) )?[A-Z0-9][\w'’.&-]*)*"
_OPTIONS = re.compile(rf"(?P<left>{_NAME}),? or (?P<right>{_NAME})")
_LONGEST_QUESTION = 600
"""Characters of a question in which options are looked for."""
_EARLIER = re.compile(r"\b(?:first|earlier|earliest|older|oldest|before)\b", re.IGNORECASE)
_LATER = re.compile(
    r"\b(?:later|latest|last|younger|youngest|newer|newest|(?:more|most) recent(?:ly)?)\b", re.IGNORECASE
)


def options_of(question: str) -> tuple[str, ...]:
    """Return the two names a question offers as answers, none for a question that offers none."""
    found = _OPTIONS.search(question[:_LONGEST_QUESTION])
    if not found or not _ASKS.search(question):
        return ()
    return found["left"].strip(' "“”'), found["right"].strip(' "“”')


def from_options(question: str, options: Sequence[str], candidates: Sequence[Candidate]) -> Iterator[Candidate]:
    """Yield each option with the candidate statement that says most of it; the one that dates decide fits best."""
    best = [_about(option, candidates) for option in options]
    decided = _by_date(question, best)
    for at, (option, one) in enumerate(zip(options, best, strict=True)):
        if one is not None:
            fit = 1.0 if at == decided else 0.6 if decided is None else 0.2
            yield Candidate(option, one.quotes, one.statement, one.coverage, one.coverage, fit, one.relevance)


def _about(option: str, candidates: Sequence[Candidate]) -> Candidate | None:
    terms = set(analyze(option))
    about = [one for one in candidates if terms <= set(analyze(one.statement))]
    return max(about, key=lambda one: one.coverage + one.relevance, default=None)


def _by_date(question: str, best: Sequence[Candidate | None]) -> int | None:
    """Return which statement has the earlier or later year, whichever is asked for; None when that is not clear."""
    is_earlier, is_later = bool(_EARLIER.search(question)), bool(_LATER.search(question))
    years = [_year(one.statement) if one else None for one in best]
    known = [year for year in years if year is not None]
    if is_earlier == is_later or len(known) < len(years) or len(set(known)) < len(known):
        return None
    return years.index(min(known) if is_earlier else max(known))


def _year(statement: str) -> int | None:
    """Return the first year a statement gives, that of a date too."""
    for value in values_in(statement):
        found = re.search(r"(?:1[5-9]|20)\d\d", value.text)
        if value.kind in (ValueKind.YEAR, ValueKind.DATE) and found:
            return int(found.group())
    return None
