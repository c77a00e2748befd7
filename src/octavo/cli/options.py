"""The options commands share, in groups; a command's options are a dataclass made of these. None is "not given"."""

from __future__ import annotations

import dataclasses
from typing import Annotated, Any, TypeVar

import typer

from octavo.errors import UsageError

_Usual = TypeVar("_Usual", int, None)


@dataclasses.dataclass(frozen=True, kw_only=True)
class CorpusOptions:
    """Which corpus."""

    corpus: Annotated[
        str | None,
        typer.Option(
            "--corpus", metavar="FOLDER", help="Corpus to use. [env OCTAVO_CORPUS; default a per-user folder]"
        ),
    ] = None

    def given(self) -> dict[str, Any]:
        """Return the options by key, as `settings.load` takes them."""
        return {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}


@dataclasses.dataclass(frozen=True, kw_only=True)
class JsonOption:
    """Output for programs."""

    json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False


@dataclasses.dataclass(frozen=True, kw_only=True)
class TraceOption:
    """Output of the steps."""

    trace: Annotated[bool, typer.Option("--trace", help="Show the steps taken, with rows and seconds.")] = False


@dataclasses.dataclass(frozen=True, kw_only=True)
class ReadingOptions:
    """How files are read when they are indexed."""

    ocr: Annotated[
        str | None,
        typer.Option(
            "--ocr",
            metavar="MODE",
            help="What to read as images: auto (pages and figures without text), always (all pages), never.",
        ),
    ] = None
    layout_model: Annotated[
        str | None,
        typer.Option(
            "--layout-model", metavar="FILE", help="Layout model: an ONNX file with a card beside it, or none."
        ),
    ] = None
    password: Annotated[
        str | None,
        typer.Option("--password", metavar="TEXT", help="Password of encrypted files. [env OCTAVO_PASSWORD]"),
    ] = None
    workers: Annotated[
        str | None, typer.Option("--workers", metavar="N", help="Files parsed at once. [default: the number of cores]")
    ] = None


@dataclasses.dataclass(frozen=True, kw_only=True)
class ModelOption:
    """Who decides."""

    model: Annotated[
        str | None,
        typer.Option(
            "--model",
            metavar="PROVIDER:NAME",
            help="Language model, such as openai:NAME, ollama:NAME, openai:NAME@http://127.0.0.1:8080/v1, or none. "
            "[env OCTAVO_MODEL; default none]",
        ),
    ] = None


@dataclasses.dataclass(frozen=True, kw_only=True)
class LayerModelOption:
    """Who decides while layers are built."""

    layer_model: Annotated[
        str | None,
        typer.Option(
            "--layer-model",
            metavar="PROVIDER:NAME",
            help="Language model that builds layers, or none for the rules. [env OCTAVO_LAYER_MODEL; default --model]",
        ),
    ] = None


@dataclasses.dataclass(frozen=True, kw_only=True)
class RouterOption:
    """Who routes documents."""

    router: Annotated[
        str | None,
        typer.Option(
            "--router",
            metavar="PATH",
            help="Model on this machine that routes documents for the system rdr2: what train-router wrote, a GGUF "
            "file, or an OpenVINO folder. [env OCTAVO_ROUTER; default the model, or the rules]",
        ),
    ] = None


@dataclasses.dataclass(frozen=True, kw_only=True)
class RetrievalOptions(RouterOption, ModelOption):
    """How evidence is found."""

    system: Annotated[
        str | None, typer.Option("--system", metavar="NAME", help="Retrieval system. [default: auto]")
    ] = None
    limit: Annotated[
        str | None,
        typer.Option("--limit", metavar="N", help="Pages to retrieve, or the most. [default: 10, or the system's own]"),
    ] = None


@dataclasses.dataclass(frozen=True, kw_only=True)
class TimeOption:
    """A cap on time."""

    max_seconds: Annotated[
        str | None, typer.Option("--max-seconds", metavar="S", help="Stop after S seconds, with exit status 3.")
    ] = None


@dataclasses.dataclass(frozen=True, kw_only=True)
class BudgetOptions(TimeOption):
    """Caps on what a question may use."""

    max_calls: Annotated[
        str | None, typer.Option("--max-calls", metavar="N", help="Cap on model calls; without a model there are none.")
    ] = None
    max_tokens: Annotated[
        str | None,
        typer.Option("--max-tokens", metavar="N", help="Cap on model tokens; without a model there are none."),
    ] = None
    max_cost: Annotated[
        str | None,
        typer.Option("--max-cost", metavar="X", help="Cap on the cost of model calls; without a model it is 0."),
    ] = None


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
