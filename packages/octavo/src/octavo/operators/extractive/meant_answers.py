"""Which short answers may be stated where several documents are asked: never the value of another one's subject."""

from __future__ import annotations

from octavo.evidence import View
from octavo.evidence.meant_documents import MeantDocuments
from octavo.operators.extractive.fits import ShortAnswer
from octavo_documents.text.analyzer import analyze


def is_of_meant(one: ShortAnswer, view: View, meant: MeantDocuments) -> bool:
    """Whether a short answer stands in a document that the question may mean.

    Names that no document is about have to stand in its passage, or above it.
    """
    row = one.source.unit.row
    document = view.documents[int(view.document[row])]
    if not meant.may_be_stated(document.id):
        return False
    if not meant.strangers:
        return True
    around = [unit.shown for unit in one.source.units]
    said = {*analyze("\n".join((*around, *one.source.unit.heads, *view.blocks.section_path(row))))}
    return all(said.issuperset(analyze(name)) for name in meant.strangers)
