"""An index at a path: add, remove, list, search, ask."""

from octavo.corpus.corpus import Corpus, open  # noqa: A004  (octavo.open is the public name)
from octavo.corpus.progress import Progress
from octavo.corpus.reports import AddReport, CheckReport, Failure, Finding, Status
from octavo.corpus.store import DocumentInfo

__all__ = ["AddReport", "CheckReport", "Corpus", "DocumentInfo", "Failure", "Finding", "Progress", "Status", "open"]
