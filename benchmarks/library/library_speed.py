"""What it costs to know which of many documents a question means.

    python library_speed.py [DOCUMENTS]

Prints, for a library of so many documents (10,000): seconds to put it together, bytes that its profiles take stored,
and milliseconds a question.
"""

from __future__ import annotations

import random
import sys
import time

from octavo.about.library import Library
from octavo.about.profile import DocumentProfile

_QUESTIONS = 200
_ISSUERS = 700
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def profiles(count: int, chance: random.Random) -> list[DocumentProfile]:
    """Return what documents of a few hundred issuers are about, each with as many words as a long report has."""
    issuers = ["".join(chance.choices(_LETTERS, k=8)) for _ in range(_ISSUERS)]
    words = ["".join(chance.choices(_LETTERS, k=6)) for _ in range(20_000)]
    made: list[DocumentProfile] = []
    for at in range(count):
        issuer, year = issuers[at % _ISSUERS], str(2000 + at % 24)
        strengths = {word: round(chance.uniform(0.1, 0.9), 3) for word in chance.sample(words, 100)}
        made.append(
            DocumentProfile(
                title=f"{issuer.title()} report",
                issuer=f"{issuer.title()} plc",
                kinds=("annual report",),
                date=f"{year}-03-31",
                period=year,
                words={**strengths, issuer: 1.0},
                years={year: 1.0, str(int(year) - 1): 0.4},
            )
        )
    return made


def main() -> None:
    """Measure and print."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    chance = random.Random(7)
    made = profiles(count, chance)
    packed = [profile.to_bytes() for profile in made]
    started = time.perf_counter()
    read = [DocumentProfile.from_bytes(data) for data in packed]
    unpacking = time.perf_counter() - started
    library = Library([f"d{at}" for at in range(count)], read)
    building = time.perf_counter() - started - unpacking
    questions = [
        f"What did {chance.choice(made).issuer.split()[0]} spend on research in {chance.randint(2000, 2023)}?"
        for _ in range(_QUESTIONS)
    ]
    library.meant(questions[0], lambda terms: [1 for _ in terms])
    started = time.perf_counter()
    for question in questions:
        library.meant(question, lambda terms: [14 for _ in terms])
    asking = 1000 * (time.perf_counter() - started) / len(questions)
    print(
        f"{count:,} documents: profiles {sum(map(len, packed)) / count:,.0f} bytes each, unpacked in {unpacking:.2f} s,"
    )
    print(f"put together in {building:.2f} s; {asking:.2f} ms a question")


if __name__ == "__main__":
    main()
