"""Every kind of damage is found, and mended where it can be. Each test breaks a sound corpus first."""

from __future__ import annotations

import os
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import apsw
import pytest

import storing
from engines import ONLY_SQLITE, Engine
from octavo.corpus import Corpus, location
from octavo.corpus.store import DocumentPart
from octavo.errors import CorpusError
from storing import write, write_file

pytestmark = pytest.mark.usefixtures("engine")

TEXT = "# Sales\nThey rose to 1,577.5 in 2015.\f# Costs\nThey fell."


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    with storing.corpus(tmp_path / "corpus") as opened:
        opened.add(write(tmp_path, a=TEXT, b="word pear", c="word third"))
        assert not opened.check().findings
        yield opened


def sql(corpus: Corpus, *statements: str) -> None:
    connection = apsw.Connection(str(location.database(corpus.path)))
    for statement in statements:
        connection.execute(statement)
    connection.close()


def codes(corpus: Corpus, *, repair: bool = False) -> list[tuple[str, bool]]:
    return [(finding.code, finding.repaired) for finding in corpus.check(repair=repair).findings]


def of_a(part: str) -> str:
    """Return the condition for a part of the first document."""
    return f"name = '{part}' AND document_id = (SELECT id FROM documents WHERE name = 'a.pdf')"


class TestDamagedParts:
    @pytest.mark.parametrize("part", ["document", "passages", "terms", "vectors"])
    @pytest.mark.parametrize("gone", [False, True])
    def test_a_damaged_part_is_found_and_built_again_the_same(
        self, engine: Engine, corpus: Corpus, tmp_path: Path, part: str, gone: bool
    ) -> None:
        store = corpus._opened().store
        before = {(key.document_id, key.name): store.load(key) for key in store.published()}
        engine.damage(tmp_path / "corpus", of_a(part), gone=gone)
        found = corpus.check().findings
        assert [finding.code for finding in found] == ["checksum"]
        assert "a.pdf" in found[0].message
        assert found[0].document == corpus.resolve("a.pdf").id
        assert codes(corpus, repair=True) == [("checksum", True)]
        assert not corpus.check().findings
        assert {(key.document_id, key.name): store.load(key) for key in store.published()} == before

    def test_layers_are_mended_even_when_the_file_has_gone(
        self, engine: Engine, corpus: Corpus, tmp_path: Path
    ) -> None:
        (tmp_path / "a.pdf").unlink()
        engine.damage(tmp_path / "corpus", of_a("vectors"))
        assert codes(corpus, repair=True) == [("vanished_source", False), ("checksum", True)]
        assert corpus.check().is_sound

    @pytest.mark.parametrize("change", ["delete", "rewrite"])
    def test_a_lost_document_whose_file_has_gone_is_said_to_be_lost(
        self, engine: Engine, corpus: Corpus, tmp_path: Path, change: str
    ) -> None:
        engine.damage(tmp_path / "corpus", of_a("document"))
        if change == "delete":
            (tmp_path / "a.pdf").unlink()
        else:
            write_file(tmp_path / "a.pdf", "something else")
        [finding] = [finding for finding in corpus.check(repair=True).findings if finding.code == "checksum"]
        assert not finding.repaired
        assert "cannot be built again" in finding.message
        assert not corpus.check().is_sound
        with pytest.raises(CorpusError):
            corpus.document("a.pdf")
        assert corpus.document("b.pdf")

    def test_a_missing_layer_is_found_and_built(self, engine: Engine, corpus: Corpus, tmp_path: Path) -> None:
        engine.query(tmp_path / "corpus", f"DELETE FROM parts WHERE {of_a('vectors')}")
        assert codes(corpus) == [("missing_layer", False)]
        assert codes(corpus, repair=True) == [("missing_layer", True)]
        assert not corpus.check().findings

    def test_a_damaged_part_of_an_unfinished_document_is_dropped(
        self, engine: Engine, corpus: Corpus, tmp_path: Path
    ) -> None:
        store = corpus._opened().store
        lease = store.claim("sha256:" + "0" * 64, "/x.pdf")
        assert lease
        store.stage(lease, DocumentPart("document", "f", b"data"))
        engine.damage(tmp_path / "corpus", "fingerprint = 'f'")
        assert codes(corpus, repair=True) == [("checksum", True)]
        assert not corpus.check().findings


@ONLY_SQLITE
class TestIndexes:
    def test_an_index_that_disagrees_with_its_table_is_made_anew(self, corpus: Corpus) -> None:
        sql(
            corpus,
            "PRAGMA writable_schema = on",
            "UPDATE sqlite_schema SET sql = 'CREATE INDEX sources_document ON sources (size)' "
            "WHERE name = 'sources_document'",
        )
        corpus.close()
        assert set(codes(corpus)) == {("integrity", False)}
        assert set(codes(corpus, repair=True)) == {("integrity", True)}
        assert not corpus.check().findings

    def test_a_file_broken_beyond_mending_is_said_to_be(self, corpus: Corpus) -> None:
        sql(
            corpus,
            "PRAGMA writable_schema = on",
            "CREATE TABLE aside (x)",
            "UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'aside') "
            "WHERE name = 'sources_document'",
        )
        corpus.close()
        assert not corpus.check().is_sound
        report = corpus.check(repair=True)
        assert not report.is_sound
        assert {finding.code for finding in report.findings} == {"integrity"}
        assert all("move it away" in finding.message for finding in report.findings)

    def test_a_file_whose_tables_are_lost_is_told_of_once(self, corpus: Corpus) -> None:
        corpus.close()
        path = location.database(corpus.path)
        data = bytearray(path.read_bytes())
        data[3 * 4096 : 12 * 4096] = b"\xab" * (9 * 4096)
        path.write_bytes(bytes(data))
        (found,) = corpus.check(repair=True).findings
        assert "cannot be mended: move it away" in found.message

    def test_of_many_problems_the_first_is_told_and_their_count(self, corpus: Corpus) -> None:
        sql(
            corpus,
            "PRAGMA writable_schema = on",
            "UPDATE sqlite_schema SET sql = 'CREATE INDEX sources_document ON sources (size)' "
            "WHERE name = 'sources_document'",
        )
        corpus.close()
        (found,) = corpus.check().findings
        assert found.message.count("sources_document") == 1
        assert re.search(r" \(the first of \d+ problems\); run 'octavo check --repair'$", found.message)


class TestLeftovers:
    @ONLY_SQLITE
    def test_orphans_are_found_and_removed(self, corpus: Corpus) -> None:
        sql(
            corpus,
            "INSERT INTO blobs (number, data) VALUES (900, x'01'), (901, x'02'), (902, x'03')",
            "INSERT INTO parts VALUES ('sha256:gone', 'document', 'f', 1, "
            f"x'{storing.checksum(bytes([1])).hex()}', 900), "
            f"('sha256:cut', 'document', 'f', 0, x'{storing.checksum(bytes([2])).hex()}', 901)",
        )
        assert codes(corpus) == [("orphan", False)] * 3
        assert codes(corpus, repair=True) == [("orphan", True)] * 3
        assert not corpus.check().findings

    def test_stored_data_of_nobody_is_found_and_removed(self, engine: Engine, corpus: Corpus, tmp_path: Path) -> None:
        lease = corpus._opened().store.claim("sha256:" + "0" * 64, "/x.pdf")
        assert lease
        corpus._opened().store.stage(lease, DocumentPart("document", "f", b"data"))
        engine.query(tmp_path / "corpus", "DELETE FROM jobs")
        assert codes(corpus) == [("orphan", False)]
        assert codes(corpus, repair=True) == [("orphan", True)]
        assert not corpus.check().findings

    def test_what_an_interrupted_run_keeps_is_no_orphan(self, corpus: Corpus) -> None:
        store = corpus._opened().store
        lease = store.claim("sha256:" + "0" * 64, "/x.pdf")
        assert lease
        store.stage(lease, DocumentPart("document", "f", b"data"))
        store.release(lease, keep=True)
        assert not corpus.check(repair=True).findings
        assert len(store.staged("sha256:" + "0" * 64)) == 1

    def test_a_lease_of_a_dead_process_is_found_and_given_up(
        self, engine: Engine, corpus: Corpus, tmp_path: Path
    ) -> None:
        corpus._opened().store.claim("sha256:" + "0" * 64, "/x.pdf")
        assert not corpus.check().findings
        engine.let_leases_end(tmp_path / "corpus")
        assert codes(corpus) == [("expired_lease", False)]
        assert codes(corpus, repair=True) == [("expired_lease", True)]
        assert not corpus.check().findings

    def test_a_file_that_has_gone_is_reported_and_its_document_kept(self, corpus: Corpus, tmp_path: Path) -> None:
        (tmp_path / "b.pdf").unlink()
        report = corpus.check(repair=True)
        assert [(finding.code, finding.repaired) for finding in report.findings] == [("vanished_source", False)]
        assert report.is_sound
        assert len(corpus.list()) == 3


class TestPassageIndex:
    def segment(self, corpus: Corpus) -> Path:
        corpus._opened().first_stage.current()
        [path] = location.derived(corpus.path).glob("segment-*.bin")
        return path

    def test_an_index_that_lags_behind_is_no_damage(self, corpus: Corpus, tmp_path: Path) -> None:
        path = self.segment(corpus)
        corpus.add(write_file(tmp_path / "d.pdf", "new words"))
        assert not corpus.check().findings
        assert path.exists()

    @pytest.mark.parametrize("damage", ["flip", "cut", "empty"])
    def test_a_damaged_segment_is_found_and_made_anew(self, corpus: Corpus, damage: str) -> None:
        path = self.segment(corpus)
        data = bytearray(path.read_bytes())
        data[-100] ^= 1
        path.write_bytes({"flip": bytes(data), "cut": bytes(data[:-50]), "empty": b""}[damage])
        assert codes(corpus) == [("passage_index", False)]
        assert codes(corpus, repair=True) == [("passage_index", True)]
        assert not corpus.check().findings
        assert self.segment(corpus) != path

    def test_drafts_of_dead_processes_are_swept(self, corpus: Corpus) -> None:
        draft = self.segment(corpus).with_name("left.tmp")
        draft.write_bytes(b"half")
        assert not corpus.check().findings, "it may still be written"
        os.utime(draft, (1, 1))
        assert codes(corpus, repair=True) == [("passage_index", True)]
        assert not draft.exists()


def test_a_corpus_that_does_not_exist_is_sound(tmp_path: Path) -> None:
    assert storing.corpus(tmp_path / "none").check().is_sound
    assert not (tmp_path / "none").exists()


def overwrite(data: bytearray, chance: random.Random) -> None:
    start = chance.randrange(len(data))
    data[start : start + 64] = bytes(chance.randrange(256) for _ in data[start : start + 64])


def flip(data: bytearray, chance: random.Random) -> None:
    data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)


def cut(data: bytearray, chance: random.Random) -> None:
    del data[chance.randrange(len(data)) :]


@ONLY_SQLITE
@pytest.mark.parametrize("damage", [overwrite, flip, cut])
def test_random_damage_is_detected_or_harmless(
    corpus: Corpus, tmp_path: Path, damage: Callable[[bytearray, random.Random], None]
) -> None:
    """Whatever is read from a damaged file is what was written to it; everything else is a CorpusError."""
    sound = {info.id: corpus.document(info.id).to_bytes() for info in corpus.list()}
    corpus.close()
    original = location.database(corpus.path).read_bytes()
    chance = random.Random(7)
    refused = 0
    for number in range(40):
        data = bytearray(original)
        damage(data, chance)
        folder = tmp_path / f"damaged{number}"
        folder.mkdir()
        location.database(folder).write_bytes(bytes(data))
        try:
            with storing.corpus(folder) as opened:
                for info in opened.list():
                    document = opened.document(info.id)
                    assert document.to_bytes() == sound[info.id]
                opened.check()
        except CorpusError as error:
            assert "\n" not in str(error)
            refused += 1
    if damage is cut:
        assert refused
