"""How commands are declared with typer: groups of options as dataclasses, values kept as they were typed.

Typer converts values with pydantic, which takes longer to load than everything else `octavo ask` needs. Every option
here is text, a list of texts or a flag, and `settings` turns text into values with errors that also fit files and the
environment; so commands skip that conversion.
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
from collections.abc import Callable
from typing import Annotated, Any, get_type_hints

import typer
from typer.core import TyperCommand, TyperGroup

from octavo.errors import UsageError

CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
_OPTION = "option"
"""Where a field of options keeps how it is given on the command line."""


class PlainGroup(TyperGroup):
    """The program itself; its flags are kept as they were given."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return all parameters, `--help` and the ones for completion included."""
        return _keep_values(super().get_params(ctx))


class PlainCommand(TyperCommand):
    """A command whose values reach it as the texts and flags they were given as."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return all parameters, `--help` included."""
        return _keep_values(super().get_params(ctx))

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return the arguments as they are written in the documentation, then the options."""
        del ctx
        arguments = [str(parameter.metavar) for parameter in self.params if parameter.param_type_name == "argument"]
        return [*arguments, "[OPTIONS]"]


def _keep_values(parameters: list[Any]) -> list[Any]:
    for parameter in parameters:
        parameter.process_value = functools.partial(_as_given, parameter)
        if parameter.param_type_name == "argument":
            parameter.get_help_record = functools.partial(_argument_help, parameter)
    return parameters


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
