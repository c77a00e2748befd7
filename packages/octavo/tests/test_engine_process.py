"""The process in which a model in a file is run: over a scripted stand-in for OpenVINO GenAI that the child imports."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import gguf_files
from gateways import gateway
from octavo.models.engine_process import EngineProcess, end_all
from octavo.models.gateway import Budget
from octavo.models.language import FaultKind, ModelFault, Request, Turn
from octavo.models.local_model import LocalModel
from octavo.models.open_local import open_local

Script = Callable[[str], LocalModel]

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the stand-ins end themselves by signals")


@pytest.fixture
def scripted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Script:
    """A model whose child finds a stand-in; the code defines what its arguments are."""

    def put(code: str) -> LocalModel:
        folder = tmp_path / "packages"
        folder.mkdir()
        (folder / "openvino_genai.py").write_text(
            "import ctypes, os, signal, sys, time\nfrom pathlib import Path\n"
            f"HERE = Path({str(tmp_path)!r})\nchosen = {{}}\n{textwrap.dedent(code)}\n"
            "from scripted_genai import ScriptedGenai\nsys.modules[__name__] = ScriptedGenai(**chosen)\n"
        )
        monkeypatch.syspath_prepend(str(folder))
        monkeypatch.setattr("octavo.models.genai_engine.check_installed", lambda: None)
        return open_local(gguf_files.tiny(tmp_path / "tiny.gguf"))

    return put


def asked(words: str = "How large is the crew?", **given: object) -> Request:
    values = {"decision": "d", "version": "1", "instructions": "Read.", "turns": (Turn("user", words),)}
    return Request(**{**values, "max_output_tokens": 50, **given})  # type: ignore[arg-type]


def child(model: LocalModel) -> EngineProcess:
    assert model._loading is not None
    engine = model._loading.result()
    assert isinstance(engine, EngineProcess)
    return engine


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
        # One that has ended is listed until somebody asks how; in a container nobody may.
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except ProcessLookupError:
        return False
    except FileNotFoundError:
        return not Path("/proc/self").exists()


def test_a_reply_comes_whole_from_the_other_process(scripted: Script) -> None:
    model, told = scripted("chosen['reply'] = lambda prompt: 'café ' + prompt[-3]\nprint('noise')"), list[str]()
    reply = model.generate(asked("Say 7?"), timeout=30, on_text=told.append)
    assert (reply.text, reply.finish, told[-1]) == ("café 7", "stop", "café 7")
    assert (reply.input_tokens, reply.output_tokens) == (len("system: Read.\nuser: Say 7?\n"), 7)
    assert reply.chance == 0.75
    assert model.generate(asked("Say 8?"), timeout=30).text == "café 8"


def test_a_reply_that_is_cut_off_says_so_however_slow_the_process_is(scripted: Script) -> None:
    model = scripted("chosen['on_step'] = lambda: time.sleep(0.25)")
    reply = model.generate(asked(max_output_tokens=3), timeout=60)
    assert (reply.text, reply.finish) == ("A c", "length")
    with pytest.raises(ModelFault, match=r'schema of the reply is not understood .*"strange"') as wrong:
        model.generate(asked(schema='{"type": "strange"}'), timeout=60)
    assert wrong.value.kind is FaultKind.REQUEST
    engine = child(model)
    engine._send("text", [104])  # an answer that nobody waits for
    assert model.generate(asked(), timeout=60).text == "A crew of two"
    assert child(model) is engine


def test_everybody_goes_on_while_a_step_keeps_the_lock_of_the_interpreter(scripted: Script) -> None:
    model = scripted("chosen['on_step'] = lambda: ctypes.PyDLL(None).usleep(900_000)\nchosen['reply'] = lambda _: 'a'")
    longest, is_over = 0.0, threading.Event()

    def look() -> None:
        nonlocal longest
        while not is_over.is_set():
            begun = time.monotonic()
            time.sleep(0.01)
            longest = max(longest, time.monotonic() - begun)

    watcher = threading.Thread(target=look)
    watcher.start()
    begun = time.monotonic()
    assert model.generate(asked(), timeout=30).text == "a"
    is_over.set()
    watcher.join()
    assert time.monotonic() - begun > 1.7
    assert longest < 0.8


def test_time_ends_a_reply_in_the_middle_of_a_step_and_the_next_one_is_written(scripted: Script) -> None:
    model = scripted("chosen['on_step'] = lambda: time.sleep(0.0 if (HERE / 'quick').exists() else 0.8)")
    (quick := Path(model._files.base).parent / "quick").touch()
    model.generate(asked(), timeout=30)
    quick.unlink()
    engine = child(model)
    with pytest.raises(ModelFault) as late:
        model.generate(asked(), timeout=0.2)
    assert late.value.kind is FaultKind.TIMEOUT
    quick.touch()
    assert model.generate(asked(), timeout=30).text == "A crew of two"
    assert child(model) is engine


def test_a_step_that_never_ends_is_ended_with_its_process(scripted: Script, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("octavo.models.engine_process._END_SECONDS", 0.5)
    model = scripted("chosen['on_step'] = lambda: time.sleep(0 if (HERE / 'quick').exists() else 3600)")
    (quick := Path(model._files.base).parent / "quick").touch()
    model.generate(asked(), timeout=60)
    quick.unlink()
    with pytest.raises(ModelFault) as late:
        model.generate(asked(), timeout=0.3)
    assert late.value.kind is FaultKind.TIMEOUT
    quick.touch()
    with pytest.raises(ModelFault, match="was ended: a reply nobody wanted any more went on"):
        model.generate(asked(), timeout=30)
    assert model.generate(asked(), timeout=30).text == "A crew of two"


def test_a_process_that_is_killed_costs_one_attempt(scripted: Script) -> None:
    model = scripted(
        """
        def step():
            if not (HERE / "dead").exists():
                (HERE / "dead").touch()
                os.kill(os.getpid(), signal.SIGKILL)
        chosen["on_step"] = step
        """
    )
    with pytest.raises(ModelFault, match=r"tiny\.gguf ended by signal 9: is there enough memory") as wrong:
        model.generate(asked(), timeout=30)
    assert wrong.value.kind is FaultKind.SERVER
    assert model.generate(asked(), timeout=30).text == "A crew of two"
    os.kill(child(model)._process.pid, signal.SIGKILL)
    settled = gateway().call(model, asked(), Budget())
    assert (settled.reply.text, settled.attempts) == ("A crew of two", 2)


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("os.kill(os.getpid(), signal.SIGSEGV)", r"tiny\.gguf cannot be loaded: .* ended by signal 11"),
        ("raise ValueError('a strange build')", r"ended with status 1: ValueError: a strange build"),
        ("raise ImportError('libfoo.so')", r"OpenVINO GenAI cannot be imported: run .*libfoo\.so"),
    ],
)
def test_a_process_that_cannot_load_says_why(scripted: Script, code: str, told: str) -> None:
    with pytest.raises(ModelFault, match=told) as wrong:
        scripted(code).generate(asked(), timeout=30)
    assert wrong.value.kind is FaultKind.UNKNOWN_MODEL


def test_the_process_ends_with_the_one_that_asks(scripted: Script, tmp_path: Path) -> None:
    model = scripted("(HERE / 'pid').write_text(str(os.getpid()))")
    code = (
        "import os, sys; from pathlib import Path; from octavo.models.engine_process import EngineProcess; "
        f"engine = EngineProcess(Path({str(model._files.base)!r})); print('up', flush=True); "
        "os.kill(os.getpid(), 9)"
    )
    path = os.pathsep.join(one for one in sys.path if one)
    done = subprocess.run([sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": path}, capture_output=True)
    assert (done.returncode, done.stdout) == (-9, b"up\n")
    pid = int((tmp_path / "pid").read_text())
    deadline = time.monotonic() + 5
    while is_running(pid):
        assert time.monotonic() < deadline, "the process of the model is still there"
        time.sleep(0.05)


def test_a_program_that_leaves_at_once_ends_the_process_while_it_loads(scripted: Script, tmp_path: Path) -> None:
    model = scripted("(HERE / 'pid').write_text(str(os.getpid()))\ntime.sleep(3600)")
    with pytest.raises(ModelFault) as late:
        model.generate(asked(), timeout=20)
    assert late.value.kind is FaultKind.TIMEOUT
    pid = int((tmp_path / "pid").read_text())
    assert is_running(pid)
    end_all()
    assert not is_running(pid)
