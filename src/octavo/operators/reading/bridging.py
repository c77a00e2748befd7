"""Sentences that belong together by a name: what the question says of one thing, the other says of its name.

"Who is married to the director of Tide?" is answered by two sentences: "Tide was directed by Ann Lee" and "Ann Lee is
married to Bo Chan". Owns the linking of statements by names that the question does not know. Knows nothing about
finding or choosing candidates.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Sequence

from octavo.document import View
from octavo.models.analyzer import analyze
from octavo.operators.reader.matching import Matcher
from octavo.operators.reading.candidate import Candidate

_NAME = re.compile(r"(?<![\w'’])[A-Z][\w'’-]+(?:\s[A-Z][\w'’.-]*)*")
_MOST_FIRST = 12
"""Statements that speak most of the question, from which names are followed."""
_LEAST_LETTERS = 4
_LONGEST_TITLE = 60


@dataclasses.dataclass(frozen=True)
class _Statement:
    terms: frozenset[str]
    names: frozenset[str]
    share: float


def bridged(matcher: Matcher, view: View, candidates: Sequence[Candidate]) -> list[Candidate]:
    """Return the candidates with `linked`: how much of the question a statement tells with one that shares a name.

    The name itself, by which two statements are linked, is no answer to the rest of the question.
    """
    known = {(one.row, one.statement): one for one in candidates}
    statements = {key: _read(matcher, view, *key) for key in known}
    first = sorted(statements.values(), key=lambda one: -one.share)[:_MOST_FIRST]
    links = {key: list(_links(matcher, own, first)) for key, own in statements.items()}
    gained = [
        max((gain for name, gain in links[one.row, one.statement] if _is_other(name, one.text)), default=0.0)
        for one in candidates
    ]
    return [
        dataclasses.replace(one, linked=gain) if gain else one for one, gain in zip(candidates, gained, strict=True)
    ]


def _read(matcher: Matcher, view: View, row: int, statement: str) -> _Statement:
    titles = view.blocks.section_path(row)[-1:]
    around = [title for title in titles if len(title) <= _LONGEST_TITLE]
    terms = frozenset(term for text in (*around, statement) for term in matcher.terms(text) if term in matcher.weights)
    return _Statement(terms, frozenset(_names(matcher, [statement, *around])), matcher.share(terms))


def _names(matcher: Matcher, texts: Iterable[str]) -> Iterable[str]:
    """Yield the names in texts that tell something the question does not."""
    for text in texts:
        for found in _NAME.finditer(text):
            name = found.group().casefold()
            if len(name) >= _LEAST_LETTERS and " " in name and not set(analyze(name)) <= matcher.question.asked:
                yield name


def _links(matcher: Matcher, own: _Statement, first: Sequence[_Statement]) -> Iterable[tuple[str, float]]:
    """Yield (name, share of the question gained) for each statement that shares a name and says something else."""
    for other in first:
        gain = matcher.share(own.terms | other.terms) - max(own.share, other.share)
        if other is not own and gain > 0:
            yield from (
                (name, gain + other.share - own.share if other.share > own.share else gain)
                for name in own.names & other.names
            )


def _is_other(name: str, text: str) -> bool:
    folded = text.casefold()
    return name not in folded and folded not in name
