"""Which examples a router is trained on, and which it is measured on: no question or document is on both sides."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from octavo.errors import UsageError
from octavo.training.example import Example


@dataclass(frozen=True, slots=True)
class Split:
    """Examples on either side; `dropped` counts those of a held-out document with a question that is not held out."""

    train: tuple[Example, ...]
    held_out: tuple[Example, ...]
    dropped: int = 0


def split(examples: Sequence[Example], share: float) -> Split:
    """Hold out about `share` (0 to less than 1) of the questions, and every document that was found for one of them.

    Questions are chosen by a hash of their ids: the same ones in every run.
    """
    if not 0 <= share < 1:
        raise UsageError(f"the share that is held out is a number from 0 to less than 1, not {share}")
    out = tuple(one for one in examples if is_held_out(one.question_id, share))
    documents = {one.document_id for one in out}
    train = tuple(
        one for one in examples if one.document_id not in documents and not is_held_out(one.question_id, share)
    )
    return Split(train, out, len(examples) - len(train) - len(out))


def is_held_out(question_id: str, share: float) -> bool:
    """Whether a question is among the held-out ones."""
    place = int.from_bytes(hashlib.sha256(question_id.encode()).digest()[:8], "big") / 2**64
    return place < share
