"""A language model in files on this machine, as "local:PATH": the port that engines fill, and one attempt at a request.

That is whose turn it is, the time limit, and the text as it grows; retries and budgets are the gateway's. Nothing is
loaded before the first request.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, Protocol

from octavo.errors import ModelError, UsageError
from octavo.models.language import FaultKind, ModelFault, Reply, Request
from octavo.models.local_files import LocalFiles
from octavo.models.spec import LOCAL
from octavo_documents.text.lines import on_one_line

Message = dict[str, str]
"""A message of a conversation: `role` and `content`."""


@dataclass(frozen=True, slots=True)
class Written:
    """A reply as far as it is written; `finish` is "" until it is whole."""

    tokens: Sequence[int]
    finish: Literal["", "stop", "length"] = ""
    chance: float | None = None
    """The probability (0..1) of the first token, where the engine tells it."""


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


SMALL_CONTEXT = 2048
"""Tokens of context of a model whose files do not say."""
_TELL_EVERY = 4
"""Tokens between two reports of a growing text."""
POLL_SECONDS = 0.1
"""Between two looks of whoever waits for a turn, for the model to load, or for a step of another process."""
_MOST_BLANKS = 200
"""Blanks in a row from which a reply is taken to end: a schema lets a small model write them for ever."""
_UNFINISHED = "\N{REPLACEMENT CHARACTER}"
"""What a character looks like whose last bytes are not written yet."""


class LocalModel:
    """A LanguageModel. Replies are the likeliest tokens.

    Threads take turns: one reply is written at a time. Waiting for the turn, and for the model to be loaded, counts as
    the request's time.
    """

    costs_time_alone = True

    def __init__(self, files: LocalFiles, engine: Callable[[], LocalEngine], *, context_tokens: int = 0) -> None:
        """Take the files, and what loads them. `context_tokens` is a cap, 0 for none; what the files say holds too."""
        self._files, self._engine, self._id = files, engine, ""
        self._turn = threading.Lock()
        self._loading: Future[LocalEngine] | None = None
        known = files.context_tokens or context_tokens or SMALL_CONTEXT
        self.context_tokens = min(known, context_tokens or known)

    @property
    def id(self) -> str:
        """`local:NAME#` and a digest of the files, so that replies of one model are not taken for those of another."""
        if not self._id:
            self._id = f"{LOCAL}:{self._files.name}#{self._files.digest()}"
        return self._id

    @property
    def sees(self) -> bool:
        """Whether pictures may be sent: never."""
        return False

    @cached_property
    def is_small(self) -> bool:
        """Whether it has fewer than 4 billion parameters, as its files tell. Raises ModelError for broken ones."""
        return self._files.is_small

    @property
    def secrets(self) -> tuple[str, ...]:
        """None."""
        return ()

    def generate(self, request: Request, *, timeout: float, on_text: Callable[[str], None] | None = None) -> Reply:
        """Return the reply to a request, within `timeout` seconds.

        What `on_text` raises, an interrupt and the time limit end the work after its next step, a fraction of a second.
        """
        watch = _Watch(time.monotonic() + timeout, f"{self.id}: no whole reply within {timeout:g} seconds", on_text)
        while not self._turn.acquire(timeout=POLL_SECONDS):
            watch.look()
        try:
            return self._reply(self._loaded(watch), request, watch)
        finally:
            self._turn.release()

    def _loaded(self, watch: _Watch) -> LocalEngine:
        """Return the engine, loaded in a thread of its own: that takes many seconds, and nothing can end it."""
        if self._loading is None:
            self._loading = _in_background(self._engine)
        while True:
            try:
                return self._loading.result(timeout=POLL_SECONDS)
            except TimeoutError:
                watch.look()
            except (ModelError, UsageError) as error:
                self._loading = None
                raise ModelFault(FaultKind.UNKNOWN_MODEL, str(error), is_sent=False) from error

    def _reply(self, engine: LocalEngine, request: Request, watch: _Watch) -> Reply:
        try:
            prompt = engine.prompt(self._messages(request))
            if len(prompt) + request.max_output_tokens > self.context_tokens:
                wanted = f"{len(prompt)} tokens with {request.max_output_tokens} for the reply"
                raise ModelFault(FaultKind.CONTEXT, f"{self.id} takes {self.context_tokens} tokens, not {wanted}")
            written = self._written(engine, prompt, request, watch)
            text = engine.text(written.tokens).rstrip()
        except RuntimeError as error:
            self._loading = None  # An engine that failed may have kept half a request: the next one gets a new engine.
            raise ModelFault(FaultKind.SERVER, f"{self.id}: {on_one_line(str(error))[:200]}") from error
        watch.tell(text)
        return Reply(text, len(prompt), len(written.tokens), written.finish or "stop", written.chance)

    def _written(self, engine: LocalEngine, prompt: list[int], request: Request, watch: _Watch) -> Written:
        written, told = Written(()), 0
        with contextlib.closing(engine.write(prompt, request)) as steps:
            for written in steps:
                if len(written.tokens) >= told + _TELL_EVERY:
                    told = len(written.tokens)
                    watch.text = engine.text(written.tokens).rstrip(_UNFINISHED)
                    if len(watch.text) - len(watch.text.rstrip()) > _MOST_BLANKS:
                        return replace(written, finish="length")
                if not written.finish:
                    watch.look()
        return written

    def _messages(self, request: Request) -> list[Message]:
        turns = [{"role": turn.role, "content": turn.text} for turn in request.turns]
        told = [{"role": "system", "content": request.instructions}] if self._files.sends_instructions else []
        return [*told, *turns]


@dataclass
class _Watch:
    """Whoever waits for a reply: until when (`time.monotonic`), and what is told of the text as it grows."""

    until: float
    late: str
    on_text: Callable[[str], None] | None
    text: str = ""

    def look(self) -> None:
        """Tell the text so far. Raises ModelFault when the time is over, and whatever the listener raises."""
        self.tell(self.text)
        if time.monotonic() > self.until:
            raise ModelFault(FaultKind.TIMEOUT, self.late, is_sent=False)  # nobody will bill it

    def tell(self, text: str) -> None:
        """Tell a text, in any case."""
        if self.on_text:
            self.on_text(text)


def _in_background(make: Callable[[], LocalEngine]) -> Future[LocalEngine]:
    made: Future[LocalEngine] = Future()

    def work() -> None:
        try:
            made.set_result(make())
        except BaseException as error:  # noqa: BLE001  (raised again in the thread that waits)
            made.set_exception(error)

    # A daemon: a process that ends meanwhile does not wait for a model nobody wants any more.
    threading.Thread(target=work, name="octavo-load", daemon=True).start()
    return made
