"""From settings to what a corpus may use: models, prices, limits and caps. Nothing is loaded without a model."""

from __future__ import annotations

import dataclasses
import difflib
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from octavo.errors import BudgetError, UsageError
from octavo.models.spec import NONE, parse_spec

if TYPE_CHECKING:
    from octavo.cli.settings import Settings
    from octavo.corpus.judges import ModelConfig
    from octavo.evidence import Answer, Result
    from octavo.models.gateway import Caps
    from octavo.models.language import LanguageModel
    from octavo.models.ports import Reranker, TextEmbedder

_LANGUAGE_ROLES = ("vision",)
_ROUTING = ("route_document", "route_subtree")
"""The decisions that a router may have been trained for; it takes the first where it does not say."""
_LOCAL_TIMEOUT = 600.0
"""Seconds for an attempt where a model runs on this machine: it may take minutes to read a prompt, and is not paid."""
_RESERVE = 0.1
"""Share of the seconds allowed that is kept for the rules when the models' time is over."""
_LONGEST_RESERVE = 2.0
"""Seconds that are kept at most."""


def config_of(settings: Settings) -> ModelConfig | None:
    """Return the models of the settings with their prices and limits; None without any.

    Raises ModelError for a missing package or key, UsageError for a provider or decision there is not.
    """
    _check_decisions(settings.decisions)
    named = _language_models(settings)
    reranking = _reranking_of(settings)
    if not named and not reranking:
        return None
    from octavo.corpus.judges import ModelConfig
    from octavo.models.gateway import Limits, Price, Prices

    return ModelConfig(
        models={
            role: spec if spec == NONE else model_of(spec, settings, sees=role in _LANGUAGE_ROLES or None)
            for role, spec in named.items()
        },
        prices=Prices({name: Price(*price) for name, price in settings.prices.items()}),
        limits=dataclasses.replace(
            Limits(), timeout=_timeout_of(settings, named.values()), concurrency=settings.concurrency
        ),
        reranking=reranking,
    )


def _language_models(settings: Settings) -> dict[str, str]:
    """Return language models by role or decision, "none" where the rule decides; {} when none of them is a model."""
    named = {"language": settings.model}
    if settings.layer_model:
        from octavo.corpus.judges import indexing_decisions

        named |= dict.fromkeys(indexing_decisions(), settings.layer_model)
    named |= settings.decisions
    named |= {role: spec for role, spec in settings.models.items() if role in _LANGUAGE_ROLES}
    named |= {_routing_of(settings.router): settings.router} if settings.router else {}
    return named if any(spec != NONE for spec in named.values()) else {}


def _routing_of(router: str) -> str:
    """Return the decision that a router was trained for, as `octavo.json` beside its weights says."""
    from octavo.models.local_files import CARD, read_object

    card = Path(router.removeprefix("local:")) / CARD
    named = read_object(card).get("decision") if card.is_file() else None
    return named if named in _ROUTING else _ROUTING[0]


def _timeout_of(settings: Settings, specs: Iterable[str]) -> float:
    """Return the seconds for an attempt: those that are set, else by where the slowest of the models runs."""
    from octavo.models.gateway import Limits
    from octavo.models.providers import is_here

    if settings.timeout is not None:
        return settings.timeout
    return _LOCAL_TIMEOUT if any(spec != NONE and is_here(spec) for spec in specs) else Limits().timeout


def _reranking_of(settings: Settings) -> str | Callable[[], Reranker]:
    """Return what makes the reranker of the settings, "rule" for the rule, "" when they name none."""
    spec = settings.models.get("reranking", "")
    if spec in ("", "none", "rule"):
        return spec if spec == "rule" else ""

    def make() -> Reranker:
        from octavo.models import rerankers

        return rerankers.reranker(spec, key_env=settings.key_env.get(spec.partition(":")[0], ""))

    return make


def _check_decisions(named: Mapping[str, str]) -> None:
    """Raise UsageError for a name in [decisions] that no decision has."""
    if not named:
        return
    from octavo.decisions import DECISIONS

    for name in named:
        if name not in DECISIONS:
            near = difflib.get_close_matches(name, DECISIONS, n=1)
            hint = f"did you mean '{near[0]}'?" if near else f"they are {', '.join(sorted(DECISIONS))}"
            raise UsageError(f"[decisions] in octavo.toml: there is no decision '{name}'; {hint}")


def embedding_of(settings: Settings) -> Callable[[], TextEmbedder] | None:
    """Return what makes the embedding model of the settings when it is first wanted; None for the default one."""
    spec = settings.models.get("embedding")
    if spec is None:
        return None

    def make() -> TextEmbedder:
        from octavo.models import embedders

        return embedders.embedder(spec, key_env=settings.key_env.get(spec.partition(":")[0], ""))

    return make


def caps_of(settings: Settings, started: float) -> Caps | None:
    """Return the caps for what models may still take; `started` is when the command began (`time.monotonic`)."""
    from octavo.models.gateway import Caps

    left = None
    if settings.max_seconds is not None:
        reserve = min(_LONGEST_RESERVE, _RESERVE * settings.max_seconds)
        left = max(0.0, settings.max_seconds - (time.monotonic() - started) - reserve)
    return Caps(settings.max_calls, settings.max_tokens, left, settings.max_cost)


def total_caps_of(settings: Settings) -> Caps | None:
    """Return the caps of a run of many questions; its seconds are watched from outside. None without any."""
    from octavo.models.gateway import Caps

    caps = Caps(calls=settings.max_calls, tokens=settings.max_tokens, cost=settings.max_cost)
    return None if caps == Caps() else caps


def end(ran: Answer | Result) -> None:
    """End the command with the exit status of a spent budget when a cap ended it."""
    if ran.stopped:
        raise typer.Exit(BudgetError.exit_status)


def model_of(spec: str, settings: Settings, *, sees: bool | None = None) -> LanguageModel:
    """Return the model a text names, with the key and the context that the settings say; `sees`: known to see.

    Raises ModelError for a missing package or key, UsageError for a provider there is not.
    """
    from octavo.models.language_models import language_model

    return language_model(spec, context_tokens=settings.context_tokens, key_env=key_env_of(spec, settings), sees=sees)


def key_env_of(spec: str, settings: Settings) -> str:
    """Return the variable the settings name for the key of a language model, "" when they name none."""
    from octavo.models.providers import PROVIDERS

    parsed = parse_spec(spec, PROVIDERS)
    names = (spec, parsed.base_url, parsed.provider)
    return next((settings.key_env[name] for name in names if name in settings.key_env), "")
