"""From a base model and examples to a router in a folder, with LoRA: the adapter, its base, and a card on how it is
asked.

The defaults of the settings are those of RDR2, appendix A.2; the order of examples and the learning rate follow from
them. Of an example only the reply is learnt. A checkpoint to go on from is there whole or not at all, weights and
optimizer as safetensors, the rest as JSON; only the newest is kept, and nothing is pickled. torch, transformers and
peft are imported when training begins.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import math
import os
import random
import shutil
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from octavo.errors import CorpusError, ModelError, UsageError
from octavo.models.language import ModelFault
from octavo.models.local_files import ADAPTER, CARD, LocalFiles, read_object
from octavo.models.torch_engine import Loaded, library, load
from octavo_documents.text.lines import on_one_line
from octavo_lab.training.example import ROUTERS, Example, decision_of, reply_of, request_for, written
from octavo_methods.rdr2.decisions.route_document import ROUTE_DOCUMENT


@dataclass(frozen=True, slots=True)
class TrainingPlan:
    """The settings of a training; equal ones with equal examples and base give equal adapters on the same machine.

    `max_tokens` is the longest prompt with its reply; longer examples are left out. `instructions` says whether the
    decision's instructions are part of the prompt: a router learns to do without them, and reads shorter prompts.
    """

    rank: int = 8
    alpha: int = 16
    learning_rate: float = 1e-5
    batch: int = 8
    epochs: float = 3.5
    max_tokens: int = 4096
    instructions: bool = True
    warmup: float = 0.03
    """Share of the steps in which the learning rate rises; then it falls to 0 along a cosine."""
    checkpoint_steps: int = 20
    seed: int = 0

    def __post_init__(self) -> None:
        whole = {"rank": self.rank, "alpha": self.alpha, "batch": self.batch, "max-length": self.max_tokens}
        wrong = next((name for name, value in whole.items() if value < 1), None)
        if wrong or self.checkpoint_steps < 1:
            raise UsageError(f"--{wrong or 'checkpoint-steps'}: needs a whole number, 1 or more")
        if not 0 < self.learning_rate < 1 or not 0 < self.epochs < math.inf:
            raise UsageError("--learning-rate needs a number between 0 and 1, and --epochs one above 0")

    def steps(self, examples: int) -> int:
        """Return how many batches there are."""
        return max(1, math.ceil(self.epochs * examples / self.batch)) if examples else 0

    def rows(self, step: int, examples: int) -> list[int]:
        """Return the positions of the examples of a step, counted from 0: each comes once in an epoch."""
        first = step * self.batch
        return [self._order(at // examples, examples)[at % examples] for at in range(first, first + self.batch)]

    def _order(self, epoch: int, examples: int) -> list[int]:
        order = list(range(examples))
        random.Random(f"{self.seed} {epoch}").shuffle(order)  # noqa: S311 - no secret is made
        return order

    def rate(self, step: int, steps: int) -> float:
        """Return the learning rate of a step, counted from 0."""
        rising = max(1, round(self.warmup * steps))
        if step < rising:
            return self.learning_rate * (step + 1) / rising
        along = (step - rising) / max(1, steps - rising)
        return self.learning_rate * 0.5 * (1 + math.cos(math.pi * along))

    def fingerprint(self, base: str, examples: str) -> str:
        """Return 16 hex digits of settings, base model and examples: a checkpoint of another training does not fit."""
        told = json.dumps([asdict(self), base, examples], sort_keys=True)
        return hashlib.sha256(told.encode()).hexdigest()[:16]


_PREFIX, _STATE = "checkpoint-", "state.json"


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a training is: steps done, and the loss of each."""

    step: int
    losses: tuple[float, ...]


class Checkpoints:
    """The checkpoints of one training in a folder."""

    def __init__(self, folder: Path, fingerprint: str) -> None:
        """Take the folder; checkpoints of another training (`TrainingPlan.fingerprint`) are not seen."""
        self._folder, self._fingerprint = folder, fingerprint

    def newest(self) -> tuple[Path, Progress] | None:
        """Return the folder of the newest checkpoint and how far it is, None when there is none."""
        found = [(self._progress(path), path) for path in self._folder.glob(f"{_PREFIX}*") if path.is_dir()]
        known = [(progress, path) for progress, path in found if progress is not None]
        if not known:
            return None
        progress, path = max(known, key=lambda pair: pair[0].step)
        return path, progress

    def save(self, progress: Progress, fill: Callable[[Path], None]) -> Path:
        """Write a checkpoint whose weights `fill` puts into a folder, and drop earlier ones. Raises CorpusError."""
        target = self._folder / f"{_PREFIX}{progress.step}"
        beside = self._folder / f".{target.name}.{os.getpid()}"
        try:
            shutil.rmtree(beside, ignore_errors=True)
            beside.mkdir(parents=True)
            fill(beside)
            state = {"fingerprint": self._fingerprint, "step": progress.step, "losses": progress.losses}
            (beside / _STATE).write_text(json.dumps(state), encoding="utf-8")
            shutil.rmtree(target, ignore_errors=True)
            beside.rename(target)
        except OSError as error:
            shutil.rmtree(beside, ignore_errors=True)
            raise CorpusError("full", f"{target} cannot be written: {error.strerror or error}") from error
        self._drop(but=target)
        return target

    def _drop(self, but: Path) -> None:
        for path in self._folder.glob(f"{_PREFIX}*"):
            if path != but:
                shutil.rmtree(path, ignore_errors=True)

    def _progress(self, path: Path) -> Progress | None:
        if not (path / _STATE).is_file():
            return None
        state = read_object(path / _STATE)
        if state.get("fingerprint") != self._fingerprint:
            return None
        return Progress(int(state["step"]), tuple(float(loss) for loss in state["losses"]))


_ROOMY = 1 << 20
"""A context in which nothing is cut: what is too long is left out, not shortened."""
_OPTIMIZER = "optimizer.safetensors"
_WEIGHS_FROM = 0.001
"""How likely an action must be for a router to take it. Chosen by whole answers to 40 held-out questions."""
_IGNORED = -100
"""The label that cross entropy leaves out, as torch has it by default."""
_TOGETHER = {"cpu": 1}
"""Examples computed at once by device; a processor gains nothing from more."""
_TOGETHER_ELSEWHERE = 4
"""The same on other devices, chosen by hand."""


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of an example; the last `reply` of them are what is learnt."""

    ids: tuple[int, ...]
    reply: int


def encode(loaded: Loaded, examples: Iterable[Example], plan: TrainingPlan) -> tuple[list[Tokens], int]:
    """Return the examples as tokens, and how many were longer than the plan's `max_tokens` and are not among them."""
    found, too_long = list[Tokens](), 0
    for example in examples:
        tokens = _encoded(loaded, example, instructions=plan.instructions)
        if tokens is None or len(tokens.ids) > plan.max_tokens:
            too_long += 1
        else:
            found.append(tokens)
    return found, too_long


def _encoded(loaded: Loaded, example: Example, *, instructions: bool) -> Tokens | None:
    try:
        request, is_whole = request_for(example.routing, _ROOMY, example.decision)
    except ModelFault:
        return None
    if not is_whole:
        return None
    told = [{"role": "system", "content": request.instructions}] if instructions else []
    prompt = loaded.prompt([*told, *({"role": turn.role, "content": turn.text} for turn in request.turns)])
    reply = list(loaded.tokenizer(reply_of(example), add_special_tokens=False)["input_ids"])
    end = loaded.tokenizer.eos_token_id
    reply += [int(end)] if end is not None else []
    return Tokens((*prompt, *reply), len(reply))


def labels_of(batch: Sequence[Tokens]) -> list[list[int]]:
    """Return what is learnt of examples that end together: the tokens of their replies, and nothing of a prompt."""
    longest = max(one.reply for one in batch)
    return [[_IGNORED] * (longest - one.reply) + list(one.ids[len(one.ids) - one.reply :]) for one in batch]


@dataclass(frozen=True, slots=True)
class Trained:
    """The loss of every step, and how many of them an earlier run had done."""

    losses: tuple[float, ...]
    resumed: int


class Trainer:
    """Trains an adapter on a loaded base model, which it changes: the adapter is in it afterwards."""

    def __init__(self, loaded: Loaded, plan: TrainingPlan, *, base: str) -> None:
        """Put a fresh adapter on the model; `base` is what the adapter will name as its base model."""
        torch, peft = library("torch"), library("peft")
        torch.manual_seed(plan.seed)
        config = peft.LoraConfig(
            r=plan.rank, lora_alpha=plan.alpha, task_type="CAUSAL_LM", target_modules="all-linear", lora_dropout=0.0
        )
        try:
            model = peft.get_peft_model(loaded.model, config)
        except ValueError as error:
            raise ModelError(f"{base} cannot be trained with LoRA: {on_one_line(str(error))[:200]}") from error
        model.peft_config["default"].base_model_name_or_path = base
        self.loaded = Loaded(model, loaded.tokenizer, loaded.device)
        self._plan, self._torch = plan, torch
        self._weights = [weight for weight in model.parameters() if weight.requires_grad]
        self._optimizer: Any = torch.optim.AdamW(self._weights, lr=plan.learning_rate, weight_decay=0.0)

    def train(
        self, examples: Sequence[Tokens], checkpoints: Checkpoints, advance: Callable[[int, int, float], None]
    ) -> Trained:
        """Go through all steps, or on from the newest checkpoint; `advance` gets step, steps and loss after each.

        An interrupt loses no more than the steps after the last checkpoint. Raises UsageError without examples,
        ModelError when the training runs away: its loss is no number any more.
        """
        steps = self._plan.steps(len(examples))
        if not steps:
            raise UsageError("there is no example to train on: curate more, or allow longer ones with --max-length")
        losses = self._resumed(checkpoints)
        resumed = len(losses)
        self.loaded.model.train()
        for step in range(resumed, steps):
            for group in self._optimizer.param_groups:
                group["lr"] = self._plan.rate(step, steps)
            losses.append(self._step([examples[row] for row in self._plan.rows(step, len(examples))]))
            if not math.isfinite(losses[-1]):
                raise ModelError(f"the loss of step {step + 1} is no number: begin anew with a lower --learning-rate")
            advance(step + 1, steps, losses[-1])
            if (step + 1) % self._plan.checkpoint_steps == 0 or step + 1 == steps:
                checkpoints.save(Progress(step + 1, tuple(losses)), self._save)
        self.loaded.model.train(mode=False)
        return Trained(tuple(losses), resumed)

    def loss(self, examples: Sequence[Tokens], advance: Callable[[], None] | None = None) -> float:
        """Return the mean loss of a token of the replies, without learning from it; at least one example."""
        total = count = 0.0
        self.loaded.model.train(mode=False)
        with self._torch.inference_mode():
            for one in examples:
                total += float(self._summed([one]))
                count += one.reply
                if advance:
                    advance()
        return total / count

    def save(self, folder: Path) -> None:
        """Write the adapter as peft does: its weights and the name of its base."""
        self.loaded.model.save_pretrained(str(folder), save_embedding_layers=False)

    def _step(self, batch: Sequence[Tokens]) -> float:
        """Learn from a batch; return the mean loss of its reply tokens."""
        replies, total = sum(one.reply for one in batch), 0.0
        together = _TOGETHER.get(self.loaded.device, _TOGETHER_ELSEWHERE)
        for start in range(0, len(batch), together):
            loss = self._summed(batch[start : start + together]) / replies
            loss.backward()
            total += float(loss.detach())
        self._torch.nn.utils.clip_grad_norm_(self._weights, 1.0)
        self._optimizer.step()
        self._optimizer.zero_grad(set_to_none=True)
        return total

    def _summed(self, batch: Sequence[Tokens]) -> Any:
        """Return the summed loss of the reply tokens of examples that are computed together.

        They end together: shorter ones are filled up on the left, so that only the last logits are needed.
        """
        torch, device = self._torch, self.loaded.device
        longest, reply = max(len(one.ids) for one in batch), max(one.reply for one in batch)
        ids = torch.tensor([[0] * (longest - len(one.ids)) + list(one.ids) for one in batch], device=device)
        mask = torch.tensor([[0] * (longest - len(one.ids)) + [1] * len(one.ids) for one in batch], device=device)
        labels = torch.tensor(labels_of(batch), device=device)
        given = self.loaded.last_logits(reply + 1)
        positions = (mask.cumsum(dim=1) - 1).clamp(min=0)
        out = self.loaded.model(input_ids=ids, attention_mask=mask, position_ids=positions, use_cache=False, **given)
        logits = out.logits[:, -reply - 1 : -1].float()
        return torch.nn.functional.cross_entropy(
            logits.reshape(-1, logits.shape[-1]), labels.reshape(-1), ignore_index=_IGNORED, reduction="sum"
        )

    def _save(self, folder: Path) -> None:
        self.save(folder)
        state = self._optimizer.state_dict()["state"]
        tensors = {f"{at}.{name}": value for at, found in state.items() for name, value in found.items()}
        library("safetensors.torch").save_file(tensors, str(folder / _OPTIMIZER))

    def _resumed(self, checkpoints: Checkpoints) -> list[float]:
        """Take over the newest checkpoint; return the losses of the steps it has seen."""
        newest = checkpoints.newest()
        if newest is None:
            return []
        folder, progress = newest
        files = library("safetensors.torch")
        weights = files.load_file(str(folder / "adapter_model.safetensors"))
        library("peft").set_peft_model_state_dict(self.loaded.model, weights)
        state: dict[int, dict[str, Any]] = {}
        for name, value in files.load_file(str(folder / _OPTIMIZER)).items():
            at, _, what = name.partition(".")
            state.setdefault(int(at), {})[what] = value
        self._optimizer.load_state_dict({**self._optimizer.state_dict(), "state": state})
        return list(progress.losses)


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
    decision = decision_of(examples)
    _replaced(router, lambda folder: _fill(folder, trainer, plan, base, decision))
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


def _fill(folder: Path, trainer: Trainer, plan: TrainingPlan, base: LocalFiles, decision: str) -> None:
    trainer.save(folder)
    config = read_object(folder / ADAPTER)
    config["base_model_name_or_path"] = str(base.base)
    (folder / ADAPTER).write_text(json.dumps(config, indent=2, sort_keys=True) + "\n", encoding="utf-8")
    card = {
        "decision": decision,
        "version": ROUTERS[decision].version,
        "instructions": plan.instructions,
        "context_tokens": base.context_tokens,
        **({"weighs_from": _WEIGHS_FROM} if decision == ROUTE_DOCUMENT.name else {}),
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
