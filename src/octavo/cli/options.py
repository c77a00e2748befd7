"""The options commands share, in groups; a command's options are a dataclass made of these. None is "not given"."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

from octavo.cli.declare import flag, text
from octavo.errors import UsageError

_Usual = TypeVar("_Usual", int, None)


@dataclasses.dataclass(frozen=True, kw_only=True)
class CorpusOptions:
    """Which corpus."""

    corpus: str | None = text(
        "--corpus",
        "FOLDER",
        "Corpus to use, a folder or postgresql://... [env OCTAVO_CORPUS; default a per-user folder]",
    )

    def given(self) -> dict[str, Any]:
        """Return the options by key, as `settings.load` takes them."""
        return {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}


@dataclasses.dataclass(frozen=True, kw_only=True)
class RayOption:
    """Which machines search."""

    ray: str | None = text(
        "--ray", "ADDRESS", "Ray cluster that searches a shared corpus: auto, or HOST:PORT. [env OCTAVO_RAY]"
    )


@dataclasses.dataclass(frozen=True, kw_only=True)
class JsonOption:
    """Output for programs."""

    json: bool = flag("--json", "Print one JSON object and nothing else.")


@dataclasses.dataclass(frozen=True, kw_only=True)
class TraceOption:
    """Output of the steps."""

    trace: bool = flag("--trace", "Show the steps taken, with rows and seconds.")


@dataclasses.dataclass(frozen=True, kw_only=True)
class ReadingOptions:
    """How files are read when they are indexed."""

    ocr: str | None = text(
        "--ocr", "MODE", "What to read as images: auto (pages and figures without text), always (all pages), never."
    )
    layout_model: str | None = text(
        "--layout-model", "FILE", "Layout model: an ONNX file with a card beside it, or none."
    )
    render: bool = flag("--render", "Have LibreOffice print office files, so that they have pages to look at.")
    password: str | None = text("--password", "TEXT", "Password of encrypted files. [env OCTAVO_PASSWORD]")
    workers: str | None = text("--workers", "N", "Files parsed at once. [default: the number of cores]")


@dataclasses.dataclass(frozen=True, kw_only=True)
class FetchOptions:
    """What is fetched from where."""

    listed: str | None = text("--from", "FILE", "Take paths and addresses from a file too, one a line.")
    allow_private: bool = flag(
        "--allow-private", "Fetch from addresses of this machine and its network too, and by http://."
    )

    def all_of(self, paths: Sequence[str]) -> list[str]:
        """Return paths with those that the file lists; empty lines and those that begin with # are none."""
        if not self.listed:
            return [*paths]
        try:
            lines = Path(self.listed).read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(f"--from: {self.listed} cannot be read: {error}") from error
        return [*paths, *(line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#"))]


@dataclasses.dataclass(frozen=True, kw_only=True)
class ModelOption:
    """Who decides."""

    model: str | None = text(
        "--model",
        "PROVIDER:NAME",
        "Language model, such as openai:NAME, ollama:NAME, openai:NAME@http://127.0.0.1:8080/v1, or none. "
        "[env OCTAVO_MODEL; default none]",
    )


@dataclasses.dataclass(frozen=True, kw_only=True)
class LayerModelOption:
    """Who decides while layers are built."""

    layer_model: str | None = text(
        "--layer-model",
        "PROVIDER:NAME",
        "Language model that builds layers, or none for the rules. [env OCTAVO_LAYER_MODEL; default --model]",
    )


@dataclasses.dataclass(frozen=True, kw_only=True)
class RouterOption:
    """Who routes documents."""

    router: str | None = text(
        "--router",
        "PATH",
        "Model on this machine that routes documents for the system rdr2: what train-router wrote, a GGUF "
        "file, or an OpenVINO folder. [env OCTAVO_ROUTER; default the model, or the rules]",
    )


@dataclasses.dataclass(frozen=True, kw_only=True)
class RetrievalOptions(RouterOption, ModelOption):
    """How evidence is found."""

    system: str | None = text("--system", "NAME", "Retrieval system. [default: auto]")
    limit: str | None = text("--limit", "N", "Pages to retrieve, or the most. [default: 10, or the system's own]")


@dataclasses.dataclass(frozen=True, kw_only=True)
class TimeOption:
    """A cap on time."""

    max_seconds: str | None = text("--max-seconds", "S", "Stop after S seconds, with exit status 3.")


@dataclasses.dataclass(frozen=True, kw_only=True)
class BudgetOptions(TimeOption):
    """Caps on what a question may use."""

    max_calls: str | None = text("--max-calls", "N", "Cap on model calls; without a model there are none.")
    max_tokens: str | None = text("--max-tokens", "N", "Cap on model tokens; without a model there are none.")
    max_cost: str | None = text("--max-cost", "X", "Cap on the cost of model calls; without a model it is 0.")


def whole(option: str, given: str | None, usual: _Usual, *, least: int = 1) -> int | _Usual:
    """Return the whole number of an option, `usual` where it was not given.

    Raises UsageError for another text or less than `least`.
    """
    if given is None:
        return usual
    try:
        found = int(given)
    except ValueError:
        found = least - 1
    if found < least:
        raise UsageError(f"{option}: needs a whole number, {least} or more, not {given!r}")
    return found
