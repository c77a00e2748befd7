"""The passages that a question leads to, with where each stands as metadata of plain values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from octavo.evidence.citation_ids import CitationId
from octavo_documents.text.lines import on_one_line

if TYPE_CHECKING:
    from octavo.corpus import Corpus
    from octavo.evidence import Evidence, Passage


@dataclass(frozen=True)
class FoundPassage:
    """A passage as other programs take it: text, a name that holds for good, where it stands, how well it fits."""

    id: str
    text: str
    metadata: dict[str, Any]
    score: float


def found_passages(
    corpus: Corpus,
    question: str,
    *,
    documents: str | Sequence[str] | None = None,
    where: str | None = None,
    system: str = "auto",
    limit: int | None = None,
    base: str = "",
) -> Iterator[FoundPassage]:
    """Return the passages that a question leads to, best first, at most `limit`.

    `documents`, `where` and `system` are those of `Corpus.search`; `base` is the address of a server over the same
    corpus, to which permalinks lead ("" for none). Raises as `Corpus.search` does.
    """
    result = corpus.search(question, documents=documents, where=where, system=system)
    for passage in result.passages[:limit]:
        metadata = _metadata(passage, result.evidence, base.rstrip("/"))
        yield FoundPassage(passage.id, passage.text, metadata, passage.score)


def _metadata(passage: Passage, evidence: Evidence, base: str) -> dict[str, Any]:
    where = {name: value for name, value in passage.place_json().items() if name != "box"}
    return {
        **where,
        "source": passage.document,
        "section": " > ".join(on_one_line(title) for title in passage.section),
        "boxes": [{"page": passage.page, "box": [*passage.box]}],
        "quote": _quote(passage, evidence),
        "id": passage.id,
        "permalink": f"{base}/c/{passage.id}" if base else "",
        "score": passage.score,
    }


def _quote(passage: Passage, evidence: Evidence) -> str:
    """Return the words that the passage's id names: all of its block where it joins what stands apart."""
    view, named = evidence.view, CitationId.parse(passage.id)
    document = next(at for at, one in enumerate(view.documents) if one.id == passage.document_id)
    text = view.blocks.text[int(view.row_starts[document]) + named.row]
    return text[named.start : named.stop] if named.stop else text
