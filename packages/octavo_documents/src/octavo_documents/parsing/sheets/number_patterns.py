"""Parts of number formats that set digits apart: signs between them ("000-00"), fractions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

_FRACTION = re.compile(r"(?P<whole>[#0?]*)\s*(?P<over>[#0?]{1,5})\s*/\s*(?P<under>[#?0]{1,5}|[1-9]\d{0,4})\Z")
_ASIDE = re.compile(r'\[[^\]]*\]|"[^"]*"|\\.|_.|\*.')
_LARGEST = 1e12


def fraction(value: float, code: str) -> str | None:
    """Return a number of zero or more as a format with a fraction shows it, "2 1/2"; None for other formats."""
    found = _FRACTION.match(_ASIDE.sub("", code).strip())
    if found is None or value > _LARGEST:
        return None
    under, whole = found["under"], int(value) if found["whole"] else 0
    rest = Fraction(value - whole)
    if under.isdecimal() and under.strip("0"):
        bottom = int(under)
        top = int(rest * bottom + Fraction(1, 2))
    else:
        near = rest.limit_denominator(10 ** len(under) - 1)
        top, bottom = near.numerator, near.denominator
    if found["whole"] and top == bottom:
        whole, top = whole + 1, 0
    if not top:
        return str(whole)
    return f"{whole} {top}/{bottom}" if whole else f"{top}/{bottom}"


def apart(digits: str, groups: Sequence[tuple[str, str]]) -> str:
    """Return the digits of a whole number in groups: each the signs before it, and a place for each of its digits."""
    found: list[str] = []
    left = digits
    for at in range(len(groups) - 1, -1, -1):
        signs, places = groups[at]
        if at:
            taken, left = left[-len(places) :], left[: -len(places)]
            missing = places[: len(places) - len(taken)]
            taken = "0" * missing.count("0") + taken
        else:
            taken = left.rjust(places.count("0"), "0")
        found.append(signs + taken)
    return "".join(reversed(found))
