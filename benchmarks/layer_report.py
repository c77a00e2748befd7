"""What each layer of a document comes to: counts, seconds and memory, and what all of them add to indexing.

    python benchmarks/layer_report.py FILE... [--json]
    python benchmarks/layer_report.py FILE... --model copying | PROVIDER:NAME@URL [--max-calls N]

Each file is indexed in a process of its own into an empty corpus, once without the layers that only some systems read
and once with all of them. A layer's memory is the most its process held while it was built. With `--model` a model
decides, and the calls of each layer are printed beside those the plan said; `copying` is a scripted one that replies
at once, in the words it was shown. Memory is told on Linux only.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from os import times
from pathlib import Path

from every_layer import EVERY_LAYER, copied, register
from octavo.corpus import Corpus
from octavo.corpus.index.builders import Builders
from octavo.corpus.judges import ModelConfig
from octavo.decisions.engine import DecisionRecord
from octavo.evidence import Graph, PassageTable, SummaryTable
from octavo.evidence.layer_tables import Topology
from octavo.layers import Layer, LayerInputs
from octavo.models.gateway import Caps, Limits, Price, Prices
from octavo.models.scripted import ScriptedModel
from octavo_documents.document import LinkKind, LinkOrigin, LinkTable
from octavo_documents.document.columns import unpack
from octavo_methods.dmap.grown_map import GrownMap

COPYING = "copying"
_KIB, _MIB = 1 << 10, 1 << 20
_STATUS, _CLEAR = Path("/proc/self/status"), Path("/proc/self/clear_refs")


@dataclasses.dataclass
class Built:
    """What one layer took. `decided` counts its decisions by who took them."""

    seconds: float
    cpu_seconds: float
    peak_mib: int
    kib: int
    counts: dict[str, int]
    decided: dict[str, int]
    calls: int
    tokens: int
    model_seconds: float


# What a layer holds


def links(data: bytes) -> dict[str, int]:
    table = LinkTable.from_bytes(data)
    kinds = Counter(LinkKind(kind).label for kind in table.kind.tolist())
    return {**dict(sorted(kinds.items())), "by a model": int((table.origin == LinkOrigin.MODEL).sum())}


def graph(data: bytes) -> dict[str, int]:
    found = Graph.from_bytes(data)
    return {"entities": len(found), "mentions": len(found.mentions), "relations": len(found.relations)}


def tree(data: bytes) -> dict[str, int]:
    levels = Counter(Topology.from_bytes(data).nodes.level.tolist())
    return {f"level {level}": count for level, count in sorted(levels.items())}


def summaries(data: bytes) -> dict[str, int]:
    return dict(Counter(SummaryTable.from_bytes(data).target))


def document_map(data: bytes) -> dict[str, int]:
    found = GrownMap.from_bytes(data)
    return {"sections": len(found.sections), "pages": len(found.pages), "elements": len(found.elements)}


def communities(data: bytes) -> dict[str, int]:
    return {"communities": int(unpack(data)[1]["count"])}


def vectors(data: bytes) -> dict[str, int]:
    return {"vectors": len(unpack(data)[0]["vectors"])}


def passages(data: bytes) -> dict[str, int]:
    return {"passages": len(PassageTable.from_bytes(data))}


COUNTS: Mapping[str, Callable[[bytes], dict[str, int]]] = {
    "links": links,
    "communities": communities,
    "descriptions": summaries,
    "summaries": summaries,
    "document_map": document_map,
    "entities": graph,
    "topology": tree,
    "passages": passages,
}


def counted(name: str, data: bytes) -> dict[str, int]:
    """Return what a layer holds, by sort; nothing for one whose form is not known here."""
    if name in COUNTS:
        return COUNTS[name](data)
    return vectors(data) if name.endswith("vectors") else {}


# Building


def forget_peak() -> None:
    """Let the greatest memory of this process be counted anew."""
    if _CLEAR.exists():
        _CLEAR.write_text("5")


def peak_mib() -> int:
    """Return the most memory this process held since the peak was forgotten; 0 where the system does not tell."""
    lines = _STATUS.read_text().splitlines() if _STATUS.exists() else []
    return sum(int(line.split()[1]) * _KIB // _MIB for line in lines if line.startswith("VmHWM"))


def decider(record: DecisionRecord) -> str:
    """Return who took a decision, and why where it fell to the rule."""
    return f"{record.by} ({record.why})" if record.why else record.by


def watched(layer: Layer, log: dict[str, Built]) -> Layer:
    """Return a layer that notes what building it takes."""

    def build(inputs: LayerInputs) -> bytes:
        forget_peak()
        before, started, cpu = len(inputs.judge.records), time.perf_counter(), time.process_time()
        data = layer.build(inputs)
        records = inputs.judge.records[before:]
        usage = inputs.judge.usage(before)
        log[layer.name] = Built(
            seconds=round(time.perf_counter() - started, 3),
            cpu_seconds=round(time.process_time() - cpu, 3),
            peak_mib=peak_mib(),
            kib=len(data) // _KIB,
            counts=counted(layer.name, data),
            decided=dict(Counter(decider(record) for record in records)),
            calls=usage.calls,
            tokens=usage.input_tokens + usage.output_tokens,
            model_seconds=round(usage.seconds, 2),
        )
        return data

    return dataclasses.replace(layer, build=build)


def watched_builders(log: dict[str, Built]) -> Builders:
    made = Builders.default()
    return dataclasses.replace(
        made,
        layers={name: watched(layer, log) for name, layer in made.layers.items()},
        optional={name: watched(layer, log) for name, layer in made.optional.items()},
    )


def means(name: str) -> ModelConfig | None:
    """Return what decides: nothing for "", the copying model, or a real one, asked one call at a time."""
    if name == COPYING:
        model = ScriptedModel(copied, "copying:test", sees=True)
        return ModelConfig(model, prices=Prices({"copying:test": Price(1.0, 4.0)}))
    return ModelConfig(name, limits=Limits(timeout=600, attempts=1, concurrency=1)) if name else None


def measure(file: str, *, systems: list[str], model: str = "", most_calls: int | None = None) -> dict[str, object]:
    """Index one file into an empty corpus and return what it took; `systems` are those whose layers are built."""
    register()
    log: dict[str, Built] = {}
    planned: dict[str, int | None] = {}
    with tempfile.TemporaryDirectory() as folder:
        builders = watched_builders(log)
        with Corpus(Path(folder) / "corpus", models=means(model), builders=lambda: builders) as corpus:
            caps = Caps(calls=most_calls) if most_calls else None
            if model:
                corpus.add(file)
                planned = {part.part: part.calls for part in corpus.plan(file, systems=systems).parts}
            forget_peak()
            started, before = time.perf_counter(), times()
            report = corpus.add(file, systems=systems, caps=caps)
            seconds, after = time.perf_counter() - started, times()
            pages = sum(info.pages for info in (*report.added, *report.unchanged))
            blocks = sum(info.blocks for info in (*report.added, *report.unchanged))
    return {
        "file": Path(file).name,
        "pages": pages,
        "blocks": blocks,
        "failed": [failure.reason for failure in report.failed],
        "stopped": report.stopped,
        "seconds": round(seconds, 2),
        "cpu_seconds": round(sum(after[:4]) - sum(before[:4]), 2),
        "planned": planned,
        "layers": {name: dataclasses.asdict(built) for name, built in log.items()},
    }


def in_a_process(file: str, *options: str) -> dict[str, object]:
    done = subprocess.run([sys.executable, __file__, "one", file, *options], stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)


# Printing


def show(plain: dict[str, object] | None, full: dict[str, object], *, with_calls: bool) -> None:
    print(f"{full['file']}: {full['pages']} pages, {full['blocks']} blocks", end="")
    if plain is not None:
        share = float(str(full["cpu_seconds"])) / max(float(str(plain["cpu_seconds"])), 1e-9)
        print(f"; CPU {plain['cpu_seconds']} s without, {full['cpu_seconds']} s with all layers ({share:.2f}x)", end="")
        print(f"; wall {plain['seconds']} s and {full['seconds']} s", end="")
    print(f"; stopped by {full['stopped']}" if full["stopped"] else "")
    layers, planned = full["layers"], full["planned"]
    assert isinstance(layers, dict)
    assert isinstance(planned, dict)
    for name, built in layers.items():
        print(line(name, Built(**built), planned.get(name), with_calls=with_calls))
    if with_calls:
        made = sum(built["calls"] for built in layers.values())
        print(f"  {'together':18} {made} calls, planned {sum(calls or 0 for calls in planned.values())}")


def line(name: str, built: Built, planned: int | None, *, with_calls: bool) -> str:
    counts = ", ".join(f"{what} {count}" for what, count in built.counts.items())
    text = f"  {name:18} {built.cpu_seconds:7.2f} s CPU {built.peak_mib:5} MiB {built.kib:6} KiB  {counts}"
    if not with_calls:
        return text
    decided = ", ".join(f"{by} {count}" for by, count in sorted(built.decided.items()))
    return (
        f"{text}\n  {'':18} {built.calls} calls (planned {planned}), {built.tokens} tokens, "
        f"{built.model_seconds} s of the model; decided by {decided or 'nobody'}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--model", default="")
    parser.add_argument("--max-calls", type=int)
    parser.add_argument("--plain", action="store_true", help="without the layers that only some systems read")
    parser.add_argument("--json", action="store_true")
    given = sys.argv[1:]
    options = parser.parse_args(given[1:] if given[:1] == ["one"] else given)
    if given[:1] == ["one"]:
        run = partial(measure, options.files[0], model=options.model, most_calls=options.max_calls)
        print(json.dumps(run(systems=[] if options.plain else [EVERY_LAYER])))
        return
    asked = ["--model", options.model] if options.model else []
    asked += ["--max-calls", str(options.max_calls)] if options.max_calls else []
    for file in options.files:
        plain = None if options.model else in_a_process(file, "--plain")
        full = in_a_process(file, *asked)
        if options.json:
            print(json.dumps({"plain": plain, "full": full}), flush=True)
        else:
            show(plain, full, with_calls=bool(options.model))
            sys.stdout.flush()


if __name__ == "__main__":
    main()
