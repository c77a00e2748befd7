"""What is known of documents: depth of the tree, pictures, and evidence that parsing lost."""

from __future__ import annotations

import dataclasses
from typing import Any

from evaluating import OWL
from octavo_documents.document import Document, Kind
from octavo_lab.document_facts import FactFinder
from octavo_lab.indexing import Indexed
from octavo_lab.question import NO_GOLD, Facts, Gold, Question, Response
from synthetic import document

BOOK = document(
    [
        (Kind.HEADING, "Birds", 1, 1),
        (Kind.HEADING, "Owls", 1, 2),
        (Kind.PARAGRAPH, "The barn owl hunts voles at night.", 1, 0),
        (Kind.FIGURE, "", 2, 0),
        (Kind.PARAGRAPH, "", 3, 0),
    ],
    name="birds.pdf",
)


class Shelf:
    """A corpus of one document."""

    def __init__(self, one: Document) -> None:
        self.documents = (one,)

    def view(self, _ids: object) -> Shelf:
        return self


@dataclasses.dataclass(frozen=True)
class Info:
    id: str = "sha256:1"
    name: str = "birds.pdf"


def facts(gold: Gold = NO_GOLD, **changes: Any) -> Facts:
    corpus: Any = Shelf(BOOK)
    known: Any = {"birds.pdf": Info()}
    question: Question = dataclasses.replace(OWL, **changes)
    return FactFinder(corpus, Indexed(known, {})).of(question, Response(), gold)


def test_depth_counts_the_document_and_headings_in_headings() -> None:
    found = facts()
    assert (found.depth, found.pictures) == (3.0, 1)


def test_a_page_without_words_or_picture_is_lost() -> None:
    assert [facts(evidence_pages=pages).is_lost for pages in ((1,), (2,), (3,), (1, 3))] == [False, False, True, True]


def test_a_text_that_stands_nowhere_is_lost() -> None:
    assert not facts(evidence_pages=(), evidence_texts=("The barn owl hunts voles",)).is_lost
    assert facts(evidence_pages=(), evidence_texts=("The great auk was last seen in 1852.",)).is_lost
    assert facts(Gold(blocks=(frozenset(),)), evidence_pages=()).is_lost


def test_of_a_whole_collection_the_retrieved_documents_count() -> None:
    assert facts(documents=()) == Facts(is_lost=False, depth=None, pictures=None)
