"""The program as a user runs it: real processes, real files, a real terminal."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pypdfium2
import pytest

import cli_corpus

HANDBOOK = Path(__file__).parent.parent / "examples" / "handbook.pdf"
QUESTION = "How many days does a nitrogen cylinder of the bubbler last at the normal rate?"


def environment(corpus: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("OCTAVO_")}
    return kept | {"OCTAVO_CORPUS": str(corpus), "TERM": "xterm"}


def start(corpus: Path, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "octavo", *arguments],
        env=environment(corpus),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )


def octavo(corpus: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    process = start(corpus, *arguments)
    out, err = process.communicate(timeout=120)
    return subprocess.CompletedProcess(process.args, process.returncode, out, err)


@pytest.fixture(scope="module")
def corpus(examples: Path) -> Path:
    return examples


@pytest.fixture(scope="module")
def few_pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the first pages of the handbook: enough to be met while they are read."""
    document, path = pypdfium2.PdfDocument.new(), tmp_path_factory.mktemp("few") / "few.pdf"
    document.import_pages(pypdfium2.PdfDocument(HANDBOOK), list(range(8)))
    document.save(path)
    return path


def test_add_is_quiet_in_a_pipe_and_skips_what_is_unchanged(corpus: Path) -> None:
    done = octavo(corpus, "add", str(HANDBOOK))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("unchanged handbook.pdf")


def test_an_answer_quotes_its_document_word_for_word(corpus: Path) -> None:
    done = octavo(corpus, "ask", QUESTION, str(HANDBOOK), "--json")
    value = json.loads(done.stdout)
    assert (done.returncode, done.stderr) == (0, "")
    listed = cli_corpus.octavo("outline", str(HANDBOOK), "--blocks", "--json", "--corpus", str(corpus)).out
    blocks = {block["block"]: block["text"] for block in json.loads(listed)["blocks"]}
    assert value["answerable"]
    assert value["citations"]
    assert all(citation["quote"] in blocks[citation["block"]] for citation in value["citations"])


def test_a_reader_that_goes_away_is_no_failure(corpus: Path) -> None:
    process = start(corpus, "outline", str(HANDBOOK), "--blocks", "--json")
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.read(10)
    process.stdout.close()
    assert process.wait(timeout=60) == 0
    assert process.stderr.read() == ""
    process.stderr.close()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_output_that_cannot_be_written_is_one_line_and_status_1(corpus: Path) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "octavo", "list"],
            env=environment(corpus),
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "No space left on device" in done.stderr


def test_ctrl_c_leaves_a_corpus_that_goes_on(tmp_path: Path, few_pages: Path) -> None:
    folder = tmp_path / "corpus"
    process = start(folder, "add", str(few_pages))
    deadline = time.monotonic() + 60
    while not (folder / "corpus.db").exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, "")
    assert err.startswith("octavo: interrupted")
    assert "run the same command again" in err
    assert err.count("\n") == 1
    again = octavo(folder, "add", str(few_pages))
    assert (again.returncode, again.stderr) == (0, "")
    assert again.stdout.startswith("added     few.pdf")


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["--version"], 0),
        (["add", "nowhere.pdf"], 1),
        (["ask", QUESTION, "--system", "nothing"], 2),
        (["ask", QUESTION, "--max-seconds", "0.0001"], 3),
    ],
)
def test_the_exit_status_says_how_it_went(corpus: Path, arguments: list[str], status: int) -> None:
    done = octavo(corpus, *arguments)
    assert done.returncode == status, done.stderr
    assert "Traceback" not in done.stderr
    assert done.stderr.count("\n") == (status != 0)


@pytest.mark.parametrize("command", ["list", "check", "doctor"])
def test_what_went_well_says_nothing_of_errors(corpus: Path, command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OCTAVO_CORPUS", str(corpus))
    done = cli_corpus.octavo(command)
    assert (done.status, done.err) == (0, "")


def test_a_locale_without_unicode_is_no_obstacle(corpus: Path) -> None:
    plain = environment(corpus) | {"PYTHONIOENCODING": "ascii", "LC_ALL": "C", "PYTHONUTF8": "0"}
    done = subprocess.run(
        [sys.executable, "-m", "octavo", "ask", QUESTION], env=plain, capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
    value = subprocess.run(
        [sys.executable, "-m", "octavo", "ask", QUESTION, "--json"], env=plain, capture_output=True, check=True
    )
    assert json.loads(value.stdout.decode("utf-8"))["question"] == QUESTION


def on_a_terminal(corpus: Path, *arguments: str) -> str:
    """Run Python on a pseudo-terminal and return all that it wrote there."""
    import pty

    pid, screen = pty.fork()
    if pid == 0:
        os.execve(
            sys.executable,
            [sys.executable, *arguments],
            environment(corpus) | {"COLUMNS": "100", "LINES": "30"},
        )
    written = bytearray()
    while True:
        try:
            part = os.read(screen, 65536)
        except OSError:
            break
        if not part:
            break
        written += part
    os.close(screen)
    os.waitpid(pid, 0)
    return written.decode("utf-8", "replace")


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_a_terminal_gets_progress_and_colour(tmp_path: Path, few_pages: Path) -> None:
    shown = on_a_terminal(tmp_path / "corpus", "-m", "octavo", "add", str(few_pages))
    assert "few.pdf: reading" in shown
    assert "pages/s" in shown
    assert "\x1b[32madded" in shown


IN_TURN = """
import os, sys
from octavo.cli.main import run

for columns in sys.argv[1].split():
    os.environ["COLUMNS"] = columns
    for arguments in (["ask", sys.argv[2]], ["search", sys.argv[2]], ["outline", "handbook.pdf"], ["list"]):
        assert run(arguments) == 0
        print("\\f", end="", flush=True)
"""
"""Commands one after the other on terminals of several widths, and a form feed after each."""


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_no_line_is_wider_than_the_terminal(corpus: Path) -> None:
    import re

    shown = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", on_a_terminal(corpus, "-c", IN_TURN, "40 80 200", QUESTION))
    *outputs, rest = shown.replace("\r", "").split("\f")
    assert (len(outputs), rest) == (12, "")
    for columns, of_a_width in zip((40, 80, 200), (outputs[:4], outputs[4:8], outputs[8:]), strict=True):
        for output in of_a_width:
            assert output.splitlines()
            assert max(map(len, output.splitlines())) <= columns, output
    assert all(max(map(len, wide.splitlines())) > 80 for wide in (outputs[8], outputs[9])), "wide ones are used"
