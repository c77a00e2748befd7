"""The guarded child processes: what a misbehaving reader can and cannot do to its parent."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import CancelledError, ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from octavo.errors import OctavoError, SourceError
from octavo.models.ports import Raster, RecognizedLine
from octavo_documents.parsing import Limits, formats, launch
from octavo_documents.structuring.parser_pool import ParserPool

LIMITS = Limits(seconds=20, progress_seconds=10, memory=700 << 20, output_bytes=1 << 20, pixels=1000)
ENTRY = "child_jobs"


@pytest.fixture(scope="module")
def pool() -> Iterator[ParserPool]:
    with ParserPool(2, LIMITS, entry=ENTRY) as opened:
        yield opened


def run(pool: ParserPool, behaviour: str, **options: object) -> str:
    return pool.parse("some.pdf", name=behaviour, digest="d1", **options).decode()  # pyright: ignore[reportArgumentType]


def failure(pool: ParserPool, behaviour: str) -> SourceError:
    with pytest.raises(SourceError) as caught:
        run(pool, behaviour, recognizer=Reader())
    assert run(pool, "echo").startswith("some.pdf"), "the pool is of use afterwards"
    return caught.value


class Reader:
    """A recogniser that knows one line."""

    name = "reader"

    def __init__(self) -> None:
        self.seen: list[Raster] = []

    def read(self, raster: Raster) -> tuple[RecognizedLine, ...]:
        self.seen.append(raster)
        return (RecognizedLine("née 12", (1.0, 2.0, 3.0, 4.5), 0.5),)


def test_a_job_gets_its_options_and_reports_progress(pool: ParserPool) -> None:
    pages: list[tuple[int, int]] = []
    figures: list[tuple[int, int]] = []
    told = run(
        pool,
        "echo",
        progress=lambda done, total: pages.append((done, total)),
        figures=lambda done, total: figures.append((done, total)),
    )
    assert told.startswith("some.pdf d1")
    assert (pages, figures) == ([(1, 2), (2, 2)], [(0, 3)])


def test_children_come_from_one_warm_process_and_leave_no_zombies(pool: ParserPool) -> None:
    parents = {run(pool, "echo").split()[-1] for _ in range(3)}
    assert len(parents) == 1 and str(os.getpid()) not in parents
    child = int(run(pool, "process"))
    with pytest.raises(ProcessLookupError):
        os.kill(child, 0)


def test_what_reads_a_format_is_loaded_once_before_the_first_child_that_needs_it() -> None:
    names = ("a.pdf", "b.html", "c.HTM", "d.xlsx", "e.html")
    with ParserPool(1, LIMITS, entry=ENTRY) as pool:
        told = [pool.parse(name, name="loaded", digest="").decode().rsplit(" ", 1) for name in names]
    html, xlsx = (formats.number_of_reader(Path(name)) for name in ("b.html", "d.xlsx"))
    seen = [str([]), str([html]), str([html]), str([html, xlsx]), str([html, xlsx])]
    assert [numbers for numbers, _ in told] == seen and html != xlsx
    assert [formats.number_of_module(name) for name in ("html", "sheets.xlsx", "pdf", "")] == [html, xlsx, 0, 0]
    assert len({parent for _, parent in told}) == 1, "what cannot be loaded is no end of the fork server"


def test_every_reader_of_flowing_text_can_be_loaded_ahead() -> None:
    code = (
        "import sys; from pathlib import Path; from octavo_documents.parsing import formats\n"
        "for suffix in ('.pdf', *formats.FLOWING): formats.load_reader(formats.number_of_reader(Path('a' + suffix)))\n"
        "print({*formats.FLOWING.values()} - {name.removeprefix('octavo_documents.parsing.') for name in sys.modules})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_a_picture_comes_back_as_it_was_drawn(pool: ParserPool) -> None:
    raster = pool.render("some.pdf", 3)
    assert raster.shape == (3, 2, 3) and np.all(raster == 7)


def test_the_parent_reads_pictures_for_the_child(pool: ParserPool) -> None:
    reader = Reader()
    assert run(pool, "read", recognizer=reader) == "[('née 12', (1.0, 2.0, 3.0, 4.5), 0.5)]"
    assert reader.seen[0].tolist() == np.arange(30).reshape(2, 5, 3).tolist()


def test_a_child_may_not_ask_for_what_was_not_offered(pool: ParserPool) -> None:
    with pytest.raises(SourceError, match="message 3"):
        run(pool, "read", recognizer=None)


@pytest.mark.parametrize(
    ("behaviour", "reason"),
    [
        ("refuse", "damaged"),
        ("err", "bug"),
        ("abort", "crashed"),
        ("vanish", "crashed"),
        ("boast", "crashed"),
        ("babble", "crashed"),
        ("lie", "crashed"),
        ("hoard", "too_large"),
        ("exhaust", "too_large"),
    ],
)
def test_each_way_to_fail_is_one_line_with_its_reason(pool: ParserPool, behaviour: str, reason: str) -> None:
    error = failure(pool, behaviour)
    assert error.reason == reason
    assert "\n" not in str(error) and "some.pdf" in str(error).replace("x.pdf", "some.pdf")


@pytest.mark.parametrize(
    ("behaviour", "limits"),
    [
        ("hang", Limits(progress_seconds=1.5)),
        ("dawdle", Limits(seconds=2, progress_seconds=60)),
        ("burn", Limits(seconds=2)),
    ],
)
def test_time_limits_are_kept_in_all_and_between_reports(behaviour: str, limits: Limits) -> None:
    with ParserPool(1, limits, entry=ENTRY) as pool:
        with pytest.raises(SourceError) as caught:
            run(pool, behaviour)  # which would go on for ever
        assert caught.value.reason == "timeout"


def test_time_spent_in_the_recogniser_is_not_the_files(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, passed = time.monotonic, [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: clock() + passed[0])

    class Slow(Reader):
        def read(self, raster: Raster) -> tuple[RecognizedLine, ...]:
            passed[0] += 1000.0
            return super().read(raster)

    with ParserPool(1, Limits(seconds=600, progress_seconds=600), entry=ENTRY) as pool:
        run(pool, "echo")
        assert "née" in run(pool, "read", recognizer=Slow())


@pytest.mark.skipif(sys.platform != "linux", reason="writes are forbidden by Linux")
def test_a_child_can_neither_write_files_nor_connect(pool: ParserPool, tmp_path: Path) -> None:
    target = tmp_path / "target.txt"
    target.write_text("")
    worked = pool.parse(target, name="write", digest="").decode().split()
    assert target.read_text() == ""
    assert "write" not in worked


def test_an_error_of_the_caller_is_the_callers_and_ends_the_child(pool: ParserPool) -> None:
    def broken(done: int, total: int) -> None:
        raise BrokenPipeError("the terminal is gone")

    with pytest.raises(BrokenPipeError):
        run(pool, "echo", progress=broken)
    assert run(pool, "echo")


def test_several_threads_work_at_once(pool: ParserPool) -> None:
    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(lambda number: pool.render("x.pdf", number).shape[0], range(1, 41)))
    assert answers == list(range(1, 41))


def test_closing_ends_what_runs_and_may_be_repeated() -> None:
    pool = ParserPool(1, entry=ENTRY)
    run(pool, "echo")
    caught: list[BaseException] = []

    def work() -> None:
        try:
            run(pool, "hang")
        except CancelledError as error:
            caught.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    time.sleep(0.3)
    pool.close()
    pool.close()
    thread.join(5)
    assert [type(error) for error in caught] == [CancelledError]
    with pytest.raises(CancelledError):
        run(pool, "echo")


def test_a_killed_template_is_replaced() -> None:
    with ParserPool(1, LIMITS, entry=ENTRY) as pool:
        template = int(run(pool, "echo").split()[-1])
        os.kill(template, signal.SIGKILL)
        time.sleep(0.2)
        assert int(run(pool, "echo").split()[-1]) != template


def test_a_worker_that_cannot_start_says_why() -> None:
    with ParserPool(1, LIMITS, entry="no_such_module") as pool, pytest.raises(OctavoError, match="no_such_module"):
        run(pool, "echo")


def test_a_module_beside_the_documents_is_not_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "json.py").write_text("raise SystemExit('harm')")
    monkeypatch.chdir(tmp_path)
    with ParserPool(1, LIMITS, entry=ENTRY) as pool:
        assert run(pool, "echo")


def test_without_fork_each_job_has_a_process_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launch, "HAS_FORK", False)
    with ParserPool(2, LIMITS, entry=ENTRY) as pool:
        assert run(pool, "echo").split()[-1] == str(os.getpid())
        assert "née" in run(pool, "read", recognizer=Reader())
        assert failure(pool, "abort").reason == "crashed"


def test_children_end_with_their_parent(tmp_path: Path) -> None:
    script = (
        "import os, threading, time\n"
        "from octavo_documents.structuring.parser_pool import ParserPool\n"
        f"pool = ParserPool(1, entry={ENTRY!r})\n"
        "ids = pool.parse('x.pdf', name='echo', digest='').decode().split()[-1]\n"
        "threading.Thread(target=lambda: pool.parse('x.pdf', name='hang', digest=''), daemon=True).start()\n"
        "time.sleep(0.3)\n"
        "print(ids, flush=True)\n"
        "os.kill(os.getpid(), 9)\n"
    )
    environment = {
        **os.environ,
        "PYTHONPATH": f"{Path(__file__).parent}{os.pathsep}{Path(__file__).parents[3] / 'tests'}",
    }
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=environment, timeout=30)
    assert done.returncode == -signal.SIGKILL
    template = int(done.stdout)
    for _ in range(50):
        if not is_running(template):
            return
        time.sleep(0.1)
    pytest.fail("the template outlived its parent")


def test_ctrl_c_at_the_terminal_is_the_parents_alone() -> None:
    script = (
        "from octavo_documents.structuring.parser_pool import ParserPool\n"
        f"with ParserPool(1, entry={ENTRY!r}) as pool:\n"
        "    try:\n"
        "        print(pool.parse('x.pdf', name='echo', digest='').decode().split()[-1], flush=True)\n"
        "        pool.parse('x.pdf', name='hang', digest='')\n"
        "    except KeyboardInterrupt:\n"
        "        print('interrupted')\n"
    )
    environment = {
        **os.environ,
        "PYTHONPATH": f"{Path(__file__).parent}{os.pathsep}{Path(__file__).parents[3] / 'tests'}",
    }
    with subprocess.Popen(
        [sys.executable, "-c", script],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        start_new_session=True,
    ) as parent:
        assert parent.stdout is not None
        template = int(parent.stdout.readline())
        time.sleep(0.3)
        os.killpg(parent.pid, signal.SIGINT)
        said, complained = parent.communicate(timeout=20)
    assert (said.strip(), complained) == ("interrupted", "")
    assert not is_running(template)


def is_running(process: int) -> bool:
    try:
        os.killpg(process, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{process}/stat")
    return not stat.exists() or stat.read_text().rsplit(")", 1)[1].split()[0] != "Z"
