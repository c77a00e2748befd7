"""A server over two example documents, and a browser that looks at it and tells what should not be there."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).parents[4] / "examples"
_SWITCHES = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
_PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--screenshots", metavar="FOLDER", help="write the pictures of the documentation there")


@dataclass
class Server:
    """A running server: the link that lets a browser in, its address, and the folder of its corpus."""

    link: str
    corpus: Path

    @property
    def origin(self) -> str:
        return self.link.partition("/?")[0].rstrip("/")


def octavo(*arguments: str, model: str = "") -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "octavo", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "OCTAVO_MODEL": model},
    )


def indexed(corpus: Path, *files: Path) -> Path:
    made = octavo("add", "--corpus", str(corpus), *map(str, files))
    told, _ = made.communicate(timeout=600)
    assert made.returncode == 0, told
    return corpus


@contextmanager
def serving(corpus: Path, model: str = "") -> Iterator[Server]:
    process = octavo("serve", "--corpus", str(corpus), "--port", "0", model=model)
    assert process.stdout is not None
    try:
        line = process.stdout.readline()
        found = re.search(r"http://\S+", line)
        assert found is not None, line + process.stdout.read()
        yield Server(found.group(), corpus)
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(15)
        except subprocess.TimeoutExpired:
            process.kill()
        process.stdout.close()


@pytest.fixture(scope="session")
def examples(made_examples: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus of the handbook (44 pages) and a page of HTML, which all modules share."""
    return Path(shutil.copytree(made_examples, tmp_path_factory.mktemp("served") / "corpus"))


@pytest.fixture(scope="session")
def server(examples: Path) -> Iterator[Server]:
    """A server that tests only read, but for questions."""
    with serving(examples) as running:
        yield running


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Server]:
    """A server over a corpus that nothing was added to."""
    with serving(tmp_path / "empty") as running:
        yield running


@pytest.fixture(scope="module")
def own(examples: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server over a copy of the examples, for those tests of a module that add and remove."""
    corpus = tmp_path_factory.mktemp("own") / "corpus"
    shutil.copytree(examples, corpus, ignore=shutil.ignore_patterns("server.db*"))
    with serving(corpus) as running:
        yield running


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """The browser; tests are skipped where there is none."""
    api = pytest.importorskip("playwright.sync_api", reason="the package playwright is not installed")
    program = next(filter(None, map(shutil.which, _PROGRAMS)), None)
    if program is None:
        pytest.skip("no Chromium is installed (apt-get install chromium)")
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(_SWITCHES))
        yield browser
        browser.close()


@dataclass
class Seen:
    """What a page said or asked for that it should not have."""

    console: list[str] = field(default_factory=list)
    elsewhere: list[str] = field(default_factory=list)


Visit = Callable[..., Any]


@pytest.fixture
def visit(chromium: Any) -> Iterator[Visit]:
    """Open pages of a server in a browser of its own.

    Afterwards nothing may have been written to the console (a violation of the policy is), and nothing may have been
    asked of another origin.
    """
    contexts, seen = [], Seen()

    def opened(server: Server, path: str = "/", *, expects: str = "", **how: Any) -> Any:
        context = chromium.new_context(**{"viewport": {"width": 1440, "height": 900}, **how})
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(60_000)
        page.goto(server.link)
        page.on("console", lambda told: None if expects and expects in told.text else seen.console.append(told.text))
        page.on("pageerror", lambda error: seen.console.append(str(error)))
        context.on(
            "request",
            lambda asked: (
                None if asked.url.startswith((server.origin, "blob:", "data:")) else seen.elsewhere.append(asked.url)
            ),
        )
        if path != "/":
            page.goto(server.origin + path)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert seen == Seen()
