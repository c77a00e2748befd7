"""An example of routing: a document as a router saw it, and what it should have done.

As JSON lines, checked when they are read, and as the request and reply that a router is trained and asked with. No
question or document is both trained on and measured on.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from octavo.decisions.engine.model_call import request_of
from octavo.decisions.route_document import ROUTE_DOCUMENT, Actions, RouteLine, Routing, legal, to_tags
from octavo.errors import UsageError
from octavo.evaluation.report.write import replace
from octavo.models.language import Request

Kind = Literal["answer", "expand", "refuse"]
KINDS: tuple[Kind, ...] = ("answer", "expand", "refuse")
GOLD = "gold"
"""The source of examples made from gold evidence."""


@dataclasses.dataclass(frozen=True, slots=True)
class Example:
    """What was shown and the right actions. `source` is GOLD or the name of the model that chose them.

    `question_id` is the benchmark's; `document_id` tells apart documents of the same name.
    """

    routing: Routing
    actions: Actions
    question_id: str
    document_id: str
    source: str = GOLD

    @property
    def kind(self) -> Kind:
        """What the example teaches first of all."""
        if self.actions.answer:
            return "answer"
        return "expand" if self.actions.expand else "refuse"


class _Line(BaseModel):
    model_config = ConfigDict(extra="forbid")

    id: int = Field(ge=0)
    depth: int = Field(ge=0, le=100)
    is_heading: bool
    text: str
    can_expand: bool = False
    score: float | None = None


class _Row(BaseModel):
    model_config = ConfigDict(extra="forbid")

    question: str = Field(min_length=1)
    document: str
    lines: list[_Line] = Field(min_length=1)
    can_refuse: bool = True
    answer: list[int] = []
    expand: list[int] = []
    refuse: bool = False
    question_id: str
    document_id: str
    source: str = GOLD


def written(example: Example) -> str:
    """Return an example as a line of JSON."""
    routing, actions = example.routing, example.actions
    row = _Row(
        question=routing.question,
        document=routing.document,
        lines=[_Line(**dataclasses.asdict(line)) for line in routing.lines],
        can_refuse=routing.can_refuse,
        **actions.model_dump(exclude={"done"}),
        question_id=example.question_id,
        document_id=example.document_id,
        source=example.source,
    )
    return json.dumps(row.model_dump(), ensure_ascii=False, separators=(",", ":"))


def read(text: str) -> Example:
    """Return the example in a line of JSON.

    Raises ValueError that says what is wrong: a field, or actions that are not legal for the lines.
    """
    row = _Row.model_validate_json(text)
    lines = tuple(RouteLine(**line.model_dump()) for line in row.lines)
    actions = Actions(answer=row.answer, expand=row.expand, refuse=row.refuse)
    if len({line.id for line in lines}) < len(lines):
        raise ValueError("two lines have the same id")
    found = legal(actions, lines)
    if found.dropped or found.collapsed:
        raise ValueError("its actions are not legal for its lines")
    routing = Routing(row.question, row.document, lines, row.can_refuse)
    return Example(routing, actions, row.question_id, row.document_id, row.source)


def read_all(path: Path) -> tuple[Example, ...]:
    """Return the examples in a file. Raises UsageError with file and line for the first that is not one."""
    found: list[Example] = []
    try:
        with path.open(encoding="utf-8") as file:
            for number, line in enumerate(file, start=1):
                if line.strip():
                    found.append(_read_at(path, number, line))
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} cannot be read as JSON lines: {error}") from error
    if not found:
        raise UsageError(f"{path} holds no example")
    return tuple(found)


def _read_at(path: Path, number: int, line: str) -> Example:
    try:
        return read(line)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"])) or "the line"
        raise UsageError(f"{path}, line {number}: {place}: {first['msg']}") from error
    except ValueError as error:
        raise UsageError(f"{path}, line {number}: {error}") from error


def write_all(path: Path, examples: Iterable[Example]) -> None:
    """Write examples to a file, whole or not at all. Raises CorpusError (`full`)."""
    replace(path, (written(example) + "\n" for example in examples))


# As a router is asked


def request_for(routing: Routing, context_tokens: int) -> tuple[Request, bool]:
    """Return the request a model of so much context gets, and whether all of the document fits into it.

    Raises ModelFault where the context is too small for the decision.
    """
    request, left_out = request_of(ROUTE_DOCUMENT, routing, context_tokens)
    return request, not left_out


def reply_of(example: Example) -> str:
    """Return the reply that is right: tags, an action a line."""
    return to_tags(example.actions, example.routing.lines)


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
