"""Fixtures of tests that need a corpus: engines of stores, and a machine on which no model server runs."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import engines
import object_store
import octavo
import storing

EXAMPLES = Path(__file__).parents[1] / "examples"


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
