"""In which years each of several versions of a document was in force: from its own until the next one's."""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Sequence

from octavo.about.issuer_keys import issuers_of
from octavo.about.names import words_of
from octavo.about.profile import DocumentProfile
from octavo_documents.text.analyzer import is_function_word

_IN_FORCE = 0.6
"""How surely a document is of a year in which it was in force, beside 1 for the one it is of."""
IN_FORCE_KINDS = frozenset(
    (
        *("policy", "procedure", "guideline", "manual", "handbook", "standard", "specification", "terms", "register"),
        *("contract", "lease", "protocol", "price list", "data sheet", "catalogue"),
    )
)
"""Kinds of documents that hold until another one of the sort replaces them."""
_MOST_YEARS = 15


def with_years_in_force(profiles: Sequence[DocumentProfile]) -> list[DocumentProfile]:
    """Return profiles with the years between that of a version and that of the next one.

    Versions of a document are of one issuer, or of the same parties, or where no issuer is told in one folder; of one
    kind and title, but for numbers; and of different years.
    """
    told = [*profiles]
    for rows in _versions(profiles):
        years = {row: int(_year(profiles[row])) for row in rows}
        ordered = sorted(rows, key=lambda row: years[row])
        for row, after in zip(ordered, [*ordered[1:], None], strict=True):
            until = years[after] if after is not None else years[row] + 1
            between = {str(year): _IN_FORCE for year in range(years[row] + 1, min(until, years[row] + _MOST_YEARS))}
            if between:
                told[row] = dataclasses.replace(told[row], years={**between, **told[row].years})
    return told


def _versions(profiles: Sequence[DocumentProfile]) -> list[list[int]]:
    """Return the rows of the documents that are versions of one, where there are several of different years."""
    groups: dict[tuple[str, str, str], list[int]] = defaultdict(list)
    for row, (profile, issuer) in enumerate(zip(profiles, issuers_of(profiles), strict=True)):
        if profile.kinds and profile.kinds[0] in IN_FORCE_KINDS and profile.title and _year(profile):
            title = " ".join(
                word for word, _ in words_of(profile.title) if word.isalpha() and not is_function_word(word)
            )
            of_whom = issuer or profile.issuer or "/".join(profile.folders)
            if title and of_whom:
                groups[of_whom, profile.kinds[0], title].append(row)
    return [rows for rows in groups.values() if len({_year(profiles[row]) for row in rows}) > 1]


def _year(profile: DocumentProfile) -> str:
    """Return the year a document is of, by its date first: a version is in force from then on."""
    year = (profile.date or profile.period)[:4]
    return year if year.isdigit() else ""
