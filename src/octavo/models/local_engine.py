"""What runs a language model in files, and how a conversation becomes the text it is given.

Owns the port that engines fill. Knows no engine, and nothing about requests beyond what is written from.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from octavo.models.language import Request

Message = dict[str, str]
"""A message of a conversation: `role` and `content`."""


@dataclass(frozen=True, slots=True)
class Written:
    """A reply as far as it is written; `finish` is "" until it is whole."""

    tokens: Sequence[int]
    finish: Literal["", "stop", "length"] = ""


class LocalEngine(Protocol):
    """A model in memory. Used by one thread at a time."""

    def prompt(self, messages: Sequence[Message]) -> list[int]:
        """Return the tokens of a conversation, up to where the reply begins."""
        ...

    def write(self, prompt: list[int], request: Request) -> Generator[Written]:
        """Yield the reply after each short step, also while the prompt is read; closing the generator ends the work.

        Raises ModelFault for a request the engine refuses, RuntimeError when the engine fails.
        """
        ...

    def text(self, tokens: Sequence[int]) -> str:
        """Return tokens as text, without those that steer the model."""
        ...


def conversation(
    messages: Sequence[Message], template: Callable[[list[Message]], str] | None, refused: type[Exception]
) -> str:
    """Return a conversation as the model was taught to read them; one that was taught none gets its paragraphs.

    `template` writes messages and raises `refused` for those it does not know, None where the model has none.
    """
    if template is None:
        return "\n\n".join(message["content"] for message in messages) + "\n\n"
    try:
        return template(list(messages))
    except refused:
        # Some templates know no system role: what it says then opens the conversation.
        system, first, *rest = messages
        return template([{"role": "user", "content": f"{system['content']}\n\n{first['content']}"}, *rest])
