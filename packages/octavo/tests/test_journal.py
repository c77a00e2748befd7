"""What was paid for is kept, and a key belongs to one living caller."""

from __future__ import annotations

import contextlib
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from engines import Engine
from octavo.corpus import Corpus
from octavo.corpus.store.sqlite import SqliteJournal, SqliteStore
from octavo.corpus.store.sqlite.leases import Owner
from octavo.errors import CorpusError
from octavo.models.gateway import Entry, Journal, MemoryJournal, Spend
from octavo.models.language import Reply

REPLY = Reply("ünï\ud800\0\n", 12, 3, "length")
ENTRY = Entry(REPLY, "openai:m", "classify", "2", 0.25, 0.003, "2026-01-02T03:04:05Z")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    opened = SqliteStore(tmp_path / "corpus.db")
    yield opened
    opened.close()


@contextlib.contextmanager
def _elsewhere() -> Iterator[None]:
    """Let nobody see whether a holder lives, as when it is on another machine."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Owner, "is_alive", lambda _owner: False)
        yield


@pytest.fixture(params=["memory", "kept"])
def journal(request: pytest.FixtureRequest, engine: Engine) -> Journal:
    if request.param == "memory" and engine.name != "sqlite":
        pytest.skip("in memory there is one")
    return MemoryJournal() if request.param == "memory" else engine.backend().journal


class TestAnyJournal:
    def test_what_is_settled_is_found_as_it_was(self, journal: Journal) -> None:
        assert journal.find("k") is None
        assert journal.lease("k", "mine", seconds=60)
        assert journal.find("k") is None
        journal.settle("k", "mine", ENTRY)
        assert journal.find("k") == ENTRY

    def test_a_key_is_leased_to_one_at_a_time(self, journal: Journal) -> None:
        assert journal.lease("k", "mine", seconds=60)
        assert not journal.lease("k", "yours", seconds=60)
        journal.release("k", "yours")
        assert not journal.lease("k", "yours", seconds=60)
        journal.release("k", "mine")
        assert journal.lease("k", "yours", seconds=60)

    def test_a_settled_key_is_not_leased_again_and_its_first_reply_stays(self, journal: Journal) -> None:
        journal.lease("k", "mine", seconds=60)
        journal.settle("k", "mine", ENTRY)
        assert not journal.lease("k", "yours", seconds=60)
        journal.settle("k", "yours", Entry(Reply("late", 1, 1), "m", "d", "1", 0.0, None, ""))
        journal.release("k", "mine")
        assert journal.find("k") == ENTRY

    def test_a_reply_nobody_leased_is_kept(self, journal: Journal) -> None:
        journal.settle("k", "none", ENTRY)
        assert journal.find("k") == ENTRY

    def test_usage_adds_up_by_decision_and_model(self, journal: Journal) -> None:
        for key, decision, model, cost in [
            ("1", "level", "m", 0.5),
            ("2", "level", "m", None),
            ("3", "level", "n", None),
            ("4", "answer", "m", 0),
        ]:
            journal.settle(key, "", Entry(Reply("", 10, 1), model, decision, "1", 2.0, cost, ""))
        journal.lease("5", "mine", seconds=60)
        for key in ("1", "1", "3", "none"):
            journal.find(key)
        rows = [(row.decision, row.model, row.calls, row.cached, row.cost) for row in journal.usage()]
        assert rows == [("answer", "m", 1, 0, 0), ("level", "m", 2, 2, 0.5), ("level", "n", 1, 1, None)]
        assert [(row.input_tokens, row.output_tokens, row.seconds) for row in journal.usage()][1] == (20, 2, 4.0)

    def test_failed_attempts_that_may_have_been_billed_are_counted_apart(self, journal: Journal) -> None:
        journal.settle("1", "", Entry(Reply("", 10, 1), "m", "level", "1", 2.0, 0.5, ""))
        for _ in range(2):
            journal.fail("level", "m", Spend(1, 70, 30, 0.25))
        journal.fail("answer", "m", Spend(3, 5, 5, None))
        assert [row.decision for row in journal.usage()] == ["answer", "level"]
        answer, level = journal.usage()
        assert (answer.calls, answer.failed, answer.failed_tokens, answer.failed_cost) == (0, 3, 10, None)
        assert (level.calls, level.input_tokens, level.cost, level.seconds) == (1, 10, 0.5, 2.0)
        assert (level.failed, level.failed_tokens, level.failed_cost) == (2, 200, 0.5)


class TestInAnyStore:
    def test_replies_and_uses_outlast_the_process(self, engine: Engine) -> None:
        for _ in range(2):
            opened = engine.backend()
            opened.journal.settle("k", "mine", ENTRY)
            assert opened.journal.find("k") == ENTRY
            opened.close()
        assert [(row.calls, row.cached) for row in engine.backend().journal.usage()] == [(1, 2)]

    def test_a_lease_ends_when_its_time_is_up_unless_it_is_renewed(self, engine: Engine) -> None:
        mine, yours = engine.backend().journal, engine.backend().journal
        with _elsewhere():
            assert mine.lease("k", "mine", seconds=60)
            engine.pass_time(50)
            mine.renew("k", "mine", seconds=60)
            engine.pass_time(50)
            assert not yours.lease("k", "yours", seconds=60)
            engine.pass_time(11)
            assert yours.lease("k", "yours", seconds=60)
            mine.renew("k", "mine", seconds=600)
            engine.pass_time(61)
            assert mine.lease("k", "mine again", seconds=60)

    def test_a_reply_paid_for_is_kept_though_the_lease_was_lost(self, engine: Engine) -> None:
        journal = engine.backend().journal
        with _elsewhere():
            journal.lease("k", "slow", seconds=60)
            engine.pass_time(61)
            assert journal.lease("k", "quick", seconds=60)
        journal.settle("k", "slow", ENTRY)
        assert journal.find("k") == ENTRY
        journal.release("k", "quick")
        assert journal.find("k") == ENTRY

    @pytest.mark.parametrize(
        "change",
        [
            "reply = replace(reply, 'length', 'lenght')",
            "input_tokens = 1",
            "cost = 0.0",
            "key = 'l'",
            "model = 'other'",
        ],
    )
    def test_a_damaged_reply_is_forgotten_not_shown(self, engine: Engine, change: str) -> None:
        journal = engine.backend().journal
        journal.settle("k", "mine", ENTRY)
        engine.query(engine.folder, f"UPDATE calls SET {change}")
        key = "l" if "'l'" in change else "k"
        assert journal.find(key) is None
        assert journal.lease(key, "mine", seconds=60)

    def test_check_finds_damaged_replies_and_forgets_them_when_asked_to(self, engine: Engine) -> None:
        opened = engine.backend()
        for key in ("sound", "broken"):
            opened.journal.settle(key, "mine", ENTRY)
        engine.query(engine.folder, "UPDATE calls SET output_tokens = 9 WHERE key = 'broken'")
        with Corpus(engine.place(engine.folder)) as corpus:
            reports = [corpus.check(repair=repair) for repair in (False, True, False)]
            assert [report.is_sound for report in reports] == [False, True, True]
            assert [len(report.findings) for report in reports] == [1, 1, 0]
            assert reports[0].findings[0].code == "checksum"
            assert [row.calls for row in corpus.status().models] == [1]

    def test_of_many_that_ask_at_once_one_has_the_lease(self, engine: Engine) -> None:
        journals = [engine.backend().journal for _ in range(4)]
        with ThreadPoolExecutor(4) as threads:
            for key in map(str, range(20)):
                found = threads.map(lambda at, key=key: journals[at].lease(key, f"of {at}", seconds=60), range(4))
                assert sum(found) == 1


class TestInTheCorpusFile:
    def test_another_connection_sees_a_reply_as_soon_as_it_is_settled(self, tmp_path: Path, store: SqliteStore) -> None:
        SqliteJournal(store).settle("k", "mine", ENTRY)
        with sqlite3.connect(tmp_path / "corpus.db") as other:
            assert other.execute("SELECT count(*) FROM calls WHERE reply IS NOT NULL").fetchone() == (1,)
        other.close()

    def test_a_jump_of_the_time_of_day_ends_no_lease_of_a_process_that_lives(self, store: SqliteStore) -> None:
        now, passed = [1000.0], [0.0]
        mine, yours = (SqliteJournal(store, clock=lambda: now[0], monotonic=lambda: passed[0]) for _ in range(2))
        assert mine.lease("k", "mine", seconds=60)
        now[0] += 86_400
        assert not yours.lease("k", "yours", seconds=60)
        passed[0] += 59
        assert not yours.lease("k", "yours", seconds=60)
        mine.renew("k", "mine", seconds=60)
        assert not yours.lease("k", "yours", seconds=60)
        now[0] += 86_400
        passed[0] += 59
        assert not yours.lease("k", "yours", seconds=60)
        mine.settle("k", "mine", ENTRY)
        assert yours.find("k") == ENTRY

    def test_a_holder_that_lives_and_stays_silent_for_one_more_term_has_lost_its_lease(
        self, store: SqliteStore
    ) -> None:
        now, passed = [1000.0], [0.0]
        journal = SqliteJournal(store, clock=lambda: now[0], monotonic=lambda: passed[0])
        assert journal.lease("k", "mine", seconds=60)
        now[0] += 61
        assert not journal.lease("k", "yours", seconds=60)
        passed[0] += 60
        assert journal.lease("k", "yours", seconds=60)

    def test_a_lease_ends_with_its_process(self, tmp_path: Path, store: SqliteStore) -> None:
        program = """
import os, sys
from pathlib import Path
from octavo.corpus.store.sqlite import SqliteJournal
from octavo.corpus.store.sqlite import SqliteStore
assert SqliteJournal(SqliteStore(Path(sys.argv[1]))).lease("k", "theirs", seconds=3600)
os._exit(1)
"""
        subprocess.run([sys.executable, "-c", program, str(tmp_path / "corpus.db")], check=False)
        journal = SqliteJournal(store)
        assert store.connections.get().execute("SELECT token FROM calls").get == "theirs"
        assert journal.find("k") is None
        assert journal.lease("k", "mine", seconds=60)

    def test_whoever_waits_only_reads(self, store: SqliteStore) -> None:
        journal = SqliteJournal(store)
        journal.lease("k", "theirs", seconds=60)
        before = store.connections.get().total_changes()
        for _ in range(10):
            assert journal.find("k") is None
            assert not journal.lease("k", "mine", seconds=60)
        assert store.connections.get().total_changes() == before

    def test_a_transaction_that_ctrl_c_left_open_does_not_swallow_a_reply(
        self, tmp_path: Path, store: SqliteStore
    ) -> None:
        store.connections.get().execute("BEGIN IMMEDIATE")
        SqliteJournal(store).settle("k", "mine", ENTRY)
        other = SqliteStore(tmp_path / "corpus.db")
        assert SqliteJournal(other).find("k") == ENTRY
        other.close()

    def test_uses_are_counted_in_memory_and_written_now_and_then(self, store: SqliteStore) -> None:
        now = [0.0]
        journal = SqliteJournal(store, monotonic=lambda: now[0])
        journal.settle("k", "mine", ENTRY)

        def written() -> int:
            return int(store.connections.get().execute("SELECT hits FROM calls").get)

        journal.find("k")
        assert written() == 0
        now[0] = 10.0
        journal.find("k")
        assert written() == 2
        for _ in range(64):
            journal.find("k")
        assert written() == 66

    def test_reading_goes_on_when_uses_cannot_be_written(
        self, store: SqliteStore, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        journal = SqliteJournal(store, monotonic=iter(range(0, 1000, 10)).__next__)
        journal.settle("k", "mine", ENTRY)

        def full(*_: object) -> None:
            raise CorpusError("full", "No space left")

        with monkeypatch.context() as patched:
            patched.setattr(journal, "_change", full)
            assert journal.find("k") == ENTRY
        assert [row.cached for row in journal.usage()] == [1]
