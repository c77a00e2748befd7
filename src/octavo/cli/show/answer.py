"""An answer on the terminal: the text first, then where it stands.

Owns the look of answers and citations. Knows nothing about how answers are found.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from octavo.cli.show.prose import QUOTE_LENGTH, page_name, paragraph, section_name
from octavo.cli.terminal import one_line, plain, shorten
from octavo.document import Answer, Citation, Evidence

if TYPE_CHECKING:
    from rich.console import Console

_NEAREST = 5
"""Pages named when there is no answer."""


def show_answer(screen: Console, answer: Answer) -> None:
    """Print the answer and its citations, or that there is none and the pages that come nearest."""
    if not answer.answerable:
        _show_none(screen, answer)
        return
    paragraph(screen, Text(plain(answer.text), style="bold"))
    for number, citation in enumerate(answer.citations, 1):
        screen.print()
        _show_citation(screen, number, citation, _in_one_part(answer.evidence))


def _in_one_part(evidence: Evidence) -> frozenset[str]:
    """Return the ids of documents of flowing text that are one part: their name says where."""
    documents = evidence.view.documents
    return frozenset(one.id for one in documents if len(one.pages) == 1 and one.pages.label[0] == "part 1")


def _show_citation(screen: Console, number: int, citation: Citation, in_one_part: Container[str]) -> None:
    mark = f"[{number}] "
    where = one_line(citation.document)
    if citation.document_id not in in_one_part:
        where = f"{where}, {page_name(citation.page, citation.page_label)}"
    kind = "" if citation.kind == "paragraph" else f", {citation.kind.replace('_', ' ')}"
    paragraph(screen, Text.assemble((mark, "cyan"), (where, "cyan"), (kind, "dim")))
    if citation.section:
        paragraph(screen, Text(section_name(citation.section), style="dim"), indent=len(mark))
    paragraph(screen, f"“{shorten(citation.quote, QUOTE_LENGTH)}”", indent=len(mark))


def _show_none(screen: Console, answer: Answer) -> None:
    paragraph(screen, Text(plain(answer.text) or "Not answerable from these documents.", style="bold"))
    nearest = nearest_pages(answer.evidence, answer.by)
    if nearest:
        screen.print()
        paragraph(screen, Text.assemble(("Nearest pages: ", "dim"), "; ".join(nearest)))


def nearest_pages(evidence: Evidence, by: str) -> Sequence[str]:
    """Return the best pages, those of one document together: "report.pdf 12, 14"."""
    hits = evidence.pages(by)[:_NEAREST]
    pages: dict[int, list[int]] = {}
    for hit in hits:
        pages.setdefault(hit.document, []).append(hit.page)
    documents, in_one_part = evidence.view.documents, _in_one_part(evidence)
    return [
        one_line(documents[at].name) + ("" if documents[at].id in in_one_part else f" {', '.join(map(str, numbers))}")
        for at, numbers in pages.items()
    ]
