"""Checkpoints of a training: weights and optimizer as safetensors, the rest as JSON.

A checkpoint is there whole or not at all, and only the newest is kept. Nothing is pickled.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from octavo.errors import CorpusError
from octavo.models.local_files import read_object

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
