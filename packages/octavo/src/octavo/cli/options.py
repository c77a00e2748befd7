"""How commands are declared with typer, and the options they share, in groups; an option that is None was not given.

A command's options are a dataclass made of these groups.

Typer converts values with pydantic, which takes longer to load than everything else `octavo ask` needs. Every option
here is text, a list of texts or a flag, and `settings` turns text into values with errors that also fit files and the
environment; so commands skip that conversion.
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any, TypeVar, get_type_hints

import typer
from typer.core import TyperCommand, TyperGroup

from octavo.errors import UsageError
from octavo_documents.text.lines import on_one_line
from octavo_documents.wording import t, translated

CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
_OPTION = "option"
"""Where a field of options keeps how it is given on the command line."""


class _Formatter(typer.Context.formatter_class):
    """Lays help out in the language of whoever reads it; what commands and options say of themselves is English."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """Write how a command is called."""
        super().write_usage(prog, args, f"{t('Usage')}: " if prefix is None else prefix)

    def write_heading(self, heading: str) -> None:
        """Write what a list is headed."""
        super().write_heading(t(heading))

    def write_text(self, text: str) -> None:
        """Write paragraphs."""
        super().write_text("\n\n".join(_told(paragraph) for paragraph in text.split("\n\n")))

    def write_dl(self, rows: Sequence[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        """Write a list of names with what is said of them."""
        super().write_dl([(name, _told(text)) for name, text in rows], col_max, col_spacing)


def _told(text: str) -> str:
    """Return a text of help as it is known: on one line; as it is where it is not translated."""
    found = translated(on_one_line(text))
    return text if found == on_one_line(text) else found


class _Context(typer.Context):
    formatter_class = _Formatter


class PlainGroup(TyperGroup):
    """The program itself; its flags are kept as they were given."""

    context_class = _Context

    def get_params(self, ctx: Any) -> list[Any]:
        """Return all parameters, `--help` and the ones for completion included."""
        return _keep_values(super().get_params(ctx))


class PlainCommand(TyperCommand):
    """A command whose values reach it as the texts and flags they were given as."""

    context_class = _Context

    def get_params(self, ctx: Any) -> list[Any]:
        """Return all parameters, `--help` included."""
        return _keep_values(super().get_params(ctx))

    def get_short_help_str(self, limit: int = 45) -> str:
        """Return what the command does; of what is cut in English the whole where it is said in another language."""
        short = super().get_short_help_str(limit)
        whole = on_one_line((self.help or "").split("\n\n")[0])
        return _told(whole) if short.endswith("...") and translated(whole) != whole else short

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return the arguments as they are written in the documentation, then the options."""
        del ctx
        arguments = filter(_is_shown_argument, self.params)
        return [*(str(one.metavar) for one in arguments), "[OPTIONS]"]


def _keep_values(parameters: list[Any]) -> list[Any]:
    for parameter in parameters:
        parameter.process_value = functools.partial(_as_given, parameter)
        if _is_shown_argument(parameter):
            parameter.get_help_record = functools.partial(_argument_help, parameter)
    return parameters


def _is_shown_argument(parameter: Any) -> bool:
    return parameter.param_type_name == "argument" and not parameter.hidden


def _argument_help(parameter: Any, _context: Any) -> tuple[str, str]:
    return parameter.metavar, parameter.help or ""


def _as_given(parameter: Any, context: Any, value: Any) -> Any:
    if parameter.required and not value:
        raise UsageError(f"{parameter.metavar} is missing; see '{context.command_path} --help'")
    if callable(parameter.callback):
        return parameter.callback(context, parameter, value)
    return value


def text(name: str, metavar: str, help: str) -> Any:  # noqa: A002
    """Return a field of options for what follows `name`, once or several times; None where it is not given."""
    return dataclasses.field(default=None, metadata={_OPTION: typer.Option(name, metavar=metavar, help=help)})


def flag(name: str, help: str, *, short: str | None = None) -> Any:  # noqa: A002
    """Return a field of options that says whether `name` is given."""
    names = (name,) if short is None else (name, short)
    return dataclasses.field(default=False, metadata={_OPTION: typer.Option(*names, help=help)})


def command(
    app: typer.Typer, options: type[Any], *, name: str | None = None
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Make a function a command of `app`; its last parameter, `options`, is made of the fields of a dataclass.

    Example: with `options=ListOptions`, `def show_list(options: ListOptions) -> None` gets one command-line option for
    each field of ListOptions. The command is named after the function unless `name` is given; the docstring is its
    help.
    """

    def declare(function: Callable[..., None]) -> Callable[..., None]:
        typed = _flatten(function, options)
        app.command(name, cls=PlainCommand, context_settings=CONTEXT)(typed)
        return function

    return declare


def _flatten(function: Callable[..., None], options: type[Any]) -> Callable[..., None]:
    hints = get_type_hints(options, include_extras=True)
    fields = dataclasses.fields(options)
    names = {field.name for field in fields}

    @functools.wraps(function)
    def call(**values: Any) -> None:
        chosen = {name: values.pop(name) for name in names}
        function(**values, options=options(**chosen))

    own = inspect.signature(function, eval_str=True).parameters
    parameters = [
        *(
            parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY)
            for name, parameter in own.items()
            if name != "options"
        ),
        *(_parameter(field, hints[field.name]) for field in fields),
    ]
    call.__signature__ = inspect.Signature(parameters)  # pyright: ignore[reportAttributeAccessIssue]
    call.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return call


def _parameter(field: dataclasses.Field[Any], annotation: Any) -> inspect.Parameter:
    if (option := field.metadata.get(_OPTION)) is not None:
        annotation = Annotated[annotation, option]
    return inspect.Parameter(field.name, inspect.Parameter.KEYWORD_ONLY, default=field.default, annotation=annotation)


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
            listed = Path(self.listed).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(f"--from: {self.listed} cannot be read: {error}") from error
        return [*paths, *listed_lines(listed)]


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
class WhereOption:
    """Which documents, by what they are about."""

    where: str | None = text(
        "--where",
        "FILTER",
        "Only documents that fit, such as 'date >= 2024 and type = report'. Fields: title, issuer, type, date, period, "
        "version, language, tags, name, your own; = != < <= > >= ~ (holds), and, or, not, brackets.",
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
    sure: str | None = text(
        "--sure", "X", "How sure (0 to 1) a short answer must be that no model gives. [default: 0.5]"
    )


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


def listed_lines(text: str) -> list[str]:
    """Return what a file lists, a line each; empty lines and those that begin with # are none."""
    return [line.strip() for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]


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
