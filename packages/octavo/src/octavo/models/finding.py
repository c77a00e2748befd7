"""Models that are already on this machine: those that servers here offer, and those in the folders of other programs.

Servers are found on the ports they usually listen on. Each is asked one question, which models it has; what it answers
came from anywhere. Asks 127.0.0.1 and nothing else, never through a proxy, all servers at once.
"""

from __future__ import annotations

import http.client
import json
import os
import re
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, cast

from octavo.errors import ModelError, UsageError
from octavo.models.local_files import LocalFiles, family_of
from octavo.models.spec import LOCAL, parse_spec

_OTHER_USE = re.compile(r"embed|rerank|(?:^|[^a-z])(?:bert|bge|gte|minilm|clip|whisper)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class FoundModel:
    """A language model. Text in it came from files and servers: whoever shows it makes it safe to show."""

    name: str
    """What --model takes."""
    where: str
    size_bytes: int | None = None
    sees: bool | None = None
    """Whether it takes pictures; None where that is not known."""
    problem: str = ""
    """What keeps it from being used as it is and what to do about it, "" when nothing does."""


def is_other_use(name: str) -> bool:
    """Whether a model's name or family says that it embeds or ranks and does not write."""
    return _OTHER_USE.search(name) is not None


_HOST = "127.0.0.1"
_SECONDS = 1.0
"""All that servers are waited for: one on this machine answers in milliseconds."""
_MOST_BYTES = 4_000_000
"""Of a list of models that are read."""
_MOST_SERVED = 500
"""Of a server that are told."""
_OK = 200

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Server:
    """A server and its usual port."""

    title: str
    port: int
    paths: tuple[str, ...]
    """Where its models may be listed; the first path that answers counts."""
    read: Callable[[Any, str], Iterator[FoundModel]]
    """Yields the models in an answer of the server at a URL, none for an answer of another shape."""


def models_of_servers(servers: Sequence[Server] | None = None, *, seconds: float = _SECONDS) -> tuple[FoundModel, ...]:
    """Return the models that servers here offer, after at most `seconds`; one that does not answer has none."""
    asked = SERVERS if servers is None else tuple(servers)
    answers: dict[int, tuple[FoundModel, ...]] = {}

    def ask(number: int, server: Server) -> None:
        answers[number] = _models_of(server, seconds)

    # Daemons: what answers a byte at a time keeps neither the list nor the end of the process waiting.
    threads = [threading.Thread(target=ask, args=each, daemon=True) for each in enumerate(asked)]
    until = time.monotonic() + seconds
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(max(0.0, until - time.monotonic()))
    return tuple(model for number in range(len(asked)) for model in answers.get(number, ()))


def _models_of(server: Server, seconds: float) -> tuple[FoundModel, ...]:
    for path in server.paths:
        try:
            answer = _got(server.port, path, seconds)
        except (OSError, http.client.HTTPException):
            return ()
        except (ValueError, RecursionError):
            continue
        where = f"{server.title}, {_HOST}:{server.port}"
        named = (model for model in server.read(answer, f"http://{_HOST}:{server.port}/v1") if _is_name(model.name))
        return tuple(replace(model, where=where) for model in islice(named, _MOST_SERVED))
    return ()


def _got(port: int, path: str, seconds: float) -> Any:
    """Return the JSON at a path. Raises ValueError for anything else."""
    connection = http.client.HTTPConnection(_HOST, port, timeout=seconds)
    try:
        connection.request("GET", path, headers={"Accept": "application/json", "User-Agent": "octavo"})
        reply = connection.getresponse()
        content = reply.read(_MOST_BYTES + 1)
    finally:
        connection.close()
    if reply.status != _OK or len(content) > _MOST_BYTES:
        raise ValueError("no list of models")
    return json.loads(content)


def _is_name(name: str) -> bool:
    """Whether --model takes the name: a server may call a model anything."""
    try:
        return name.isprintable() and str(parse_spec(name, ("openai", "ollama"))) == name
    except UsageError:
        return False


def _rows(answer: Any, key: str) -> list[Row]:
    """Return the objects of a list in an answer, none where it has another shape."""
    listed: Any = cast("Row", answer).get(key) if isinstance(answer, dict) else None
    rows = cast("list[Any]", listed) if isinstance(listed, list) else []
    return [cast("Row", row) for row in rows if isinstance(row, dict)]


def _part(row: Row, key: str) -> Row:
    value: Any = row.get(key)
    return cast("Row", value) if isinstance(value, dict) else {}


def _text(row: Row, key: str) -> str:
    value: Any = row.get(key)
    return value if isinstance(value, str) else ""


def _size_in(row: Row) -> int | None:
    value: Any = row.get("size")
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None


def _ollama(answer: Any, url: str) -> Iterator[FoundModel]:
    # A name alone is asked of the server that the variable names.
    at = f"@{url}" if os.environ.get("OLLAMA_BASE_URL") else ""
    for row in _rows(answer, "models"):
        name, details = _text(row, "name"), _part(row, "details")
        # A model with a remote host has no more than its name here.
        if (
            name
            and not row.get("remote_host")
            and not is_other_use(name)
            and not is_other_use(_text(details, "family"))
        ):
            families: Any = details.get("families")
            sees = isinstance(families, list) and any(kind in families for kind in ("clip", "mllama"))
            yield FoundModel(f"ollama:{name}{at}", "", _size_in(row), sees or None)


def _lm_studio(answer: Any, url: str) -> Iterator[FoundModel]:
    for row, model in _openai_rows(answer, url):
        kind = _text(row, "type")
        if kind not in ("embeddings", "embedding"):
            yield replace(model, sees={"vlm": True, "llm": False}.get(kind))


def _llama_cpp(answer: Any, url: str) -> Iterator[FoundModel]:
    said = {_text(row, "name"): row for row in _rows(answer, "models")}
    for row, model in _openai_rows(answer, url):
        able: Any = said.get(_text(row, "id"), {}).get("capabilities")
        sees = "multimodal" in able if isinstance(able, list) else None
        yield replace(model, size_bytes=_size_in(_part(row, "meta")), sees=sees)


def _vllm(answer: Any, url: str) -> Iterator[FoundModel]:
    for _row, model in _openai_rows(answer, url):
        yield model


def _openai_rows(answer: Any, url: str) -> Iterator[tuple[Row, FoundModel]]:
    """Yield (what is said of a model, the model) for a server that lists its models as OpenAI does."""
    for row in _rows(answer, "data"):
        name = _text(row, "id")
        if name and not is_other_use(name):
            yield row, FoundModel(f"openai:{name}@{url}", "")


SERVERS = (
    Server("Ollama", 11434, ("/api/tags",), _ollama),
    Server("LM Studio", 1234, ("/api/v0/models", "/v1/models"), _lm_studio),
    Server("llama.cpp", 8080, ("/v1/models",), _llama_cpp),
    Server("vLLM", 8000, ("/v1/models",), _vllm),
)


_DEEPEST = 6
"""Folders below the one that is searched."""
_MOST_FOLDERS, _MOST_MODELS = 20_000, 200
"""Folders looked into below a place and models told of it, at most: the list takes two seconds, whatever lies there."""
_LATER_PART = re.compile(r"-(?!0*1-)\d+-of-\d+\.gguf$", re.IGNORECASE)
_MODEL_LAYER = "application/vnd.ollama.image.model"
_PROJECTOR_LAYER = "application/vnd.ollama.image.projector"


@dataclass(frozen=True, slots=True)
class ModelPlace:
    """A folder and the program it belongs to."""

    title: str
    folder: Path


def find_models() -> tuple[FoundModel, ...]:
    """Return the models found here, those that can be asked at once first. Takes at most about two seconds."""
    served = models_of_servers()
    names = {model.name.partition("@")[0] for model in served}
    stored = [model for model in models_in_folders() if model.name not in names]
    return tuple(sorted((*served, *stored), key=lambda model: bool(model.problem)))


def places(environment: Mapping[str, str] | None = None, home: Path | None = None) -> tuple[ModelPlace, ...]:
    """Return the folders that are searched for GGUF files and folders of OpenVINO."""
    variables, own = os.environ if environment is None else environment, home or Path.home()
    caches = {
        "darwin": own / "Library" / "Caches",
        "win32": Path(variables.get("LOCALAPPDATA") or own / "AppData" / "Local"),
    }.get(sys.platform, Path(variables.get("XDG_CACHE_HOME") or own / ".cache"))
    hub = Path(variables.get("HF_HOME") or Path(variables.get("XDG_CACHE_HOME") or own / ".cache") / "huggingface")
    return (
        ModelPlace("LM Studio", own / ".lmstudio" / "models"),
        ModelPlace("LM Studio", own / ".cache" / "lm-studio" / "models"),
        ModelPlace("llama.cpp", Path(variables.get("LLAMA_CACHE") or caches / "llama.cpp")),
        ModelPlace("Hugging Face", Path(variables.get("HF_HUB_CACHE") or hub / "hub")),
    )


def models_in_folders(environment: Mapping[str, str] | None = None, home: Path | None = None) -> tuple[FoundModel, ...]:
    """Return the models in files, in the order of their folders and names."""
    found = (model for place in places(environment, home) for model in _models_in(place))
    return (*islice(found, _MOST_MODELS), *islice(_of_ollama(environment, home), _MOST_MODELS))


def _models_in(place: ModelPlace) -> Iterator[FoundModel]:
    for folder, names in _searched(place.folder):
        if "openvino_detokenizer.xml" in names and "openvino_model.bin" in names:
            yield _model(folder, place, _size(folder / "openvino_model.bin"))
        for name in names:
            if name.lower().endswith(".gguf") and not name.startswith("mmproj") and not _LATER_PART.search(name):
                yield from _gguf(folder / name, place)


def _searched(folder: Path) -> Iterator[tuple[Path, list[str]]]:
    """Yield folders and the names of the files in them, in order, down to a depth; links are not followed."""
    deepest = len(folder.parts) + _DEEPEST
    for place, below, names in islice(os.walk(folder), _MOST_FOLDERS):
        below[:] = sorted(name for name in below if name != "blobs") if len(Path(place).parts) < deepest else []
        yield Path(place), sorted(names)


def _gguf(path: Path, place: ModelPlace) -> Iterator[FoundModel]:
    try:
        if not is_other_use(path.name) and not is_other_use(family_of(path)):
            yield _model(path, place, _size(path))
    except ModelError:
        return  # One that is still being fetched, or no model at all.


def _model(path: Path, place: ModelPlace, size: int | None) -> FoundModel:
    from octavo.models.genai_engine import check_installed, problem_with

    problem = problem_with(LocalFiles(path))
    try:
        check_installed()
    except ModelError as error:
        problem = problem or str(error)
    return FoundModel(f"{LOCAL}:{_short(path)}", f"{place.title}'s files", size, sees=False, problem=problem)


def _short(path: Path) -> Path:
    """Return a path as people write it; whoever reads the name of a model knows what "~" means."""
    home = Path.home()
    return Path("~") / path.relative_to(home) if path.is_relative_to(home) else path


def _size(path: Path) -> int | None:
    try:
        return path.stat().st_size
    except OSError:
        return None


def _of_ollama(environment: Mapping[str, str] | None, home: Path | None) -> Iterator[FoundModel]:
    """Yield what Ollama has fetched; it is asked for by name once Ollama runs."""
    variables, own = os.environ if environment is None else environment, home or Path.home()
    manifests = Path(variables.get("OLLAMA_MODELS") or own / ".ollama" / "models") / "manifests"
    for folder, names in _searched(manifests):
        for name in names:
            layers = _layers(folder / name)
            owner = folder.relative_to(manifests).parts[1:]
            called = f"{'/'.join(owner[1:] if owner[:1] == ('library',) else owner)}:{name}"
            if _MODEL_LAYER in layers and not is_other_use(called):
                sees = True if _PROJECTOR_LAYER in layers else None
                yield FoundModel(
                    f"ollama:{called}", "Ollama's files", layers[_MODEL_LAYER], sees, "Ollama is not running: start it"
                )


def _layers(manifest: Path) -> dict[str, int]:
    """Return the bytes of each kind of layer that a manifest names, {} for a file of another shape."""
    try:
        said: Any = json.loads(manifest.read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    layers: Any = cast("dict[str, Any]", said).get("layers") if isinstance(said, dict) else None
    rows = cast("list[Any]", layers) if isinstance(layers, list) else []
    known = [cast("dict[str, Any]", row) for row in rows if isinstance(row, dict)]
    return {str(row.get("mediaType")): row["size"] for row in known if isinstance(row.get("size"), int)}
