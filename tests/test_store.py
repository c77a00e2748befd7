"""The file a corpus is kept in: what it accepts, who may write, and that publication is one step."""

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path

import apsw
import pytest

from octavo.corpus.store import LEASE_SECONDS, DocumentInfo, LeaseLost, Part, Publication, Source
from octavo.corpus.store.sqlite import SqliteStore, schema
from octavo.corpus.store.sqlite.leases import Owner
from octavo.errors import CorpusError

ID = "sha256:" + "1" * 64
OTHER = "sha256:" + "2" * 64


@pytest.fixture
def store(tmp_path: Path):
    opened = SqliteStore(tmp_path / "corpus.db")
    yield opened
    opened.close()


def publication(id_: str = ID, **parts: str) -> Publication:
    info = DocumentInfo(id_, "a.pdf", "/a.pdf", 1, 0, 1, 0, 2, 10, "")
    return Publication(info, "auto", parts or {"document": "f1"})


def publish(store: SqliteStore, document: str = ID, path: str = "/a.pdf", data: bytes = b"data") -> DocumentInfo:
    lease = store.claim(document, path)
    assert lease
    store.stage(lease, Part("document", "f1", data))
    return store.publish(lease, publication(document), Source(path, 10, 1))


class TestOpening:
    def test_a_new_file_is_marked_as_a_corpus_and_journalled_ahead(self, store: SqliteStore) -> None:
        connection = store.connections.get()
        assert connection.pragma("application_id") == schema.APPLICATION_ID
        assert connection.pragma("journal_mode") == "wal"
        assert connection.pragma("auto_vacuum") == 2

    @pytest.mark.parametrize(
        ("version", "advice"),
        [(99, r"newer Octavo .* upgrade"), (schema.VERSION - 1, r"older Octavo .* another corpus")],
    )
    def test_a_file_of_another_version_is_refused(self, tmp_path: Path, version: int, advice: str) -> None:
        path = tmp_path / "corpus.db"
        SqliteStore(path).close()
        with sqlite3.connect(path) as connection:
            connection.execute(f"PRAGMA user_version = {version}")
        connection.close()
        with pytest.raises(CorpusError, match=advice) as caught:
            SqliteStore(path)
        assert caught.value.reason == "version"

    @pytest.mark.parametrize("content", [b"%PDF-1.7 not a database", b"x" * 5000])
    def test_garbage_is_refused_and_left_alone(self, tmp_path: Path, content: bytes) -> None:
        path = tmp_path / "corpus.db"
        path.write_bytes(content)
        with pytest.raises(CorpusError, match="not an Octavo corpus"):
            SqliteStore(path)
        assert path.read_bytes() == content

    def test_another_programs_database_is_refused_and_left_alone(self, tmp_path: Path) -> None:
        path = tmp_path / "corpus.db"
        with sqlite3.connect(path) as connection:
            connection.execute("CREATE TABLE theirs (x)")
        connection.close()
        before = path.read_bytes()
        with pytest.raises(CorpusError, match="belongs to another program"):
            SqliteStore(path)
        assert path.read_bytes() == before

    def test_errors_are_one_line(self, tmp_path: Path) -> None:
        path = tmp_path / "corpus.db"
        path.write_bytes(b"garbage" * 1000)
        with pytest.raises(CorpusError) as caught:
            SqliteStore(path)
        assert "\n" not in str(caught.value)

    def test_many_threads_may_create_one_file(self, tmp_path: Path) -> None:
        problems: list[BaseException] = []

        def open_it() -> None:
            try:
                SqliteStore(tmp_path / "corpus.db").close()
            except BaseException as error:  # noqa: BLE001
                problems.append(error)

        threads = [threading.Thread(target=open_it) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not problems


class TestPublication:
    def test_staged_parts_are_not_visible(self, store: SqliteStore) -> None:
        lease = store.claim(ID, "/a.pdf")
        assert lease
        store.stage(lease, Part("document", "f1", b"data"))
        assert not store.documents()
        assert not store.published()
        assert list(store.staged(ID)) == ["f1"]

    def test_a_published_document_is_there_with_its_parts(self, store: SqliteStore) -> None:
        info = publish(store)
        assert store.documents() == (info,)
        assert [store.load(key) for key in store.published([ID])] == [b"data"]
        assert not store.jobs()

    def test_a_failure_inside_publication_leaves_nothing(
        self, store: SqliteStore, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        lease = store.claim(ID, "/a.pdf")
        assert lease
        store.stage(lease, Part("document", "f1", b"data"))

        def fail(*_: object) -> None:
            raise RuntimeError("power cut")

        monkeypatch.setattr("octavo.corpus.store.sqlite.rows._count_change", fail)
        with pytest.raises(RuntimeError):
            store.publish(lease, publication(), Source("/a.pdf", 10, 1))
        assert not store.documents()
        assert not store.published()
        assert not store.sources()
        monkeypatch.undo()
        assert store.publish(lease, publication(), Source("/a.pdf", 10, 1))

    def test_a_part_that_was_never_stored_cannot_be_published(self, store: SqliteStore) -> None:
        lease = store.claim(ID, "/a.pdf")
        assert lease
        with pytest.raises(CorpusError, match="lost its document"):
            store.publish(lease, publication(), Source("/a.pdf", 10, 1))
        assert not store.documents()

    def test_publishing_again_replaces_parts(self, store: SqliteStore) -> None:
        publish(store)
        lease = store.claim(ID, "/a.pdf")
        assert lease
        store.stage(lease, Part("document", "f2", b"newer"))
        store.publish(lease, publication(document="f2"), Source("/a.pdf", 10, 1))
        assert [store.load(key) for key in store.published()] == [b"newer"]
        assert store.connections.get().execute("SELECT count(*) FROM blobs").get == 1

    def test_a_key_of_a_replaced_part_loads_nothing_rather_than_the_new_one(self, store: SqliteStore) -> None:
        publish(store)
        [key] = store.published()
        store.remove([ID])
        publish(store, data=b"another")
        assert store.load(key) is None

    def test_a_file_that_leads_elsewhere_takes_its_old_document_away(self, store: SqliteStore) -> None:
        publish(store)
        publish(store, OTHER)
        assert [info.id for info in store.documents()] == [OTHER]

    def test_a_document_stays_while_another_file_leads_to_it(self, store: SqliteStore) -> None:
        publish(store)
        store.attach(Source("/copies/b.pdf", 10, 1, ID))
        publish(store, OTHER)
        second, first = store.documents()
        assert (first.id, first.name, first.path) == (ID, "b.pdf", "/copies/b.pdf")
        assert (second.id, second.path) == (OTHER, "/a.pdf")

    def test_a_flipped_bit_is_noticed(self, store: SqliteStore) -> None:
        publish(store)
        store.connections.get().execute("UPDATE blobs SET data = x'00'")
        [key] = store.published()
        with pytest.raises(CorpusError, match="octavo check --repair") as caught:
            store.load(key)
        assert caught.value.reason == "damaged"


class TestLeases:
    def test_a_document_has_one_owner(self, store: SqliteStore, tmp_path: Path) -> None:
        other = SqliteStore(tmp_path / "corpus.db")
        assert store.claim(ID, "/a.pdf")
        assert other.claim(ID, "/a.pdf") is None
        assert store.claim(ID, "/a.pdf") is None
        assert other.claim(OTHER, "/b.pdf")
        other.close()

    def test_a_released_document_is_free_and_its_parts_are_kept_if_asked(self, store: SqliteStore) -> None:
        for keep in (True, False):
            lease = store.claim(ID, "/a.pdf")
            assert lease
            store.stage(lease, Part("document", "f1", b"data"))
            store.release(lease, keep=keep)
            assert bool(store.staged(ID)) == keep
            assert [job.is_running for job in store.jobs()] == ([False] if keep else [])

    def test_a_silent_owner_loses_the_lease_and_a_renewing_one_keeps_it(self, tmp_path: Path) -> None:
        now = [1000.0]
        first, second = (SqliteStore(tmp_path / "corpus.db", clock=lambda: now[0]) for _ in range(2))
        lease = first.claim(ID, "/a.pdf")
        assert lease
        now[0] += LEASE_SECONDS * 0.9
        first.renew()
        now[0] += LEASE_SECONDS * 0.9
        assert second.claim(ID, "/a.pdf") is None
        now[0] += LEASE_SECONDS
        assert second.claim(ID, "/a.pdf")
        with pytest.raises(LeaseLost):
            first.stage(lease, Part("document", "f1", b"late"))
        with pytest.raises(LeaseLost):
            first.publish(lease, publication(), Source("/a.pdf", 10, 1))
        first.release(lease, keep=False)
        assert second.jobs()[0].is_running
        first.close()
        second.close()

    def test_a_dead_owner_loses_the_lease_at_once(self, store: SqliteStore) -> None:
        store.claim(ID, "/a.pdf")
        other = SqliteStore(store.path)
        with store.connections.writing() as connection:
            connection.execute("UPDATE jobs SET pid = 999999999")
        assert other.claim(ID, "/a.pdf")
        other.close()

    def test_a_process_with_a_reused_number_is_another_one(self) -> None:
        me = Owner.here()
        assert not me.is_dead()
        assert Owner(me.token, me.host, me.pid, "1").is_dead() == bool(me.started)

    def test_a_process_on_another_machine_is_never_taken_for_dead(self) -> None:
        assert not Owner("token", "elsewhere", 999999999, "1").is_dead()

    def test_closing_waits_for_a_thread_that_is_still_reading(self, tmp_path: Path) -> None:
        store = SqliteStore(tmp_path / "corpus.db")
        inside, leave = threading.Event(), threading.Event()

        def linger() -> str:
            inside.set()
            leave.wait(5)
            return ""

        def read() -> None:
            connection = store.connections.get()
            connection.create_scalar_function("linger", linger)
            connection.execute("SELECT linger()").fetchall()

        straggler = threading.Thread(target=read)
        straggler.start()
        assert inside.wait(5)
        threading.Timer(0.2, leave.set).start()
        store.close()
        straggler.join(5)
        assert leave.is_set()

    def test_closing_gives_leases_up(self, tmp_path: Path) -> None:
        first, second = (SqliteStore(tmp_path / "corpus.db") for _ in range(2))
        first.claim(ID, "/a.pdf")
        first.close()
        assert second.claim(ID, "/a.pdf")
        second.close()


class TestRemoval:
    def test_nothing_of_a_removed_document_stays_in_the_file(self, store: SqliteStore) -> None:
        secret = b"zebrafinch" * 500
        publish(store, data=secret)
        store.connections.shrink()
        assert b"zebrafinch" in store.path.read_bytes()
        store.remove([ID])
        assert b"zebrafinch" not in store.path.read_bytes()
        wal = store.path.with_name("corpus.db-wal")
        assert not wal.exists() or b"zebrafinch" not in wal.read_bytes()

    def test_the_room_is_given_back(self, store: SqliteStore) -> None:
        store.connections.shrink()
        empty = store.path.stat().st_size
        publish(store, data=b"x" * 3_000_000)
        store.connections.shrink()
        assert store.path.stat().st_size > 3_000_000
        store.remove([ID])
        assert store.path.stat().st_size < empty + 50_000

    def test_removing_while_someone_reads_does_not_disturb_the_reader(self, store: SqliteStore, tmp_path: Path) -> None:
        publish(store)
        reader = SqliteStore(tmp_path / "corpus.db")
        with reader.connections.reading() as connection:
            assert connection.execute("SELECT count(*) FROM documents").get == 1
            store.remove([ID])
            assert connection.execute("SELECT count(*) FROM documents").get == 1
        assert not reader.documents()
        reader.close()


def test_a_writer_that_is_kept_out_says_so(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("octavo.corpus.store.sqlite.connections.BUSY_SECONDS", 0.05)
    blocker = apsw.Connection(str(store.path))
    blocker.execute("BEGIN IMMEDIATE")
    with pytest.raises(CorpusError, match="written by another program") as caught:
        store.claim(ID, "/a.pdf")
    assert caught.value.reason == "locked"
    blocker.execute("ROLLBACK")
    assert store.claim(ID, "/a.pdf")
