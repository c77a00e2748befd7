"""The tables of a shared corpus, and how a database is told from a foreign, an older or a newer one."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import LiteralString, TypeAlias

from octavo.corpus.store.postgresql.connections import Connections, not_set_up
from octavo.corpus.store.protocol import LEASE_SECONDS
from octavo.errors import CorpusError

Claim: TypeAlias = Callable[[str], None]

VERSION = 1
"""Of the tables: a database of another version is refused."""

# Keys and names may be longer than an index takes: they are found by their hash, and ranges of keys by their beginning.
# `corpus` has one row, which every transaction that changes what is visible locks first: so changes are numbered in the
# order they become visible, and no two of them wait for each other. Of `calls`, a row without a reply is a call under
# way. A job without a token is to be done, or to be taken up again.
_TABLES: LiteralString = """
CREATE SCHEMA octavo;
SET LOCAL search_path TO octavo;

CREATE TABLE corpus (
    version INTEGER NOT NULL,
    identity TEXT NOT NULL,
    bucket TEXT NOT NULL,
    lease_seconds DOUBLE PRECISION NOT NULL,
    generation BIGINT NOT NULL DEFAULT 0,
    documents BIGINT NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX corpus_one ON corpus ((true));

CREATE TABLE changes (
    generation BIGINT PRIMARY KEY,
    document BIGINT NOT NULL,
    token TEXT NOT NULL
);

CREATE TABLE documents (
    number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id TEXT COLLATE "C" NOT NULL UNIQUE,
    name TEXT COLLATE "C" NOT NULL,
    title TEXT NOT NULL,
    damage TEXT NOT NULL,
    ocr TEXT NOT NULL,
    pages INTEGER NOT NULL,
    scanned_pages INTEGER NOT NULL,
    blocks INTEGER NOT NULL,
    sections INTEGER NOT NULL,
    passages INTEGER NOT NULL,
    size_bytes BIGINT NOT NULL,
    added TEXT NOT NULL
);
CREATE INDEX documents_name ON documents (md5(name));

CREATE TABLE sources (
    number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    key TEXT COLLATE "C" NOT NULL,
    path TEXT COLLATE "C" NOT NULL,
    size BIGINT NOT NULL,
    mtime_ns BIGINT NOT NULL,
    document BIGINT NOT NULL REFERENCES documents (number)
);
CREATE UNIQUE INDEX sources_key ON sources (md5(key));
CREATE INDEX sources_range ON sources (left(key, 500));
CREATE INDEX sources_document ON sources (document, number);

CREATE SEQUENCE part_numbers;
CREATE TABLE parts (
    number BIGINT PRIMARY KEY,
    document_id TEXT COLLATE "C" NOT NULL,
    name TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    is_published BOOLEAN NOT NULL,
    checksum BYTEA NOT NULL,
    mark BIGINT NOT NULL UNIQUE,
    size BIGINT NOT NULL,
    UNIQUE (document_id, name, fingerprint)
);

CREATE TABLE jobs (
    document_id TEXT COLLATE "C" PRIMARY KEY,
    path TEXT COLLATE "C" NOT NULL,
    started TEXT NOT NULL,
    token TEXT NOT NULL,
    expires TIMESTAMPTZ NOT NULL
);
CREATE INDEX jobs_expires ON jobs (expires);

CREATE TABLE quarantine (
    document_id TEXT COLLATE "C" PRIMARY KEY,
    path TEXT COLLATE "C" NOT NULL,
    parser TEXT NOT NULL,
    reason TEXT NOT NULL,
    message TEXT NOT NULL
);

CREATE TABLE calls (
    key TEXT COLLATE "C" PRIMARY KEY,
    token TEXT NOT NULL,
    expires TIMESTAMPTZ NOT NULL,
    decision TEXT,
    version TEXT,
    model TEXT,
    created TEXT,
    input_tokens BIGINT,
    output_tokens BIGINT,
    seconds DOUBLE PRECISION,
    cost DOUBLE PRECISION,
    hits BIGINT NOT NULL DEFAULT 0,
    checksum BYTEA,
    reply TEXT
);

CREATE TABLE containers (
    key TEXT COLLATE "C" NOT NULL,
    size BIGINT NOT NULL,
    mtime_ns BIGINT NOT NULL,
    fingerprint TEXT NOT NULL,
    reading BIGINT NOT NULL,
    skipped TEXT NOT NULL
);
CREATE UNIQUE INDEX containers_key ON containers (md5(key));
"""


def create(connections: Connections, bucket: str, claim: Claim) -> str:
    """Create the tables of a new corpus whose bytes go to a bucket; return its identity.

    `claim` marks the bucket as that of this identity, or raises. Raises CorpusError (`locked`) when there is one.
    """
    identity = uuid.uuid4().hex
    with connections.writing() as connection:
        connection.execute("SELECT pg_advisory_xact_lock(hashtext('octavo'))")
        there = connection.execute("SELECT to_regnamespace('octavo') IS NOT NULL").fetchone()
        if there and there[0]:
            raise CorpusError(
                "locked", f"{connections.name} holds a corpus already: use it, or choose another database"
            )
        connection.execute(_TABLES)
        connection.execute(
            "INSERT INTO corpus (version, identity, bucket, lease_seconds) VALUES (%s, %s, %s, %s)",
            (VERSION, identity, bucket, LEASE_SECONDS),
        )
        claim(identity)
    return identity


def opened(connections: Connections) -> tuple[str, str, float]:
    """Return a corpus's identity, its bucket, and how long its leases last.

    Raises CorpusError (`missing`) when there is none, and (`version`) for one of a newer or an older Octavo.
    """
    with connections.reading() as connection:
        row = connection.execute("SELECT version, identity, bucket, lease_seconds FROM octavo.corpus").fetchone()
    if row is None:
        raise not_set_up(connections.name)
    version, identity, bucket, lease_seconds = row
    if version != VERSION:
        made, advice = (
            ("a newer", "upgrade with 'pip install --upgrade octavo[cluster]'")
            if version > VERSION
            else ("an older", "import it into another database with the Octavo that made it")
        )
        raise CorpusError(
            "version",
            f"{connections.name} was made by {made} Octavo (format {version}, this one reads {VERSION}): {advice}",
        )
    return identity, bucket, lease_seconds
