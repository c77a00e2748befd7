"""How a router is trained: the settings of fine-tuning, and what follows from them.

The defaults are those of RDR2, appendix A.2; the order of examples and the learning rate follow from them.
"""

from __future__ import annotations

import hashlib
import json
import math
import random
from dataclasses import asdict, dataclass

from octavo.errors import UsageError


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
