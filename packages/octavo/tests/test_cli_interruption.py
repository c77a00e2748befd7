"""An interruption that arrives where Python swallows exceptions still ends the command."""

from __future__ import annotations

import gc
import signal
import sys
import time
import weakref
from collections.abc import Callable

import pytest

from octavo.cli import guard
from octavo.cli.guard import within
from octavo.errors import BudgetError


class Thing:
    """Something that weak references can be told of."""


def inside_a_weak_reference(work: Callable[[], object]) -> None:
    thing = Thing()
    told = weakref.ref(thing, lambda _gone: work())
    del thing
    gc.collect()
    del told


def go_on_for_long() -> None:
    until = time.monotonic() + 20
    while time.monotonic() < until:
        time.sleep(0.01)


def test_ctrl_c_in_a_callback_that_swallows_it_ends_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    def command() -> None:
        inside_a_weak_reference(lambda: signal.raise_signal(signal.SIGINT))
        go_on_for_long()
        pytest.fail("the interruption was lost")

    assert guard.run(command) == guard.INTERRUPTED
    assert capsys.readouterr().err.splitlines() == ["octavo: interrupted; nothing was lost, run the same command again"]


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there is no timer to stop a command")
def test_a_cap_on_seconds_that_ends_in_such_a_callback_still_ends_the_command(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def command() -> None:
        with within(0.05):
            inside_a_weak_reference(lambda: time.sleep(0.2))
            go_on_for_long()
            pytest.fail("the cap was forgotten")

    assert guard.run(command) == BudgetError.exit_status
    assert capsys.readouterr().err.splitlines() == ["octavo: stopped after 0.05 seconds (max_seconds)"]


def test_other_exceptions_that_are_swallowed_are_told_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[type[BaseException]] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda lost: told.append(lost.exc_type))
    before = sys.unraisablehook
    assert guard.run(lambda: inside_a_weak_reference(lambda: 1 // 0)) == guard.DONE
    assert told == [ZeroDivisionError]
    assert sys.unraisablehook is before
