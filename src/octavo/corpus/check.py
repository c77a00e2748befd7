"""What may be wrong with a corpus file, and mending it.

Each examination yields findings and, when asked to, mends what it found; documents whose parts are damaged or missing
are named to `repair`.
"""

# pyright: reportUnknownMemberType=false

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import apsw

from octavo.corpus.ask.derived import DerivedIndex
from octavo.corpus.index.builders import Builders
from octavo.corpus.repair import rebuild
from octavo.corpus.reports import CheckReport, Finding
from octavo.corpus.store import DOCUMENT_PART, DocumentInfo, PartKey
from octavo.corpus.store.catalogue import Catalogue
from octavo.corpus.store.connections import explained, rows_of
from octavo.corpus.store.journal import SqliteJournal
from octavo.corpus.store.sqlite import SqliteStore, checksum
from octavo.errors import CorpusError

_LOST = "{} cannot be read through: move it away and add the files again"


def checked(
    opened: Callable[[], SqliteStore], database: Path, derived: Path, builders: Builders, *, repair: bool
) -> CheckReport:
    """Look for damage in a store and the files beside it; with `repair`, mend what can be mended."""
    found = list[Finding]()
    try:
        store = opened()
        case = Examination(store, derived, tuple(builders.layers), repair)
        found.extend(case.run())
        found.extend(rebuild(store, builders, case.rebuild, case.lost))
    except CorpusError as error:
        if error.reason != "damaged":
            raise
        found.append(Finding("integrity", "", _LOST.format(database)))
    return CheckReport(tuple(sorted(found, key=lambda finding: (finding.repaired, finding.code))))


@dataclass
class Examination:
    """One check: the store, the folder of derived files, the layers every document has, and whether to mend."""

    store: SqliteStore
    derived: Path
    layers: tuple[str, ...]
    repair: bool
    rebuild: dict[str, list[Finding]] = field(default_factory=dict[str, list[Finding]])
    """Findings by id of the document that must be built again to mend them."""
    lost: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    """Parts that were taken out because they were damaged, by document id."""

    def run(self) -> Iterator[Finding]:
        """Yield every finding; those in `rebuild` are mended by building the document again.

        When the file itself is damaged and stays so, nothing else is looked at.
        """
        broken = list(integrity(self))
        yield from broken
        if all(finding.repaired for finding in broken):
            self._infos = {info.id: info for info in self.store.documents()}
            for examine in EXAMINATIONS:
                yield from examine(self)

    def info(self, document_id: str) -> DocumentInfo | None:
        """Return a visible document, None when it is not."""
        return self._infos.get(document_id)

    def infos(self) -> tuple[DocumentInfo, ...]:
        """Return the visible documents."""
        return tuple(self._infos.values())

    def damaged(self, code: str, document_id: str, message: str) -> Iterator[Finding]:
        """Yield a finding unless building the document again will mend it; then note it for that."""
        finding = Finding(code, document_id, message)
        if self.repair:
            self.rebuild.setdefault(document_id, []).append(finding)
        else:
            yield finding


def integrity(case: Examination) -> Iterator[Finding]:
    """Ask SQLite whether its pages and indexes are sound."""
    problems = _integrity_problems(case.store)
    if problems and case.repair:
        _mend_indexes(case.store)
    if not problems:
        return
    left = _integrity_problems(case.store) if case.repair else problems
    advice = "" if not left else _MOVE_AWAY if case.repair else "; run 'octavo check --repair'"
    yield Finding("integrity", "", f"{case.store.path}: {_first_of(left or problems)}{advice}", repaired=not left)


def _first_of(problems: list[str]) -> str:
    """Return the first of SQLite's problems and how many more there are."""
    count = f"{len(problems)}{' or more' if len(problems) >= _MOST_PROBLEMS else ''}"
    return problems[0] if len(problems) == 1 else f"{problems[0]} (the first of {count} problems)"


def _integrity_problems(store: SqliteStore) -> list[str]:
    try:
        rows = rows_of(store.connections.get(), f"PRAGMA integrity_check({_MOST_PROBLEMS})")
    except apsw.Error as error:
        return [str(error)]
    lines = [line.strip() for row in rows if row[0] != "ok" for line in str(row[0]).splitlines()]
    return [line for line in lines if not line.startswith("***")] or lines  # *** stands before a database's name


def _mend_indexes(store: SqliteStore) -> None:
    with explained(store.path):
        try:
            store.connections.get().execute("REINDEX")
        except (apsw.CorruptError, apsw.ConstraintError):
            return


def checksums(case: Examination) -> Iterator[Finding]:
    """Read every stored part and compare its checksum."""
    for key, is_published, stored in _parts(case.store):
        with case.store.connections.reading() as connection:
            data = connection.execute("SELECT data FROM blobs WHERE number = ?", (key.number,)).get
        if isinstance(data, bytes) and checksum(data) == stored:
            continue
        info = case.info(key.document_id)
        name = info.name if info else key.document_id[:19]
        message = f"the stored {key.name} of {name} is damaged"
        if case.repair:
            _delete_part(case.store, key)
        if is_published and info:
            case.lost.setdefault(key.document_id, []).append(key.name)
            yield from case.damaged("checksum", key.document_id, message)
        else:
            yield Finding("checksum", key.document_id, message, repaired=case.repair)


def _parts(store: SqliteStore) -> list[tuple[PartKey, bool, bytes]]:
    with store.connections.reading() as connection:
        rows = rows_of(connection, "SELECT document_id, name, fingerprint, blob, is_published, checksum FROM parts")
        return [(PartKey(*row[:4]), bool(row[4]), row[5]) for row in rows]


def _delete_part(store: SqliteStore, key: PartKey) -> None:
    with store.connections.writing() as connection:
        connection.execute("DELETE FROM parts WHERE blob = ?", (key.number,))


def missing_layers(case: Examination) -> Iterator[Finding]:
    """Compare what each visible document has with what it must have."""
    have: dict[str, set[str]] = {}
    for key in case.store.published():
        have.setdefault(key.document_id, set()).add(key.name)
    for info in case.infos():
        missing = [name for name in (DOCUMENT_PART, *case.layers) if name not in have.get(info.id, set())]
        if missing and info.id not in case.rebuild:
            yield from case.damaged("missing_layer", info.id, f"{info.name} has no {', '.join(missing)}")


_MOST_PROBLEMS = 100
"""How many problems SQLite looks for before it gives up."""
_MOVE_AWAY = " and cannot be mended: move it away and add the files again"
_ORPHANS = {
    "stored data without a document": "parts WHERE is_published AND document_id NOT IN (SELECT id FROM documents)",
    "unfinished data that nobody works on": (
        "parts WHERE NOT is_published AND document_id NOT IN (SELECT document_id FROM jobs)"
    ),
    "stored bytes without a name": "blobs WHERE number NOT IN (SELECT blob FROM parts)",
    "a file that leads to no document": "sources WHERE document NOT IN (SELECT number FROM documents)",
}


def orphans(case: Examination) -> Iterator[Finding]:
    """Look for rows that belong to nothing."""
    with case.store.connections.writing() as connection:
        for what, rows in _ORPHANS.items():
            count = connection.execute(f"SELECT count(*) FROM {rows}").get  # noqa: S608  (from the table above)
            if count and case.repair:
                connection.execute(f"DELETE FROM {rows}")  # noqa: S608
            if count:
                yield Finding("orphan", "", f"{what} ({count})", repaired=case.repair)


def passage_index(case: Examination) -> Iterator[Finding]:
    """Read the files of the passage index; what is damaged, or nobody takes up any more, is made again or removed."""
    index = DerivedIndex(case.derived)
    damage = index.damage()
    if case.repair and damage:
        for path in damage:
            path.unlink(missing_ok=True)
        index.current(Catalogue(case.store))
    for path in damage:
        yield Finding("passage_index", "", f"{path} is damaged or left over", repaired=case.repair)


def expired_leases(case: Examination) -> Iterator[Finding]:
    """Look for documents whose process went away without a word."""
    for job in case.store.abandoned(forget=case.repair):
        yield Finding(
            "expired_lease",
            job.document_id,
            f"indexing of {job.path} was cut off: 'octavo add' takes it up again",
            repaired=case.repair,
        )


def vanished_sources(case: Examination) -> Iterator[Finding]:
    """Look for files that have gone; what was read from them stays."""
    containers = set[str]()
    for source in case.store.sources().values():
        if source.container:
            containers.add(source.container)
        elif not Path(source.path).exists():
            yield Finding("vanished_source", source.document_id, f"{source.path} is no longer there")
    for path in sorted(containers):
        if not Path(path).exists():
            yield Finding("vanished_source", "", f"{path} is no longer there")


def replies(case: Examination) -> Iterator[Finding]:
    """Read every kept reply of a model; a damaged one is forgotten and asked for again when it is wanted."""
    count = SqliteJournal(case.store).damaged(forget=case.repair)
    if count:
        yield Finding("checksum", "", f"kept replies of models are damaged ({count})", repaired=case.repair)


EXAMINATIONS: tuple[Callable[[Examination], Iterator[Finding]], ...] = (
    checksums,
    missing_layers,
    orphans,
    passage_index,
    expired_leases,
    vanished_sources,
    replies,
)
