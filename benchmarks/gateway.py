"""What the gateway costs and what it saves: overhead, killed jobs, jobs side by side, hostile spending.

Run: python benchmarks/gateway.py [overhead] [kills] [stops] [twins] [spend] [--kills 100] [--runs 200] [--json]

Overhead is the time of a call less the model's. A killed job is a process that makes calls in 8 threads against an
endpoint that notes every payment in a file, and is ended by SIGKILL at a random moment; it is started again until
all is done. A call is paid twice when its key is noted twice; `unexplained` counts those that were not in flight when
a process was ended. Stops are the same with SIGTERM, twins are two such jobs on one corpus. Spending is checked against
what the endpoint really billed: it lies about usage, fails half the time and is asked by 8 threads with tiny caps.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from octavo.corpus.store.sqlite import SqliteJournal, SqliteStore
from octavo.errors import BudgetError
from octavo.models.gateway import (
    Budget,
    Cancelled,
    Caps,
    Gateway,
    Journal,
    Limits,
    MemoryJournal,
    Price,
    Prices,
    input_tokens,
)
from octavo.models.language import FaultKind, ModelFault, Reply, Request, Turn, estimate_tokens
from octavo.models.scripted import ScriptedModel

THREADS = 8
FREE = Prices({"*": Price(0, 0)})
PRICES = Prices({"*": Price(1.0, 4.0)})
UNBILLED = {
    FaultKind.RATE_LIMIT,
    FaultKind.OVERLOADED,
    FaultKind.CONTEXT,
    FaultKind.AUTH,
    FaultKind.REQUEST,
    FaultKind.UNKNOWN_MODEL,
}


def request(text: str, decision: str = "test", tokens: int = 512) -> Request:
    return Request(decision, "1", "Judge what you read. " * 150, (Turn("user", text),), max_output_tokens=tokens)


# Overhead


def overhead(calls: int = 1000) -> dict[str, object]:
    """Return milliseconds of a call, first (model asked, reply written) and again (read), for each journal."""
    figures: dict[str, object] = {}
    with tempfile.TemporaryDirectory() as folder:
        store = SqliteStore(Path(folder) / "corpus.db")
        journals: dict[str, Journal] = {"in memory": MemoryJournal(), "in the corpus": SqliteJournal(store)}
        for name, journal in journals.items():
            figures[name] = _overhead(Gateway(journal, prices=PRICES), calls)
        store.close()
    return figures


def _overhead(gateway: Gateway, calls: int) -> dict[str, dict[str, float]]:
    model = ScriptedModel(lambda _: Reply("It is so. " * 60, 2900, 190))
    budget = Budget(Caps(calls=10**9, tokens=10**12, seconds=10**6, cost=10**6))
    asked = [request(f"Page {number}. " + "What stands on it. " * 320) for number in range(calls)]
    return {what: _times(lambda one: gateway.call(model, one, budget), asked) for what in ("first", "again")}


def _times(work: Callable[[Request], object], asked: list[Request]) -> dict[str, float]:
    times: list[float] = []
    cpu = time.process_time()
    for one in asked:
        started = time.perf_counter()
        work(one)
        times.append(1000 * (time.perf_counter() - started))
    cpu = 1000 * (time.process_time() - cpu) / len(asked)
    p50, p95 = np.percentile(times, [50, 95])
    return {"p50_ms": round(float(p50), 3), "p95_ms": round(float(p95), 3), "cpu_ms": round(cpu, 3)}


# Killed and stopped jobs


class CountingEndpoint:
    """A model that notes each payment in a file before it works for a while."""

    id = "counting:test"
    context_tokens = 100_000
    sees = False
    secrets: tuple[str, ...] = ()

    def __init__(self, folder: Path, slowest: float, beside: int = 1) -> None:
        """Take the folder; no reply comes before so many processes have paid for one each."""
        self._file = os.open(folder / "paid.log", os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        self._slowest, self._beside, self._payments = slowest, beside, Payments(folder)

    def generate(self, request: Request, *, timeout: float, on_text: Callable[[str], None] | None = None) -> Reply:
        os.write(self._file, f"{request.key(self.id)} {os.getpid()}\n".encode())
        deadline = time.monotonic() + 60
        while len(self._payments.payers()) < self._beside and time.monotonic() < deadline:
            time.sleep(0.01)
        self._beside = 1
        time.sleep(random.uniform(0, self._slowest))
        return Reply("done", 100, 10)


def job(folder: Path, calls: int, slowest: float, beside: int = 1) -> int:
    """Make calls in threads until all are made; SIGTERM ends it in good order. Return 0 when all are made."""
    stop = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    store = SqliteStore(folder / "corpus.db")
    journal = SqliteJournal(store)
    gateway = Gateway(journal, prices=FREE, limits=Limits(concurrency=THREADS))
    endpoint, budget = CountingEndpoint(folder, slowest, beside), Budget()
    order = random.sample(range(calls), calls)

    def ask(number: int) -> bool:
        try:
            gateway.call(endpoint, request(f"call {number}"), budget, cancel=stop)
        except Cancelled:
            return False
        return True

    with ThreadPoolExecutor(THREADS) as pool:
        is_done = all(list(pool.map(ask, order)))
    store.close()
    return 0 if is_done else 1


def start(folder: Path, calls: int, slowest: float, beside: int = 1) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, __file__, "job", str(folder), str(calls), str(slowest), str(beside)], stderr=subprocess.PIPE
    )


@dataclasses.dataclass
class Payments:
    """What was noted, and what of it is settled."""

    folder: Path

    def counts(self) -> Counter[str]:
        return Counter(line.split()[0] for line in self._lines())

    def payers(self) -> set[str]:
        """Return the processes that have paid for anything."""
        return {line.split()[1] for line in self._lines() if len(line.split()) > 1}

    def in_flight(self, pid: int) -> set[str]:
        """Return the keys a process paid for whose reply is not in the journal."""
        paid = {line.split()[0] for line in self._lines() if line.endswith(f" {pid}")}
        return paid - self.settled()

    def settled(self) -> set[str]:
        if not (self.folder / "corpus.db").exists():
            return set()
        store = SqliteStore(self.folder / "corpus.db")
        with store.connections.reading() as connection:
            keys = {row[0] for row in connection.execute("SELECT key FROM calls WHERE reply IS NOT NULL")}
        store.close()
        return keys

    def _lines(self) -> list[str]:
        path = self.folder / "paid.log"
        return path.read_text("ascii").splitlines() if path.exists() else []


def interrupted(times: int, how: signal.Signals, *, calls: int = 300, slowest: float = 0.02) -> dict[str, int]:
    """Interrupt jobs at random moments, start them again until they are done, and count what was paid twice."""
    total: Counter[str] = Counter(interruptions=0, paid_twice=0, in_flight=0, unexplained=0, lost=0)
    while total["interruptions"] < times:
        with tempfile.TemporaryDirectory() as folder:
            total.update(_one_job(Path(folder), how, times - total["interruptions"], calls, slowest))
    return dict(total)


def _one_job(folder: Path, how: signal.Signals, most: int, calls: int, slowest: float) -> Counter[str]:
    """Run one job to its end, with interruptions."""
    payments, allowed, total = Payments(folder), Counter[str](), Counter[str]()
    while True:
        process = start(folder, calls, slowest)
        if total["interruptions"] < most:
            _wait_for_work(payments, process)
            time.sleep(random.uniform(0, 0.25))
            process.send_signal(how)
        error = process.communicate(timeout=120)[1]
        if process.returncode == 0:
            break
        if process.returncode not in (1, -how) or error:
            raise RuntimeError(f"the job failed: {process.returncode} {error.decode()}")
        total["interruptions"] += 1
        flying = payments.in_flight(process.pid)
        total["in_flight"] += len(flying)
        allowed.update(flying)
    counts = payments.counts()
    total["calls"] = calls
    total["paid_twice"] = counts.total() - len(counts)
    total["unexplained"] = sum(max(0, count - 1 - allowed[key]) for key, count in counts.items())
    total["lost"] = calls - len(payments.settled())
    return total


def _wait_for_work(payments: Payments, process: subprocess.Popen[bytes]) -> None:
    """Wait until the process has made its first payment, or is done."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:
        if any(line.endswith(f" {process.pid}") for line in payments._lines()):
            return
        time.sleep(0.01)


def twins(calls: int = 300, *, slowest: float = 0.02, processes: int = 2) -> dict[str, int]:
    """Run jobs side by side on one corpus; each call is to be made once."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        jobs = [start(folder, calls, slowest, processes) for _ in range(processes)]
        failed = sum(1 for one in jobs if one.wait(120) != 0)
        payments = Payments(folder)
        counts, payers = payments.counts(), payments.payers()
    return {
        "processes": processes,
        "that_paid": len(payers),
        "failed": failed,
        "calls": calls,
        "paid": counts.total(),
        "paid_twice": counts.total() - len(counts),
    }


# Hostile spending


@dataclasses.dataclass
class Bill:
    """What was really billed."""

    calls: int = 0
    tokens: int = 0
    cost: float = 0.0

    def add(self, read: int, written: int) -> None:
        self.calls += 1
        self.tokens += read + written
        self.cost += PRICES.cost("any:model", read, written) or 0.0


class HostileEndpoint:
    """A model that fails half the time, and lies about what it bills: nothing, less than nothing, far too much."""

    id = "hostile:test"
    context_tokens = 100_000
    sees = False
    secrets: tuple[str, ...] = ()

    def __init__(self, chance: random.Random, started: float) -> None:
        self._chance = chance
        self._lock = threading.Lock()
        self._started = started
        self.bills: dict[str, Bill] = {}
        """What was billed, by decision."""
        self.latest = 0.0
        """Seconds after the start at which the last attempt was begun."""

    def generate(self, request: Request, *, timeout: float, on_text: Callable[[str], None] | None = None) -> Reply:
        with self._lock:
            chance = random.Random(self._chance.random())
            self.latest = max(self.latest, time.monotonic() - self._started)
        time.sleep(min(timeout, chance.uniform(0, 0.004)))
        read = round(input_tokens(request) * chance.uniform(0.2, 1.0))
        written = chance.randint(0, request.max_output_tokens)
        kind = chance.choice(list(FaultKind)) if chance.random() < 0.5 else None
        if kind not in UNBILLED:
            with self._lock:
                self.bills.setdefault(request.decision, Bill()).add(read, written)
        if kind is not None:
            raise ModelFault(kind, "no", retry_after=chance.choice([None, None, 0.002, -1.0]))
        lies = (0, -(10**9), 10**15, float("nan"), None)
        told = [number if chance.random() < 0.4 else chance.choice([*lies, 3 * number]) for number in (read, written)]
        text = "x" * (3 * written)
        assert estimate_tokens(text) == written
        return Reply(text, *told)  # type: ignore[arg-type]


def spending(runs: int, seed: int = 1) -> dict[str, float]:
    """Run hostile jobs; return how many got above a cap, by what the endpoint billed and by the budget's own count."""
    total: Counter[str] = Counter(runs=0, calls=0, refused=0, above_a_cap=0, counted_above_a_cap=0)
    for number in range(runs):
        total.update(_hostile_run(random.Random(seed * 1_000_003 + number)))
    return dict(total)


def _caps(chance: random.Random) -> Caps:
    """Return tiny caps: each kind is there two times of three."""
    kinds = (chance.randint(0, 60), chance.randint(0, 120_000), chance.uniform(0.05, 0.8), chance.uniform(0, 0.15))
    return Caps(*(cap if chance.random() < 0.67 else None for cap in kinds))  # type: ignore[arg-type]


def _hostile_run(chance: random.Random) -> Counter[str]:
    """Ask 64 calls in 8 threads, for 3 questions of one job, each with caps."""
    limits = Limits(concurrency=THREADS, first_delay=0.001, longest_delay=0.004)
    gateway, job_budget = Gateway(prices=PRICES, limits=limits), Budget(_caps(chance))
    budgets = {f"question {number}": Budget(_caps(chance), parent=job_budget) for number in range(3)}
    endpoint = HostileEndpoint(chance, time.monotonic())
    asked = [
        request(f"call {number} " + "word " * chance.randint(0, 800), chance.choice([*budgets]), chance.randint(1, 400))
        for number in range(64)
    ]
    total: Counter[str] = Counter(runs=1)

    def ask(one: Request) -> None:
        try:
            gateway.call(endpoint, one, budgets[one.decision])
        except BudgetError:
            total["refused"] += 1
        except ModelFault:
            pass

    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(ask, asked))
    bills = endpoint.bills
    whole = Bill(*(sum(values) for values in zip(*(dataclasses.astuple(bill) for bill in bills.values()), strict=True)))
    pairs = [(budgets[name].caps, bill) for name, bill in bills.items()] + [(job_budget.caps, whole)]
    late = job_budget.caps.seconds is not None and endpoint.latest > job_budget.caps.seconds
    total["calls"] = whole.calls
    total["above_a_cap"] = int(late or any(_is_above(caps, bill) for caps, bill in pairs))
    counted = [(budget.caps, _counted(budget)) for budget in (job_budget, *budgets.values())]
    total["counted_above_a_cap"] = int(any(_is_above(caps, bill) for caps, bill in counted))
    return total


def _counted(budget: Budget) -> Bill:
    spent = budget.spent
    return Bill(spent.calls, spent.input_tokens + spent.output_tokens, spent.cost or 0.0)


def _is_above(caps: Caps, bill: Bill) -> bool:
    pairs = ((caps.calls, bill.calls), (caps.tokens, bill.tokens), (caps.cost, bill.cost))
    return any(cap is not None and size > cap * (1 + 1e-9) for cap, size in pairs)


def main() -> None:
    if sys.argv[1:2] == ["job"]:
        sys.exit(job(Path(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4]), int(sys.argv[5])))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", default=["overhead", "kills", "stops", "twins", "spend"])
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    random.seed(given.seed)
    parts: dict[str, Callable[[], dict[str, object] | dict[str, int] | dict[str, float]]] = {
        "overhead": overhead,
        "kills": lambda: interrupted(given.kills, signal.SIGKILL),
        "stops": lambda: interrupted(max(1, given.kills // 5), signal.SIGTERM),
        "twins": twins,
        "spend": lambda: spending(given.runs, given.seed),
    }
    figures = {name: parts[name]() for name in given.parts}
    if given.json:
        print(json.dumps(figures, indent=2))
        return
    for name, found in figures.items():
        print(name)
        for key, value in found.items():
            print(f"  {key:<22}{value}")


if __name__ == "__main__":
    main()
