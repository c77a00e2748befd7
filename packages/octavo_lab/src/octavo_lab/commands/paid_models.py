"""Which models of the settings may cost something: those that do not run on this machine."""

from __future__ import annotations

from collections.abc import Iterator

from octavo.cli.settings import Settings
from octavo.models.providers import PROVIDERS, is_here
from octavo.models.spec import NONE

_IN_PROCESS = frozenset({"minilm", "path", "rule", "cross-encoder", "sentence-transformers", "late-interaction"})
"""Kinds of embedding models and rerankers that this process runs itself."""


def paid_models(chosen: Settings, judge: str, *, is_asked: bool = True) -> list[str]:
    """Return the models that are named and do not run on this machine, each once.

    Args:
        chosen: The settings.
        judge: The model that judges, "none" for a rule.
        is_asked: Whether systems are asked anything; else the judge alone is.
    """
    named = [*(_answering(chosen) if is_asked else ()), judge]
    return list(dict.fromkeys(name for name in named if name and name != NONE and not _runs_here(name)))


def _answering(chosen: Settings) -> Iterator[str]:
    """Yield the models that systems and their indexes ask."""
    yield from (chosen.model, chosen.layer_model, chosen.router)
    yield from chosen.models.values()
    yield from chosen.decisions.values()


def _runs_here(text: str) -> bool:
    """Whether a model of any role runs on this machine, as far as its name and address tell."""
    provider = text.partition(":")[0]
    if provider in PROVIDERS:
        return is_here(text)
    if provider in _IN_PROCESS:
        return True
    _, at, url = text.rpartition("@")
    return bool(at) and is_here(f"openai:any@{url}")  # the address decides, whoever is asked there
