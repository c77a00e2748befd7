"""A training from a benchmark to a report: which steps there are, what each leaves for the next, and which are done.

OUT/examples.jsonl, held-out.jsonl are curated, with curation.json that says from what; OUT/checkpoints/ is there while
it is trained; OUT/router/ is the adapter, what --router takes; OUT/training.json has the loss of each step;
OUT/report.json, .html, .md say what it is worth. What a training would take is estimated from examples where they are
there, else from what is usual.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from octavo.corpus import Corpus
from octavo.decisions.engine.judge import Judge
from octavo.models.language import LanguageModel, ModelFault, estimate_tokens
from octavo.models.local_files import LocalFiles, read_object
from octavo_lab.question import Question
from octavo_lab.report import replace
from octavo_lab.training import scoring
from octavo_lab.training.example import (
    KINDS,
    Curation,
    Example,
    Split,
    decision_of,
    read_all,
    reply_of,
    request_for,
    split,
    write_all,
)
from octavo_lab.training.finetuning import TrainingPlan, finetune
from octavo_lab.training.scoring import score

_PER_QUESTION = 5
"""Examples a question usually gives: a few documents with few and many passages, some with a second step."""
_CONTEXT = 1 << 20
"""Tokens of a context in which nothing is cut."""
_MOST_LOSSES = 200
"""Held-out examples whose loss is taken before and after, at most."""


@dataclasses.dataclass(frozen=True)
class Folder:
    """The files of a run."""

    path: Path

    @property
    def train(self) -> Path:
        """Examples to learn from."""
        return self.path / "examples.jsonl"

    @property
    def held_out(self) -> Path:
        """Examples to be measured on."""
        return self.path / "held-out.jsonl"

    @property
    def curated(self) -> Path:
        """What the examples were made from."""
        return self.path / "curation.json"

    @property
    def trained(self) -> Path:
        """What came of the training, with the loss of each step."""
        return self.path / "training.json"

    @property
    def router(self) -> Path:
        """The trained adapter."""
        return self.path / "router"


def estimate(folder: Folder, questions: int, share: float, plan: TrainingPlan, *, is_labelled: bool) -> dict[str, Any]:
    """Return how many examples and steps there would be, and tokens: learnt from, and read by a labelling model.

    Examples that are curated already are counted as they are; else `questions` are reckoned with.
    """
    is_there = folder.train.is_file() and folder.train.stat().st_size
    known = read_all(folder.train) if is_there else ()
    count = len(known) or round(_PER_QUESTION * questions * (1 - share))
    length = _length(known, plan) if known else None
    asked = 0 if known or not is_labelled else _PER_QUESTION * questions
    steps = plan.steps(count)
    return {
        "questions": questions,
        "examples": count,
        "counted": "as curated" if known else "estimated",
        "labelling_calls": asked,
        "steps": steps,
        "tokens_per_example": length,
        "tokens_trained": None if length is None else steps * plan.batch * length,
    }


def _length(examples: Sequence[Example], plan: TrainingPlan) -> int:
    """Return about how many tokens an example has, prompt and reply."""
    sizes: list[int] = []
    for one in examples:
        try:
            request, _ = request_for(one.routing, _CONTEXT, one.decision)
        except ModelFault:
            continue
        told = request.instructions if plan.instructions else ""
        sizes.append(sum(map(estimate_tokens, (told, *(turn.text for turn in request.turns), reply_of(one)))))
    return round(sum(sizes) / len(sizes)) if sizes else 0


class Watcher(Protocol):
    """Is told how far a run is."""

    def begin(self, step: str, total: int) -> None:
        """Begin a step of so many units; 0 where that is not known."""
        ...

    def advance(self, done: int, told: str = "") -> None:
        """Note that `done` units of the step are done."""
        ...


@dataclasses.dataclass(frozen=True)
class Curated:
    """The examples of a run. `skipped` steps could not be labelled; `dropped` ones would have been on both sides."""

    split: Split
    skipped: int = 0


def curate(
    folder: Folder,
    questions: Sequence[Question],
    curation: Callable[[], Curation],
    scope: Callable[[Question], Sequence[str] | None],
    share: float,
    made_of: dict[str, Any],
    watcher: Watcher,
) -> Curated:
    """Return the examples of questions, those of an earlier run where they were made of the same (`made_of`)."""
    known = _known(folder, made_of)
    if known is not None:
        return known
    watcher.begin("curating", len(questions))
    maker, found = curation(), list[Example]()
    for done, question in enumerate(questions, start=1):
        found.extend(maker.examples(question, scope(question)))
        watcher.advance(done, f"{len(found):,} examples")
    parts = split(found, share)
    folder.curated.unlink(missing_ok=True)  # until both files are there it would tell of the ones before
    write_all(folder.train, parts.train)
    write_all(folder.held_out, parts.held_out)
    replace(folder.curated, json.dumps({**made_of, "skipped": maker.skipped, "dropped": parts.dropped}) + "\n")
    return Curated(parts, maker.skipped)


def _known(folder: Folder, made_of: dict[str, Any]) -> Curated | None:
    if not folder.train.is_file() or not folder.held_out.is_file():
        return None
    state = _state(folder)
    return kept(folder) if {name: state.get(name) for name in made_of} == made_of else None


def kept(folder: Folder) -> Curated:
    """Return the examples that lie in a folder, from an earlier run or from elsewhere.

    Raises UsageError for what is no example.
    """
    train, held = (
        read_all(path) if path.is_file() and path.stat().st_size else () for path in (folder.train, folder.held_out)
    )
    state = _state(folder)
    return Curated(Split(train, held, int(state.get("dropped", 0))), int(state.get("skipped", 0)))


def _state(folder: Folder) -> dict[str, Any]:
    return read_object(folder.curated) if folder.curated.is_file() else {}


def train(
    folder: Folder,
    base: LocalFiles,
    parts: Split,
    plan: TrainingPlan,
    device: str,
    watcher: Watcher,
) -> None:
    """Fine-tune on examples, or go on with it where it was interrupted; what came of it is in `Folder.trained`.

    The loss of up to 200 held-out examples is taken before and after.
    """
    watcher.begin("training", plan.steps(len(parts.train)))
    trained = finetune(
        base,
        parts.train,
        plan,
        folder.path,
        held_out=parts.held_out[:_MOST_LOSSES],
        device=device,
        advance=lambda done, _steps, loss: watcher.advance(done, f"loss {loss:.3f}"),
    )
    told = {
        "base": base.name,
        "device": trained.device,
        "examples": trained.examples,
        "too_long": trained.too_long,
        "steps": len(trained.losses),
        "resumed": trained.resumed,
        "seconds": round(trained.seconds, 1),
        "held_out_loss": trained.held_out_loss,
        "losses": [round(loss, 4) for loss in trained.losses],
        "settings": dataclasses.asdict(plan),
    }
    replace(folder.trained, json.dumps(told) + "\n")


def measure(
    models: Mapping[str, LanguageModel | None],
    examples: Sequence[Example],
    judge: Judge,
    reply_tokens: int,
    watcher: Watcher,
) -> dict[str, dict[str, float | None]]:
    """Return the figures of routers on held-out examples, by name; None stands for the rule."""
    found: dict[str, dict[str, float | None]] = {}
    decision = decision_of(examples)
    for name, model in models.items() if examples else ():
        router = scoring.by_rule if model is None else scoring.by_model(model, judge, reply_tokens, decision)
        watcher.begin(f"measuring {name}", len(examples))
        found[name] = score(examples, scoring.routed(router, examples, _Count(watcher))).to_json()
    return found


def measure_answers(
    corpora: dict[str, Callable[[], Corpus]],
    questions: Sequence[Question],
    scope: Callable[[Question], Sequence[str] | None],
    system: str,
    watcher: Watcher,
) -> dict[str, dict[str, float]]:
    """Return what routers do for answers, by name; each corpus is opened with the models of its router."""
    found: dict[str, dict[str, float]] = {}
    for name, opened in corpora.items() if questions else ():
        watcher.begin(f"answering with {name}", len(questions))
        with opened() as corpus:
            asked = _Count(watcher)
            found[name] = scoring.run_system(corpus, questions, scope, system, advance=asked).to_json()
    return found


class _Count:
    """Tells a watcher that one more unit is done, each time it is called."""

    def __init__(self, watcher: Watcher) -> None:
        self._watcher, self._done = watcher, 0

    def __call__(self) -> None:
        self._done += 1
        self._watcher.advance(self._done)


def digest_of(value: object) -> str:
    """Return 16 hex digits of what prints the same each time."""
    return hashlib.sha256(repr(value).encode("utf-8", "replace")).hexdigest()[:16]


def kinds(examples: Sequence[Example]) -> dict[str, int]:
    """Return how many examples there are of each kind."""
    counted = Counter(one.kind for one in examples)
    return {kind: counted[kind] for kind in KINDS}


def summary(name: str, curated: Curated, folder: Folder) -> dict[str, Any]:
    """Return what report.json says of a run, without the figures of routers: examples, and the last training."""
    parts = curated.split
    return {
        "name": name,
        "examples": {
            "train": len(parts.train),
            "held_out": len(parts.held_out),
            "kinds": kinds(parts.train),
            "held_out_kinds": kinds(parts.held_out),
            "skipped": curated.skipped,
            "dropped": parts.dropped,
        },
        "training": read_object(folder.trained) if folder.trained.is_file() else None,
    }


def write_report(run: dict[str, Any], folder: Folder) -> tuple[Path, ...]:
    """Write the report of a run; return its files."""
    return scoring.write(run, folder.path)
