"""From a base model and examples to a router in a folder: the adapter, its base, and a card on how it is asked."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from octavo.decisions.route_document import ROUTE_DOCUMENT
from octavo.errors import CorpusError, ModelError
from octavo.models.local_files import ADAPTER, CARD, LocalFiles, read_object
from octavo.models.torch_engine import load
from octavo.training.checkpoint import Checkpoints
from octavo.training.example import Example, written
from octavo.training.lora import Trainer, encode
from octavo.training.plan import TrainingPlan


@dataclass(frozen=True, slots=True)
class Finetuned:
    """What came of a training. `examples` were learnt from; `too_long` were left out; `device` is where it ran."""

    router: Path
    losses: tuple[float, ...]
    examples: int
    too_long: int
    resumed: int
    device: str
    seconds: float
    """Of this run, loading included."""
    held_out_loss: tuple[float, float] | None
    """Mean loss of a reply token of held-out examples, before and after; None without such examples."""


def finetune(
    base: LocalFiles,
    examples: Sequence[Example],
    plan: TrainingPlan,
    out: Path,
    *,
    held_out: Sequence[Example] = (),
    device: str = "auto",
    advance: Callable[[int, int, float], None] = lambda _step, _steps, _loss: None,
) -> Finetuned:
    """Train an adapter and write it to `out`/router; the last checkpoint stays in `out`/checkpoints.

    A training that was interrupted goes on from there when it is called again with the same arguments, and one that was
    finished takes no step again.
    Raises ModelError when the base cannot be loaded or is an adapter itself, UsageError without examples that fit.
    """
    started = time.monotonic()
    if base.adapter is not None:
        raise ModelError(f"{base.adapter} is an adapter: train on the model it was made from, {base.base}")
    loaded = load(base, device=device, may_download=isinstance(base.base, str))
    tokens, too_long = encode(loaded, examples, plan)
    others, _ = encode(loaded, held_out, plan)
    trainer = Trainer(loaded, plan, base=str(base.base))
    checkpoints = Checkpoints(out / "checkpoints", plan.fingerprint(base.digest(), fingerprint(examples)))
    before = trainer.loss(others) if others else 0.0
    trained = trainer.train(tokens, checkpoints, advance)
    losses = (before, trainer.loss(others)) if others else None
    router = out / "router"
    _replaced(router, lambda folder: _fill(folder, trainer, plan, base))
    return Finetuned(
        router=router,
        losses=trained.losses,
        examples=len(tokens),
        too_long=too_long,
        resumed=trained.resumed,
        device=loaded.device,
        seconds=time.monotonic() - started,
        held_out_loss=losses,
    )


def fingerprint(examples: Sequence[Example]) -> str:
    """Return 16 hex digits of examples in their order."""
    return hashlib.sha256("\n".join(map(written, examples)).encode("utf-8", "replace")).hexdigest()[:16]


def _fill(folder: Path, trainer: Trainer, plan: TrainingPlan, base: LocalFiles) -> None:
    trainer.save(folder)
    config = read_object(folder / ADAPTER)
    config["base_model_name_or_path"] = str(base.base)
    (folder / ADAPTER).write_text(json.dumps(config, indent=2, sort_keys=True) + "\n", encoding="utf-8")
    card = {
        "decision": ROUTE_DOCUMENT.name,
        "version": ROUTE_DOCUMENT.version,
        "instructions": plan.instructions,
        "context_tokens": base.context_tokens,
    }
    (folder / CARD).write_text(json.dumps(card, indent=2) + "\n", encoding="utf-8")


def _replaced(target: Path, fill: Callable[[Path], None]) -> None:
    """Fill a folder beside its place and move it there. Raises CorpusError when it cannot be written."""
    beside, old = target.with_name(f".{target.name}.{os.getpid()}"), target.with_name(f".{target.name}.old")
    try:
        shutil.rmtree(beside, ignore_errors=True)
        beside.mkdir(parents=True)
        fill(beside)
        shutil.rmtree(old, ignore_errors=True)
        with contextlib.suppress(FileNotFoundError):
            target.rename(old)
        beside.rename(target)
        shutil.rmtree(old, ignore_errors=True)
    except OSError as error:
        shutil.rmtree(beside, ignore_errors=True)
        raise CorpusError("full", f"{target} cannot be written: {error.strerror or error}") from error
