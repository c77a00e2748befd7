"""What declarations of style sheets mean for the words of an element: hidden, raised, struck out, in which colour."""

from __future__ import annotations

import re
from collections.abc import Mapping

Declared = Mapping[str, str]
"""What is declared of an element, by property, in lower case."""

_LENGTH = re.compile(r"(-?(?:\d+\.?\d*|\.\d+))(px|em|rem|%|pt|vw|vh|in|cm)?\Z")
_FAR = {"px": 400.0, "pt": 300.0, "em": 25.0, "rem": 25.0, "%": 99.0, "vw": 99.0, "vh": 99.0, "in": 4.0, "cm": 10.0}
_CLIPPED = re.compile(
    r"rect\(\s*([01])(?:px)?\s*[, ]\s*([01])(?:px)?\s*[, ]\s*([01])(?:px)?\s*[, ]\s*([01])(?:px)?\s*\)"
)
_INSET = re.compile(
    r"inset\(\s*(?:[5-9]\d|100)(?:\.\d+)?%|circle\(\s*0|polygon\(\s*(?:0(?:px|%)?\s+0(?:px|%)?,?\s*)+\)"
)
_MOVED = re.compile(r"translate(?:x|y|3d)?\(\s*(-\d{4,})(?:px)?|scale(?:x|y|3d)?\(\s*0(?:\.0+)?\s*[,)]")
_SMALL = 0.9


def hides(said: Declared) -> bool:
    """Whether an element is not shown, with all that is in it."""
    if said.get("display") == "none" or said.get("mso-hide") == "all":
        return True
    opacity = said.get("opacity")
    if opacity is not None and re.fullmatch(r"0(?:\.0+)?%?|\.0+", opacity):
        return True
    return _is_moved(said) or _is_cut(said)


def _is_moved(said: Declared) -> bool:
    is_placed = said.get("position") in ("absolute", "fixed")
    sides = ("left", "top", "right", "bottom") if is_placed else ()
    if any(_is_far(said.get(side, "")) for side in sides) or _is_far(said.get("text-indent", "")):
        return True
    return bool(_MOVED.search(said.get("transform", "")))


def _is_far(value: str) -> bool:
    match = _LENGTH.match(value)
    return bool(match) and -float(match[1]) >= _FAR.get(match[2] or "px", 400.0)


def _is_cut(said: Declared) -> bool:
    if _INSET.match(said.get("clip-path", "")):
        return True
    clip = _CLIPPED.match(said.get("clip", ""))
    if clip and said.get("position") in ("absolute", "fixed") and clip[1] == clip[3] and clip[2] == clip[4]:
        return True
    cut = {said.get(name, "").split(" ")[0] for name in ("overflow", "overflow-x", "overflow-y")}
    if not cut & {"hidden", "clip"}:
        return False
    high = [said[name] for name in ("height", "max-height") if name in said]
    wide = [said[name] for name in ("width", "max-width") if name in said]
    return any(map(is_nothing, (*high, *wide))) or ("1px" in high and "1px" in wide)


def is_nothing(value: str) -> bool:
    """Whether a length is none."""
    return bool(re.fullmatch(r"0(?:\.0+)?(?:px|em|rem|%|pt)?", value))


_BOLD = 600


def is_raised(said: Declared) -> bool:
    """Whether an element stands raised in its line."""
    value = said.get("vertical-align", "")
    if value == "super":
        return True
    if value in ("top", "text-top"):
        return _is_smaller(said.get("font-size", ""))
    match = _LENGTH.match(value) if value else None
    if match is None:
        match = _LENGTH.match(said.get("top", "")) if said.get("position") == "relative" else None
        return match is not None and float(match[1]) < 0 and _is_smaller(said.get("font-size", ""))
    return float(match[1]) > 0


def _is_smaller(size: str) -> bool:
    if size in ("smaller", "x-small", "xx-small", "small"):
        return True
    match = _LENGTH.match(size)
    if not match:
        return False
    most = {"%": 100 * _SMALL, "em": _SMALL, "rem": _SMALL, "px": 10.0, "pt": 8.0}
    return float(match[1]) < most.get(match[2] or "px", 0.0)


def is_struck(said: Declared) -> bool:
    """Whether the words of an element are struck out."""
    return "line-through" in said.get("text-decoration", "") or "line-through" in said.get("text-decoration-line", "")


def styles(said: Declared) -> dict[str, bool]:
    """Return what is said of italic ("i"), bold ("b") and underlined ("u") words; an underline ends within its own."""
    found: dict[str, bool] = {}
    if slant := said.get("font-style"):
        found["i"] = slant.startswith(("italic", "oblique"))
    if weight := said.get("font-weight"):
        found["b"] = weight in ("bold", "bolder") or (weight.isdecimal() and int(weight) >= _BOLD)
    if "underline" in said.get("text-decoration", "") or "underline" in said.get("text-decoration-line", ""):
        found["u"] = True
    return found


def is_sizeless(said: Declared) -> bool | None:
    """Whether words have no size; None where nothing is said of it."""
    size = said.get("font-size")
    if size is None or size == "inherit":
        return None
    return bool(re.fullmatch(r"(?:0(?:\.\d+)?|\.\d+)(?:px|pt|em|rem|%)?|1px", size)) and not re.search(
        r"0?\.[1-9]\d*(?:em|rem)", size
    )


_IDLE_ALONE = frozenset(
    ("width", "height", "max-width", "max-height", "left", "right", "top", "bottom", "clip")
)  # without others that say how
_IDLE_PLACES = frozenset(("baseline", "middle", "bottom", "text-bottom", "sub", "inherit", "initial"))


def is_idle(name: str, value: str) -> bool:
    """Whether a declaration changes nothing of words that are seen and have a size, alone or with others like it."""
    if name in _IDLE_ALONE:
        return True
    said = {name: value}
    if "background" in name:
        return not ground(said)[0] and "text" not in value
    tells = {
        "color": lambda: value == "inherit",
        "position": lambda: value not in ("absolute", "fixed", "relative"),
        "vertical-align": lambda: value in _IDLE_PLACES,
        "visibility": lambda: value not in ("hidden", "collapse"),
        "font-size": lambda: not is_sizeless(said),
    }
    if name in tells:
        return tells[name]()
    if name.startswith("overflow"):
        return value.split(" ")[0] not in ("hidden", "clip")
    return not (hides(said) or is_struck(said) or any(styles(said).values()))


Colour = tuple[int, int, int]
WHITE: Colour = (255, 255, 255)
_NAMED: Mapping[str, Colour] = {
    "white": WHITE, "black": (0, 0, 0), "snow": (255, 250, 250), "ivory": (255, 255, 240), "red": (255, 0, 0),
    "ghostwhite": (248, 248, 255), "whitesmoke": (245, 245, 245), "silver": (192, 192, 192), "gray": (128, 128, 128),
    "grey": (128, 128, 128), "navy": (0, 0, 128), "blue": (0, 0, 255), "green": (0, 128, 0), "yellow": (255, 255, 0),
    "lightgray": (211, 211, 211), "lightgrey": (211, 211, 211), "orange": (255, 165, 0), "maroon": (128, 0, 0),
    "purple": (128, 0, 128), "teal": (0, 128, 128), "olive": (128, 128, 0), "lime": (0, 255, 0),
    "aqua": (0, 255, 255), "cyan": (0, 255, 255), "fuchsia": (255, 0, 255), "magenta": (255, 0, 255),
}  # fmt: skip
_HEX = re.compile(r"#([0-9a-f]{8}|[0-9a-f]{6}|[0-9a-f]{3,4})\Z")
_RGB = re.compile(r"rgba?\(\s*(\d{1,3})\s*[, ]\s*(\d{1,3})\s*[, ]\s*(\d{1,3})\s*(?:[,/]\s*([\d.]+%?)\s*)?\)\Z")
_NEAR = 6


def colour(value: str) -> Colour | None:
    """Return a colour as red, green and blue (0..255); None for one that is not known, or is seen through."""
    value = value.strip().lower()
    found = _HEX.match(value)
    if found:
        digits = found[1] if len(found[1]) > 4 else "".join(digit * 2 for digit in found[1])
        if digits[6:] not in ("", "ff"):
            return None
        return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:6], 16)
    found = _RGB.match(value)
    if found:
        if found[4] not in (None, "1", "1.0", "100%"):
            return None
        return min(int(found[1]), 255), min(int(found[2]), 255), min(int(found[3]), 255)
    return _NAMED.get(value)


def is_same(one: Colour | None, other: Colour | None) -> bool:
    """Whether nobody can tell two colours apart; of one that is not known that is not said."""
    if one is None or other is None:
        return False
    return max(abs(a - b) for a, b in zip(one, other, strict=True)) <= _NEAR


def ground(said: Declared) -> tuple[bool, Colour | None]:
    """Return whether a ground is declared under words, and its colour; None for a picture or one that is not known."""
    value = said.get("background-color") or said.get("background")
    image = said.get("background-image", "none")
    if image not in ("none", "initial"):
        return True, None
    if value is None or value in ("none", "transparent", "inherit", "initial", "0", "unset"):
        return False, None
    if "url(" in value or "gradient" in value or "var(" in value:
        return True, None
    known = [found for word in re.split(r"\s+(?![^(]*\))", value) if (found := colour(word)) is not None]
    return True, known[0] if known else None
