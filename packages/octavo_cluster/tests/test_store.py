"""What a corpus is kept in: what it accepts, who may write, and that publication is one step."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import apsw
import pytest

from engines import Engine
from octavo.corpus.ask.names_apart import NamesApart
from octavo.corpus.backend import Backend
from octavo.corpus.store import (
    LEASE_SECONDS,
    DocumentInfo,
    DocumentPart,
    Lease,
    LeaseLost,
    Publication,
    Ready,
    Source,
    Store,
    references,
)
from octavo.corpus.store.paths import ends_apart, shown
from octavo.corpus.store.sqlite import SqliteStore, connections
from octavo.corpus.store.sqlite.leases import Owner
from octavo.errors import AmbiguousDocumentError, CorpusError, UnknownDocumentError

ID = "sha256:" + "1" * 64
OTHER = "sha256:" + "2" * 64


@pytest.fixture
def store(engine: Engine) -> Store:
    return engine.store()


@pytest.fixture
def file(tmp_path: Path) -> Iterator[SqliteStore]:
    """A store in SQLite, where a test is about its file."""
    opened = SqliteStore(tmp_path / "corpus.db")
    yield opened
    opened.close()


def publication(id_: str = ID, **parts: str) -> Publication:
    info = DocumentInfo(id_, "a.pdf", "/a.pdf", 1, 0, 1, 0, 2, 10, "")
    return Publication(info, "auto", parts or {"document": "f1"})


def publish(store: Store, document: str = ID, path: str = "/a.pdf", data: bytes = b"data") -> DocumentInfo:
    lease = store.claim(document, path)
    assert lease
    store.stage(lease, DocumentPart("document", "f1", data))
    assert publish_staged(store, lease, publication(document), Source(path, 10, 1))
    return store.bulk.find_documents([document])[0]


def publish_staged(store: Store, lease: Lease, publication: Publication, source: Source) -> bool:
    """Publish a document whose parts are stored; return whether the lease was still held."""
    return store.bulk.publish_many([Ready(lease, publication, source, ())]) == [True]


class TestOpening:
    def test_a_new_file_is_marked_as_a_corpus_and_journalled_ahead(self, file: SqliteStore) -> None:
        connection = file.connections.get()
        assert connection.pragma("application_id") == connections.APPLICATION_ID
        assert connection.pragma("journal_mode") == "wal"
        assert connection.pragma("auto_vacuum") == 2

    @pytest.mark.parametrize(
        ("version", "advice"),
        [(99, r"newer Octavo .* upgrade"), (connections.VERSION - 1, r"older Octavo .* another corpus")],
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
    def test_staged_parts_are_not_visible(self, store: Store) -> None:
        lease = store.claim(ID, "/a.pdf")
        assert lease
        store.stage(lease, DocumentPart("document", "f1", b"data"))
        assert not store.documents()
        assert not store.published()
        assert list(store.staged(ID)) == ["f1"]

    def test_a_published_document_is_there_with_its_parts(self, store: Store) -> None:
        info = publish(store)
        assert store.documents() == (info,)
        assert [store.load(key) for key in store.published([ID])] == [b"data"]
        assert not store.jobs()

    def test_a_failure_inside_publication_leaves_nothing(
        self, engine: Engine, store: Store, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        lease = store.claim(ID, "/a.pdf")
        assert lease
        store.stage(lease, DocumentPart("document", "f1", b"data"))

        def fail(*_: object) -> None:
            raise RuntimeError("power cut")

        rows = {"sqlite": "octavo.corpus.store.sqlite.rows", "postgresql": "octavo_cluster.postgresql.rows"}
        monkeypatch.setattr(f"{rows[engine.name]}._count_change", fail)
        with pytest.raises(RuntimeError):
            publish_staged(store, lease, publication(), Source("/a.pdf", 10, 1))
        assert not store.documents()
        assert not store.published()
        assert not store.sources()
        monkeypatch.undo()
        assert publish_staged(store, lease, publication(), Source("/a.pdf", 10, 1))

    def test_a_part_that_was_never_stored_cannot_be_published(self, store: Store) -> None:
        lease = store.claim(ID, "/a.pdf")
        assert lease
        with pytest.raises(CorpusError, match="lost its document"):
            publish_staged(store, lease, publication(), Source("/a.pdf", 10, 1))
        assert not store.documents()

    def test_publishing_again_replaces_parts(self, store: Store) -> None:
        publish(store)
        lease = store.claim(ID, "/a.pdf")
        assert lease
        store.stage(lease, DocumentPart("document", "f2", b"newer"))
        publish_staged(store, lease, publication(document="f2"), Source("/a.pdf", 10, 1))
        assert [store.load(key) for key in store.published()] == [b"newer"]
        assert [*store.staged(ID)] == ["f2"]

    def test_a_key_of_a_replaced_part_loads_nothing_rather_than_the_new_one(self, store: Store) -> None:
        publish(store)
        [key] = store.published()
        store.remove([ID])
        publish(store, data=b"another")
        assert store.load(key) is None

    def test_a_file_that_leads_elsewhere_takes_its_old_document_away(self, store: Store) -> None:
        publish(store)
        publish(store, OTHER)
        assert [info.id for info in store.documents()] == [OTHER]

    def test_a_document_stays_while_another_file_leads_to_it(self, store: Store) -> None:
        publish(store)
        assert store.bulk.attach_many([Source("/copies/b.pdf", 10, 1, ID)]) == [True]
        publish(store, OTHER)
        second, first = store.documents()
        assert (first.id, first.name, first.path) == (ID, "b.pdf", "/copies/b.pdf")
        assert (second.id, second.path) == (OTHER, "/a.pdf")

    def test_a_flipped_bit_is_noticed(self, engine: Engine, store: Store) -> None:
        publish(store)
        engine.damage(engine.folder)
        [key] = store.published()
        with pytest.raises(CorpusError, match="octavo check --repair") as caught:
            store.load(key)
        assert caught.value.reason == "damaged"


class TestLeases:
    def test_a_document_has_one_owner(self, engine: Engine, store: Store) -> None:
        other = engine.store()
        assert store.claim(ID, "/a.pdf")
        assert other.claim(ID, "/a.pdf") is None
        assert store.claim(ID, "/a.pdf") is None
        assert other.claim(OTHER, "/b.pdf")

    def test_a_released_document_is_free_and_its_parts_are_kept_if_asked(self, store: Store) -> None:
        for keep in (True, False):
            lease = store.claim(ID, "/a.pdf")
            assert lease
            store.stage(lease, DocumentPart("document", "f1", b"data"))
            store.release(lease, keep=keep)
            assert bool(store.staged(ID)) == keep
            assert [job.is_running for job in store.jobs()] == ([False] if keep else [])

    def test_a_silent_owner_loses_the_lease_and_a_renewing_one_keeps_it(self, engine: Engine) -> None:
        first, second = engine.store(), engine.store()
        lease = first.claim(ID, "/a.pdf")
        assert lease
        engine.pass_time(LEASE_SECONDS * 0.9)
        first.renew()
        engine.pass_time(LEASE_SECONDS * 0.9)
        assert second.claim(ID, "/a.pdf") is None
        engine.pass_time(LEASE_SECONDS)
        assert second.claim(ID, "/a.pdf")
        with pytest.raises(LeaseLost):
            first.stage(lease, DocumentPart("document", "f1", b"late"))
        assert not publish_staged(first, lease, publication(), Source("/a.pdf", 10, 1))
        first.release(lease, keep=False)
        assert second.jobs()[0].is_running

    def test_a_dead_owner_on_this_machine_loses_the_lease_at_once(self, file: SqliteStore) -> None:
        file.claim(ID, "/a.pdf")
        other = SqliteStore(file.path)
        with file.connections.writing() as connection:
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

    def test_closing_gives_leases_up(self, engine: Engine) -> None:
        first, second = engine.store(), engine.store()
        first.claim(ID, "/a.pdf")
        first.close()
        assert second.claim(ID, "/a.pdf")

    def test_of_many_that_claim_at_once_one_has_each_document(self, engine: Engine) -> None:
        items = [(f"sha256:{number:064}", f"/{number}.pdf") for number in range(40)]
        stores = [engine.store() for _ in range(4)]
        with ThreadPoolExecutor(4) as threads:
            found = [*threads.map(lambda store: store.bulk.claim_many(items), stores)]
        assert [sum(lease is not None for lease in leases) for leases in zip(*found, strict=True)] == [1] * 40


class TestBatches:
    def ready(self, store: Store, **files: str) -> list[Ready]:
        """Return documents to publish; `files` are their names and what is in them."""
        paths = [(f"sha256:{text * 64}", f"/{name}.md") for name, text in files.items()]
        leases = zip(paths, store.bulk.claim_many(paths), strict=True)
        return [
            Ready(
                lease,
                publication(document),
                Source(path, 10, 1, document),
                [DocumentPart("document", "f1", path.encode())],
            )
            for (document, path), lease in leases
            if lease
        ]

    def test_of_a_batch_all_becomes_visible_but_what_another_took(self, engine: Engine) -> None:
        store, other = engine.store(), engine.store()
        batch = self.ready(store, a="1", b="2", c="3")
        engine.pass_time(100)
        assert other.claim(batch[1].lease.document_id, "/b.md")
        before = store.generation()
        assert store.bulk.publish_many(batch) == [True, False, True]
        assert [info.path for info in store.documents()] == ["/a.md", "/c.md"]
        assert store.generation() == before + 2
        assert store.load_all(store.published()).keys() == {key.number for key in store.published()}
        assert [job.path for job in store.jobs()] == ["/b.md"]
        assert store.bulk.publish_many([]) == []

    def test_files_that_change_places_in_one_batch_lead_to_each_others_documents(self, engine: Engine) -> None:
        store = engine.store()
        assert all(store.bulk.publish_many(self.ready(store, a="1", b="2")))
        for _ in range(2):  # what went with its last file is made again
            store.bulk.publish_many(self.ready(store, a="2", b="1"))
        assert {path: source.document_id[7:8] for path, source in store.sources().items()} == {
            "/a.md": "2",
            "/b.md": "1",
        }
        assert len(store.documents()) == len(store.published()) == 2
        store.bulk.attach_many([Source("/a.md", 10, 1, f"sha256:{'1' * 64}"), Source("/c.md", 9, 1, "sha256:gone")])
        assert [info.path for info in store.documents()] == ["/b.md"]


class TestNames:
    PATHS = (
        "/odd/caf\udce9.pdf",
        "/odd/\ue000\uef41\U0001f600.pdf",
        "/odd/" + "long/" * 700 + "a.pdf",
        "/odd/[x] 50%_'\"\\.pdf",
    )

    def test_files_of_any_name_are_kept_found_and_listed(self, engine: Engine) -> None:
        opened = engine.backend()
        for number, path in enumerate(self.PATHS):
            document = f"sha256:{number:064}"
            lease = opened.store.claim(document, path)
            assert lease
            assert [job.path for job in opened.store.jobs([document])] == [path]
            opened.store.stage(lease, DocumentPart("document", "f1", b"data"))
            info = replace(publication(document).info, name=shown(Path(path).name))
            publish_staged(
                opened.store, lease, Publication(info, "auto", {"document": "f1"}), Source(path, 1, 1, document)
            )
            assert opened.store.sources([path])[path].path == path
            assert opened.catalogue.path(document) == path
            assert opened.catalogue.resolve(path) == opened.catalogue.resolve(document)
        assert len(opened.catalogue.scope("/odd")) == len(self.PATHS)
        assert opened.catalogue.scope("*.pdf") == opened.catalogue.scope("/odd")
        assert [info.path for info in opened.catalogue.listing()] == sorted(map(shown, self.PATHS))

    @pytest.mark.parametrize(
        "pattern", ["a*", "?.md", "[ab].md", "[^a].md", "*[.]md", "a.md", "[a-b].*", "*.m?", "*[*].md"]
    )
    def test_patterns_mean_the_same_everywhere(self, engine: Engine, pattern: str) -> None:
        opened = engine.backend()
        names = ["a.md", "b.md", "ab.md", "axmd", "*.md", "(.md", "a\nb.md"]
        for number, name in enumerate(names):
            _put(opened, number, f"/{name}")
        found = {info.name for info in opened.catalogue.documents([*opened.catalogue.fitting(pattern, "-")])}
        glob = apsw.Connection(":memory:")
        assert found == {name for name in names if glob.execute("SELECT ? GLOB ?", (name, pattern)).get}

    def test_documents_of_one_name_are_told_apart_by_the_end_of_their_paths(self, engine: Engine) -> None:
        opened, apart = engine.backend(), NamesApart()
        paths = ["/a/x/it's.md", "/b/x/it's.md", "/c/y.md", "/c/z.md", "/d/Ω.md"]
        for number, path in enumerate(paths):
            _put(opened, number, path)
        infos = [*opened.catalogue.listing()]
        assert apart.of(opened.catalogue, infos) == {infos[0].id: "a/x/it's.md", infos[1].id: "b/x/it's.md"}
        assert apart.of(opened.catalogue, infos[1:3]) == {infos[1].id: "b/x/it's.md"}, "others are in the corpus"
        assert opened.catalogue.scope("b/x/it's.md") == opened.catalogue.scope("/b/x/it's.md")
        meant = references.meant(opened.catalogue, "x/it's.md")
        assert [info.path for info in opened.catalogue.listing(meant)] == paths[:2]
        with pytest.raises(UnknownDocumentError):
            opened.catalogue.resolve("b/x/it's.md", in_full=True)
        with pytest.raises(AmbiguousDocumentError):
            opened.catalogue.resolve("x/it's.md")
        copied = [replace(infos[0], name="y.md", path="/e/y.md"), infos[2]]
        assert apart.of(opened.catalogue, copied) == {infos[0].id: "e/y.md", infos[2].id: "c/y.md"}
        _put(opened, len(paths), "/e/Ω.md")
        assert apart.of(opened.catalogue, infos[4:]) == {infos[4].id: "d/Ω.md"}
        assert apart.of(opened.catalogue, []) == {}

    def test_a_folder_that_is_called_by_a_digest_is_told_by_its_first_digits(self) -> None:
        assert ends_apart([f"/u/{'ab' * 32}/a.md", f"/u/{'cd' * 32}/a.md"]) == ["abababab/a.md", "cdcdcdcd/a.md"]


def _put(opened: Backend, number: int, path: str) -> None:
    """Publish an empty document that was found at a path."""
    document = f"sha256:{number:064}"
    lease = opened.store.claim(document, path)
    assert lease
    opened.store.stage(lease, DocumentPart("document", "f1", b"data"))
    info = replace(publication(document).info, name=shown(Path(path).name))
    publish_staged(opened.store, lease, Publication(info, "auto", {"document": "f1"}), Source(path, 1, 1, document))


class TestRemoval:
    def test_nothing_of_a_removed_document_stays_in_the_file(self, file: SqliteStore) -> None:
        secret = b"zebrafinch" * 500
        publish(file, data=secret)
        file.connections.shrink()
        assert b"zebrafinch" in file.path.read_bytes()
        file.remove([ID])
        assert b"zebrafinch" not in file.path.read_bytes()
        wal = file.path.with_name("corpus.db-wal")
        assert not wal.exists() or b"zebrafinch" not in wal.read_bytes()

    def test_the_room_is_given_back(self, file: SqliteStore) -> None:
        file.connections.shrink()
        empty = file.path.stat().st_size
        publish(file, data=b"x" * 3_000_000)
        file.connections.shrink()
        assert file.path.stat().st_size > 3_000_000
        file.remove([ID])
        assert file.path.stat().st_size < empty + 50_000

    def test_removing_while_someone_reads_does_not_disturb_the_reader(self, file: SqliteStore, tmp_path: Path) -> None:
        publish(file)
        reader = SqliteStore(tmp_path / "corpus.db")
        with reader.connections.reading() as connection:
            assert connection.execute("SELECT count(*) FROM documents").get == 1
            file.remove([ID])
            assert connection.execute("SELECT count(*) FROM documents").get == 1
        assert not reader.documents()
        reader.close()


def test_a_writer_that_is_kept_out_says_so(file: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("octavo.corpus.store.sqlite.connections.BUSY_SECONDS", 0.05)
    blocker = apsw.Connection(str(file.path))
    blocker.execute("BEGIN IMMEDIATE")
    with pytest.raises(CorpusError, match="written by another program") as caught:
        file.claim(ID, "/a.pdf")
    assert caught.value.reason == "locked"
    blocker.execute("ROLLBACK")
    assert file.claim(ID, "/a.pdf")
