"""Which text a reply stands on when it names none: by its quote, else by the words of its answer."""

import pytest

from octavo.decisions.engine.match_reply_to_passage import stands_on

TEXTS = ("The pier was built in 1901.", "Ferries leave the pier at noon; tickets cost 7 crowns.", "Tickets: 7 crowns.")


@pytest.mark.parametrize(
    ("answer", "quotes", "at"),
    [
        ("7 crowns", (), 1),
        ("7 Crowns.", ("Tickets: 7 crowns",), 2),
        ("1901", (), 0),
        ("noon", ("tickets cost",), 1),
        ("at noon", ("no such words at all",), 1),
        ("9 crowns", (), None),
        ("7", (), None),
        ("yes", (), None),
        ("", (), None),
        ("", ("Ferries leave the pier at",), 1),
    ],
)
def test_a_reply_stands_on_the_text_that_has_its_quote_or_its_answer(
    answer: str, quotes: tuple[str, ...], at: int | None
) -> None:
    assert stands_on(TEXTS, answer, quotes) == at


@pytest.mark.parametrize(("answer", "at"), [("7", 1), ("1901", 0), ("9", None), ("", None), ("yes", None)])
def test_a_short_answer_stands_on_one_of_a_few_texts_that_has_it(answer: str, at: int | None) -> None:
    assert stands_on(TEXTS, answer, are_few=True) == at


def test_nothing_stands_on_no_text() -> None:
    assert stands_on((), "7 crowns", ("tickets cost 7 crowns",)) is None
