"""The rows of documents, parts and sources, as they are written and read inside a transaction.

What writes rows returns the marks of the parts that no row names any more: their bytes go once the transaction is done.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any, LiteralString

import numpy as np

from octavo.about.description import SetBy
from octavo.about.fields import FieldValue
from octavo.corpus.store.catalogue import Stamp
from octavo.corpus.store.checksums import Numbers
from octavo.corpus.store.paths import container_of, path_key, shown, source_key, source_name
from octavo.corpus.store.protocol import DocumentInfo, Lease, LeaseLost, Publication, Source
from octavo.errors import CorpusError
from octavo.models.gateway.journal import now
from octavo_cluster.postgresql import descriptions, table_cells
from octavo_cluster.postgresql.connections import Connection

INFO: LiteralString = """
SELECT number, id, name, (SELECT path FROM sources WHERE document = documents.number ORDER BY sources.number LIMIT 1),
pages, scanned_pages, blocks, sections, passages, size_bytes, added, title, damage FROM documents
"""
"""Selects what is listed of documents, by number."""
_KEPT_CHANGES = 1 << 20
"""Changes that are known by document: whoever last looked before them looks at everything again."""
_COUNT: LiteralString = """
WITH counted AS (UPDATE corpus SET generation = generation + %s, documents = documents + %s RETURNING generation),
forgotten AS (DELETE FROM changes USING counted WHERE changes.generation <= counted.generation - %s)
INSERT INTO changes (generation, document, token)
SELECT generation - %s + place, document, gen_random_uuid()::text
FROM counted, unnest(%s::bigint[]) WITH ORDINALITY AS changed (document, place)
"""
_WRITE: LiteralString = """
INSERT INTO documents
(id, name, title, damage, ocr, pages, scanned_pages, blocks, sections, passages, size_bytes, added)
SELECT id, name, title, damage, ocr, pages, scanned_pages, blocks, sections, passages, size_bytes, %s
FROM unnest(%s::text[], %s::text[], %s::text[], %s::text[], %s::text[],
    %s::int[], %s::int[], %s::int[], %s::int[], %s::int[], %s::bigint[]) WITH ORDINALITY
AS made (id, name, title, damage, ocr, pages, scanned_pages, blocks, sections, passages, size_bytes, place)
ORDER BY place
ON CONFLICT (id) DO UPDATE SET title = excluded.title, damage = excluded.damage, ocr = excluded.ocr,
pages = excluded.pages, scanned_pages = excluded.scanned_pages, blocks = excluded.blocks,
sections = excluded.sections, passages = excluded.passages RETURNING id, number, xmax = 0
"""
_KEEP: LiteralString = """
INSERT INTO parts (document_id, name, fingerprint, number, mark, checksum, size, is_published)
SELECT *, %s FROM unnest(%s::text[], %s::text[], %s::text[], %s::bigint[], %s::bigint[], %s::bytea[], %s::bigint[])
"""
_REPLACED: LiteralString = """
DELETE FROM parts USING unnest(%s::text[], %s::text[], %s::text[]) AS new (document_id, name, fingerprint)
WHERE parts.document_id = new.document_id AND parts.name = new.name AND parts.fingerprint = new.fingerprint
RETURNING mark
"""
_POINTED: LiteralString = (
    "SELECT key, document FROM sources WHERE md5(key) = ANY(SELECT md5(unnest(%s::text[]))) AND key = ANY(%s)"
)
_FILES: LiteralString = """
unnest(%s::text[], %s::text[], %s::bigint[], %s::bigint[], %s::bool[], %s::bigint[]) WITH ORDINALITY
AS new (key, path, size, mtime_ns, is_article, document, place)
"""
_POINT: LiteralString = f"""
INSERT INTO sources (key, path, size, mtime_ns, document)
SELECT key, path, size, mtime_ns, document FROM {_FILES} ORDER BY place
"""
# Readings of one container may overlap: the last one counts.
_POINT_AGAIN: LiteralString = f"""
UPDATE sources SET size = new.size,
mtime_ns = CASE WHEN is_article THEN greatest(sources.mtime_ns, new.mtime_ns) ELSE new.mtime_ns END
FROM {_FILES} WHERE md5(sources.key) = md5(new.key)
"""
CLAIM_NEW: LiteralString = """
INSERT INTO jobs (document_id, path, started, token, expires)
SELECT document_id, path, %s, %s, clock_timestamp() + %s * interval '1 second'
FROM unnest(%s::text[], %s::text[]) AS wanted (document_id, path) ORDER BY document_id
ON CONFLICT DO NOTHING RETURNING document_id
"""
_FREE: LiteralString = "(token = '' OR expires <= clock_timestamp())"
CLAIM_FREE: LiteralString = f"""
UPDATE jobs SET path = wanted.path, started = %s, token = %s, expires = clock_timestamp() + %s * interval '1 second'
FROM unnest(%s::text[], %s::text[]) AS wanted (document_id, path)
WHERE jobs.document_id = wanted.document_id AND jobs.document_id IN (
    SELECT document_id FROM jobs WHERE document_id = ANY(%s) AND {_FREE} FOR UPDATE SKIP LOCKED
) RETURNING jobs.document_id
"""
TAKE: LiteralString = f"""
WITH free AS (
    SELECT document_id, token AS earlier FROM jobs WHERE {_FREE}
    ORDER BY expires, document_id LIMIT %s FOR UPDATE SKIP LOCKED
)
UPDATE jobs SET token = %s, expires = clock_timestamp() + %s * interval '1 second'
FROM free WHERE jobs.document_id = free.document_id RETURNING jobs.document_id, path, earlier
"""
AGAIN = "again "
"""Begins the token, with the number of attempts that failed, of what waits for another one until it `expires`."""
WAITS: LiteralString = "starts_with(token, 'again ')"
PUT_BACK: LiteralString = """
UPDATE jobs SET token = new.token, expires = clock_timestamp() + pause * interval '1 second'
FROM unnest(%s::text[], %s::text[], %s::float8[]) AS new (document_id, token, pause)
WHERE jobs.document_id = new.document_id AND jobs.token = %s
"""
RUNS: LiteralString = f"NOT ({_FREE} OR {WAITS})"
JOBS: LiteralString = f"""
SELECT document_id, path, started, {RUNS},
ARRAY(SELECT name FROM parts WHERE parts.document_id = jobs.document_id AND NOT is_published ORDER BY number) FROM jobs
"""


@dataclass(frozen=True, slots=True)
class Written:
    """A part whose bytes are in the bucket."""

    name: str
    fingerprint: str
    number: int
    mark: int
    checksum: bytes
    size: int


def value_of(connection: Connection, sql: LiteralString, *bindings: Any) -> Any:
    """Return the one value of a query, None without a row."""
    row = connection.execute(sql, bindings).fetchone()
    return row[0] if row else None


def info_of(row: Any) -> DocumentInfo:
    """Return what a row of `INFO` says."""
    _, identity, name, path, *counts, title, damage = row
    return DocumentInfo(identity, name, shown(path or ""), *counts, title=title, damage=damage)


def lock(connection: Connection) -> None:
    """Let nobody else change what is visible until the transaction ends."""
    connection.execute("SELECT 1 FROM corpus FOR UPDATE")


def held(connection: Connection, leases: Sequence[Lease]) -> set[Lease]:
    """Return those of some leases that are still held; they stay so until the transaction ends."""
    sql: LiteralString = (
        "SELECT document_id, token FROM jobs JOIN unnest(%s::text[], %s::text[]) AS lease (document_id, token) "
        "USING (document_id, token) ORDER BY document_id FOR UPDATE OF jobs"
    )
    columns = [lease.document_id for lease in leases], [lease.token for lease in leases]
    return {Lease(*row) for row in connection.execute(sql, columns).fetchall()}


def verify(connection: Connection, lease: Lease) -> None:
    """Raise LeaseLost unless a lease is still held; it stays so until the transaction ends."""
    if not held(connection, [lease]):
        raise LeaseLost(lease.document_id)


def keep(connection: Connection, parts: Sequence[tuple[str, Written]], *, is_published: bool) -> list[int]:
    """Write the rows of parts, each with its document, in the place of those with their fingerprints."""
    keys = [
        [*column] for column in zip(*((document, part.name, part.fingerprint) for document, part in parts), strict=True)
    ]
    if not keys:
        return []
    gone = connection.execute(_REPLACED, keys).fetchall()
    rest = zip(*((part.number, part.mark, part.checksum, part.size) for _, part in parts), strict=True)
    connection.execute(_KEEP, (is_published, *keys, *([*column] for column in rest)))
    return [row[0] for row in gone]


def publish(
    connection: Connection, made: Sequence[tuple[Publication, Source]], *, stay: Set[str] = frozenset()
) -> list[int]:
    """Make documents visible whose parts are stored, each once; return marks. The leases are the caller's to check.

    The corpus is locked. The jobs of the documents end, but of those that `stay`.
    """
    infos = [publication.info for publication, _ in made]
    ids = [info.id for info in infos]
    gone = _mark_published(connection, [publication for publication, _ in made])
    texts = [[info.name for info in infos], [info.title for info in infos], [info.damage for info in infos]]
    texts.append([publication.ocr for publication, _ in made])
    counts = zip(
        *((i.pages, i.scanned_pages, i.blocks, i.sections, i.passages, i.size_bytes) for i in infos), strict=True
    )
    columns = (now(), ids, *texts, *([*column] for column in counts))
    written = connection.execute(_WRITE, columns).fetchall()
    numbers = {identity: number for identity, number, _ in written}
    descriptions.take_over(connection, [(document, source) for (_, source), document in zip(made, ids, strict=True)])
    gone += point(connection, [(source, numbers[document]) for (_, source), document in zip(made, ids, strict=True)])
    connection.execute("DELETE FROM jobs WHERE document_id = ANY(%s)", ([one for one in ids if one not in stay],))
    connection.execute("DELETE FROM quarantine WHERE document_id = ANY(%s)", (ids,))
    _count_change(connection, [numbers[document] for document in ids], sum(is_new for *_, is_new in written))
    return gone


def _mark_published(connection: Connection, publications: Sequence[Publication]) -> list[int]:
    """Make exactly the parts of publications the visible ones of their documents; what they replace goes."""
    ids = [publication.info.id for publication in publications]
    stored: dict[str, dict[tuple[str, str], int]] = {document: {} for document in ids}
    sql: LiteralString = "SELECT document_id, name, fingerprint, number FROM parts WHERE document_id = ANY(%s)"
    for document, name, fingerprint, number in connection.execute(sql, (ids,)).fetchall():
        stored[document][name, fingerprint] = number
    other: list[int] = []
    for publication in publications:
        wanted, there = publication.parts.items(), stored[publication.info.id]
        if missing := wanted - there.keys():
            name = publication.info.name
            raise CorpusError("missing", f"{name} lost its {min(missing)[0]} while it was indexed: add it")
        other += [number for key, number in there.items() if key not in wanted]
    gone = (
        connection.execute("DELETE FROM parts WHERE number = ANY(%s) RETURNING mark", (other,)).fetchall()
        if other
        else []
    )
    unpublished: LiteralString = "UPDATE parts SET is_published = true WHERE document_id = ANY(%s) AND NOT is_published"
    connection.execute(unpublished, (ids,))
    return [row[0] for row in gone]


def point(connection: Connection, sources: Sequence[tuple[Source, int]]) -> list[int]:
    """Let files lead to documents of these numbers; one that a file led to before goes when no other leads there."""
    wanted: dict[str, tuple[Source, int]] = {}
    left: dict[int, None] = {}
    for source, number in sources:
        key = source_key(source)
        if key in wanted:
            left[wanted[key][1]] = None
        wanted[key] = source, number
    found = connection.execute(_POINTED, ([*wanted], [*wanted])).fetchall()
    before: dict[str, int] = dict(found)
    moved = [key for key, number in before.items() if wanted[key][1] != number]
    if moved:
        connection.execute("DELETE FROM sources WHERE md5(key) = ANY(SELECT md5(unnest(%s::text[])))", (moved,))
        left.update((before.pop(key), None) for key in moved)
    steps: tuple[tuple[LiteralString, Set[str]], ...] = (
        (_POINT, wanted.keys() - before.keys()),
        (_POINT_AGAIN, before.keys()),
    )
    for sql, keys in steps:
        rows = [
            (key, source.path, source.size, source.mtime_ns, bool(source.container), number)
            for key, (source, number) in wanted.items()
            if key in keys
        ]
        if rows:
            connection.execute(sql, [[*column] for column in zip(*rows, strict=True)])
    return [mark for number in left for mark in leave(connection, number)]


def leave(connection: Connection, number: int) -> list[int]:
    """A file no longer leads to a document: it takes the name of the next file, or goes with the last one."""
    sql: LiteralString = "SELECT path, key FROM sources WHERE document = %s ORDER BY number LIMIT 1"
    row = connection.execute(sql, (number,)).fetchone()
    if row is not None:
        connection.execute("UPDATE documents SET name = %s WHERE number = %s", (shown(source_name(*row)), number))
        return []
    document = str(value_of(connection, "SELECT id FROM documents WHERE number = %s", number))
    drop(connection, number)
    return forget(connection, document)


def read_again(connection: Connection, number: int) -> None:
    """Have the containers of a document that goes read again by the next `add`."""
    for path, key in connection.execute("SELECT path, key FROM sources WHERE document = %s", (number,)).fetchall():
        if container := container_of(path, key):
            _read_container_again(connection, container)


def _read_container_again(connection: Connection, container: str) -> None:
    connection.execute("UPDATE containers SET fingerprint = '' WHERE md5(key) = md5(%s)", (path_key(container),))


def detach(connection: Connection, sources: Sequence[Source]) -> tuple[list[str], list[int]]:
    """Let files lead to their documents no more, if they still do; return the documents that went, and marks.

    A document goes with its last file.
    """
    lock(connection)
    documents, gone = list[str](), list[int]()
    sql: LiteralString = (
        "SELECT documents.number FROM sources JOIN documents ON documents.number = document "
        "WHERE md5(key) = md5(%s) AND id = %s"
    )
    for source in sources:
        key = source_key(source)
        number = value_of(connection, sql, key, source.document_id)
        if number is None:
            continue
        if source.container:
            _read_container_again(connection, source.container)
        connection.execute("DELETE FROM sources WHERE md5(key) = md5(%s)", (key,))
        gone += leave(connection, number)
        if value_of(connection, "SELECT number FROM documents WHERE number = %s", number) is None:
            documents.append(source.document_id)
    return documents, gone


def drop(connection: Connection, number: int) -> None:
    """Remove a document and its sources from sight. The corpus is locked."""
    connection.execute("DELETE FROM sources WHERE document = %s", (number,))
    connection.execute("DELETE FROM documents WHERE number = %s", (number,))
    _count_change(connection, [number], -1)


def forget(connection: Connection, document: str) -> list[int]:
    """Remove what is stored for a document that is not visible."""
    connection.execute("DELETE FROM jobs WHERE document_id = %s", (document,))
    connection.execute("DELETE FROM quarantine WHERE document_id = %s", (document,))
    descriptions.forget(connection, document)
    table_cells.forget(connection, document)
    gone = connection.execute("DELETE FROM parts WHERE document_id = %s RETURNING mark", (document,)).fetchall()
    return [row[0] for row in gone]


def describe(
    connection: Connection, document: str, by: SetBy, fields: Mapping[str, FieldValue | None], *, anew: bool
) -> bool:
    """Set fields of a visible document; return whether there is one."""
    lock(connection)
    number = value_of(connection, "SELECT number FROM documents WHERE id = %s", document)
    if number is not None and descriptions.set_fields(connection, document, by, fields, anew=anew):
        _count_change(connection, [number], 0)
    return number is not None


def unpublished(connection: Connection, document: str) -> list[int]:
    """Remove the parts of a document that are not visible."""
    sql: LiteralString = "DELETE FROM parts WHERE document_id = %s AND NOT is_published RETURNING mark"
    return [row[0] for row in connection.execute(sql, (document,)).fetchall()]


def _count_change(connection: Connection, numbers: Sequence[int], documents: int) -> None:
    """Count that documents changed or went, keep which, and how many there are more."""
    connection.execute(_COUNT, (len(numbers), documents, _KEPT_CHANGES, len(numbers), [*numbers]))


def changes(connection: Connection, since: Stamp, until: Stamp) -> Numbers | None:
    """Return the numbers of documents that changed or went between two states, None when not all are known."""
    token = value_of(connection, "SELECT token FROM changes WHERE generation = %s", since.generation)
    if since.identity != until.identity or token is None or token != since.token:
        return None
    found = connection.execute(
        "SELECT document FROM changes WHERE generation > %s AND generation <= %s", (since.generation, until.generation)
    ).fetchall()
    is_whole = len(found) == until.generation - since.generation
    return np.unique(np.array([row[0] for row in found], np.int64)) if is_whole else None
