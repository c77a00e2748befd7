"""Searchers of Ray give the rankings of an index on this machine, whatever dies; what is not searched is told."""

from __future__ import annotations

import json
import subprocess
from importlib import util
from pathlib import Path
from typing import Any

import pytest

import alone
import octavo
import storing
from engines import Server
from octavo.corpus import Corpus, backend
from octavo.corpus.location import Location, locate, shards
from octavo.errors import UsageError


@pytest.mark.slow
@pytest.mark.skipif(util.find_spec("ray") is None, reason="Ray is not installed: pip install 'octavo[cluster]'")
@pytest.mark.skipif(not alone.can_be_alone(), reason=alone.REFUSED)
def test_searchers_on_two_nodes(server: Server, tmp_path: Path) -> None:
    url = server.corpus(tmp_path / "bucket")
    notes = storing.write(
        tmp_path / "notes", **{f"n{at}": f"# Note {at}\nOf ferry {at}, its crew and cook {at % 7}." for at in range(45)}
    )
    with octavo.open(url) as corpus:
        corpus.add([path.rename(path.with_suffix(".md")) for path in notes])
    script = Path(__file__).parents[3] / "tests" / "searching.py"
    command, environment = alone.command(script, url, tmp_path, 2), alone.environment(script, tmp_path)
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=1200)
    assert done.returncode == 0, done.stderr
    check(json.loads((tmp_path / "told.json").read_text()))


def check(told: dict[str, Any]) -> None:
    status, out, err = told["nobody listens"]
    assert (status, out) == (1, "")
    assert err.startswith("octavo: there is no Ray cluster to use at 127.0.0.1:9 ([Errno 111] Connection refused)")
    assert "octavo cluster search --ray" in told["without searchers"]
    assert [[shard, copy, why] for shard, copy, _, why in told["searchers"]] == [
        [1, 1, ""],
        [1, 2, ""],
        [2, 1, ""],
        [2, 2, ""],
    ]
    assert sum(passages for _, _, passages, _ in told["searchers"]) == 2 * 45
    assert told["nodes"] == [2, 2], "copies are on different nodes"
    for name in ("same rankings", "same rankings then", "same rankings again", "same rankings on one node"):
        assert told[name], name
    assert told["new document"] == "new.md"
    assert "new.md" not in told["removed document"]
    assert told["files without it"]
    assert told["questions put while it was busy"] == ["kept"]
    assert told["wrong while searchers are killed"] == []
    assert "No searcher of shard 2 of 2 answers" in told["a shard is gone"]
    status, out, err = told["ask"]
    assert (status, out) == (1, "")
    assert err.startswith("octavo: No searcher of shard 2 of 2 answers")
    assert err.count("\n") == 1
    status, out, err = told["ask --partial"]
    assert status == 0
    assert "ferry" in out
    assert "documents were not searched (shard 2 of 2" in err
    assert told["partial"] == told["trace"]
    assert told["partial"]["shards"] == [2]
    missing = next(passages for shard, _, passages, _ in told["searchers"] if shard == 2)
    assert (told["partial"]["documents"], told["partial"]["of_documents"]) == (missing, 45)
    status = json.loads(told["status"][1])
    assert {one["shard"] for one in status["searchers"]} == {1}
    assert told["search"][0] == 0
    assert told["search"][1].count(" passages, ") == 4
    assert sorted({shard for shard, _, _ in told["one node"]}) == [1, 2]
    assert told["stop"][1] == "stopped 2 searchers\n"


def test_a_searcher_whose_database_is_away_says_so_and_is_there_when_it_is_back(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    searchers = pytest.importorskip("octavo_cluster.searchers")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    url = server.corpus(tmp_path / "bucket")
    with Corpus(url, builders=storing.builders) as corpus:
        corpus.add(storing.write(tmp_path, a="# One\nword", b="two"))
        stamp = corpus.backend.catalogue.stamp()
    store, shard = searchers.PostgresStore, searchers.Shard(0, 1)
    with monkeypatch.context() as patched:
        patched.setattr(searchers, "PostgresStore", lambda _: store(f"postgresql://me@/octavo?host={tmp_path}"))
        searcher = searchers.Searcher(url, shard, 1)
        refusal = searcher.ask(stamp, searchers.ShardHolding())
        assert "cannot be reached" in refusal.why
    assert searcher.ask(stamp, searchers.ShardHolding()).passages == 2
    more = searchers.Searcher(url, searchers.Shard(0, 2), 1)
    assert more.ask(stamp, searchers.ShardHolding()).passages <= 2
    kept = {path.name for path in shards(locate(url).folder).iterdir()}
    assert kept == {"1-of-2.1"}, "files of another number of shards have gone"


def test_all_rounds_of_a_question_are_answered_in_one_state(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    searchers = pytest.importorskip("octavo_cluster.searchers")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    url = server.corpus(tmp_path / "bucket")
    searcher = searchers.Searcher(url, searchers.Shard(0, 1), 1)

    def passages(stamp: Any) -> int:
        return searcher.ask(stamp, searchers.ShardHolding()).passages

    with Corpus(url, builders=storing.builders) as corpus:
        corpus.add(storing.write(tmp_path, a="# One\nword", b="two"))
        before = corpus.backend.catalogue.stamp()
        assert passages(before) == 2
        corpus.add(storing.write(tmp_path, c="three"))
        between = corpus.backend.catalogue.stamp()
        assert passages(between) == 3, "a question that comes now knows what was added"
        assert passages(before) == 2, "one that is under way goes on with what it began with"
        corpus.add(storing.write(tmp_path, d="four"))
        after = corpus.backend.catalogue.stamp()
        assert passages(after) == 4
        corpus.remove("c.pdf", "d.pdf")
        searcher.forget([])
        assert not searcher._held
        assert passages(between) == 2, "one that is behind gets in step with the newest"


def test_a_folder_has_no_searchers(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="leave --ray and OCTAVO_RAY out"):
        backend.opened(Location(tmp_path), "auto")
