"""What units measure, and the units that text, heads and labels of tables give to numbers.

Symbols are told by case ("MW" is no "mW"), words are not. Knows nothing about questions or documents.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from octavo_documents.lazy import lazy_regex
from octavo_documents.text.lines import on_one_line

_WORDS: Mapping[str, str] = {
    "length": "metre meter kilometre kilometer centimetre centimeter millimetre millimeter mile foot feet inch yard "
    "fathom league micrometre micrometer",
    "area": "hectare acre",
    "volume": "litre liter millilitre milliliter gallon barrel pint hectolitre bushel",
    "mass": "gram gramme kilogram kilogramme milligram tonne ton ounce kilo",
    "time": "second minute hour day week month year decade century millisecond fortnight night",
    "speed": "knot mph kmh",
    "power": "watt kilowatt megawatt gigawatt horsepower",
    "energy": "joule kilojoule kilowatt-hour calorie kilocalorie",
    "temperature": "celsius fahrenheit kelvin",
    "pressure": "bar millibar pascal hectopascal",
    "voltage": "volt kilovolt",
    "current": "ampere amp milliampere",
    "frequency": "hertz kilohertz megahertz gigahertz",
    "data": "byte kilobyte megabyte gigabyte terabyte bit pixel",
    "angle": "radian",
    "degree": "degree",
    "money": "dollar euro pound franc yen rupee cent penny pence crown krona krone",
    "share": "percent",
}
_SYMBOLS: Mapping[str, str] = {
    "length": "m km cm mm µm μm nm ft in mi yd",
    "area": "m² km² cm² mm² ft² m^2 km^2 cm^2 mm^2 ft^2 m2 km2 cm2 ha sqm sqft",
    "volume": "m³ cm³ dm³ km³ m^3 cm^3 dm^3 km^3 m3 l L ml mL cl dl hl",
    "mass": "kg g mg µg t lb lbs oz kt Mt",
    "time": "s ms min h hr hrs d yr yrs",
    "speed": "m/s km/h mph kn kt/h ft/s cm/s mm/s",
    "power": "W kW MW GW TW mW hp",
    "energy": "J kJ MJ GJ kWh MWh GWh TWh Wh kcal",
    "temperature": "°C °F K",
    "pressure": "bar mbar Pa kPa hPa MPa psi",
    "voltage": "V kV mV",
    "current": "A mA",
    "frequency": "Hz kHz MHz GHz rpm",
    "data": "B kB KB MB GB TB bit px dpi",
    "degree": "°",
    "money": "$ € £ ¥ ₹ USD EUR GBP CHF JPY INR SEK NOK DKK US$ A$ C$",
    "share": "% ‰",
    "sound": "dB",
}
_BY_WORD = {word: dimension for dimension, words in _WORDS.items() for word in words.split()}
_BY_SYMBOL = {symbol: dimension for dimension, symbols in _SYMBOLS.items() for symbol in symbols.split()}


def dimension(unit: str) -> str:
    """Return what a unit measures ("mass" for kg); "" for a word that is no unit.

    >>> dimension("metres"), dimension("km/h"), dimension("people")
    ('length', 'speed', '')
    """
    plain = on_one_line(unit).strip(".,;:()[] -")
    if plain in _BY_SYMBOL:
        return _BY_SYMBOL[plain]
    words = plain.lower().split()
    if not words:
        return ""
    if words[0] in ("square", "cubic") and len(words) > 1:
        return "area" if words[0] == "square" else "volume"
    if re.search(r"\w\s?(?:/|\bper\b)\s?(?:h|s|hour|second|min|minute)\b", plain) and _plain_dimension(words[0]) in (
        "length",
        "",
    ):
        return "speed" if re.match(r"(?:[kcm]?m|miles?|feet|met|kilomet)", words[0]) else ""
    return _plain_dimension(words[0])


def _plain_dimension(word: str) -> str:
    singular = word.removesuffix("s") if word not in ("celsius", "hertz") else word
    return _BY_WORD.get(word, _BY_WORD.get(singular, _BY_WORD.get(word.removesuffix("es"), "")))


ATTRIBUTES: tuple[frozenset[str], ...] = tuple(
    frozenset(words.split())
    for words in (
        "deep depth depths deeper deepest draught draft below",
        "wide width widths across broad breadth wider widest",
        "tall high height heights altitude elevation rises rise stands reaches higher taller highest tallest above",
        "long length lengths stretches extends runs longer longest",
        "thick thickness thicker",
        "old age aged ages older",
        "diameter diameters",
        "radius",
        "circumference perimeter round around",
    )
)
"""Words that say the same of a thing's measure; another one's value answers no question for it."""
WEIGHING = frozenset(("weigh", "weighs", "weighed", "weighing", "weight", "weights"))
"""Words that say of a value that it is a weight."""


_NO_WORDS: frozenset[str] = frozenset()


def attribute_words(attribute: str) -> frozenset[str]:
    """Return the words one of which must say of a length what it is the length of; none where units say enough."""
    return next((words for words in ATTRIBUTES if attribute in words), _NO_WORDS)


_UNIT_SYMBOL = "|".join(
    re.escape(one) for one in sorted((one for one in _BY_SYMBOL if one not in ("in", "d", "°")), key=len, reverse=True)
)
_UNIT_WORD = "|".join(sorted((f"{word}s?" for word in _BY_WORD), key=len, reverse=True))
_UNIT = (
    rf"(?:(?:square|cubic)\s+)?(?:(?:{_UNIT_SYMBOL})|(?i:{_UNIT_WORD}))"
    rf"(?:\s?(?:/|\bper\b)\s?(?:(?:{_UNIT_SYMBOL})|(?i:{_UNIT_WORD})|(?i:person|head|share|unit|piece|item)))?"
)
_AFTER_COMMA = lazy_regex(rf",\s*(?:in\s+)?({_UNIT})\s*$")
_IN_BRACKETS = lazy_regex(rf"[(\[]\s*(?:in\s+)?({_UNIT})\s*[)\]]")
_AFTER_IN = lazy_regex(rf"\bin\s+({_UNIT})\s*$")
_AFTER_SLASH = lazy_regex(rf"\s/\s*({_UNIT})\s*$")


def unit_in_head(head: str) -> str:
    """Return the unit that a head or label of a table gives its numbers: m for "Swell height, m"; "" for none.

    >>> unit_in_head("Weight (kg)"), unit_in_head("Duration in minutes"), unit_in_head("Height")
    ('kg', 'minutes', '')
    """
    plain = on_one_line(head)
    if plain.strip() in _BY_SYMBOL:
        return plain.strip()
    for pattern in (_AFTER_COMMA, _IN_BRACKETS, _AFTER_IN, _AFTER_SLASH):
        found = pattern.search(plain)
        if found:
            return found[1]
    return "%" if plain.endswith("%") else ""


def with_unit_of_head(number: str, unit: str) -> str:
    """Return a bare number with a unit as people write it: "38%", "€12", "1.2 m"."""
    if unit in ("%", "‰"):
        return f"{number}{unit}"
    return f"{unit}{number}" if unit in ("$", "€", "£", "¥", "₹", "US$", "A$", "C$") else f"{number} {unit}"


_AFTER = lazy_regex(rf"[\s-]?({_UNIT})(?![^\W_])|\s?(°)")


def unit_after(text: str, at: int) -> str:
    """Return the unit that stands right after a number which ends at a place of a text; "" for none."""
    found = _AFTER.match(text, at)
    return (found[1] or found[2]) if found else ""
