"""The signs that symbol fonts show for a character of a Word document."""

from __future__ import annotations

_GREEK = dict(zip(range(0x61, 0x7B), "αβχδεφγηιϕκλμνοπθρστυϖωξψζ", strict=True))
_CAPITALS = dict(zip(range(0x41, 0x5B), "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ", strict=True))
_OTHERS = {
    0xA2: "′", 0xA3: "≤", 0xA5: "∞", 0xAC: "←", 0xAE: "→", 0xB0: "°", 0xB1: "±", 0xB3: "≥", 0xB4: "×", 0xB6: "∂",
    0xB7: "•", 0xB9: "≠", 0xBB: "≈", 0xCE: "∈", 0xD6: "√", 0xD7: "·", 0xDE: "⇒", 0xE5: "∑", 0xF2: "∫",
}  # fmt: skip
_SYMBOL = _GREEK | _CAPITALS | _OTHERS
_WINGDINGS = {
    0x6F: "☐", 0xA8: "☐", 0xD8: "➢", 0xDF: "←", 0xE0: "→", 0xFB: "✗", 0xFC: "✓", 0xFD: "☒", 0xFE: "☑",
}  # fmt: skip


def sign(code: str, font: str) -> str:
    """Return the sign that a font shows for a character given in hexadecimal digits; "" for one that is not known."""
    try:
        number = int(code, 16)
    except ValueError:
        return ""
    low, name = number & 0xFF, font.lower()
    if name == "symbol":
        return _SYMBOL.get(low, chr(low) if 0x20 <= low < 0x41 else "")
    if name.startswith(("wingdings", "webdings")):
        return _WINGDINGS.get(low, "")
    return chr(number) if 0x20 <= number < 0xD800 or 0xF900 <= number < 0xFFFE else ""
