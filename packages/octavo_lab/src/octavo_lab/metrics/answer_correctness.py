"""Whether an answer is right, as a person with the gold in hand would say, and whether there should be one at all.

Whole tokens are compared in a normal form of case, white space, accents, dashes, quotes, hyphenation, thousands
separators and the spacing of currency and per cent signs; numbers by their value. Long responses are judged by a coarse
rule. Shares are per question and None where a question says nothing about them. A claim is an answer to rely on;
passages shown in its place claim nothing.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
import re
from collections.abc import Sequence
from decimal import Decimal
from functools import lru_cache

from octavo_documents.text.analyzer import analyze, fold
from octavo_documents.text.values import numbers_in
from octavo_lab.metrics import overlap
from octavo_lab.metrics.overlap import includes, is_refusal
from octavo_lab.question import ScoredResponse

TIMES, MORE = 3, 12
"""An answer that no model gave may have so many times the tokens of the longest acceptable answer, and so many more."""
PASSAGE_WORDS = 120
"""Words of a passage that are looked at, and the most that an answer with several items may have."""
_YES_OR_NO = ("yes", "no")
_FACTORS = (1e-9, 1e-6, 1e-3, 1e-2, 1.0, 1e2, 1e3, 1e6, 1e9)
_LEADING = 2
"""Numbers of a gold sentence that must be met; the later ones are mostly how it was worked out."""
LEAST_TERMS = 3
"""Words of content from which an item may be worded otherwise; of a shorter one every word stands in its place."""
MET = 0.8
"""Share of an item's words of content that have to be met, all of its numbers among them."""
_CACHED = 20_000
_LEAST_PLURAL = 3
"""Letters of a word that may have a plural: "a" is no "as"."""
_SIGNS = str.maketrans(
    {
        **dict.fromkeys("‐‑‒–—―−﹣－", "-"),
        **dict.fromkeys("'’‘‛`´ʼ", ""),
        **dict.fromkeys("\u00ad\u200b\u2060\ufeff±", ""),
        "×": "x",
        "&": " and ",
    }
)
_RAISED = re.compile(r"(?<=\d)(?=[⁰¹²³⁴-⁹₀-₉])")
"""A footnote's mark or an exponent is no digit of the number before it."""
_THIN = re.compile(r"(?<=\d)[\u2009\u202f](?=\d{3}(?!\d))")
_APOSTROPHE = re.compile(r"(?<=\d)['’](?=\d{3}(?!\d))")
_BROKEN = re.compile(r"(?<=[^\W\d_])-\s+(?=[^\W\d_])")
_INITIALS = re.compile(r"\b[^\W\d_](?:\.[^\W\d_])+\b\.?")
_HYPHEN = re.compile(r"(?<=[^\W\d_])-(?=[^\W_])|(?<=[^\W_])-(?=[^\W\d_])")
_ASIDE = re.compile(r"\s*\([^()]*\)")
_TOKEN = re.compile(
    r"""
    (?P<sign>(?<![\w.)%-])-)?
    (?P<currency>[$€£¥])?\s?
    (?P<digits>\d{1,3}(?:,\d{3})+(?!\d)|\d+(?:\.\d+){2,}|\d+)
    (?P<decimals>\.\d+)?
    (?:\s?(?P<unit>%|per\s?cent\b|[$€£¥](?!\s?\d)))?
    |(?P<word>[^\W\d_]+(?=\d+\.\d)|[^\W\d_][^\W_]*)
    """,
    re.VERBOSE,
)
_SCALES = {
    "thousand": 3,
    "million": 6,
    "mn": 6,
    "billion": 9,
    "bn": 9,
    "trillion": 12,
}
"""Powers of ten."""


def is_right(answers: Sequence[str], given: str, *, items: Sequence[str] = (), by_model: bool = False) -> bool:
    """Return whether an answer is right.

    Args:
        answers: Acceptable answers, any of which will do. Where all say yes or no first, the first word decides.
        given: What was answered.
        items: What must all be there, where the question asks for several things.
        by_model: Whether a model wrote it, whose words may explain; else a whole paragraph that happens to hold the
            answer is no answer.
    """
    if is_yes_or_no(answers):
        return first_word(given) in {first_word(answer) for answer in answers}
    if any(same_value(answer, given) for answer in answers):
        return True
    longest = max(len(tokens(text)) for text in (*answers, " ".join(items)))
    most = max(TIMES * longest + MORE, PASSAGE_WORDS if items else 0)
    return (by_model or len(tokens(given)) <= most) and holds(answers, given, items=items)


def holds(answers: Sequence[str], text: str, *, items: Sequence[str] = ()) -> bool:
    """Return whether an acceptable answer stands in a text or, where there are items, every one of them."""
    told = bool(items) and all(item_stands_in(item, text) for item in items)
    return told or any(stands_in(answer, text) for answer in answers)


def in_passages(answers: Sequence[str], passages: Sequence[str], *, items: Sequence[str] = ()) -> float | None:
    """Return 1.0 when the answer can be read in one of the passages, else 0.0; None where there are no words to find.

    An acceptable answer stands in one of them, or every item where several are asked for, in whichever of them. What is
    long is not better: of each passage the first 120 words are looked at. Questions of yes or no have no words to find.
    """
    if is_yes_or_no(answers) or not (answers or items):
        return None
    read = [" ".join(passage.split()[:PASSAGE_WORDS]) for passage in passages]
    return float(any(holds(answers, text) for text in read) or holds((), "\n\n".join(read), items=items))


def is_yes_or_no(answers: Sequence[str]) -> bool:
    """Return whether all of the acceptable answers, and there are some, begin with yes or no."""
    return bool(answers) and all(first_word(answer) in _YES_OR_NO for answer in answers)


def first_word(text: str) -> str:
    """Return the first word in its normal form, empty for a text without one."""
    found = tokens(text)
    return found[0].text if found else ""


def is_complete(answer: str, response: str) -> bool:
    """Return whether a response is complete and correct, by a rule that stands in for a model that judges.

    MDocAgent, DMAP (section 4.1.4) and FinanceBench let a model judge that reads question, gold and response. Here yes
    and no must agree, the numbers that lead the gold must be in the response (1 % tolerance, any scale), and where
    there are none, half of its words must.
    """
    if overlap.is_refusal(answer) or overlap.is_refusal(response):
        return overlap.is_refusal(answer) and overlap.is_refusal(response)
    if _polarity(answer) and _polarity(response) and _polarity(answer) != _polarity(response):
        return False
    wanted = numbers_in(answer)[:_LEADING]
    if wanted:
        given = numbers_in(response)
        return all(any(_same(number, other) for other in given) for number in wanted)
    return includes(response, answer) or _words_met(answer, response)


def _polarity(text: str) -> str:
    words = overlap.tokens(text)
    return words[0] if words and words[0] in ("yes", "no") else ""


def _same(wanted: float, given: float) -> bool:
    return any(math.isclose(wanted * scale, given, rel_tol=0.01) for scale in _FACTORS)


def _words_met(answer: str, response: str) -> bool:
    wanted = set(overlap.tokens(answer))
    return bool(wanted) and len(wanted & set(overlap.tokens(response))) >= 0.5 * len(wanted)


@dataclasses.dataclass(frozen=True, slots=True)
class Token:
    """A word, or a number: its value as text without separators and needless zeros, and its sign and unit."""

    text: str
    unit: str = ""
    """"%" or a currency sign, empty where none stands there."""
    is_number: bool = False
    is_negative: bool = False

    def meets(self, wanted: Token) -> bool:
        """Return whether this token of a text is the one of an answer.

        A unit keeps numbers apart only where both have one, and a plural's "s" no words: "a 5-day week" has "5 days".
        """
        if self.is_number or wanted.is_number:
            return (
                self.text == wanted.text
                and self.is_negative == wanted.is_negative
                and (self.unit == wanted.unit or not self.unit or not wanted.unit)
            )
        return self.text == wanted.text or _is_plural(self.text, wanted.text) or _is_plural(wanted.text, self.text)


def _is_plural(one: str, other: str) -> bool:
    return len(other) >= _LEAST_PLURAL and one == other + "s"


def tokens(text: str, *, joined: bool = False) -> tuple[Token, ...]:
    """Return the tokens of a text's normal form; `joined` reads "e-mail" as "email", which is else two tokens."""
    plain = _THIN.sub("", _APOSTROPHE.sub("", _RAISED.sub(" ", text)))
    plain = fold(plain.translate(_SIGNS))
    plain = _INITIALS.sub(lambda found: found[0].replace(".", ""), plain)
    if joined:
        plain = _HYPHEN.sub("", _BROKEN.sub("", plain))
    return tuple(map(_token, _TOKEN.finditer(plain)))


def _token(found: re.Match[str]) -> Token:
    if found["word"]:
        return Token(found["word"])
    digits, decimals = found["digits"].replace(",", ""), (found["decimals"] or "").rstrip("0").rstrip(".")
    unit = found["unit"] or found["currency"] or ""
    sign = "%" if unit.startswith("per") else unit
    return Token(digits + decimals, sign, is_number=True, is_negative=bool(found["sign"]))


def stands_in(answer: str, text: str) -> bool:
    """Return whether an answer stands in a text as whole tokens: "12" does not stand in "312".

    An answer without any word or number stands nowhere.
    """
    return any(_has_run(wanted, given) for wanted, given in itertools.product(_ways(answer), _ways(text)))


@lru_cache(_CACHED)
def _ways(text: str) -> tuple[tuple[Token, ...], ...]:
    """Return the tokens of a text, where it has hyphens twice: with hyphenated words as several, and as one."""
    several, one = tokens(text), tokens(text, joined=True)
    return (several,) if several == one else (several, one)


def _has_run(wanted: Sequence[Token], given: Sequence[Token]) -> bool:
    size = len(wanted)
    return bool(size) and any(
        given[at].meets(wanted[0]) and all(map(Token.meets, given[at : at + size], wanted))
        for at in range(len(given) - size + 1)
    )


def item_stands_in(item: str, text: str) -> bool:
    """Return whether an item of a list stands in a text: either side of a " / ", what is in brackets left out at will.

    An item of several words counts as well where its words of content are met in another order or form.
    """
    return any(
        stands_in(wording, text) or _is_told(wording, text)
        for side in item.split(" / ")
        for wording in (side, _ASIDE.sub("", side))
    )


def _is_told(item: str, text: str) -> bool:
    wanted, given = _terms(item), _terms(text)
    numbers = {term for term in wanted if term[0].isdigit()}
    return len(wanted) >= LEAST_TERMS and numbers <= given and len(wanted & given) >= MET * len(wanted)


@lru_cache(_CACHED)
def _terms(text: str) -> frozenset[str]:
    return frozenset(analyze(text.translate(_SIGNS)))


def same_value(answer: str, given: str) -> bool:
    """Return whether two texts are one number each, written in whatever way: "$2.8 billion" is "2,800 million"."""
    wanted, found = _value(answer), _value(given)
    return wanted is not None and found is not None and wanted[0] == found[0] and _agree(wanted[1], found[1])


def _agree(one: str, other: str) -> bool:
    return one == other or not one or not other


def _value(text: str) -> tuple[Decimal, str] | None:
    """Return the number that a text is, with its unit; None for any other text."""
    found = tokens(text)
    scales = [_SCALES.get(token.text) for token in found[1:]]
    if not found or not found[0].is_number or found[0].text.count(".") > 1 or len(scales) > 1 or None in scales:
        return None
    value = Decimal(found[0].text).scaleb(sum(scale or 0 for scale in scales))
    return (-value if found[0].is_negative else value), found[0].unit


def right(scored: ScoredResponse) -> float | None:
    """Return whether a question that has an answer was answered right, None for one that has none."""
    question, response = scored.question, scored.response
    if not (question.accepted or question.items):
        return None
    given = response.answerable and is_right(
        question.accepted, response.answer, items=question.items, by_model=response.is_by_model
    )
    return float(given)


def short_precision(scored: ScoredResponse) -> float | None:
    """Return whether a short answer is right, None without one; an answer to a question that has none is wrong."""
    return float(bool(right(scored))) if scored.response.answerable else None


def short_coverage(scored: ScoredResponse) -> float | None:
    """Return whether a question that has an answer was given a short one, right or wrong."""
    return float(scored.response.answerable) if scored.question.answerable else None


def false_claim(scored: ScoredResponse) -> float | None:
    """Return whether a question that has no answer was given one."""
    return None if scored.question.answerable else float(scored.response.answerable)


def refused_unanswerable(scored: ScoredResponse) -> float | None:
    """Return whether a question that has no answer was refused."""
    return None if scored.question.answerable else float(_is_refused(scored))


def refused_answerable(scored: ScoredResponse) -> float | None:
    """Return whether a question that has an answer was wrongly refused."""
    return float(_is_refused(scored)) if scored.question.answerable else None


def _is_refused(scored: ScoredResponse) -> bool:
    return not scored.response.answerable or is_refusal(scored.prediction)
