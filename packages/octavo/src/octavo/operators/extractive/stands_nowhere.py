"""What a question names that the documents do not have at all, in any form: years, names and codes.

What passages are shown then is only what comes nearest, which is said. Nothing is said where it may stand there.
"""

from __future__ import annotations

from collections.abc import Iterator

from octavo.evidence import View
from octavo.operators.extractive.matching import unknown_name_terms
from octavo.operators.score.search import terms_of
from octavo.question import Question
from octavo_documents.text.languages import ENGLISH
from octavo_documents.text.years import may_name_year, plain_years


def stands_nowhere(question: Question, view: View) -> tuple[str, ...]:
    """Return the years, names and codes of a question, as it writes them, that stand nowhere in the documents."""
    years = [written for written, year in question.years_looked_for if not _may_have_year(view, year)]
    return tuple(dict.fromkeys((*years, *_unknown_names(question, view))))


def _may_have_year(view: View, year: int) -> bool:
    return any(document.derived(_may_name, year) for document in view.parts)


def _may_name(document: View, year: int) -> bool:
    """Return whether a document may name a year; kept with its view, so that its texts are read once for each year."""
    return any(may_name_year(plain_years(text), year) for text in _texts(document))


def _unknown_names(question: Question, view: View) -> list[str]:
    """Return the names of a question in English that no document has in any form; a document may be called so too."""
    index = terms_of(view)
    if question.language != ENGLISH or {*index.languages} != {ENGLISH}:  # what a name is elsewhere is not known
        return []
    unknown = unknown_name_terms(question, view)
    texts = [text.casefold() for text in _texts(view)] if unknown else []
    return [name for name in question.as_written(unknown) if not any(name.casefold() in text for text in texts)]


def _texts(view: View) -> Iterator[str]:
    """Yield every text of the documents, their heads and feet too, and what they are called."""
    yield from view.blocks.text
    for document in view.documents:
        yield from (document.name, document.title, document.metadata.author)
