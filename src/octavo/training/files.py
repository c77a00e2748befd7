"""The folder of a training, and the names of the files in it."""

from __future__ import annotations

import dataclasses
from pathlib import Path


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
