"""Names, values and filler sentences for generated articles. All of it is made up.

Owns the wording that no question asks about. Names of seeds that differ modulo 64 are disjoint. Knows no topic.
"""

from __future__ import annotations

import random
from collections.abc import Callable

CLASSES = 64
_FIRST = [
    a + b + c
    for a, b, c in zip(
        "BCDFGHKLMNPRSTVW" * 4,
        "a" * 16 + "e" * 16 + "i" * 16 + "o" * 16,
        "rlnsrmlntrslnrml" + "lnrmslrnlmtrsnlr" + "nrlsmnrltnslrmnl" + "rnlmrslnmrltnsrl",
        strict=True,
    )
]
_MIDDLE = [a + b for a in "bdglmnrv" for b in "aeio"]
_LAST = [a + b + c for a in "bdgklmrt" for b in "aeou" for c in "nr"]

_GIVEN = "Ada Bruno Clara Dario Edda Falk Greta Hugo Ilse Jonas Karin Lorenz Mira Nils Olga Piet Runa Sven Tilda Udo"
_COLOURS = "amber azure crimson emerald indigo ivory maroon ochre scarlet silver teal umber violet white"
_THINGS = "anchor barrel beacon bell candle copper crown feather harvest heron kite lantern meadow mill orchard"
_MATERIALS = "ash-wood basalt brick bronze cedar clay granite larch limestone oak sandstone slate steel"
_MONTHS = "January February March April May June July August September October November December"

_ADJECTIVES = (
    "broad careful common distant early familiar former gradual lasting local modest narrow notable older ordinary "
    "patient plain quiet regional small steady useful"
)
_NOUNS = (
    "account agreement arrangement campaign change charter committee custom debate decision dispute effort exchange "
    "inquiry letter meeting notice plan proposal record report review study survey tradition visit"
)
_VERBS = "accepted announced completed delayed described drafted ended funded noticed praised renewed revised"
_TEMPLATES = (
    "In {year} a {adjective} {noun} was {verb} by {person}, and a {other} {noun2} followed within {count} months.",
    "The {adjective} {noun} of {year} is still {verb} in most accounts, although {person} called it a {other} {noun2}.",
    "{person} {verb} the {noun} in {month} {year}, after a {adjective} {noun2} that took {count} weeks.",
    "A {adjective} {noun} between {place} and {place2} was {verb} in {year}.",
    "Few people outside {place} remember the {noun}, which was {verb} without much {noun2}.",
    "Until {year} the {noun} had been left to {person}, whose {adjective} {noun2} fills {count} pages.",
    "By {year} the {other} {noun} had been {verb} twice, and the {noun2} was kept at {place}.",
    "Much of what is known comes from a {adjective} {noun} that {person} {verb} in {year}.",
    "The {noun} was {verb} again in {month} {year}; the {adjective} {noun2} had lasted {count} years.",
    "According to {person}, the {noun} was less {adjective} than the {noun2} of {place}.",
    "Some {count} people took part in the {noun}, and the {noun2} of {year} names most of them.",
    "No {noun} of that time is {adjective}, but {person} {verb} one {other} {noun2} at {place}.",
)


class Words:
    """Draws names, values and sentences from a random source; `seed` decides which names there are."""

    def __init__(self, seed: int, source: random.Random) -> None:
        self._class, self.random = seed % CLASSES, source

    def name(self, number: int | None = None) -> str:
        """Return a name of six or eight letters; `number` below 2,112 gives each one once."""
        count = len(_LAST) * (len(_MIDDLE) + 1)
        at = self.random.randrange(count) if number is None else number * 1009 % count
        last, middle = at % len(_LAST), at // len(_LAST)
        first = (self._class - last - 7 * middle) % CLASSES
        return _FIRST[first] + (_MIDDLE[middle - 1] if middle else "") + _LAST[last]

    def names(self) -> int:
        """Return how many names a seed has."""
        return len(_LAST) * (len(_MIDDLE) + 1)

    def pick(self, options: str | list[str] | tuple[str, ...]) -> str:
        return self.random.choice(options.split() if isinstance(options, str) else options)

    def number(self, least: int, most: int) -> int:
        return self.random.randint(least, most)

    def sentence(self) -> str:
        """Return a sentence that answers nothing."""
        slots = {
            "year": VALUES["year"](self),
            "month": self.pick(_MONTHS),
            "adjective": self.pick(_ADJECTIVES),
            "other": self.pick(_ADJECTIVES),
            "noun": self.pick(_NOUNS),
            "noun2": self.pick(_NOUNS),
            "verb": self.pick(_VERBS),
            "person": VALUES["person"](self),
            "place": self.name(),
            "place2": self.name(),
            "count": str(self.number(3, 60)),
        }
        return self.pick(_TEMPLATES).format(**slots)

    def paragraph(self, words: int) -> str:
        """Return sentences of about so many words."""
        found: list[str] = []
        while words > 0:
            found.append(self.sentence())
            words -= found[-1].count(" ") + 1
        return " ".join(found)


def _money(words: Words) -> str:
    return f"{words.number(2, 96)}.{words.number(1, 9)}0 crowns"


def _clock(words: Words) -> str:
    return f"{words.number(5, 11)}:{words.number(1, 5)}5"


def _article(words: Words) -> str:
    return f"{words.pick(_COLOURS).capitalize()} {words.pick(_THINGS).capitalize()}"


def _setting(words: Words) -> str:
    return f"{words.pick(_THINGS)}_{words.pick(_COLOURS)}_{words.number(2, 99)}"


VALUES: dict[str, Callable[[Words], str]] = {
    "year": lambda words: str(words.number(1802, 2019)),
    "month": lambda words: f"{words.pick(_MONTHS)} {words.number(1802, 2019)}",
    "person": lambda words: f"{words.pick(_GIVEN)} {words.name()}",
    "place": lambda words: words.name(),
    "metres": lambda words: f"{words.number(21, 899)} metres",
    "height": lambda words: f"1.{words.number(41, 98)} metres",
    "millimetres": lambda words: f"{words.number(3, 89)} millimetres",
    "months": lambda words: f"{words.number(13, 89)} months",
    "kilograms": lambda words: f"{words.number(21, 899)} kilograms",
    "minutes": lambda words: f"{words.number(11, 98)} minutes",
    "seconds": lambda words: f"{words.number(11, 98)}.{words.number(10, 99)} seconds",
    "count": lambda words: f"{words.number(1, 9)},{words.number(100, 999)}",
    "percent": lambda words: f"{words.number(11, 94)} percent",
    "money": _money,
    "clock": _clock,
    "material": lambda words: words.pick(_MATERIALS),
    "thing": _article,
    "setting": _setting,
    "port": lambda words: str(words.number(1025, 64000)),
}
"""Makers of the values that answer questions, by their kind."""
