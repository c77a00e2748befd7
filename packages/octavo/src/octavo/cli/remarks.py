"""What readers said of files that are in the corpus: what they left out, how they took it; read from the documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from octavo.errors import CorpusError

if TYPE_CHECKING:
    from octavo.corpus import Corpus
    from octavo.corpus.store import DocumentInfo

MOST = 500
"""Documents whose remarks are looked up at once: each is opened for it."""


def remarks(corpus: Corpus, infos: Sequence[DocumentInfo]) -> Mapping[str, list[str]]:
    """Return what was said of documents by their ids, those of which nothing was said left out; of the first `MOST`."""
    try:
        return {name: list(said) for name, said in corpus.warnings([info.id for info in infos[:MOST]]).items()}
    except CorpusError:  # a damaged one: `check` says so
        return {}
