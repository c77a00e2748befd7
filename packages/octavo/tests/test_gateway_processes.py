"""Killed, stopped and doubled jobs pay for no call twice, and liars spend no more than allowed: a sample.

All of it: python benchmarks/gateway.py
"""

from __future__ import annotations

import contextlib
import gc
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import gateway as benchmark
from gateways import PRICES, Model, fault, request
from octavo.corpus.store.sqlite import SqliteJournal, SqliteStore
from octavo.models.gateway import Budget, Caps, Gateway, Limits
from octavo.models.language import ModelFault, Reply, Request


def test_two_processes_on_one_corpus_make_each_call_once() -> None:
    found = benchmark.twins(calls=120, slowest=0.03)
    assert (found["failed"], found["that_paid"]) == (0, 2)
    assert (found["paid"], found["paid_twice"]) == (120, 0)


def test_a_killed_job_pays_again_only_for_what_was_in_flight() -> None:
    found = benchmark.interrupted(3, signal.SIGKILL, calls=150)
    assert found["interruptions"] == 3
    assert (found["unexplained"], found["lost"]) == (0, 0)
    assert found["paid_twice"] <= found["in_flight"] <= 3 * benchmark.THREADS


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGTERM to heed")
def test_a_stopped_job_pays_nothing_again() -> None:
    found = benchmark.interrupted(1, signal.SIGTERM, calls=150)
    assert found["interruptions"] == 1
    assert (found["in_flight"], found["paid_twice"], found["lost"]) == (0, 0, 0)


def test_liars_and_faults_spend_no_more_than_the_caps() -> None:
    found = benchmark.spending(15, seed=7)
    assert (found["above_a_cap"], found["counted_above_a_cap"]) == (0, 0)
    assert found["calls"] > 50
    assert found["refused"] > 50


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there is no timer to interrupt with")
def test_ctrl_c_at_any_moment_leaves_no_lease_no_slot_and_no_reservation(tmp_path: Path) -> None:
    # In a process of its own: an interrupt that comes a moment late would end whoever runs the tests.
    code = f"import pathlib, test_gateway_processes as tests; tests.interrupt(pathlib.Path({str(tmp_path)!r}))"
    paths = os.pathsep.join(path for path in sys.path if path)
    command = [sys.executable, "-X", "faulthandler", "-c", code]
    done = subprocess.run(
        command, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": paths}, check=False, timeout=300
    )
    assert done.returncode == 0, done.stderr[-2000:]


def interrupt(folder: Path) -> None:
    """Interrupt calls sixty times."""
    chance = random.Random(5)

    def reply(_request: Request, _timeout: float) -> Reply:
        time.sleep(chance.uniform(0, 0.001))
        if chance.random() < 0.2:
            raise fault()
        return Reply("yes", 1, 1)

    store, model, budget = SqliteStore(folder / "corpus.db"), Model(reply), Budget(Caps(calls=10**6))
    desk = Gateway(SqliteJournal(store), prices=PRICES, limits=Limits(first_delay=0.001, concurrency=1))
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    for moment in range(60):
        with contextlib.suppress(KeyboardInterrupt):
            for number in range(10_000):
                if number % 1_000 == 0:  # Python swallows one that comes in a callback of the garbage collector
                    signal.setitimer(signal.ITIMER_REAL, chance.uniform(0.0005, 0.008))
                with contextlib.suppress(ModelFault):  # four faults in a row come now and then
                    desk.call(model, request(f"{moment} {number}"), budget)
            sys.exit("no signal came")
    gc.collect()
    replies, leases = store.connections.get().execute("SELECT count(reply), count(nullif(token, '')) FROM calls").get
    assert replies > 0
    assert leases == 0
    assert not desk._lane(model.id)._inside
    assert not budget._held
    store.close()
