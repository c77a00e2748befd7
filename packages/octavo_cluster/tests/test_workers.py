"""Workers of Ray lose and double nothing when one of them, and a machine, goes away; they end with who started them."""

from __future__ import annotations

import json
import subprocess
from importlib import util
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import alone
import storing
from engines import Server
from octavo.corpus import Corpus
from octavo.corpus.reports import AddReport
from octavo.errors import CorpusError
from octavo_cluster import shared_corpus


class FakeRay:
    """As much of Ray as a crew needs: each actor gives the replies of its script, errors of Ray among them."""

    def __init__(self, *scripts: list[Any]) -> None:
        self.scripts = [*scripts]
        self.made: list[Any] = []
        self.killed: list[Any] = []

    def remote(self, _: type) -> Any:
        return SimpleNamespace(options=lambda **_: SimpleNamespace(remote=lambda _: self._actor()))

    def _actor(self) -> Any:
        script = self.scripts.pop(0)

        def reply() -> Any:
            return script.pop(0) if len(script) > 1 else script[0]

        told = SimpleNamespace(remote=list)
        self.made.append(SimpleNamespace(round=SimpleNamespace(remote=reply), told=told))
        return self.made[-1]

    def wait(self, replies: list[Any], *, timeout: float) -> tuple[list[Any], list[Any]]:
        del timeout
        return replies, []

    def get(self, reply: Any) -> Any:
        if isinstance(reply, Exception):
            raise reply
        return reply

    def kill(self, actor: Any) -> None:
        self.killed.append(actor)
        if actor is not self.made[0]:
            from ray.exceptions import RayActorError

            raise RayActorError


class FakeQueue:
    """The queue of a store: what was given up."""

    def __init__(self) -> None:
        self.given_up: list[str] = []

    def give_up(self, token: str) -> None:
        self.given_up.append(token)

    def queued(self) -> tuple[int, int]:
        return 0, 0


class TestACrew:
    """What whoever started workers makes of what they tell, and of those that tell nothing any more."""

    @pytest.fixture
    def workers(self) -> Any:
        return pytest.importorskip("octavo_cluster.ray_workers")

    @pytest.fixture
    def queue(self, monkeypatch: pytest.MonkeyPatch) -> FakeQueue:
        queue = FakeQueue()
        monkeypatch.setattr(shared_corpus, "shared", lambda _: queue)
        return queue

    def crew(self, workers: Any, ray: FakeRay, monkeypatch: pytest.MonkeyPatch, count: int = 1) -> Any:
        from working import Counting

        monkeypatch.setattr(workers, "_ray", ray)
        self.reports, self.counting = list[AddReport](), Counting()
        nothing: Any = None
        crew = workers._WorkerSupervisor(nothing, nothing, self.reports.append, self.counting)
        crew.hire(count)
        return crew

    def test_a_worker_out_of_reach_is_ended_before_another_takes_its_place(
        self, workers: Any, queue: FakeQueue, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from ray.exceptions import ActorUnavailableError

        ray = FakeRay([workers._Round("one"), ActorUnavailableError("no answer", None)], [workers._Round("two")])
        crew = self.crew(workers, ray, monkeypatch)
        for _ in range(3):
            crew.look()
        assert ray.killed == ray.made[:1]
        assert (len(ray.made), crew.deaths, queue.given_up) == (2, 1, ["one"])
        crew.dismiss()  # Ray says that the other is gone already
        assert queue.given_up == ["one", "two"]

    def test_what_is_finished_counts_once_whoever_dies_and_whatever_is_tried_again(
        self, workers: Any, queue: FakeQueue, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from ray.exceptions import ActorDiedError

        def done(*names: str, outcome: str = "added", back: tuple[str, ...] = ()) -> Any:
            steps = [("finish", name, outcome, 0) for name in names]
            return workers._Round("", AddReport(), back=back, steps=steps)

        first = [workers._Round("one"), done("a"), workers._Round(steps=done("b", "c").steps), ActorDiedError()]
        second = [workers._Round("two"), done("b", "c", "d", back=("d",)), done("d"), workers._Round()]
        crew = self.crew(workers, FakeRay(first, second), monkeypatch)
        while not crew.is_done or not crew.deaths:
            crew.look()
        assert self.counting.finished == 4

    def test_the_last_steps_are_told_and_no_end_of_a_file_is_dropped(self, workers: Any) -> None:
        told = workers._Told()
        for at in range(2 * workers._MOST_TOLD):
            told.start(f"f{at}", "parse", 1)
            told.finish(f"f{at}", "added")
        steps = told.taken()
        assert sum(kind == "finish" for kind, *_ in steps) == 2 * workers._MOST_TOLD
        assert sum(kind == "start" for kind, *_ in steps) == workers._MOST_TOLD
        assert told.taken() == []

    @pytest.mark.parametrize(("seconds", "is_an_end"), [(1.0, True), (7200.0, False)])
    def test_deaths_count_as_in_a_row_within_an_hour_only(
        self, workers: Any, queue: FakeQueue, monkeypatch: pytest.MonkeyPatch, seconds: float, is_an_end: bool
    ) -> None:
        from ray.exceptions import ActorDiedError

        ray = FakeRay(*([ActorDiedError()] for _ in range(9)))
        now = [0.0]
        clock = SimpleNamespace(monotonic=lambda: now[0], sleep=lambda _: None)
        monkeypatch.setattr(workers, "time", clock)
        crew = self.crew(workers, ray, monkeypatch)
        for _ in range(4):
            crew.look()
            now[0] += seconds
        if is_an_end:
            with pytest.raises(CorpusError, match="5 workers in a row died"):
                crew.look()
        else:
            crew.look()
            assert crew.deaths == 5

    def test_a_document_between_deaths_begins_the_count_anew(
        self, workers: Any, queue: FakeQueue, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from ray.exceptions import ActorDiedError

        alive = [workers._Round("one"), workers._Round(steps=[("finish", "a", "added", 0)]), ActorDiedError()]
        dead = [ActorDiedError()]
        crew = self.crew(
            workers, FakeRay(*[dead[:] for _ in range(4)], alive, *[dead[:] for _ in range(5)]), monkeypatch
        )
        while crew.deaths < 8:
            crew.look()
        with pytest.raises(CorpusError, match="5 workers in a row died"):
            crew.look()

    def test_a_sick_machine_is_left_to_itself_and_the_last_one_says_why(
        self, workers: Any, queue: FakeQueue, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        sick = [workers._Round("one"), workers._Round(why=("full", "no room in /tmp"))]
        ray = FakeRay(sick, [workers._Round("two"), workers._Round("", AddReport()), *sick[1:]])
        crew = self.crew(workers, ray, monkeypatch, 2)
        crew.look()
        crew.look()
        assert [report.notes for report in self.reports] == [("no room in /tmp",), ()]
        assert queue.given_up == ["one"]
        with pytest.raises(CorpusError, match="no room in /tmp"):
            crew.look()
        assert len(ray.made) == 2


@pytest.mark.slow
@pytest.mark.skipif(util.find_spec("ray") is None, reason="Ray is not installed: pip install 'octavo[cluster]'")
@pytest.mark.skipif(not alone.can_be_alone(), reason=alone.REFUSED)
def test_workers_on_two_nodes(server: Server, tmp_path: Path) -> None:
    url = server.corpus(tmp_path / "bucket")
    storing.write(tmp_path / "files", **{f"f{at:02}": f"# Tree {at}\nIt is tree {at}, word pear." for at in range(60)})
    script = Path(__file__).parents[3] / "tests" / "working.py"
    command, environment = alone.command(script, url, tmp_path), alone.environment(script, tmp_path)
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=1200)
    assert done.returncode == 0, done.stderr
    told = json.loads((tmp_path / "told.json").read_text())
    assert told["queued"] == 60
    assert told["died"] >= 1  # the one that was killed; on the node that goes there may be none
    assert told["visible when the node goes"] < 60
    assert told["finished"] == 60, "what a worker was done with when it died counts once"
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
