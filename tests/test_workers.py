"""Workers of Ray lose and double nothing when one of them, and a machine, goes away; they end with who started them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib import util
from pathlib import Path

import pytest

import storing
from engines import Server
from octavo.corpus import Corpus
from test_searchers import ALONE, can_be_alone


@pytest.mark.slow
@pytest.mark.skipif(util.find_spec("ray") is None, reason="Ray is not installed: pip install 'octavo[cluster]'")
@pytest.mark.skipif(not can_be_alone(), reason="no network namespace may be made here: unshare -rn")
def test_workers_on_two_nodes(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    url = server.corpus(tmp_path / "bucket")
    storing.write(tmp_path / "files", **{f"f{at:02}": f"# Tree {at}\nIt is tree {at}, word pear." for at in range(60)})
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent), "RAY_USAGE_STATS_ENABLED": "0"}
    run = ["ip link set lo up && exec", sys.executable, str(Path(__file__).parent / "working.py"), url, str(tmp_path)]
    done = subprocess.run(
        [*ALONE, "sh", "-c", " ".join(run)], env=environment, capture_output=True, text=True, timeout=240
    )
    assert done.returncode == 0, done.stderr
    told = json.loads((tmp_path / "told.json").read_text())
    assert told["queued"] == 60
    assert told["died"] >= 1  # the one that was killed; on the node that goes there may be none
    assert told["visible when the node goes"] < 60
    assert told["finished"] <= 60 + 2 * 16  # what a worker was done with when it died is looked at again
    assert told["added"] <= 60
    assert told["left"] == [0, 0]
    assert told["workers left"] == told["workers left then"] == 0
    _, err, status = told["interrupted"]
    assert status == 130
    assert "public internet" in err
    assert "octavo: interrupted when 0 had been added" in err
    assert told["error"][0] == "unreachable"
    assert "\n" not in told["error"][1]
    with Corpus(url, builders=storing.builders) as corpus:
        assert len({document.id for document in corpus.view().documents}) == len(corpus.list()) == 60
        assert corpus.check().is_sound
