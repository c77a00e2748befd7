"""Settings all tests share."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

import engines
import object_store
import octavo
import storing

settings.register_profile("octavo", max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("octavo")

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell that runs them in the background had it ignored


EXAMPLES = Path(__file__).parent / "examples"


@pytest.fixture(scope="session", autouse=True)
def bytecode(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Have programs that are started keep their bytecode for the next, where they may not write it beside modules."""
    with pytest.MonkeyPatch.context() as patch:
        if os.environ.get("PYTHONDONTWRITEBYTECODE"):
            shared = tmp_path_factory.getbasetemp()
            shared = shared.parent if "PYTEST_XDIST_WORKER" in os.environ else shared
            patch.delenv("PYTHONDONTWRITEBYTECODE")
            patch.setenv("PYTHONPYCACHEPREFIX", str(shared / "bytecode"))
        yield


@pytest.fixture(scope="session")
def made_examples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a corpus of the handbook (44 pages) and a page of HTML, to be copied."""
    folder = tmp_path_factory.mktemp("examples") / "corpus"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("octavo.models.finding.SERVERS", ())
        with octavo.open(folder) as corpus:
            corpus.add([EXAMPLES / "handbook.pdf", EXAMPLES / "ferry.html"])
    return folder


@pytest.fixture(scope="module")
def examples(made_examples: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a corpus of the handbook and a page of HTML that the tests of a module share."""
    return Path(shutil.copytree(made_examples, tmp_path_factory.mktemp("examples") / "corpus"))


@pytest.fixture(autouse=True)
def no_servers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look for no model servers on the machine that runs the tests."""
    monkeypatch.setattr("octavo.models.finding.SERVERS", ())


@pytest.fixture(scope="session")
def postgres() -> Iterator[Callable[[], engines.Server] | None]:
    """Give what starts the database of the test session; None where PostgreSQL is not installed."""
    with engines.running() as server:
        yield server


@pytest.fixture
def server(postgres: Callable[[], engines.Server] | None) -> Iterator[engines.Server]:
    """Return the database of the test session."""
    if postgres is None:
        pytest.skip(engines.ABSENT)
    started = postgres()
    yield started
    started.take_back()


@pytest.fixture(scope="session")
def started_object_store() -> Iterator[Callable[[], object_store.ObjectStore]]:
    """Give what starts the stand-in for S3 of the test session."""
    with object_store.running() as store:
        yield store


@pytest.fixture
def s3(
    started_object_store: Callable[[], object_store.ObjectStore], monkeypatch: pytest.MonkeyPatch
) -> Iterator[object_store.ObjectStore]:
    """Return a stand-in for S3, which programs started meanwhile find too; it answers well until it is told not to."""
    store = started_object_store()
    for name, value in store.environment.items():
        monkeypatch.setenv(name, value)
    yield store
    store.tell("do well")


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[engines.Engine]:
    """Return each engine in turn; corpora that `storing` opens in folders stand on it."""
    server = request.getfixturevalue("server") if request.param == "postgresql" else None
    made = engines.Engine(request.param, tmp_path, server)
    monkeypatch.setattr(storing, "place_of", made.place)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    yield made
    made.close()
