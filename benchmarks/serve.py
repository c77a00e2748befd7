"""How much a server takes: searches at once, open answers, pictures of pages, start, weight of the page, memory.

Run: python benchmarks/serve.py CORPUS [--clients 1,8,64] [--seconds 10] [--streams 500] [--minutes 0] [--json]

CORPUS is a folder that `octavo add` filled; it is copied, so that nothing is written to it. The real program runs,
`octavo serve`, and is asked over loopback from this process. Questions are made of the headings of the documents:
`whole` asks them of all documents as the page does, `pages` of their own document for its pages alone, without reading
these for passages. Open answers come from a model that writes for `--hold` seconds; searches go on beside them.
`--minutes` goes on with searches and open answers for so long, and tells how memory grew.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gzip
import itertools
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import numpy as np

from http_client import Connection
from slow_model import SlowModel

QUESTIONS = 300
PICTURES = 40
SEED = 1
Figures = dict[str, Any]
Body = dict[str, Any]
"""Of a request."""


@dataclass
class Server:
    """A running server."""

    process: subprocess.Popen[str]
    host: str
    port: int
    token: str

    def connection(self) -> Connection:
        return Connection(self.host, self.port, {"Authorization": f"Bearer {self.token}"})

    def megabytes(self) -> float:
        """Return the resident memory of the process and all it started."""
        return sum(map(_resident, _family(self.process.pid)))


@contextlib.contextmanager
def served(corpus: Path, *options: str, **environment: str) -> Iterator[tuple[Server, float]]:
    """Run the program over a corpus; yields the server and when it was started."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("OCTAVO_")}
    command = [sys.executable, "-m", "octavo", "serve", "--port", "0", "--corpus", str(corpus), *options]
    started = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=kept | environment) as process:
        try:
            assert process.stdout is not None
            found = re.search(r"https?://\S+", process.stdout.readline())
            if found is None:
                raise SystemExit("the server did not start")
            address = urlsplit(found[0])
            token = parse_qs(address.query).get("token", [""])[0]
            yield Server(process, str(address.hostname), int(address.port or 80), token), started
        finally:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(15)
            except subprocess.TimeoutExpired:
                process.kill()


async def first_page(server: Server, started: float) -> Figures:
    """Return how long it took until the page was there, and what it weighs with all it loads, compressed."""
    with contextlib.closing(server.connection()) as connection:
        page = await connection.request("GET", "/", Accept="text/html")
        seconds = time.perf_counter() - started
        figures: Figures = {"first_page_s": round(seconds, 2), "page_status": page.status}
        loaded = set(re.findall(rb'(?:src|href)="(/static/[^"]+)"', page.body))
        weights = {"/": _weight(page.body)}
        for path in sorted(path.decode() for path in loaded):
            weights[path] = _weight((await connection.request("GET", path)).body)
        return figures | {"page_gzip_kb": round(sum(weights.values()) / 1024, 1), "page_files": len(weights)}


def _weight(body: bytes) -> int:
    return len(gzip.compress(body, 6))


async def searches_of(server: Server) -> dict[str, list[Body]]:
    """Return searches by their kind, made of headings of the documents, the same for the same corpus."""
    with contextlib.closing(server.connection()) as connection:
        listed = (await connection.request("GET", "/v1/documents?limit=200")).json()["items"]
        titles = list[tuple[str, str]]()
        for item in listed:
            outline = (await connection.request("GET", f"/v1/documents/{item['id']}/outline")).json()
            titles += [(title, item["id"]) for title in _titles(outline["sections"]) if 8 < len(title) < 120]
    random.Random(SEED).shuffle(titles)
    asked = [({"question": f"What is said about {title}?"}, identity) for title, identity in titles[:QUESTIONS]]
    alone = {"system": "hybrid", "passages": False}
    return {
        "whole": [body for body, _ in asked],
        "pages": [{**body, **alone, "documents": [identity]} for body, identity in asked],
    }


def _titles(sections: Sequence[dict[str, Any]]) -> Iterator[str]:
    for section in sections:
        yield section["title"]
        yield from _titles(section["sections"])


async def searching(server: Server, bodies: Sequence[Body], clients: int, until: float) -> list[tuple[int, float]]:
    """Search with so many clients at once until a moment; returns each answer's status and seconds."""
    done, turn = list[tuple[int, float]](), itertools.cycle(bodies)

    async def one() -> None:
        with contextlib.closing(server.connection()) as connection:
            while time.perf_counter() < until:
                begun = time.perf_counter()
                answer = await connection.request("POST", "/v1/search", next(turn))
                done.append((answer.status, time.perf_counter() - begun))

    await asyncio.gather(*(one() for _ in range(clients)))
    return done


def told(done: Sequence[tuple[int, float]], seconds: float) -> Figures:
    """Return the figures of searches: how many a second, their milliseconds, and what was refused or failed."""
    good = [1000 * took for status, took in done if status == 200]
    statuses = Counter(str(status) for status, _ in done if status != 200)
    return {"per_second": round(len(good) / seconds, 1), **percentiles(good), "others": dict(statuses)}


def percentiles(milliseconds: Sequence[float]) -> Figures:
    if not milliseconds:
        return {"p50_ms": None, "p99_ms": None}
    p50, p99 = np.percentile(milliseconds, [50, 99])
    return {"p50_ms": round(float(p50), 1), "p99_ms": round(float(p99), 1)}


async def pictures(server: Server) -> Figures:
    """Return the milliseconds of pictures of pages that are drawn, and of the same asked for again."""
    with contextlib.closing(server.connection()) as connection:
        listed = (await connection.request("GET", "/v1/documents?limit=200")).json()["items"]
        pages = [(item["id"], page) for item in listed if item["has_pages"] for page in range(1, item["pages"] + 1)]
        chosen = random.Random(SEED).sample(pages, min(PICTURES, len(pages)))
        figures: Figures = {}
        for name in ("cold", "cached"):
            times = list[float]()
            for identity, page in chosen:
                begun = time.perf_counter()
                answer = await connection.request("GET", f"/v1/documents/{identity}/pages/{page}/image?width=900")
                if answer.status == 200:
                    times.append(1000 * (time.perf_counter() - begun))
            figures[name] = {**percentiles(times), "pictures": len(times)}
        return figures


@dataclass
class Streams:
    """What became of open answers."""

    open: int = 0
    most_open: int = 0
    done: int = 0
    first: list[float] | None = None
    failures: Counter[str] | None = None

    def told(self) -> Figures:
        first = [1000 * seconds for seconds in self.first or ()]
        return {
            "most_open": self.most_open,
            "done": self.done,
            "failures": dict(self.failures or {}),
            "first_event": percentiles(first),
        }


async def streaming(server: Server, questions: Iterator[str], streams: Streams) -> None:
    """Ask one question and follow its answer to the end."""
    assert streams.first is not None and streams.failures is not None
    begun, ended = time.perf_counter(), "cut"
    with contextlib.closing(server.connection()) as connection:
        try:
            lines = connection.lines("POST", "/v1/ask", {"question": next(questions)}, Accept="text/event-stream")
            is_first = True
            async for line in lines:
                if is_first:
                    is_first = False
                    streams.first.append(time.perf_counter() - begun)
                    streams.open += 1
                    streams.most_open = max(streams.most_open, streams.open)
                if line.startswith("event: "):
                    ended = line[7:].strip()
                elif ended == "error" and line.startswith("data: "):
                    ended = json.loads(line[6:])["detail"][:80]
            streams.open -= 1
        except (OSError, RuntimeError, asyncio.IncompleteReadError) as error:
            ended = str(error)[:60] or type(error).__name__
    if ended == "done":
        streams.done += 1
    else:
        streams.failures[ended] += 1


async def open_answers(
    server: Server, model: SlowModel, searches: dict[str, list[Body]], count: int, minutes: float
) -> Figures:
    """Open so many answers at once, search beside them, and watch memory; for minutes, each that ends is replaced."""
    streams = Streams(first=[], failures=Counter())
    questions = itertools.cycle(body["question"] for body in searches["whole"])
    asked = (f"{question} ({number})" for number, question in enumerate(questions))
    until = time.perf_counter() + minutes * 60
    memory = [(time.perf_counter(), server.megabytes())]

    async def keep() -> None:
        await streaming(server, asked, streams)
        while time.perf_counter() < until:
            await streaming(server, asked, streams)

    async def watch() -> None:
        while True:
            await asyncio.sleep(1)
            memory.append((time.perf_counter(), server.megabytes()))

    watching = asyncio.create_task(watch())
    begun = time.perf_counter()
    keeping = [asyncio.create_task(keep()) for _ in range(count)]
    await asyncio.sleep(min(model.seconds / 3, 10))
    search_until = max(until, time.perf_counter() + 10)
    search_begun = time.perf_counter()
    found = await searching(server, searches["pages"], 8, search_until)
    searched = time.perf_counter() - search_begun
    await asyncio.gather(*keeping)
    watching.cancel()
    return {
        "streams": streams.told() | {"seconds": round(time.perf_counter() - begun, 1)},
        "model_calls": model.calls,
        "model_open": model.most_open,
        "searches_beside": told(found, searched),
        "memory": memory_told(memory),
    }


def memory_told(samples: Sequence[tuple[float, float]]) -> Figures:
    """Return how memory went: at first, at most, at the end, every ten seconds, and its growth in the second half."""
    times = np.array([at for at, _ in samples])
    values = np.array([value for _, value in samples])
    half = len(samples) // 2
    slope = float(np.polyfit(times[half:], values[half:], 1)[0]) * 60 if len(samples) - half > 2 else 0.0
    return {
        "start_mb": round(values[0]),
        "most_mb": round(float(values.max())),
        "end_mb": round(values[-1]),
        "growth_mb_a_minute": round(slope, 2),
        "each_10_s_mb": [round(value) for _, value in samples[::10]],
    }


def _family(pid: int) -> list[int]:
    """Return a process and all its descendants."""
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return []
    return [pid, *(one for child in children for one in _family(int(child)))]


def _resident(pid: int) -> float:
    """Return the megabytes that a process alone holds, and its share of those it has in common with others."""
    with contextlib.suppress(OSError):
        found = re.search(r"^Pss:\s+(\d+)", Path(f"/proc/{pid}/smaps_rollup").read_text(), re.MULTILINE)
        return int(found[1]) / 1024 if found else 0.0
    return 0.0


async def measured(corpus: Path, arguments: argparse.Namespace) -> AsyncIterator[tuple[str, Figures]]:
    """Yield figures by what they are of, as they come."""
    with served(corpus) as (server, started):
        yield "start", await first_page(server, started)
        searches = await searches_of(server)
        begun = time.perf_counter()
        await searching(server, searches["whole"], 1, begun + 0.001)  # one search, to open what stays open
        yield "first search", {"seconds": round(time.perf_counter() - begun, 2)}
        for kind, clients in itertools.product(searches, arguments.clients):
            begun = time.perf_counter()
            found = await searching(server, searches[kind], clients, begun + arguments.seconds)
            yield f"{kind}, {clients} at once", told(found, time.perf_counter() - begun)
        yield "pictures", await pictures(server)
        yield "memory", {"megabytes": round(server.megabytes())}
    if arguments.streams:
        async with SlowModel(arguments.hold) as model:
            options = ("--model", f"openai:slow@{model.url}")
            environment = {"OCTAVO_CONCURRENCY": str(max(4, arguments.streams)), "OPENAI_API_KEY": "none"}
            with served(corpus, *options, **environment) as (server, _):
                yield (
                    f"{arguments.streams} open answers",
                    await open_answers(server, model, searches, arguments.streams, arguments.minutes),
                )


async def run(arguments: argparse.Namespace, show: Callable[[str, Figures], None]) -> Figures:
    """Measure over a copy of the corpus."""
    figures: Figures = {}
    with tempfile.TemporaryDirectory() as folder:
        corpus = Path(folder) / "corpus"
        shutil.copytree(arguments.corpus, corpus)
        async for name, found in measured(corpus, arguments):
            figures[name] = found
            show(name, found)
    return figures


def flat(figures: Figures) -> str:
    return ", ".join(f"{name} {flat(value) if isinstance(value, dict) else value}" for name, value in figures.items())


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--clients", type=lambda text: [int(part) for part in text.split(",")], default=[1, 8, 64])
    parser.add_argument("--seconds", type=float, default=10, help="for each number of clients")
    parser.add_argument("--streams", type=int, default=500)
    parser.add_argument("--hold", type=float, default=30, help="seconds that an answer takes")
    parser.add_argument("--minutes", type=float, default=0, help="go on for so long, and tell how memory grew")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    show: Callable[[str, Figures], None] = (
        (lambda name, found: None)
        if arguments.json
        else lambda name, found: print(f"{name:>22}  {flat(found)}", flush=True)
    )
    figures = asyncio.run(run(arguments, show))
    if arguments.json:
        print(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
