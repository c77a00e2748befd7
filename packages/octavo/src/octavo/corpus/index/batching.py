"""How many documents are read and published at once: a large file by itself, small ones and articles together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from octavo.corpus import judges
from octavo.corpus.index.document_builder import DocumentBuilder
from octavo.corpus.index.tasks import Candidate
from octavo_documents.parsing.formats import FLOWING, ending_of
from octavo_documents.parsing.older_office import may_be_older

_WORTH_A_BATCH = 2
"""Small files from which on they are read together."""
_SMALL_BYTES = 1 << 17
"""Size of a file up to which it is read together with others."""
_BATCH_BYTES = 1 << 19
"""Bytes of a batch, which is all that Ctrl-C can lose."""
_BATCH_FILES = 128
"""Files of a batch, however small they are."""


def batches_of_files(files: Sequence[Candidate], builder: DocumentBuilder) -> Iterator[list[Candidate]]:
    """Yield small files in batches, then each of the others as a batch of one."""
    small = [replace(one, is_small=True) for one in files if _is_small(one, builder)]
    if len(small) < _WORTH_A_BATCH:
        small = []
    yield from batches(small)
    together = {one.order for one in small}
    yield from ([one] for one in files if one.order not in together)


def batches(candidates: Iterable[Candidate]) -> Iterator[list[Candidate]]:
    """Yield candidates together, as many at once as are small enough."""
    batch: list[Candidate] = []
    size = 0
    for one in candidates:
        if batch and (size + one.source.size > _BATCH_BYTES or len(batch) == _BATCH_FILES):
            yield batch
            batch, size = [], 0
        batch.append(one)
        size += one.source.size
    if batch:
        yield batch


def _is_small(file: Candidate, builder: DocumentBuilder) -> bool:
    """Whether a file is one of those read together: not where a model is asked about each document's headings.

    One of which the document is known already is not read at all.
    """
    source = file.source
    is_flowing = ending_of(source.at) in FLOWING and not may_be_older(source.at)
    is_flowing = is_flowing and not builder.how.prints.takes(source.path)
    return is_flowing and not file.id and source.size <= _SMALL_BYTES and not judges.headings_model(builder.judge)
