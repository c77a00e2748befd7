"""What makes two names one by rule, and how alike they are otherwise.

Owns the keys of names (equal normal form, acronym and expansion, surname of the one person who has it), the vectors of
their letters, and the score that resolution reranks by. Knows nothing about documents.
"""

from __future__ import annotations

import zlib
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Sequence

import numpy as np

from octavo.layers.entities.extraction import DATE, ELEMENTS, LABEL, NAME, PERSON, QUANTITY, TERM, Named
from octavo.layers.entities.resolution import Vectors
from octavo.layers.entities.values import value_key
from octavo.layers.entities.words import is_capital, is_shouted
from octavo.text.names import is_short_for, name_words, normal_form

_DIMENSION = 512
_EVERYWHERE = {
    "us": "unitedstate",
    "usa": "unitedstate",
    "unitedstatesofamerica": "unitedstate",
    "uk": "unitedkingdom",
    "eu": "europeanunion",
    "un": "unitednation",
}
"""Normal forms of short names that need no introduction."""


def keys_of(names: Sequence[Named], acronyms: Sequence[tuple[str, str]]) -> list[list[Hashable]]:
    """Return for each name the keys that it shares with every name of the same thing, the most telling first."""
    longs = _expansions(names, acronyms)
    surnames = _surnames(names)
    return [list(_keys(named, longs, surnames)) for named in names]


def _keys(named: Named, longs: dict[str, str], surnames: dict[str, str]) -> Iterator[Hashable]:
    if named.element >= 0:
        yield "element", named.element
        return
    if named.type in (DATE, QUANTITY):
        yield named.type, value_key(named.name)
        return
    plain = normal_form(named.name) or named.name
    yield plain
    if plain in longs:
        yield longs[plain]
    if plain in surnames and named.type in (PERSON, NAME):
        yield surnames[plain]


def _expansions(names: Sequence[Named], acronyms: Sequence[tuple[str, str]]) -> dict[str, str]:
    """Return the normal form of what each acronym is short for: as introduced, or the one name it can be short for."""
    longs = dict(_EVERYWHERE)
    introduced = {normal_form(short): normal_form(long) for short, long in acronyms}
    longs.update(introduced)
    by_initial: defaultdict[str, list[str]] = defaultdict(list)
    for named in names:
        if named.element < 0 and named.type not in (TERM, LABEL) and " " in named.name and is_capital(named.name):
            by_initial[name_words(named.name)[0][0] if name_words(named.name) else ""].append(named.name)
    for named in names:
        plain = normal_form(named.name)
        if plain in longs or " " in named.name or len(plain) < 3 or not is_shouted(named.name):
            continue
        found = {normal_form(name) for name in by_initial[plain[0]] if is_short_for(named.name, name)}
        if len(found) == 1:
            longs[plain] = found.pop()
    return longs


def _surnames(names: Sequence[Named]) -> dict[str, str]:
    """Return the normal form of the one person of each surname, by the surname's."""
    people: defaultdict[str, set[str]] = defaultdict(set)
    for named in names:
        words = name_words(named.name)
        if named.type == PERSON and len(words) > 1:
            people[words[-1]].add(normal_form(named.name))
    return {surname: full.pop() for surname, full in people.items() if len(full) == 1}


def is_searched(named: Named) -> bool:
    """Tell a name that may be alike another without being equal by rule: no element, value or table header."""
    return named.element < 0 and named.type not in ELEMENTS and named.type not in (DATE, QUANTITY, LABEL)


def letter_vectors(names: Sequence[str]) -> Vectors:
    """Return (n, 512) float32, rows of length 1: the words of names and the runs of three letters in them, hashed."""
    rows: list[int] = []
    columns: list[int] = []
    weights: list[float] = []
    for row, name in enumerate(names):
        for part, weight in _parts(name).items():
            rows.append(row)
            columns.append(zlib.crc32(part.encode()) % _DIMENSION)
            weights.append(weight)
    vectors = np.zeros((len(names), _DIMENSION), np.float32)
    np.add.at(vectors, (np.array(rows, np.int64), np.array(columns, np.int64)), np.array(weights, np.float32))
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors / np.maximum(lengths, 1e-9)


def _parts(name: str) -> Counter[str]:
    parts: Counter[str] = Counter()
    for word in name_words(name):
        edged = f"^{word}$"
        parts[word] += 1
        parts.update(edged[at : at + 3] for at in range(len(edged) - 2))
    return parts
