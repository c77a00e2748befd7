"""Events of a question while it is answered: steps, the answer as it is written, and the answer."""

from __future__ import annotations

import dataclasses
import queue
import threading
from collections.abc import Callable, Generator

from octavo.document import Answer, TraceStep


@dataclasses.dataclass(frozen=True, slots=True)
class AnswerText:
    """The answer as far as it is written; the whole text each time."""

    text: str


@dataclasses.dataclass(frozen=True, slots=True)
class Ending:
    """Ctrl-C was pressed and a model's reply is waited for, so that what may be paid for is kept; the last event."""


Event = TraceStep | AnswerText | Answer | Ending
"""What a stream yields; the answer is the last one, unless Ctrl-C was pressed."""
_GRACE_SECONDS = 0.3
"""How long Ctrl-C waits for the thread that answers before it tells what is waited for."""


@dataclasses.dataclass(frozen=True)
class Listener:
    """Takes events from the thread that answers."""

    on_step: Callable[[TraceStep], None]
    on_text: Callable[[str], None]


def events(answer: Callable[[Listener], Answer], cancel: Callable[[], None]) -> Generator[Event]:
    """Yield what `answer` tells its listener, then the answer.

    An error of the answer is raised here. When the caller stops early, or on Ctrl-C, `cancel` is called and the thread
    waited for.
    """
    told: queue.SimpleQueue[Event | BaseException] = queue.SimpleQueue()

    def work() -> None:
        try:
            told.put(answer(Listener(told.put, lambda text: told.put(AnswerText(text)))))
        except BaseException as error:  # noqa: BLE001  (raised again in the caller's thread)
            told.put(error)

    thread = threading.Thread(target=work, name="octavo-ask", daemon=True)
    thread.start()
    try:
        while True:
            event = told.get()
            if isinstance(event, BaseException):
                raise event
            yield event
            if isinstance(event, Answer):
                return
    except KeyboardInterrupt:
        cancel()
        thread.join(_GRACE_SECONDS)
        if thread.is_alive():
            yield Ending()
        raise
    finally:
        cancel()
        thread.join()
