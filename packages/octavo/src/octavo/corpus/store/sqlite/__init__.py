"""A corpus in one SQLite file: what nobody has to set up."""

from octavo.corpus.store.sqlite.care import SqliteCare
from octavo.corpus.store.sqlite.catalogue import SqliteCatalogue
from octavo.corpus.store.sqlite.journal import SqliteJournal
from octavo.corpus.store.sqlite.store import SqliteStore

__all__ = ["SqliteCare", "SqliteCatalogue", "SqliteJournal", "SqliteStore"]
