"""Asking several questions at once, for models that answer several requests at a time."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from typing import TypeVar

from octavo_lab.question import Question

_T = TypeVar("_T")


class QuestionThreads:
    """Asks questions on `parallel` threads, or in this one; the first error ends all of them."""

    def __init__(self, parallel: int = 1) -> None:
        self.lock = threading.Lock()
        """Held for what one thread does at a time: keeping answers, telling how far it is."""
        self._parallel = parallel
        self._ended = threading.Event()

    def of_each(self, questions: Sequence[Question], ask: Callable[[Question], _T]) -> list[_T]:
        """Return what `ask` makes of each question, in their order.

        An error, and Ctrl-C, end the others at their next `go_on`; the error of the first question that has one is
        raised.
        """
        if self._parallel == 1:
            return [ask(question) for question in questions]
        with ThreadPoolExecutor(self._parallel, "octavo-ask") as threads:
            asked = [threads.submit(ask, question) for question in questions]
            try:
                wait(asked, return_when=FIRST_EXCEPTION)
                for one in asked:
                    if one.done() and (wrong := one.exception()) is not None:
                        raise wrong
                return [one.result() for one in asked]
            finally:
                self._ended.set()
                threads.shutdown(wait=False, cancel_futures=True)

    def go_on(self) -> None:
        """Raise _EndedElsewhere where another question, or the user, has ended the run."""
        if self._ended.is_set():
            raise _EndedElsewhere


class _EndedElsewhere(Exception):
    """Leaves a thread once the run has ended; nobody sees it."""
