"""Models on this machine are found: what servers list, what lies in folders, and neither when something is amiss."""

from __future__ import annotations

import json
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import gguf_files
from json_server import JsonServer
from octavo.models.finding import SERVERS, FoundModel, find_models, models_in_folders, models_of_servers, places
from octavo.models.language_models import language_model
from scripted_genai import NAME, ScriptedGenai

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])

KNOWN = {server.title: server for server in SERVERS}


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OLLAMA_BASE_URL", "http_proxy", "HTTP_PROXY"):
        monkeypatch.delenv(name, raising=False)


def found_by(title: str, answers: dict[str, Any]) -> tuple[tuple[FoundModel, ...], JsonServer]:
    """Return what a server that answers JSON by path is found to have, and the server."""
    with JsonServer(lambda path, _body: (200, answers[path]) if path in answers else (404, {"error": path})) as server:
        return models_of_servers([replace(KNOWN[title], port=server.port)], seconds=5), server


# Servers


def test_ollama_lists_what_it_has_fetched() -> None:
    listed = [
        {"name": "qwen3:8b", "size": 5_200_000_000, "details": {"family": "qwen3", "families": ["qwen3"]}},
        {"name": "llava:7b", "size": 4_700_000_000, "details": {"family": "llama", "families": ["llama", "clip"]}},
        {"name": "nomic-embed-text:latest", "size": 1, "details": {"family": "nomic-bert"}},
        {"name": "far:120b", "size": 400, "remote_host": "https://elsewhere.example"},
    ]
    models, server = found_by("Ollama", {"/api/tags": {"models": listed}})
    where = f"Ollama, 127.0.0.1:{server.port}"
    assert models == (
        FoundModel("ollama:qwen3:8b", where, 5_200_000_000),
        FoundModel("ollama:llava:7b", where, 4_700_000_000, sees=True),
    )
    assert [path for path, _body, _headers in server.asked] == ["/api/tags"]


def test_an_ollama_that_is_not_the_one_of_the_variable_is_named_with_its_address(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OLLAMA_BASE_URL", "http://ollama.example/v1")
    models, server = found_by("Ollama", {"/api/tags": {"models": [{"name": "qwen3:8b"}]}})
    assert [model.name for model in models] == [f"ollama:qwen3:8b@{server.url}"]


def test_lm_studio_says_which_models_see() -> None:
    listed = [
        {"id": "qwen/qwen3-4b", "type": "llm"},
        {"id": "google/gemma-3-12b", "type": "vlm"},
        {"id": "text-ranker", "type": "embeddings"},
    ]
    models, server = found_by("LM Studio", {"/api/v0/models": {"data": listed}})
    assert [(model.name, model.sees) for model in models] == [
        (f"openai:qwen/qwen3-4b@{server.url}", False),
        (f"openai:google/gemma-3-12b@{server.url}", True),
    ]


def test_an_older_lm_studio_is_asked_as_openai_is() -> None:
    models, server = found_by("LM Studio", {"/v1/models": {"data": [{"id": "qwen3-4b"}, {"id": "bge-small"}]}})
    assert [(model.name, model.sees) for model in models] == [(f"openai:qwen3-4b@{server.url}", None)]


def test_llama_cpp_says_how_large_its_model_is() -> None:
    answer = {
        "models": [{"name": "gemma.gguf", "capabilities": ["completion", "multimodal"]}],
        "data": [{"id": "gemma.gguf", "owned_by": "llamacpp", "meta": {"size": 2_500_000_000}}, {"id": "other"}],
    }
    models, server = found_by("llama.cpp", {"/v1/models": answer})
    where = f"llama.cpp, 127.0.0.1:{server.port}"
    assert models == (
        FoundModel(f"openai:gemma.gguf@{server.url}", where, 2_500_000_000, sees=True),
        FoundModel(f"openai:other@{server.url}", where),
    )


def test_vllm_lists_the_model_it_serves() -> None:
    models, server = found_by("vLLM", {"/v1/models": {"data": [{"id": "Qwen/Qwen3-8B", "max_model_len": 40960}]}})
    assert models == (FoundModel(f"openai:Qwen/Qwen3-8B@{server.url}", f"vLLM, 127.0.0.1:{server.port}"),)


@pytest.mark.parametrize("title", KNOWN)
@pytest.mark.parametrize(
    "garbage",
    [
        b"<html>It works!</html>",
        b"",
        b"[" * 100_000,
        b"\xff\xfe",
        None,
        [],
        {"data": 3, "models": "x"},
        {
            "data": [None, 3, [], {}, {"id": 7}],
            "models": [None, {"name": 7, "details": 3}, {"details": {"families": 3}}],
        },
        {"data": [{"id": "a b"}, {"id": "x\x1b[2J"}], "models": [{"name": "a b"}, {"name": "x\x1b[2J"}]},
    ],
    ids=lambda value: repr(value)[:20],
)
def test_garbage_is_no_model(title: str, garbage: Any) -> None:
    assert found_by(title, dict.fromkeys(KNOWN[title].paths, garbage))[0] == ()


def test_a_redirect_is_not_followed() -> None:
    with JsonServer(lambda _path, _body: (200, {"data": [{"id": "far"}]})) as far:
        near = JsonServer(lambda _path, _body: (302, {}))
        near.sent["Location"] = far.url + "/models"
        with near:
            assert models_of_servers([replace(KNOWN["vLLM"], port=near.port)], seconds=5) == ()
        assert far.asked == []


def test_no_proxy_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    with JsonServer(lambda _path, _body: (200, {"data": [{"id": "far"}]})) as proxy:
        monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{proxy.port}")
        models, _server = found_by("vLLM", {"/v1/models": {"data": [{"id": "near"}]}})
        assert [model.name.partition("@")[0] for model in models] == ["openai:near"]
        assert proxy.asked == []


@contextmanager
def listening(behave: Callable[[socket.socket], None]) -> Iterator[int]:
    """Accept connections on a port and hand each to a function."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            try:
                while True:
                    behave(server.accept()[0])
            except OSError:
                return

        threading.Thread(target=serve, daemon=True).start()
        yield server.getsockname()[1]


def hang(connection: socket.socket) -> None:
    kept.append(connection)


def drip(connection: socket.socket) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n")
    kept.append(connection)
    for _ in range(100):
        time.sleep(0.05)
        connection.sendall(b" ")


kept: list[socket.socket] = []


@pytest.mark.parametrize("behave", [hang, drip])
def test_a_server_that_hangs_keeps_nobody_waiting_and_hides_no_other(behave: Callable[[socket.socket], None]) -> None:
    with (
        listening(behave) as port,
        JsonServer(lambda _path, _body: (200, {"data": [{"id": "near"}]})) as server,
    ):
        asked = [replace(KNOWN["Ollama"], port=port), replace(KNOWN["vLLM"], port=server.port)]
        begun = time.monotonic()
        found = models_of_servers(asked, seconds=0.4)
        assert time.monotonic() - begun < 1.5
        assert [model.name for model in found] == [f"openai:near@{server.url}"]


def test_where_nothing_listens_there_is_no_model() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    assert models_of_servers([replace(server, port=port) for server in SERVERS], seconds=5) == ()


def test_the_usual_ports_are_asked_and_nothing_but_this_machine() -> None:
    assert {server.title: server.port for server in SERVERS} == {
        "Ollama": 11434,
        "LM Studio": 1234,
        "llama.cpp": 8080,
        "vLLM": 8000,
    }


# Folders


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setitem(sys.modules, NAME, ScriptedGenai())
    monkeypatch.setattr("octavo.models.genai_engine.version", lambda _name: "2026.4.1")
    monkeypatch.setattr("octavo.models.finding.sys.platform", "linux")
    return tmp_path


def put(path: Path, **given: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    return gguf_files.tiny(path, **given)


def stored(home: Path, **variables: str) -> list[FoundModel]:
    return list(models_in_folders(variables, home))


def test_gguf_files_are_found_where_programs_keep_them(home: Path) -> None:
    hub = home / ".cache" / "huggingface" / "hub" / "models--a--b" / "snapshots" / "1"
    one = put(home / ".lmstudio" / "models" / "a" / "b" / "one.gguf")
    two = put(home / ".cache" / "llama.cpp" / "two.gguf")
    blob = put(hub.parent.parent / "blobs" / "three.gguf")
    hub.mkdir(parents=True)
    (hub / "three.gguf").symlink_to(blob)
    assert stored(home) == [
        FoundModel(f"local:{one}", "LM Studio's files", one.stat().st_size, sees=False),
        FoundModel(f"local:{two}", "llama.cpp's files", two.stat().st_size, sees=False),
        FoundModel(f"local:{hub / 'three.gguf'}", "Hugging Face's files", blob.stat().st_size, sees=False),
    ]


def test_variables_say_where_the_folders_are(home: Path) -> None:
    put(home / "cache" / "one.gguf")
    put(home / "hub" / "two.gguf")
    put(home / "hf" / "hub" / "three.gguf")
    assert [model.where for model in stored(home, LLAMA_CACHE=str(home / "cache"))] == ["llama.cpp's files"]
    assert [Path(model.name).name for model in stored(home, HF_HUB_CACHE=str(home / "hub"))] == ["two.gguf"]
    assert [Path(model.name).name for model in stored(home, HF_HOME=str(home / "hf"))] == ["three.gguf"]
    assert {place.title for place in places({}, home)} == {"LM Studio", "llama.cpp", "Hugging Face"}


def test_a_file_in_the_home_folder_is_named_from_there(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(home))
    put(home / ".lmstudio" / "models" / "one.gguf")
    (found,) = stored(home)
    assert found.name == "local:~/.lmstudio/models/one.gguf"
    assert language_model(found.name).id.startswith("local:one.gguf#")


def test_a_file_that_does_not_run_here_is_listed_with_what_to_do(home: Path) -> None:
    put(home / ".lmstudio" / "models" / "gemma.gguf", family="gemma3")
    (found,) = stored(home)
    assert found.problem.startswith("is of the family gemma3")
    assert "serve it with" in found.problem


def test_without_the_package_the_extra_is_named(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("octavo.models.genai_engine.find_spec", lambda _name: None)
    put(home / ".lmstudio" / "models" / "one.gguf")
    assert "octavo[local]" in stored(home)[0].problem


def test_what_is_no_language_model_is_not_listed(home: Path) -> None:
    folder = home / ".lmstudio" / "models"
    put(folder / "mmproj-one.gguf")
    put(folder / "ranker.gguf", family="bert")
    put(folder / "nomic-embed-text.gguf")
    put(folder / "large-00002-of-00003.gguf")
    (folder / "half.gguf").write_bytes(b"GGU")
    (folder / "gone.gguf").symlink_to(folder / "nowhere")
    (folder / "notes.txt").write_text("GGUF")
    assert stored(home) == []
    put(folder / "large-00001-of-00003.gguf", **{"split.count": 3})
    assert "one of 3 parts" in stored(home)[0].problem


def test_a_folder_of_openvino_is_found_and_one_that_embeds_is_not(home: Path) -> None:
    hub = home / ".cache" / "huggingface" / "hub"
    for name, parts in (("writes", ("model", "tokenizer", "detokenizer")), ("embeds", ("model", "tokenizer"))):
        (hub / name).mkdir(parents=True)
        for part in parts:
            (hub / name / f"openvino_{part}.xml").write_text("<net/>")
        (hub / name / "openvino_model.bin").write_bytes(bytes(700))
    assert stored(home) == [FoundModel(f"local:{hub / 'writes'}", "Hugging Face's files", 700, sees=False)]


def manifest(home: Path, *parts: str, **layers: int) -> None:
    path = home.joinpath(".ollama", "models", "manifests", "registry.ollama.ai", *parts)
    path.parent.mkdir(parents=True, exist_ok=True)
    named = [{"mediaType": f"application/vnd.ollama.image.{kind}", "size": size} for kind, size in layers.items()]
    path.write_text(json.dumps({"layers": named}))


def test_what_ollama_has_fetched_is_found_while_it_does_not_run(home: Path) -> None:
    manifest(home, "library", "qwen3", "8b", model=5_200, template=3)
    manifest(home, "someone", "llava", "7b", model=4_700, projector=600)
    manifest(home, "library", "nomic-embed-text", "latest", model=1)
    path = home / ".ollama" / "models" / "manifests" / "registry.ollama.ai" / "library" / "broken"
    path.write_text("{")
    told = "Ollama is not running: start it"
    assert stored(home) == [
        FoundModel("ollama:qwen3:8b", "Ollama's files", 5_200, None, told),
        FoundModel("ollama:someone/llava:7b", "Ollama's files", 4_700, True, told),
    ]


def test_a_search_is_bounded(home: Path) -> None:
    put(home / ".lmstudio" / "models" / "1/2/3/4/5/6/near.gguf")
    put(home / ".lmstudio" / "models" / "1/2/3/4/5/6/7/far.gguf")
    (home / ".lmstudio" / "models" / "loop").symlink_to(home / ".lmstudio")
    assert [Path(model.name).name for model in stored(home)] == ["near.gguf"]


# Both


def test_what_can_be_asked_at_once_comes_first_and_nothing_twice(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    manifest(home, "library", "qwen3", "8b", model=5_200)
    manifest(home, "library", "other", "1b", model=1_000)
    put(home / ".lmstudio" / "models" / "one.gguf")
    monkeypatch.setenv("HOME", str(home))
    for name in ("OLLAMA_MODELS", "LLAMA_CACHE", "HF_HOME", "HF_HUB_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    with JsonServer(lambda _path, _body: (200, {"models": [{"name": "qwen3:8b"}]})) as server:
        monkeypatch.setattr("octavo.models.finding.SERVERS", (replace(KNOWN["Ollama"], port=server.port),))
        found = find_models()
    assert [(model.name.rpartition("/")[2], bool(model.problem)) for model in found] == [
        ("ollama:qwen3:8b", False),
        ("one.gguf", False),
        ("ollama:other:1b", True),
    ]
