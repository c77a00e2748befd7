"""Which of the texts shown a reply stands on when it names none of them.

The text that has a quote of the reply word for word, else the first that has all words of its answer. Small models
often give the right words and no number of a passage; asking again costs a call and seldom mends it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from octavo.text.analyzer import analyze

_QUOTED_TERMS = 3
"""Terms of a quote that are enough to tell where it stands."""
_ANSWER_LETTERS = 4
"""Letters of an answer's terms from which its standing in a text is no accident: "yes" and "7" stand anywhere."""


def stands_on(texts: Sequence[str], answer: str, quotes: Iterable[str] = (), *, are_few: bool = False) -> int | None:
    """Return the place of the text that has a quote, else of the first that has the answer; None when none has.

    Words are compared as search terms, so that case, accents, endings and punctuation make no difference. `are_few`
    says that the texts are a few the reply itself pointed to: there a short answer, such as "7", is no accident.
    """
    terms = [analyze(text) for text in texts]
    joined = [f" {' '.join(some)} " for some in terms]
    for quote in map(analyze, quotes):
        if len(quote) >= _QUOTED_TERMS:
            run = f" {' '.join(quote)} "
            found = next((at for at, text in enumerate(joined) if run in text), None)
            if found is not None:
                return found
    wanted = set(analyze(answer))
    if not wanted or (not are_few and sum(map(len, wanted)) < _ANSWER_LETTERS):
        return None
    return next((at for at, some in enumerate(terms) if wanted.issubset(some)), None)
