"""What is usable on this machine: the parts of Octavo, examined one by one, what to do about each, and the models.

Of the models that settings name it looks for packages and keys, which are never shown, and on request asks endpoints;
nothing is sent unless asked for, and then only to endpoints the settings name or that lie on this machine.
"""

from __future__ import annotations

import enum
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

from octavo.cli import settings
from octavo.cli.models_from_settings import key_env_of, model_of
from octavo.cli.show.prose import paragraph, size_of
from octavo.cli.terminal import draw, one_line
from octavo.errors import CorpusError, ModelError, OctavoError, UsageError
from octavo.models import bert
from octavo.models.embedders import cache_folder, embedder, image_text_embedder, late_interaction
from octavo.models.providers import PROVIDERS, key_of, key_variables, resolved
from octavo.models.spec import NONE, ModelSpec, parse_spec
from octavo_documents.models.inference import NO_ENGINE, engine_version, installed_engine
from octavo_documents.models.ports import OCR_SCRIPTS
from octavo_documents.wording import t, translated

if TYPE_CHECKING:
    from rich.console import Console

    from octavo.cli.settings import Settings
    from octavo.models.finding import FoundModel
    from octavo_documents.models.networks import Weights


_OLLAMA = "http://127.0.0.1:11434/v1"
_SECONDS = 3.0
"""How long an endpoint may take to answer `doctor --online`."""
_ROOM = 500_000_000
"""Bytes that should be free where the corpus is."""
_NAMED = 4
"""Models that are named one by one."""


@dataclass(frozen=True, slots=True)
class Configured:
    """A model that settings name. `wrong` says what keeps it from being used, "" when nothing does."""

    role: str
    spec: str
    detail: str = ""
    wrong: str = ""


def configured(settings: Settings, *, is_online: bool) -> Iterator[Configured]:
    """Yield every model that settings name by role and decision, the language model first."""
    if settings.model == NONE:
        yield Configured("language model", NONE, "rules decide; name one with --model PROVIDER:NAME")
    else:
        yield _language("language model", settings.model, settings, is_online)
    for role, spec in settings.models.items():
        if role == "vision":
            yield _language("vision model", spec, settings, is_online)
        elif spec != NONE:
            yield _other(role, spec, settings)
    if settings.layer_model:
        yield _language("model for layers", settings.layer_model, settings, is_online)
    if settings.router:
        yield _language("router", settings.router, settings, is_online)
    for name, spec in settings.decisions.items():
        yield _language(f"model for {name}", spec, settings, is_online)


def _language(role: str, spec: str, settings: Settings, is_online: bool) -> Configured:  # noqa: FBT001
    if spec == NONE:
        return Configured(role, NONE)
    parsed, key_env = parse_spec(spec, PROVIDERS), key_env_of(spec, settings)
    try:
        model = model_of(spec, settings)
    except (ModelError, UsageError) as error:
        return Configured(role, spec, wrong=str(error))
    found = Configured(role, spec, f"{_key(parsed, key_env)}; {model.context_tokens} tokens of context")
    return _asked(found, resolved(parsed), key_env) if is_online else found


def _key(spec: ModelSpec, key_env: str) -> str:
    names = [name for name in key_variables(spec, key_env) if os.environ.get(name, "").strip()]
    return f"key in {names[0]}" if names else "no key"


def _asked(found: Configured, at: ModelSpec, key_env: str) -> Configured:
    """Add whether the endpoint answers; a provider's own one is not asked."""
    url = at.base_url or (_OLLAMA if PROVIDERS[at.provider].base_url and PROVIDERS[at.provider].is_local else "")
    if not url:
        return found
    from octavo.models.endpoint_models import get

    try:
        get(f"{url}/models", key=key_of(at, key_env), timeout=_SECONDS)
    except ModelError as error:
        return replace(found, wrong=f"{error}: start the server, or correct the address")
    return replace(found, detail=f"{found.detail}; its endpoint answers")


def _other(role: str, spec: str, settings: Settings) -> Configured:
    """Make an embedder, reranker or image model without loading it: that looks for folders, packages and keys."""
    name = f"{role.replace('_', '-')} model"
    try:
        _MAKERS[role](spec, settings.key_env.get(spec.partition(":")[0], ""))
    except (ModelError, UsageError) as error:
        return Configured(name, spec, wrong=str(error))
    return Configured(name, spec)


def _embedding(spec: str, key_env: str) -> None:
    embedder(spec, key_env=key_env)


def _reranking(spec: str, key_env: str) -> None:
    from octavo.models.rerankers import reranker

    reranker(spec, key_env=key_env)


def _image_text(spec: str, _key_env: str) -> None:
    image_text_embedder(spec)


def _late_interaction(spec: str, _key_env: str) -> None:
    late_interaction(spec)


_MAKERS: dict[str, Callable[[str, str], None]] = {
    "embedding": _embedding,
    "reranking": _reranking,
    "image_text": _image_text,
    "late_interaction": _late_interaction,
}


def providers() -> str:
    """Return one line on every provider: whether its package is there, and which variable holds a key."""
    return "; ".join(f"{name}: {_state(name)}" for name in PROVIDERS)


def _state(name: str) -> str:
    provider = PROVIDERS[name]
    if not provider.is_installed:
        return f"pip install 'octavo[{provider.extra}]'" if provider.extra else "pip install octavo"
    if not provider.keys:
        return "needs no key"
    found = next((key for key in provider.keys if os.environ.get(key, "").strip()), None)
    return f"key in {found}" if found else f"no key in {' or '.join(provider.keys)}"


class HealthState(enum.StrEnum):
    """Whether a part is usable. LIMITED works with less than it could, BROKEN needs mending first."""

    OK = "ok"
    LIMITED = "limited"
    BROKEN = "broken"


@dataclass(frozen=True, slots=True)
class CheckedPart:
    """One part: what was found, and what to do about it ("" when nothing)."""

    name: str
    state: HealthState
    detail: str
    mend: str = ""


def examine(options: Mapping[str, Any]) -> list[CheckedPart]:
    """Return every part, settings first; a part that cannot be examined is BROKEN."""
    return [part for probe in PROBES for part in _guarded(probe, options)]


def _guarded(
    probe: Callable[[Mapping[str, Any]], Iterator[CheckedPart]], options: Mapping[str, Any]
) -> list[CheckedPart]:
    name = probe.__name__.strip("_").replace("_", " ")
    try:
        return list(probe(options))
    except ImportError as wrong:
        return [
            CheckedPart(
                name, HealthState.BROKEN, f"{wrong.name} is not installed", "install Octavo again: pip install octavo"
            )
        ]
    except (OctavoError, OSError, subprocess.SubprocessError) as wrong:
        return [CheckedPart(name, HealthState.BROKEN, str(wrong))]


def _octavo(_options: Mapping[str, Any]) -> Iterator[CheckedPart]:
    detail = f"{metadata.version('octavo')} on Python {platform.python_version()}, {platform.system()}"
    yield CheckedPart("octavo", HealthState.OK, f"{detail} {platform.machine()}, {os.cpu_count()} cores")


def _settings(options: Mapping[str, Any]) -> Iterator[CheckedPart]:
    found = settings.files(Path.cwd())
    try:
        settings.load(options)
    except UsageError as wrong:
        yield CheckedPart("settings", HealthState.BROKEN, str(wrong), "correct it or take it out")
        return
    yield CheckedPart("settings", HealthState.OK, ", ".join(map(str, found)) or "defaults; no octavo.toml is in force")


def _corpus(options: Mapping[str, Any]) -> Iterator[CheckedPart]:
    try:
        chosen = settings.load(options)
    except UsageError:
        return
    from octavo.corpus.location import database, locate

    place = locate(chosen.corpus)
    if place.url:
        yield _shared(chosen.corpus, str(place))
        return
    folder = place.folder
    existing = next(above for above in (folder, *folder.parents) if above.exists())
    if database(folder).exists():
        _open(folder)
    if not existing.is_dir() or not os.access(existing, os.W_OK):
        state, what = HealthState.BROKEN, "cannot be written"
        if database(folder).exists():
            state, what = HealthState.LIMITED, "cannot be written: it can be asked, and nothing added"
        yield CheckedPart("corpus", state, f"{folder} {what}", "choose another folder: --corpus FOLDER")
        return
    free = shutil.disk_usage(existing).free
    detail = f"{folder}, {free / 1e9:.1f} GB free"
    if free < _ROOM:
        yield CheckedPart("corpus", HealthState.LIMITED, detail, "make room on the disk")
    else:
        yield CheckedPart(
            "corpus", HealthState.OK, detail if folder.exists() else f"{detail}; made by the first 'octavo add'"
        )


def _shared(corpus: Path | str | None, name: str) -> CheckedPart:
    """Return whether a corpus that many machines share can be used."""
    try:
        _open(corpus)
    except CorpusError as error:
        return CheckedPart("corpus", HealthState.BROKEN, str(error), "see docs/cluster.md")
    return CheckedPart("corpus", HealthState.OK, name)


def _open(folder: Path | str | None) -> None:
    """Open a corpus that is there and read its tables of contents; raise CorpusError when that cannot be done."""
    from octavo.corpus import Corpus

    with Corpus(folder) as corpus:
        corpus.status()


def _pdf_parser(_options: Mapping[str, Any]) -> Iterator[CheckedPart]:
    import pypdfium2

    yield CheckedPart(
        "pdf parser", HealthState.OK, f"pdfium {pypdfium2.PDFIUM_INFO}, pypdfium2 {pypdfium2.PYPDFIUM_INFO}"
    )


def _store(_options: Mapping[str, Any]) -> Iterator[CheckedPart]:
    import apsw

    yield CheckedPart("store", HealthState.OK, f"SQLite {apsw.sqlitelibversion()}")


def _isolation(_options: Mapping[str, Any]) -> Iterator[CheckedPart]:
    """Whether the kernel lets a reading process give up writing; asked in a process of its own, for it is for good."""
    code = "from octavo_documents.parsing.jail import forbid_writes; raise SystemExit(not forbid_writes())"
    asked = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False, timeout=60)
    if asked.returncode == 0:
        yield CheckedPart("isolation", HealthState.OK, "files are read in processes that cannot write")
    else:
        mend = "Linux 5.13 or newer with Landlock adds it; until then read files you trust"
        yield CheckedPart(
            "isolation", HealthState.LIMITED, "files are read in processes with limits on memory and time alone", mend
        )


def _office_pages(_options: Mapping[str, Any]) -> Iterator[CheckedPart]:
    from octavo_documents.parsing.printing import office

    found = f"LibreOffice at {office()}: 'octavo add --render' gives office files pages" if office() else ""
    yield CheckedPart(
        "office pages", HealthState.OK, found or "LibreOffice is not installed; office files are read without pages"
    )


_WITHOUT_SCORER = (
    "not installed; rules rank passages; pip install 'octavo[scorer]' has a network read them (100 MB)",
    "its file cannot be used; rules rank passages",
)
_WITHOUT_EMBEDDING = "the model cannot be used; documents are indexed without vectors, and words alone find passages"
_BY_WORDS = (
    "found by words alone; pip install 'octavo[languages]' has a network read them (91 MB to download)",
    "the model's file cannot be used; words alone find them",
)


def _models(_options: Mapping[str, Any]) -> Iterator[CheckedPart]:
    """Examine the models that come with Octavo: files are read and hashed (0.1 s), and the engine runs one of them."""
    from octavo.models import minilm, ms_marco, multilingual_e5
    from octavo_documents.models import ocr

    engine = installed_engine() or ""
    loads = minilm.MiniLmEmbedder(weights=minilm.WEIGHTS, cache=cache_folder()).load
    yield _or_without(_model("text embedding", minilm.MiniLmEmbedder.name, engine, loads), _WITHOUT_EMBEDDING)
    yield _of_extra("passage scorer", ms_marco.MsMarcoScorer.name, ms_marco.WEIGHTS, engine, _WITHOUT_SCORER)
    yield _of_extra("other languages", multilingual_e5.MultilingualE5.name, multilingual_e5.WEIGHTS, engine, _BY_WORDS)
    yield _model("tokenizer", "bert-base-uncased", "tokenizers", bert.tokenizer)
    yield _model("text detection (OCR)", ocr.RapidRecognizer.name, engine, ocr.DETECTION.verified)
    found = _model("text recognition (OCR)", ocr.RapidRecognizer.name, engine, ocr.RECOGNITION.verified)
    is_sound = found.state is HealthState.OK
    yield replace(found, detail=f"{found.detail}; it reads {OCR_SCRIPTS}") if is_sound else found


def _of_extra(role: str, name: str, weights: Weights, engine: str, without: tuple[str, str]) -> CheckedPart:
    """Examine a model that comes with an extra; `without` says what is done where it is not there, or is damaged."""
    absent, damaged = without
    if not find_spec(weights.module):
        return CheckedPart(role, HealthState.OK, absent)
    return _or_without(_model(role, name, engine, weights.verified), damaged)


def _or_without(found: CheckedPart, instead: str) -> CheckedPart:
    """Return a model as examined; of one that cannot be used, what is done instead and what mends it."""
    if found.state is HealthState.BROKEN:
        return CheckedPart(found.name, HealthState.LIMITED, instead, found.mend)
    return found


def _model(role: str, name: str, engine: str, verify: Callable[[], object]) -> CheckedPart:
    if not engine:
        return CheckedPart(role, HealthState.BROKEN, name, NO_ENGINE)
    try:
        verify()
    except (ModelError, ImportError) as error:
        return CheckedPart(role, HealthState.BROKEN, name, str(error))
    try:
        runs = f"{engine} {engine_version(engine)}"
    except metadata.PackageNotFoundError:
        runs = engine
    is_slow = engine == "onnxruntime"
    remark = "slower than OpenVINO: run `pip install openvino` where it has wheels" if is_slow else "files verified"
    return CheckedPart(role, HealthState.OK, f"{t('{name} on {engine}', name=name, engine=runs)}; {remark}")


def _configured_models(options: Mapping[str, Any]) -> Iterator[CheckedPart]:
    try:
        chosen = settings.load(options)
    except UsageError:
        return
    for found in configured(chosen, is_online=bool(options.get("online"))):
        state = HealthState.BROKEN if found.wrong else HealthState.OK
        yield CheckedPart(found.role, state, found.spec + (f"; {found.detail}" if found.detail else ""), found.wrong)


def _model_providers(_options: Mapping[str, Any]) -> Iterator[CheckedPart]:
    yield CheckedPart("model providers", HealthState.OK, providers())


def _models_here(_options: Mapping[str, Any]) -> Iterator[CheckedPart]:
    from octavo.models.finding import find_models

    found = find_models()
    ready = [model.name for model in found if not model.problem]
    names = ", ".join(ready[:_NAMED]) + (", ..." if len(ready) > _NAMED else "") or "none can be used as it is"
    detail = f"{names}; 'octavo models' lists {len(found)}" if found else "none; 'octavo models' says how to get one"
    yield CheckedPart("models here", HealthState.OK, detail)


PROBES: tuple[Callable[[Mapping[str, Any]], Iterator[CheckedPart]], ...] = (
    _octavo,
    _settings,
    _corpus,
    _store,
    _pdf_parser,
    _isolation,
    _office_pages,
    _models,
    _configured_models,
    _model_providers,
    _models_here,
)


_STYLES = {HealthState.OK: "green", HealthState.LIMITED: "yellow", HealthState.BROKEN: "red"}
_SEES = {True: "yes", False: "no", None: ""}


def show_models(screen: Console, models: Sequence[FoundModel], chosen: str) -> None:
    """Print the models that can be used, the others with what keeps them from it, and which one answers now."""
    ready = [model for model in models if not model.problem]
    if ready:
        draw(screen, _table(ready))
    for model in models:
        if model.problem:
            size = "" if model.size_bytes is None else f"{size_of(model.size_bytes)}, "
            told = (f"  ({size}{one_line(model.where)})", "dim")
            paragraph(screen, Text.assemble((f"{t('not ready')}: ", "yellow"), one_line(model.name), told))
            paragraph(screen, translated(one_line(model.problem)), indent=4)
    if not models:
        paragraph(screen, t("No language model was found on this machine. Three ways to one:"))
        for way in _WAYS:
            paragraph(screen, f"* {t(way)}", indent=2)
    now = t("The rules answer now") if chosen == "none" else t("{model} answers now", model=one_line(chosen))
    paragraph(screen, t("{now}; --model NAME asks another once, 'octavo models use NAME' from now on.", now=now))


_WAYS = (
    "Ollama (ollama.com): 'ollama pull qwen3:4b', then --model ollama:qwen3:4b",
    "a GGUF file of a Qwen or Llama model: pip install 'octavo[local]', then --model local:FILE",
    "a provider, which reads what is sent to it: --model openai:NAME, with a key in OPENAI_API_KEY",
)


def _table(models: Sequence[FoundModel]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    table.add_column(t("model"), overflow="fold")
    table.add_column(t("size"), justify="right", no_wrap=True)
    table.add_column(t("sees"), no_wrap=True)
    table.add_column(t("where"), no_wrap=True)
    for model in models:
        size = "" if model.size_bytes is None else size_of(model.size_bytes)
        table.add_row(*map(Text, (one_line(model.name), size, t(_SEES[model.sees]), one_line(model.where))))
    return table


def _said(text: str) -> str:
    """Return what is said of a part, clause by clause, on one line."""
    line = one_line(text)
    whole = t(line)
    return whole if whole != line else "; ".join(map(translated, line.split("; ")))


def show_parts(screen: Console, parts: Sequence[CheckedPart]) -> None:
    """Print a line for each part, and under it what to do where something is to be done."""
    table = Table(box=None, pad_edge=False, show_header=False, padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for part in parts:
        table.add_row(Text(t(part.state), style=_STYLES[part.state]), Text(t(part.name)), Text(_said(part.detail)))
        if part.mend:
            table.add_row("", "", Text(f"-> {_said(part.mend)}"))
    draw(screen, table)
