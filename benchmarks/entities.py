"""Entities, relations and resolution: counts and time on documents, quality on names whose entities are known.

    python benchmarks/entities.py names [--seed 1] [--entities 300]
    python benchmarks/entities.py scirex --file papers.jsonl.gz
    python benchmarks/entities.py documents --corpus INDEX [--top 0] [--only NAME ...]

`names` resolves generated names: aliases, acronyms, misspellings, plurals, and names made to be mistaken.
`scirex` resolves the mentions of its papers, given, against its coreference clusters. Both print pairwise precision,
recall and F1 and B-cubed, for names equal to the letter and for gradient resolution. `documents` prints for each
indexed document the graph's size and CPU seconds, without a model, and both graphs' figures; `--top N` lists entities.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import time
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import octavo
from octavo.decisions.engine.judge import Judge
from octavo.evidence import Graph
from octavo.layers.base import LayerInputs
from octavo.layers.entities import graph_of
from octavo.layers.entities.extraction import TERM, EntityExtraction
from octavo.layers.entities.merging import resolution_of
from octavo.layers.entities.names import type_of
from octavo.layers.entities.words import is_capital
from octavo.models.embedders import embedder
from octavo_documents.text.names import acronyms

ADJECTIVES = """
    Northern Tidal Central Coastal Marine United Inland Western Royal Polar Eastern Harbour Silver
    Atlantic
""".split()  # noqa: SIM905
NOUNS = """
    Ferry Harbour Lantern Signal Weather Pilot Rescue Cable Freight Salt Timber Anchor Beacon Channel
    Current
""".split()  # noqa: SIM905
BODIES = "Authority Company Institute Commission Agency Association Council Foundation Board University".split()  # noqa: SIM905
GIVEN = "Anna Peter Maria Thomas Helen Martin Laura Simon Clara Victor Emma Robert Julia Daniel Sophie Edward".split()  # noqa: SIM905
FAMILY = "Halvorsen Lindqvist Okafor Marchetti Brandt Novak Castellan Whitmore Petersen Iwasaki Doherty Kovacs".split()  # noqa: SIM905
HEADS = "model fee schedule method index survey gauge forecast level rate correction network sensor record".split()  # noqa: SIM905
FIRSTS = "tide berth current wave storm salinity mooring freight signal sediment wind pressure depth channel".split()  # noqa: SIM905
Labelled = tuple[str, int]
"""A name and the number of the entity it is of."""


# Generated names


def generated(seed: int, entities: int) -> tuple[list[Labelled], list[tuple[str, str]]]:
    """Return names with their entities, shuffled, and the acronyms that a document would introduce."""
    draw = random.Random(seed)
    names: list[Labelled] = []
    introduced: list[tuple[str, str]] = []
    makers = (organisation, person, term, series)
    seen: set[str] = set()
    number = 0
    for attempt in range(20 * entities):
        made, pairs = makers[attempt % len(makers)](draw)
        if number < entities and seen.isdisjoint(made):
            seen.update(made)
            names += [(name, number) for name in made]
            introduced += pairs
            number += 1
    draw.shuffle(names)
    return names, introduced


def organisation(draw: random.Random) -> tuple[list[str], list[tuple[str, str]]]:
    name = f"{draw.choice(ADJECTIVES)} {draw.choice(NOUNS)} {draw.choice(NOUNS)} {draw.choice(BODIES)}"
    short = "".join(word[0] for word in name.split())
    forms = [name, name.upper(), f"The {name}", f"{name}’s", misspelt(draw, name)]
    pairs = [(short, name)] if draw.random() < 0.7 else []
    return [name, *draw.sample(forms[1:], 2), *([short] if pairs else [])], pairs


def person(draw: random.Random) -> tuple[list[str], list[tuple[str, str]]]:
    given, family = draw.choice(GIVEN), draw.choice(FAMILY) + draw.choice(("", "son", "berg", "stad", "ini"))
    return [f"{given} {family}", family, f"Dr. {given} {family}"], []


def term(draw: random.Random) -> tuple[list[str], list[tuple[str, str]]]:
    name = f"{draw.choice(FIRSTS)} {draw.choice(FIRSTS)} {draw.choice(HEADS)}"
    forms = [f"{name}s", name.title(), name.replace(" ", "-", 1), misspelt(draw, name)]
    return [name, *draw.sample(forms, 2)], []


def series(draw: random.Random) -> tuple[list[str], list[tuple[str, str]]]:
    """Return one member of a series: its siblings come as other entities and differ by a number or letter alone."""
    kind = f"{draw.choice(NOUNS)} {draw.choice(HEADS).title()}"
    mark = draw.choice(("A", "B", "C", "2", "3", "4", "2019", "2020", "II", "III"))
    return [f"{kind} {mark}", f"{kind.upper()} {mark}"], []


def misspelt(draw: random.Random, name: str) -> str:
    """Return a name with one letter left out, doubled or swapped inside one of its longer words."""
    words = name.split()
    at = draw.choice([at for at, word in enumerate(words) if len(word) >= 6] or [0])
    word = words[at]
    place = draw.randrange(2, max(3, len(word) - 2))
    words[at] = draw.choice(
        (
            word[:place] + word[place + 1 :],
            word[:place] + word[place] + word[place:],
            word[:place] + word[place + 1 : place + 2] + word[place] + word[place + 2 :],
        )
    )
    return " ".join(words)


# Measures


def pairwise(predicted: Sequence[Hashable], gold: Sequence[Hashable]) -> tuple[float, float]:
    """Return precision and recall over pairs of items."""

    def pairs(labels: Iterable[Hashable]) -> int:
        return sum(count * (count - 1) // 2 for count in Counter(labels).values())

    both = pairs(zip(predicted, gold, strict=True))
    return both / max(1, pairs(predicted)), both / max(1, pairs(gold))


def b_cubed(predicted: Sequence[Hashable], gold: Sequence[Hashable]) -> tuple[float, float]:
    """Return B-cubed precision and recall over items."""
    both = Counter(zip(predicted, gold, strict=True))
    found, true = Counter(predicted), Counter(gold)
    size = max(1, len(gold))
    precision = sum(count * count / found[label] for (label, _), count in both.items()) / size
    return precision, sum(count * count / true[label] for (_, label), count in both.items()) / size


def shown(title: str, predicted: Sequence[Hashable], gold: Sequence[Hashable]) -> None:
    for measure, (precision, recall) in (("pairs", pairwise(predicted, gold)), ("B-cubed", b_cubed(predicted, gold))):
        f1 = 2 * precision * recall / max(precision + recall, 1e-9)
        print(f"{title:12} {measure:8} precision {precision:.3f} recall {recall:.3f} F1 {f1:.3f}")


def entities_of(names: Sequence[str], introduced: Sequence[tuple[str, str]]) -> list[int]:
    """Return the entity that resolution gives each name, in order of appearance."""
    extraction = EntityExtraction(acronyms=list(introduced))
    numbers = [extraction.name(name, type_of(name) if is_capital(name) else TERM) for name in names]
    entity = resolution_of(extraction, Judge(), embedder).entity
    return [int(entity[number]) for number in numbers]


def measure_names(seed: int, entities: int) -> None:
    names, introduced = generated(seed, entities)
    gold = [number for _, number in names]
    started = time.process_time()
    predicted = entities_of([name for name, _ in names], introduced)
    print(f"{len(names)} names of {entities} entities, {time.process_time() - started:.2f} s")
    shown("exact names", [name for name, _ in names], gold)
    shown("gradient", predicted, gold)
    for (name, number), entity in zip(names, predicted, strict=True):
        others = [
            other
            for (other, second), found in zip(names, predicted, strict=True)
            if found == entity and second != number
        ]
        if others:
            print(f"  wrongly one: {name} | {'; '.join(others[:3])}")


# SciREX


def scirex_items(paper: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield (mention, cluster) for the mentions of a paper that are in one cluster."""
    clusters: defaultdict[tuple[int, int], list[str]] = defaultdict(list)
    for cluster, spans in paper["coref"].items():
        for start, stop in spans:
            clusters[start, stop].append(cluster)
    for (start, stop), named in sorted(clusters.items()):
        if len(named) == 1:
            yield " ".join(paper["words"][start:stop]), named[0]


def measure_scirex(path: Path) -> None:
    gold: list[Hashable] = []
    exact: list[Hashable] = []
    predicted: list[Hashable] = []
    seconds = 0.0
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for at, line in enumerate(lines):
            paper = json.loads(line)
            items = list(scirex_items(paper))
            others = [" ".join(paper["words"][start:stop]) for start, stop, _ in paper["ner"]]
            text = " ".join(paper["words"]).replace("( ", "(").replace(" )", ")")
            started = time.process_time()
            found = entities_of([*(name for name, _ in items), *others], acronyms([text]))[: len(items)]
            seconds += time.process_time() - started
            gold += [(at, cluster) for _, cluster in items]
            exact += [(at, name) for name, _ in items]
            predicted += [(at, entity) for entity in found]
    print(f"{len(gold)} mentions in {len(set(gold))} clusters of SciREX, {seconds:.1f} s")
    shown("exact names", exact, gold)
    shown("gradient", predicted, gold)


# Documents


def measure_documents(index: str, top: int, only: Sequence[str]) -> None:
    corpus = octavo.open(index)
    pages = seconds = 0.0
    changes: list[tuple[float, float]] = []
    for info in corpus.list():
        if only and not any(info.name.startswith(name) for name in only):
            continue
        document = corpus.view([info.id]).documents[0]
        started = time.process_time()
        graph = graph_of(LayerInputs(document))
        size = len(graph.to_bytes())
        took = time.process_time() - started
        pages, seconds = pages + len(document.pages), seconds + took
        before, after = graph.statistics["exact_names"], graph.statistics["resolved"]
        changes.append(
            (after["entities"] / before["entities"] - 1, after["density"] / max(before["density"], 1e-9) - 1)
        )
        print(
            f"{info.name[:36]:36} {len(document.pages):4} pages {took:5.2f} s {size // 1024:5} KB "
            f"{graph.statistics['mentions']:6} mentions {graph.statistics['relations']:6} relations; "
            f"entities {before['entities']} > {after['entities']} ({changes[-1][0]:+.0%}), "
            f"density {before['density']:.1e} > {after['density']:.1e} ({changes[-1][1]:+.0%}), "
            f"diameter {before['diameter']} > {after['diameter']}, "
            f"components {before['components']} > {after['components']}"
        )
        show_top(graph, top)
    mean = np.mean(changes, axis=0)
    print(
        f"all: {100 * seconds / max(pages, 1):.2f} CPU s per 100 pages; entities {mean[0]:+.1%}, density {mean[1]:+.1%}"
    )


def show_top(graph: Graph, top: int) -> None:
    often = np.bincount(graph.mentions.entity, minlength=len(graph))
    for at in np.argsort(-often, kind="stable")[:top].tolist():
        names = graph.entities.aliases[at].replace("\n", " / ")
        print(f"    {often[at]:4} {graph.entities.type[at]:12} {graph.entities.name[at][:60]} [{names[:80]}]")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="what", required=True)
    names = commands.add_parser("names")
    names.add_argument("--seed", type=int, default=1)
    names.add_argument("--entities", type=int, default=300)
    commands.add_parser("scirex").add_argument("--file", type=Path, required=True)
    documents = commands.add_parser("documents")
    documents.add_argument("--corpus", required=True)
    documents.add_argument("--top", type=int, default=0)
    documents.add_argument("--only", nargs="*", default=[])
    options = parser.parse_args()
    if options.what == "names":
        measure_names(options.seed, options.entities)
    elif options.what == "scirex":
        measure_scirex(options.file)
    else:
        measure_documents(options.corpus, options.top, options.only)


if __name__ == "__main__":
    main()
