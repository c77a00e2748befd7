"""What `octavo doctor` finds, and how it ends."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import apsw
import pytest

from cli_corpus import octavo
from fault_server import FaultServer
from octavo.cli import health
from octavo.cli.health import CheckedPart, HealthState
from octavo.corpus import location
from octavo.corpus.store.sqlite import SqliteStore
from octavo.errors import ModelError
from octavo.models import bert


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("OCTAVO_CORPUS", str(tmp_path / "corpus"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.delenv("OCTAVO_MODEL", raising=False)
    monkeypatch.chdir(tmp_path)


def found(*arguments: str) -> dict[str, dict[str, str]]:
    return {part["name"]: part for part in json.loads(octavo("doctor", "--json", *arguments).out)["parts"]}


def test_every_part_is_examined_without_making_a_corpus(tmp_path: Path) -> None:
    parts = found()
    assert {"octavo", "settings", "corpus", "store", "pdf parser", "isolation", "text embedding"} <= parts.keys()
    assert all(part["state"] in {"ok", "limited", "broken"} for part in parts.values())
    assert str(tmp_path / "corpus") in parts["corpus"]["detail"]
    assert not (tmp_path / "corpus").exists()


def test_wrong_settings_are_a_finding_and_not_the_end(tmp_path: Path) -> None:
    (tmp_path / "octavo.toml").write_text("limitt = 3")
    done = octavo("doctor")
    assert done.status == 1
    assert "there is no setting 'limitt'" in done.out
    assert "pdfium" in done.out


def test_a_corpus_that_cannot_be_written_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    part = found("--corpus", str(tmp_path / "file" / "corpus"))["corpus"]
    assert part["state"] == "broken"
    assert part["mend"] == "choose another folder: --corpus FOLDER"


def test_a_corpus_that_can_only_be_read_is_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "corpus"
    folder.mkdir()
    SqliteStore(location.database(folder)).close()
    monkeypatch.setattr(os, "access", lambda _path, mode: mode != os.W_OK)
    (part,) = health._corpus({})
    assert (part.state, part.name) == (HealthState.LIMITED, "corpus")
    assert "it can be asked" in part.detail


def test_a_sound_corpus_is_ok(tmp_path: Path) -> None:
    SqliteStore(made(tmp_path)).close()
    assert found()["corpus"]["state"] == "ok"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"no database at all" * 100, "is not an Octavo corpus: move it away"),
        (b"SQLite format 3\0" + b"\xff" * 4096, "is not an Octavo corpus"),
    ],
)
def test_a_corpus_that_cannot_be_opened_is_broken(tmp_path: Path, content: bytes, message: str) -> None:
    made(tmp_path).write_bytes(content)
    part = found()["corpus"]
    assert part["state"] == "broken"
    assert message in part["detail"]
    assert octavo("doctor").status == 1


def test_a_corpus_of_a_newer_version_says_to_upgrade(tmp_path: Path) -> None:
    path = made(tmp_path)
    SqliteStore(path).close()
    connection = apsw.Connection(str(path))
    connection.pragma("user_version", 99)
    connection.close()
    assert "was made by a newer Octavo" in found()["corpus"]["detail"]


def test_a_corpus_that_was_cut_off_is_broken(tmp_path: Path) -> None:
    path = made(tmp_path)
    SqliteStore(path).close()
    path.write_bytes(path.read_bytes()[:5000])
    part = found()["corpus"]
    assert (part["state"], "is damaged" in part["detail"]) == ("broken", True)


def made(tmp_path: Path) -> Path:
    """Return the path of a corpus file in a folder that is there."""
    folder = tmp_path / "corpus"
    folder.mkdir()
    return location.database(folder)


def test_a_model_that_cannot_be_used_is_broken_with_its_mend(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> None:
        raise ModelError("run `pip install m`")

    monkeypatch.setattr(bert, "tokenizer", missing)
    done = octavo("doctor")
    assert done.status == 1
    assert "broken" in done.out
    assert "-> run `pip install m`" in done.out


@pytest.mark.parametrize("raised", [ImportError("gone", name="apsw"), ModelError("no"), OSError("odd")])
def test_a_part_that_cannot_be_examined_is_broken(monkeypatch: pytest.MonkeyPatch, raised: Exception) -> None:
    def _odd_part(_options: Mapping[str, Any]) -> Iterator[CheckedPart]:
        raise raised
        yield

    monkeypatch.setattr(health, "PROBES", (_odd_part,))
    (part,) = health.examine({})
    assert (part.name, part.state) == ("odd part", HealthState.BROKEN)


# Models


def test_without_a_model_rules_decide() -> None:
    part = found()["language model"]
    assert (part["state"], part["detail"]) == ("ok", "none; rules decide; name one with --model PROVIDER:NAME")


def test_a_model_whose_key_is_missing_is_broken_and_names_the_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    monkeypatch.setenv("OCTAVO_MODEL", "openai:gpt-5-mini")
    part = found()["language model"]
    assert part["state"] == "broken"
    assert "set the environment variable OPENAI_API_KEY" in part["mend"]


def test_keys_are_found_by_their_variables_and_never_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-hush-hush")
    monkeypatch.setenv("WORK_KEY", "sk-hush-too")
    (tmp_path / "octavo.toml").write_text(
        "model = 'openai:gpt-5-mini'\n"
        "[models]\nvision = 'openai:seer@http://127.0.0.1:9/v1'\nreranking = 'jina:r'\nembedding = 'path:nowhere'\n"
        "[decisions]\nlevel_headings = 'ollama:small'\n"
        "[key_env]\n'http://127.0.0.1:9/v1' = 'WORK_KEY'\njina = 'NO_SUCH_KEY'"
    )
    done = octavo("doctor", "--json")
    parts = {part["name"]: part for part in json.loads(done.out)["parts"]}
    assert "key in OPENAI_API_KEY" in parts["language model"]["detail"]
    assert "key in WORK_KEY; 8192 tokens" in parts["vision model"]["detail"]
    assert "openai: key in OPENAI_API_KEY" in parts["model providers"]["detail"]
    assert "NO_SUCH_KEY" in parts["reranking model"]["mend"]
    assert "is no embedding model: it needs tokenizer.json" in parts["embedding model"]["mend"]
    assert parts["model for level_headings"]["detail"] == "ollama:small; no key; 4096 tokens of context"
    assert "hush" not in done.out + done.err


@pytest.mark.allow_hosts(["127.0.0.1"])
def test_endpoints_are_asked_only_on_request(monkeypatch: pytest.MonkeyPatch) -> None:
    with FaultServer() as server:
        monkeypatch.setenv("OCTAVO_MODEL", f"openai:local@{server.url}")
        assert "answers" not in found()["language model"]["detail"]
        assert server.listings == 0
        assert "its endpoint answers" in found("--online")["language model"]["detail"]
        assert server.listings == 1
    part = found("--online")["language model"]
    assert part["state"] == "broken"
    assert "does not answer as it should" in part["mend"]
