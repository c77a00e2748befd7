"""Answers to be combined, each under what it is an answer to. Knows nothing about documents or prompts."""

from __future__ import annotations

import dataclasses


@dataclasses.dataclass(frozen=True, slots=True)
class PartAnswer:
    """An answer: `label` is the question it answers, or where it comes from ("text", "picture")."""

    label: str
    answer: str
    answerable: bool = True


@dataclasses.dataclass(frozen=True, slots=True)
class CombineInput:
    """A question and the answers its own is made of.

    With `synthesis` questions the parts answer different questions, and these say how they go together; without any
    the parts are answers to the question itself, the most trusted first.
    """

    question: str
    parts: tuple[PartAnswer, ...]
    synthesis: tuple[str, ...] = ()
