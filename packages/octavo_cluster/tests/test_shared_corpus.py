"""A corpus that many machines share answers as one in a folder does, and says what is the matter with it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

import kept_work
import octavo
import storing
from engines import Engine, Server
from object_store import ObjectStore
from octavo.corpus import Corpus, backend
from octavo.corpus.location import Location, derived, locate
from octavo.corpus.store import DocumentInfo, DocumentPart, Publication, Ready, Source, object_storage
from octavo.errors import CorpusError, UsageError
from octavo_cluster import shared_corpus
from octavo_cluster.postgresql import objects

pytestmark = pytest.mark.skipif(os.name == "nt", reason="PostgreSQL is reached over a Unix socket")

EXAMPLES = Path(__file__).parents[3] / "examples"
QUESTIONS = (
    "How many passengers were carried in 2030?",
    "What does the handbook say of the galley?",
    "What may the harbour master forbid?",
)


@pytest.fixture
def url(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return server.corpus(tmp_path / "bucket")


@pytest.fixture
def corpus(url: str) -> Iterator[Corpus]:
    with Corpus(url, builders=storing.builders) as opened:
        yield opened


def refused(url: str) -> CorpusError:
    with pytest.raises(CorpusError) as caught, Corpus(url) as corpus:
        corpus.list()
    assert "\n" not in str(caught.value)
    return caught.value


@pytest.mark.slow
def test_the_examples_give_the_same_rankings_and_answers(url: str, tmp_path: Path) -> None:
    texts = storing.write(
        tmp_path / "notes", **{f"n{at}": f"# Note {at}\nOf ferry {at} and its crew." for at in range(40)}
    )
    notes = [path.rename(path.with_suffix(".md")) for path in texts]
    told, documents, vectors = [], {}, {}
    for place in (tmp_path / "corpus", url):
        with kept_work.kept(documents, vectors), octavo.open(place) as corpus:
            corpus.add([EXAMPLES / "handbook.pdf", EXAMPLES / "deck.pdf", *notes])
            told.append([corpus.list()])
            for question in QUESTIONS:
                found, answer = corpus.search(question).to_json(trace=False), corpus.ask(question).to_json(trace=False)
                told[-1].append([[one[key] for key in one if key != "usage"] for one in (found, answer)])
    folder, shared = told
    assert [replace(info, added="") for info in folder[0]] == [replace(info, added="") for info in shared[0]]
    assert folder[1:] == shared[1:]


class TestWhereItIs:
    def test_a_url_names_it_and_a_password_is_never_shown(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
        place = locate("postgresql://me:se:cret@db/octavo?password=hidden&sslmode=require")
        assert str(place) == "postgresql://me@db/octavo?sslmode=require"
        assert "cret" not in repr(place)
        assert place.folder == locate("postgresql://me@db/octavo?sslmode=require").folder
        with pytest.raises(UsageError, match="postgresql://HOST/DATABASE"):
            locate("mysql://db/octavo")

    def test_a_database_that_does_not_run_is_said_so_in_one_line(self, tmp_path: Path) -> None:
        error = refused(f"postgresql://me:secret@/octavo?host={tmp_path}")
        assert error.reason == "unreachable"
        assert "secret" not in str(error)

    def test_a_database_without_a_corpus_names_the_command(self, server: Server) -> None:
        error = refused(server.url(server.make()))
        assert error.reason == "missing"
        assert "octavo cluster init" in str(error)

    @pytest.mark.parametrize(("version", "advice"), [(99, "newer"), (0, "older")])
    def test_another_version_is_refused(self, url: str, server: Server, version: int, advice: str) -> None:
        server.execute(f"UPDATE octavo.corpus SET version = {version}", name_of(url))
        error = refused(url)
        assert error.reason == "version"
        assert advice in str(error)

    def test_a_user_without_rights_is_told_so(self, url: str, server: Server) -> None:
        server.execute("DO $$ BEGIN CREATE ROLE guest LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$")
        error = refused(url.replace("octavo@", "guest@"))
        assert error.reason == "locked"
        assert "rights" in str(error)

    def test_who_may_only_read_can_ask(self, url: str, corpus: Corpus, server: Server, tmp_path: Path) -> None:
        corpus.add(storing.write(tmp_path, a="# Sales\nThey rose."))
        server.execute("DO $$ BEGIN CREATE ROLE reader LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$")
        server.execute("GRANT USAGE ON SCHEMA octavo TO reader", name_of(url))
        server.execute("GRANT SELECT ON ALL TABLES IN SCHEMA octavo TO reader", name_of(url))
        with Corpus(url.replace("octavo@", "reader@"), builders=storing.builders) as reading:
            assert reading._opened().store.is_read_only
            assert [passage.page for passage in reading.search("sales").passages] == [1]
            with pytest.raises(CorpusError, match="rights"):
                reading.add(storing.write(tmp_path, b="more"))


class TestTheBucket:
    def test_it_is_one_corpuss_alone(self, corpus: Corpus, server: Server, tmp_path: Path) -> None:
        corpus.add(storing.write(tmp_path, a="one"))
        with pytest.raises(CorpusError, match="belongs to another corpus") as caught:
            server.corpus(tmp_path / "bucket")
        assert caught.value.reason == "locked"

    def test_one_that_has_gone_or_is_anothers_is_named(self, corpus: Corpus, tmp_path: Path) -> None:
        corpus.add(storing.write(tmp_path, a="one"))
        corpus.close()
        marker = tmp_path / "bucket" / "octavo.json"
        marker.write_text('{"corpus": "another"}')
        with pytest.raises(CorpusError, match="belongs to another corpus"):
            corpus.document("a.pdf")
        corpus.close()
        marker.unlink()
        with pytest.raises(CorpusError, match="holds nothing of this corpus"):
            corpus.document("a.pdf")

    def test_bytes_no_row_names_are_swept_up_and_no_others(self, corpus: Corpus, tmp_path: Path) -> None:
        corpus.add(storing.write(tmp_path, a="# One\nword", b="two"))
        store = corpus._opened().store
        objects = {path for path in (tmp_path / "bucket" / "parts").rglob("*") if path.is_file()}
        assert len(objects) == len(store.published())
        store.write([DocumentPart("document", "f", b"never named")])
        assert shared_corpus.sweep(corpus, older=3600) == (0, 0), "it may be about to be named"
        assert shared_corpus.sweep(corpus, older=-1) == (len(objects) + 1, 1)
        assert {path for path in (tmp_path / "bucket" / "parts").rglob("*") if path.is_file()} == objects
        assert corpus.check().is_sound

    def test_nothing_of_a_removed_document_stays(self, corpus: Corpus, tmp_path: Path) -> None:
        corpus.add(storing.write(tmp_path, a="# Zebrafinch\nword"))
        corpus.remove("a.pdf")
        assert not [path for path in (tmp_path / "bucket" / "parts").rglob("*") if path.is_file()]


class TestObjectStorage:
    @pytest.fixture
    def bucket(self, s3: ObjectStore) -> str:
        return s3.bucket()

    @pytest.fixture
    def stored(self, server: Server, bucket: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Corpus]:
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
        with Corpus(server.corpus(f"{bucket}/folder"), builders=storing.builders) as opened:
            yield opened

    def test_two_corpora_share_a_bucket_only_in_folders_of_their_own(
        self, stored: Corpus, server: Server, bucket: str, tmp_path: Path
    ) -> None:
        stored.add(storing.write(tmp_path, a="# Sales\nThey rose.", b="two"))
        with pytest.raises(CorpusError, match="belongs to another corpus") as caught:
            server.corpus(f"{bucket}/folder/")
        assert caught.value.reason == "locked"
        with Corpus(server.corpus(f"{bucket}/other"), builders=storing.builders) as other:
            other.add(tmp_path / "a.pdf")
            assert shared_corpus.sweep(other, older=-1) == (4, 0)
            other.remove("a.pdf")
            assert shared_corpus.sweep(other, older=-1) == (0, 0)
        assert shared_corpus.sweep(stored, older=-1) == (8, 0)
        assert stored.search("sales").passages[0].document == "a.pdf"
        assert stored.check().is_sound

    @pytest.mark.parametrize(
        ("behaviour", "reason", "words"),
        [
            ("denied", "locked", "give it rights"),
            ("broken", "unreachable", "500 Internal Server Error"),
            ("busy", "unreachable", "503"),
            ("cut", "unreachable", "cannot be reached"),
            ("full", "full", "No space left"),
        ],
    )
    def test_one_that_fails_is_said_in_a_line_and_leaves_nothing_half_done(
        self, stored: Corpus, s3: ObjectStore, tmp_path: Path, behaviour: str, reason: str, words: str
    ) -> None:
        first, second = storing.write(tmp_path, a="one", b="two")
        stored.add(first)
        s3.tell(f"do {behaviour}")
        with pytest.raises(CorpusError, match=words) as caught:
            stored.add(second)
        assert caught.value.reason == reason
        assert "\n" not in str(caught.value)
        assert len(str(caught.value)) < 200
        assert [info.name for info in stored.list()] == ["a.pdf"]
        s3.tell("do well")
        assert len(stored.add(second).added) == 1
        assert stored.check().is_sound

    @pytest.mark.parametrize("behaviour", ["slow", "mix"])
    def test_one_that_is_slow_or_fails_now_and_then_is_asked_again(
        self, stored: Corpus, s3: ObjectStore, tmp_path: Path, behaviour: str
    ) -> None:
        s3.tell(f"do {behaviour}")
        assert len(stored.add(storing.write(tmp_path, a="# Sales\nThey rose.", b="two")).added) == 2
        assert stored.search("sales").passages[0].document == "a.pdf"

    def test_one_that_does_not_answer_is_given_up(
        self, stored: Corpus, s3: ObjectStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(object_storage, "_TIMES", {"timeout": timedelta(seconds=0.2)})
        monkeypatch.setattr(object_storage, "_RETRIES", {"max_retries": 1})
        s3.tell("do hang")
        with pytest.raises(CorpusError, match="cannot be reached"):
            stored.add(storing.write(tmp_path, a="one"))

    def test_a_bucket_that_went_is_not_taken_for_damage(
        self, stored: Corpus, s3: ObjectStore, bucket: str, tmp_path: Path
    ) -> None:
        stored.add(storing.write(tmp_path, a="one"))
        s3.tell(f"gone {bucket.removeprefix('s3://')}")
        for call in (lambda: stored.document("a.pdf"), lambda: stored.check(repair=True), lambda: refresh(stored)):
            with pytest.raises(CorpusError, match="holds nothing of this corpus") as caught:
                call()
            assert caught.value.reason == "missing"
        with pytest.raises(CorpusError, match="make the bucket"):
            objects.Bucket(f"{bucket}/folder").claim("0")
        assert len(stored.list()) == 1


def refresh(corpus: Corpus) -> None:
    """Have a corpus open its bucket anew."""
    corpus.close()
    corpus.document("a.pdf")


FILL = """
from octavo_cluster.postgresql.objects import Bucket
bucket = Bucket("file:///mnt/bucket")
bucket.put_all([(1, b"small")])
try:
    bucket.put_all([(2, bytes(1 << 20))])
except Exception as error:
    print(error.reason, error)
assert bucket.get_all([1, 2]) == [b"small", None]
"""


def test_a_full_disk_under_the_bucket_is_said_so() -> None:
    mounted = 'mount -t tmpfs -o size=256k octavo /mnt && exec "$0" -c "$1"'
    done = subprocess.run(
        ["unshare", "-rm", "sh", "-c", mounted, sys.executable, FILL], capture_output=True, text=True, check=False
    )
    if "unshare" in done.stderr or "mount" in done.stderr:
        pytest.skip("no file system may be mounted here")
    assert done.stdout.startswith("full No space left in file:///mnt/bucket"), done.stderr


def test_who_only_adds_makes_no_index_of_passages(corpus: Corpus, tmp_path: Path) -> None:
    corpus.add(storing.write(tmp_path, **{f"f{at}": f"word {at}" for at in range(30)}))
    assert not derived(corpus.path).exists()
    assert corpus.search("word 7").passages
    assert [*derived(corpus.path).glob("segment-*.bin")]


def test_a_write_whose_lease_was_lost_leaves_no_bytes(engine: Engine) -> None:
    store = engine.store()
    lease = store.claim("sha256:a", "/a.pdf")
    engine.pass_time(100)
    assert engine.store().claim("sha256:a", "/a.pdf")
    with pytest.raises(octavo.corpus.store.LeaseLost):
        store.stage(lease, DocumentPart("document", "f", b"data"))
    assert not store.staged("sha256:a")


def test_the_database_may_be_started_anew(tmp_path: Path, postgres: object, monkeypatch: pytest.MonkeyPatch) -> None:
    from engines import ABSENT, programs

    if postgres is None:
        pytest.skip(ABSENT)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    own = Server(programs() or Path())
    try:
        opened = backend.opened(Location(tmp_path, own.corpus(tmp_path / "bucket")))
        assert opened.store.claim("sha256:a", "/a.pdf")
        own.stop(signal.SIGQUIT)
        with pytest.raises(CorpusError) as caught:
            opened.catalogue.count()
        assert caught.value.reason == "unreachable"
        own.start()
        lease = next(lease for lease in opened.store.jobs() if lease.is_running)
        assert lease.document_id == "sha256:a"
        info = DocumentInfo("sha256:b", "b.pdf", "/b.pdf", 1, 0, 1, 0, 0, 10, "")
        held = opened.store.claim("sha256:b", "/b.pdf")
        assert held
        opened.store.stage(held, DocumentPart("document", "f", b"data"))
        publication = Publication(info, "auto", {"document": "f"})
        assert opened.store.bulk.publish_many([Ready(held, publication, Source("/b.pdf", 1, 1), ())]) == [True]
        assert opened.catalogue.count() == 1
        opened.close()
    finally:
        own.close()


def name_of(url: str) -> str:
    """Return the name of a database."""
    return url.partition("@/")[2].partition("?")[0]
