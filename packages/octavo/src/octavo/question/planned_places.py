"""The pages and sections that a question names, as plans over documents write them."""

from __future__ import annotations

from collections.abc import Sequence

from octavo.question.references import Reference, references


def pages_as_planned(question: str) -> tuple[str, ...]:
    """Return the pages that a question names, as plans write them: "5", "3-10"; none told from the back."""
    return tuple(page for one in references(question) for page in _page(one))


def sections_as_planned(question: str) -> tuple[str, ...]:
    """Return the sections, chapters and appendices that a question names, by title or as "section 3.1"."""
    return tuple(name for one in references(question) for name in _section(one))


def _page(reference: Reference) -> Sequence[str]:
    if reference.what != "page" or reference.relation:
        return ()
    if reference.position > 0:
        last = reference.position + reference.count - 1
        return [f"{reference.position}-{last}" if reference.count > 1 else str(last)]
    return [f"{reference.number}-{reference.to}" if reference.to else reference.number]


def _section(reference: Reference) -> Sequence[str]:
    if reference.relation == "in":
        return sections_as_planned(reference.anchor)
    if reference.what not in ("section", "chapter", "appendix") or reference.relation:
        return ()
    return [reference.title or f"{reference.what} {reference.number}"] if reference.title or reference.number else []
