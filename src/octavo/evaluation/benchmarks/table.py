"""The table of benchmarks. Adding one is a reader of its rows and a definition."""

from __future__ import annotations

from octavo.evaluation.benchmarks import about_documents, open_domain, own
from octavo.evaluation.benchmarks.base import Definition

BENCHMARKS: dict[str, Definition] = {
    definition.name: definition
    for definition in (*about_documents.DEFINITIONS, *open_domain.DEFINITIONS, *own.DEFINITIONS)
}
