"""Settings: option before environment before file before default; what a value may be, and what it becomes."""

from __future__ import annotations

import dataclasses
import difflib
import os
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args

from octavo.errors import UsageError

_Said = TypeVar("_Said")
OcrMode = Literal["auto", "always", "never"]
_SWITCHES = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}
OCR_MODES: tuple[OcrMode, ...] = get_args(OcrMode)


@dataclasses.dataclass(frozen=True)
class Given:
    """A value as it was given and where: `source` is "--limit", "OCTAVO_LIMIT" or "/path/octavo.toml, key 'limit'"."""

    value: Any
    source: str
    folder: Path
    """Relative paths are seen from here."""


def _corpus(given: Given) -> Path | str:
    from octavo.corpus.location import is_shared, without_password

    text = _text(given)
    if is_shared(text):
        return text
    if "://" in text:
        raise ValueError(f"a corpus is a folder, or postgresql://HOST/DATABASE, not {without_password(text)!r}")
    return _path(given, text)


def _text(given: Given) -> str:
    if not isinstance(given.value, str) or not given.value.strip():
        raise ValueError(f"needs a text, not {given.value!r}")
    return given.value.strip()


def _model(given: Given) -> str:
    from octavo.models.language_models import LANGUAGE_MODELS
    from octavo.models.spec import LOCAL, NONE, parse_spec

    text = _text(given)
    if text == NONE:
        return text
    spec = _said(lambda: parse_spec(text, LANGUAGE_MODELS))
    return f"{LOCAL}:{_path(given, spec.name)}" if spec.provider == LOCAL else str(spec)


def _router(given: Given) -> str:
    """Return what names the model in a file or folder, whose path may be given alone."""
    text = _text(given)
    return _model(dataclasses.replace(given, value=text if text.startswith("local:") else f"local:{text}"))


def _embedding(given: Given) -> str:
    from octavo.models.embedders import parse_embedder

    return _said(lambda: str(parse_embedder(_text(given), folder=given.folder)))


def _reranking(given: Given) -> str:
    from octavo.models.rerankers import parse_reranker

    return _said(lambda: str(parse_reranker(_text(given))))


def _image_text(given: Given) -> str:
    from octavo.models.embedders import parse_image_text

    return _said(lambda: str(parse_image_text(_text(given))))


def _late_interaction(given: Given) -> str:
    from octavo.models.embedders import parse_late_interaction

    return _said(lambda: str(parse_late_interaction(_text(given))))


def _said(parse: Callable[[], _Said]) -> _Said:
    """Return what `parse` does; what it finds wrong is told with the source of the value."""
    try:
        return parse()
    except UsageError as wrong:
        raise ValueError(str(wrong)) from None


def _variable(given: Given) -> str:
    name = _text(given)
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name):
        raise ValueError("needs the name of an environment variable that holds the key, not the key itself")
    return name


def _price(given: Given) -> tuple[float, float]:
    """Return what a million tokens of input and of output cost."""
    value: Any = given.value
    if not isinstance(value, dict) or value.keys() != {"input", "output"}:  # pyright: ignore[reportUnknownMemberType]
        raise ValueError("needs { input = X, output = Y }, the prices of a million tokens")
    reading, writing = (_amount(dataclasses.replace(given, value=value[key])) for key in ("input", "output"))
    return reading, writing


def _layout_model(given: Given) -> Path | None:
    text = _text(given)
    return None if text == "none" else _path(given, text)


def _switch(given: Given) -> bool:
    """Return yes or no: true and false of a file, words for them in the environment."""
    found = _SWITCHES.get(str(given.value).strip().lower())
    if found is None:
        raise ValueError(f"needs true or false, not {given.value!r}")
    return found


def _path(given: Given, text: str) -> Path:
    try:
        return given.folder / Path(text).expanduser()
    except RuntimeError:
        raise ValueError(f"there is no user whose folder {Path(text).parts[0]} could be") from None


def _ocr(given: Given) -> str:
    mode = _text(given)
    if mode not in OCR_MODES:
        raise ValueError(f"needs one of {', '.join(OCR_MODES)}, not {mode!r}")
    return mode


def _whole(least: int) -> Callable[[Given], int]:
    def parse(given: Given) -> int:
        try:
            number = int(str(given.value))
        except ValueError:
            number = None
        if number is None or number < least:
            raise ValueError(f"needs a whole number, {least} or more, not {given.value!r}")
        return number

    return parse


def _amount(given: Given) -> float:
    try:
        number = float(str(given.value))
    except ValueError:
        number = float("nan")
    if not 0 <= number < float("inf"):
        raise ValueError(f"needs a number, 0 or more, not {given.value!r}")
    return number


def _share(given: Given) -> float:
    try:
        number = _amount(given)
    except ValueError:
        number = 2.0
    if number > 1:
        raise ValueError(f"needs a number from 0 to 1, not {given.value!r}")
    return number


def _seconds(given: Given) -> float:
    number = _amount(given)
    if number == 0:
        raise ValueError("needs more than 0 seconds")
    return number


PARSERS: dict[str, Callable[[Given], Any]] = {
    "corpus": _corpus,
    "ray": _text,
    "system": _text,
    "limit": _whole(1),
    "sure": _share,
    "ocr": _ocr,
    "layout_model": _layout_model,
    "render": _switch,
    "model": _model,
    "layer_model": _model,
    "router": _router,
    "workers": _whole(1),
    "max_seconds": _seconds,
    "max_calls": _whole(0),
    "max_tokens": _whole(0),
    "max_cost": _amount,
    "context_tokens": _whole(1024),
    "concurrency": _whole(1),
    "timeout": _seconds,
}
"""What turns a given value into a setting, by key. Each raises ValueError that says what is needed."""

ANY = "*"

TABLES: dict[str, dict[str, Callable[[Given], Any]]] = {
    "models": {
        "language": _model,
        "vision": _model,
        "embedding": _embedding,
        "reranking": _reranking,
        "image_text": _image_text,
        "late_interaction": _late_interaction,
    },
    "decisions": {ANY: _model},
    "prices": {ANY: _price},
    "key_env": {ANY: _variable},
}
"""The same for the entries of a table of octavo.toml, by their names; ANY stands for whatever name."""


def entry_parser(table: str, name: str) -> Callable[[Given], Any] | None:
    """Return what parses an entry of a table, None when the table has no such entry."""
    return TABLES[table].get(name) or TABLES[table].get(ANY)


FILE_NAME = "octavo.toml"
_NONE = "none"
_ROUTED = "rdr2"
"""The system that asks a router: the one meant where a router is named and no system."""


@dataclasses.dataclass(frozen=True)
class Settings:
    """What a command runs with, after every source was asked."""

    corpus: Path | str | None = None
    """Folder of the corpus, or the URL of a shared one; None for the per-user folder."""
    ray: str = ""
    """Ray cluster whose searchers hold the passages of a shared corpus; "" where this machine does."""
    partial: bool = False
    """Whether it is asked even where some of its passages have no searcher that answers; said for one run only."""
    system: str = "auto"
    limit: int | None = None
    """Pages, at least 1."""
    sure: float | None = None
    """How sure (0..1) a short answer without a model must be; None as its reader has it."""
    ocr: OcrMode = "auto"
    layout_model: Path | None = None
    """ONNX file of a layout model; None for the rules alone."""
    render: bool = False
    """Whether LibreOffice prints office files, so that they have pages to look at."""
    model: str = _NONE
    """Language model that decides, as PROVIDER:NAME[@BASE_URL]; "none" for the rules alone."""
    names_model: bool = False
    """Whether `model` was said, "none" too."""
    layer_model: str = ""
    """Language model that decides while layers are built, "none" for the rules; "" for `model`."""
    router: str = ""
    """Model on this machine that routes documents for the system rdr2, as local:PATH; "" for whoever decides else."""
    models: Mapping[str, str] = dataclasses.field(default_factory=dict[str, str])
    """Models by role, for those given: vision, embedding, reranking, image_text, late_interaction.

    The language model is `model`.
    """
    decisions: Mapping[str, str] = dataclasses.field(default_factory=dict[str, str])
    """Language models of single decisions, by the decision's name; "none" for the rule."""
    prices: Mapping[str, tuple[float, float]] = dataclasses.field(default_factory=dict[str, tuple[float, float]])
    """What a million tokens of input and of output cost, by model."""
    key_env: Mapping[str, str] = dataclasses.field(default_factory=dict[str, str])
    """Variables that hold keys, by provider, model or base URL."""
    context_tokens: int | None = None
    """Tokens that fit into a language model; None for what is usual for its provider."""
    concurrency: int = 4
    """Calls a model gets at once."""
    timeout: float | None = None
    """Seconds for one attempt of a call; None for 60, and 600 where a model runs on this machine."""
    workers: int | None = None
    """Files parsed at once; None for as many as the machine has cores."""
    max_seconds: float | None = None
    max_calls: int | None = None
    max_tokens: int | None = None
    max_cost: float | None = None


def load(
    options: Mapping[str, Any],
    *,
    environment: Mapping[str, str] | None = None,
    folder: Path | None = None,
    user_folder: Path | None = None,
) -> Settings:
    """Return the settings a command runs with.

    Args:
        options: Values of command-line options by key; None for those not given. Unknown keys are left alone.
        environment: The environment, `os.environ` by default; OCTAVO_LIMIT sets `limit`, and so on.
        folder: Where the search for octavo.toml starts; the current folder by default.
        user_folder: The per-user configuration folder.

    Raises UsageError that names the option, the variable, or the file and key.
    """
    here = (folder or Path.cwd()).absolute()
    variables = os.environ if environment is None else environment
    given: dict[str, Given] = {}
    for path in reversed(files(here, user_folder)):
        given |= _from_file(path)
    outside = _from_outside(options, variables, here)
    if "model" in outside and outside["model"].value == _NONE:
        # Said for this run: no model at all, whatever the files name.
        given = {key: value for key, value in given.items() if not _names_language_model(key)}
    given |= outside
    return _settings(given)


def _names_language_model(key: str) -> bool:
    return key in ("models.vision", "layer_model") or key.startswith("decisions.")


def _from_outside(options: Mapping[str, Any], variables: Mapping[str, str], here: Path) -> dict[str, Given]:
    given: dict[str, Given] = {}
    for key in PARSERS:
        variable = f"OCTAVO_{key.upper()}"
        if variables.get(variable):
            given[key] = Given(variables[variable], variable, here)
        if options.get(key) not in (None, False):  # a flag that was not given
            given[key] = Given(options[key], "--" + key.replace("_", "-"), here)
    return given


def _settings(given: Mapping[str, Given]) -> Settings:
    values: dict[str, Any] = {"names_model": "model" in given}
    for key, value in given.items():
        table, _, name = key.partition(".")
        if name:
            values.setdefault(table, {})[name] = _parse(entry_parser(table, name), value)
        else:
            values[key] = _parse(PARSERS[key], value)
    if values.get("router"):
        values.setdefault("system", _ROUTED)
    return Settings(**values)


def files(folder: Path, user_folder: Path | None = None) -> list[Path]:
    """Return the octavo.toml files in force, the one that has precedence first."""
    candidates = [above / FILE_NAME for above in (folder, *folder.parents)]
    nearest = next((path for path in candidates if path.is_file()), None)
    personal = user_file(user_folder)
    found = [path for path in (nearest, personal) if path is not None and path.is_file()]
    return list(dict.fromkeys(found))


def user_file(user_folder: Path | None = None) -> Path:
    """Return the octavo.toml of the user, which need not be there."""
    from platformdirs import user_config_path

    return (user_folder or user_config_path("octavo")) / FILE_NAME


def _from_file(path: Path) -> dict[str, Given]:
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as wrong:
        raise UsageError(f"{path} is not valid TOML: {wrong}") from wrong
    except OSError as wrong:
        raise UsageError(f"{path} cannot be read: {wrong.strerror}") from wrong
    found = dict(_entries(path, values))
    if "models.language" in found:
        if "model" in found:
            raise UsageError(f"{path}: 'model' and 'models.language' are the same; give one of them")
        found["model"] = found.pop("models.language")
    return found


def _entries(path: Path, values: Mapping[str, Any]) -> Iterator[tuple[str, Given]]:
    """Yield every setting of a file by its key; that of an entry of a table is "TABLE.NAME"."""
    for key, value in values.items():
        if key in PARSERS:
            yield key, Given(value, f"{path}, key '{key}'", path.parent)
        elif key not in TABLES:
            raise UsageError(f"{path}: there is no setting '{key}'; {_nearest(key, (*PARSERS, *TABLES))}")
        elif not isinstance(value, dict):
            raise UsageError(f"{path}, key '{key}': needs a table, [{key}]")
        else:
            yield from _of_table(path, key, value)  # pyright: ignore[reportUnknownArgumentType]


def _of_table(path: Path, table: str, entries: Mapping[str, Any]) -> Iterator[tuple[str, Given]]:
    for name, value in entries.items():
        if entry_parser(table, name) is None:
            near = _nearest(name, TABLES[table])
            raise UsageError(f"{path}: there is no setting '{table}.{name}'; {near}")
        yield f"{table}.{name}", Given(value, f"{path}, key '{table}.{name}'", path.parent)


def _nearest(key: str, names: Iterable[str]) -> str:
    known = tuple(names)
    near = difflib.get_close_matches(key.replace("-", "_").lower(), known, n=2, cutoff=0.5)
    if near:
        return "did you mean " + " or ".join(f"'{name}'" for name in near) + "?"
    return "the settings are " + ", ".join(known)


def _parse(parser: Callable[[Given], Any] | None, given: Given) -> Any:
    if parser is None:
        raise UsageError(f"{given.source}: there is no such setting")
    try:
        return parser(given)
    except ValueError as wrong:
        raise UsageError(f"{given.source}: {wrong}") from None
