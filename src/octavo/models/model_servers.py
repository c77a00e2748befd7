"""Model servers on this machine, found on the ports they usually listen on, and what is told of a model that is found.

Each server is asked one question, which models it has; what it answers came from anywhere. Asks 127.0.0.1 and nothing
else, never through a proxy, all servers at once.
"""

from __future__ import annotations

import http.client
import json
import os
import re
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, cast

from octavo.errors import UsageError
from octavo.models.spec import parse_spec

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
_MOST_MODELS = 500
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
        return tuple(replace(model, where=where) for model in islice(named, _MOST_MODELS))
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


def _size(row: Row, key: str) -> int | None:
    value: Any = row.get(key)
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
            yield FoundModel(f"ollama:{name}{at}", "", _size(row, "size"), sees or None)


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
        yield replace(model, size_bytes=_size(_part(row, "meta"), "size"), sees=sees)


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
