"""A sentence that says or denies what is asked for yes or no, in its words, comes first, wherever it stands."""

from __future__ import annotations

from pathlib import Path

import pytest

from octavo.corpus import Corpus
from octavo.evidence import Outcome

ELSEWHERE = (
    "Run the pump under night control with several workers. Only available if optional night control was enabled when "
    "the pump was built. Start it with the lever for night control, and look at the gauge for night control at times."
)


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("Is night control enabled by default?", "Night control is not enabled by default."),
        ("Are dogs allowed in the boathouse?", "Dogs are not allowed in the boathouse."),
        ("Does the winch need oil each week?", "The winch needs no oil each week."),
    ],
)
def test_what_says_it_in_so_many_words_is_first_and_quoted(tmp_path: Path, question: str, sentence: str) -> None:
    path = tmp_path / "pump.md"
    parts = [
        f"## Tool {number}\n\n{ELSEWHERE} Dogs bark at the boathouse; the winch is oiled.\n" for number in range(6)
    ]
    path.write_text(
        "# Pump\n\n" + "\n".join(parts) + f"\n## Building it\n\nIt is built at night. {sentence} Then wait.\n"
    )
    corpus = Corpus(tmp_path / "corpus")
    corpus.add([path])
    answer = corpus.ask(question)
    assert answer.outcome is Outcome.PASSAGES
    first = answer.passages[0]
    assert [first.text[start:stop] for start, stop in first.emphasis] == [sentence]
