"""The numbers that ordered lists print before their items, where the file only says that a list is ordered."""

from __future__ import annotations

from dataclasses import dataclass

from octavo_documents.parsing.numerals import NO_NUMBER, numeral

HTML_FORMS = {"a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman"}
"""The form of numbers, as Office calls it, by the `type` of a list in HTML."""
_LARGEST = 999_999_999


@dataclass(slots=True)
class _List:
    next: int
    step: int
    form: str
    """Its form, as Office calls it; `NO_NUMBER` for bullets."""


class ListNumbers:
    """Counts the items of lists in lists."""

    def __init__(self) -> None:
        self._open: list[_List] = []

    def begin(self, start: int | None, *, form: str = "decimal", step: int = 1) -> None:
        """Begin a list with the number of its first item; None for one without numbers."""
        self._open.append(_List(start or 0, step, NO_NUMBER if start is None else form))

    def end(self) -> None:
        """End the innermost list."""
        if self._open:
            self._open.pop()

    def item(self, value: int | None = None) -> str:
        """Return what is printed before the next item, "4." or nothing; `value` is a number that it says itself."""
        if not self._open or self._open[-1].form == NO_NUMBER:
            return ""
        one = self._open[-1]
        number = one.next if value is None else value
        one.next = max(min(number + one.step, _LARGEST), -_LARGEST)
        return f"{numeral(number, one.form)}."
