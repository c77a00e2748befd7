"""What a tool for agents is: its name, what it takes and gives, and the function that does it."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from octavo.errors import (
    AmbiguousDocumentError,
    CorpusError,
    OctavoError,
    UnknownDocumentError,
    UsageError,
    did_you_mean,
)
from octavo.evidence.citation_ids import document_digits
from octavo_server.mcp.fencing import Said
from octavo_server.pools import PoolSlot
from octavo_server.problems import candidates_of, said

if TYPE_CHECKING:
    from octavo_server.library import Library
    from octavo_server.mcp.writing import Additions, Roots

_ID = re.compile(r"(?:sha256:)?[0-9a-f]{16,64}", re.IGNORECASE)
_LONGEST_NAME = 400


class ToolFailure(OctavoError):
    """A tool cannot do what it was asked to; the message says what to do instead.

    No words of documents stand in it: they are `said`, a line each.
    """

    def __init__(self, message: str, said: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.said = tuple(said)


class Arguments(BaseModel):
    """Base of what tools take; an argument that is not known is refused, so that none is passed over."""

    model_config = ConfigDict(extra="forbid")


class Result(BaseModel):
    """Base of what tools give. `next` says what may be done with it."""

    next: list[str] = Field(default_factory=list[str])


_A = TypeVar("_A", bound=Arguments)


@dataclasses.dataclass(frozen=True, slots=True)
class Reply:
    """What a tool gives: the values, the same as text that a model reads, and a picture with its media type.

    `places` are the ids and pages that a chat may show beside it (`chat_page`), `verdict` what it says over them.
    """

    result: BaseModel
    text: str
    picture: tuple[bytes, str] | None = None
    places: Sequence[tuple[str, int]] = ()
    verdict: str = ""
    page: BaseModel | None = None
    """The page that the picture shows."""


@dataclasses.dataclass(frozen=True, slots=True)
class Steps:
    """A reply that takes long: what is done one after the other first, each a task of its own."""

    steps: Sequence[Callable[[], None]]
    reply: Callable[[], Reply]


@dataclasses.dataclass
class ToolContext:
    """What tools work with. `base` is the address under which permalinks open, "" where nothing serves them."""

    library: Library
    base: str = ""
    owner: str = ""
    """Whose the answers are that tools give: the hash of a key."""
    may_write: bool = False
    """Whether what is found may be kept in the corpus."""
    additions: Additions | None = None
    """Takes documents in; None where nothing may be written."""
    roots: Roots | None = None
    """The folders that they come from; None where nothing may be written."""

    def link(self, path: object) -> str:
        """Return the address of a permalink such as "/c/ID"."""
        return f"{self.base}{path}" if isinstance(path, str) else ""

    def document(self, reference: str) -> str:
        """Return the id of the document that an id, the start of one, or a name means. Raises ToolFailure."""
        if len(reference) > _LONGEST_NAME or not reference.strip():
            raise ToolFailure("'document' is an id or a name as list_documents gives it")
        try:
            return self.library.meant(reference.strip()).id
        except UnknownDocumentError as unknown:
            near = (did_you_mean(unknown.near),) if unknown.near else ()
            raise ToolFailure(f"there is no document {reference!r}; list_documents shows all", near) from unknown
        except AmbiguousDocumentError as several:
            rows = [f"{document_digits(one['id'])}  {Said(one['path']).line}" for one in candidates_of(several)]
            raise ToolFailure(
                f"{reference!r} means several documents, and nothing was done; call again with the id of one", rows
            ) from several

    def documents(self, references: list[str] | None) -> list[str] | None:
        """Return the ids of several documents, None for all."""
        return [self.document(reference) for reference in references] if references else None


@dataclasses.dataclass
class ToolCall:
    """One call of a tool while it runs in a thread; `cancel` may come from another."""

    slot: PoolSlot = dataclasses.field(default_factory=PoolSlot)
    """What it holds of the threads that work, for it to give back while it waits for a model."""
    tell: Callable[[str], None] = lambda _told: None
    """Takes what is being done, in words of ours, for a caller that watches; from any thread."""
    is_task: bool = False
    """Whether it runs on without its caller (`tasks`)."""
    is_cancelled: bool = False
    _cancel: Callable[[], None] | None = None

    def on_cancel(self, action: Callable[[], None]) -> None:
        """Have something done when nobody waits for the call any longer, at once if that is so already."""
        self._cancel = action
        if self.is_cancelled:
            action()

    def cancel(self) -> None:
        """Note that nobody waits for the call any longer."""
        self.is_cancelled = True
        if self._cancel is not None:
            self._cancel()


@dataclasses.dataclass(frozen=True, kw_only=True)
class Tool(Generic[_A]):
    """A row of the table of tools."""

    name: str
    title: str
    description: str
    arguments: type[_A]
    result: type[BaseModel]
    run: Callable[[ToolContext, ToolCall, _A], Reply | Steps]
    writes: bool = False
    destroys: bool = False
    asks_models: bool = False
    """Whether it may take long, and money where models are configured."""
    is_long: bool = False
    """Whether a caller that knows tasks is given one."""
    is_shown: bool = False
    """Whether a chat may show the pages that a result is about."""

    def reply(self, context: ToolContext, call: ToolCall, given: Mapping[str, Any]) -> Reply | Steps:
        """Run the tool with arguments as they came. Raises pydantic's ValidationError and OctavoError."""
        return self.run(context, call, self.arguments.model_validate(dict(given)))


def tool_message(error: OctavoError) -> str:
    """Return the message of an error in the words of the tools: what the command line would do, they do otherwise.

    A document's name may stand in it.
    """
    text = said(str(error))
    for command, here in _HERE.items():
        text = text.replace(command, here)
    return text


def advice(error: OctavoError) -> str:
    """Return what may be done about an error, in words of ours alone."""
    if isinstance(error, UsageError) and "citation" in str(error):
        return "Such ids come from search, ask, verify_quote and read."
    if isinstance(error, CorpusError) and error.reason in ("missing", "unknown"):
        return "list_documents shows what there is."
    return ""


_HERE = {
    "'octavo list' shows all": "list_documents shows all",
    "GET /v1/documents lists all": "list_documents shows all",
    "as 'octavo ask --json' prints it": "as a tool gave it",
    "run 'octavo check --repair'": "ask the user to run 'octavo check --repair'",
}
