"""Which short answers may be stated where several documents are asked: never the value of another one's subject."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import numpy as np

from octavo.evidence import View
from octavo.evidence.meant_documents import MeantDocuments
from octavo.operators.extractive.fits import ShortAnswer
from octavo_documents.text.analyzer import analyze


def is_of_meant(one: ShortAnswer, view: View, meant: MeantDocuments) -> bool:
    """Whether a short answer stands in a document that the question may mean."""
    row = one.source.unit.row

    def said() -> str:
        around = [unit.shown for unit in one.source.units]
        return "\n".join((*around, *one.source.unit.heads, *view.blocks.section_path(row)))

    return may_be_stated(view, row, meant, said)


def _stand_in(view: View, document: int, words: Sequence[str]) -> bool:
    """Return whether all of some words stand in the texts of a document as they are written."""
    missing = {*words}
    for row in np.flatnonzero(view.document == document).tolist():
        if not missing:
            return True
        text = view.blocks.text[row]
        missing = {word for word in missing if word not in text or not re.search(rf"(?<!\w){re.escape(word)}", text)}
    return not missing


def may_be_stated(view: View, row: int, meant: MeantDocuments, said: Callable[[], str]) -> bool:
    """Whether what stands at a block may be stated; `said` gives what is said there and above it.

    Names that no document is about have to stand in it, and parts of names in its document.
    """
    document = int(view.document[row])
    if not meant.may_be_stated(view.documents[document].id):
        return False
    if meant.beside and not _stand_in(view, document, meant.beside):
        return False
    if not meant.strangers:
        return True
    terms = {*analyze(said())}
    return all(terms.issuperset(analyze(name)) for name in meant.strangers)
