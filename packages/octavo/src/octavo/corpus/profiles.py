"""What documents are about, read for those that are listed."""

from __future__ import annotations

from collections.abc import Iterable

from typing_extensions import TypedDict

from octavo.about.profile import DocumentProfile
from octavo.corpus.ask.library_index import LAYER
from octavo.corpus.store.catalogue import Catalogue


class AboutShape(TypedDict):
    """What a document is about, as far as it says so; "" and [] where it does not.

    `period` is what it reports on ("2022", "2023 Q2"), `date` its own, `kinds` are the surest first.
    """

    title: str
    issuer: str
    kinds: list[str]
    period: str
    date: str
    version: str


def read(catalogue: Catalogue, ids: Iterable[str]) -> dict[str, DocumentProfile]:
    """Return, by id, what some documents are about; those that do not say it are left out. Raises CorpusError."""
    return {part.key.document_id: DocumentProfile.from_bytes(part.data) for part in catalogue.load(ids, (LAYER,))}


def about_json(profile: DocumentProfile | None) -> AboutShape:
    """Return what a document is about as JSON."""
    told = profile or DocumentProfile()
    return {
        "title": told.title,
        "issuer": told.issuer,
        "kinds": [*told.kinds],
        "period": told.period,
        "date": told.date,
        "version": told.version,
    }
