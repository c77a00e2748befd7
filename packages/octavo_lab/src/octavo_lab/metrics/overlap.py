"""How far the words or characters of an answer and a prediction overlap, and the normal forms that are compared.

Each function takes the gold answer, the prediction and the answer's format, and returns 0..1. A list of alternatives
counts its best one; in the format "List" a list is one answer with several items. Literals in answers are read with
limits; nothing in them is ever executed.
"""

from __future__ import annotations

import ast
import re
import string
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from typing import TypeVar, cast

import numpy as np

from octavo_documents.text.lines import on_one_line

LONGEST = 20_000
"""Characters of a literal that is read."""
DEEPEST = 12
"""Brackets inside brackets of a literal that is read."""

_PUNCTUATION = str.maketrans("", "", string.punctuation)
_ARTICLES = re.compile(r"\b(?:a|an|the)\b")
_CITATION = re.compile(r"\s?\[\d+(?:,\s*\d+)*\]")

REFUSALS = frozenset({"not answerable", "unanswerable", "fail to answer", "cannot be answered", "no answer"})


def normalize(text: str) -> str:
    """Lower the case, drop punctuation and English articles, and collapse white space (the SQuAD normal form)."""
    return on_one_line(_ARTICLES.sub(" ", text.lower().translate(_PUNCTUATION)))


def tokens(text: str) -> list[str]:
    """Return the words of the normal form."""
    return normalize(text).split()


def is_refusal(text: str) -> bool:
    """Return whether a final answer says that there is none."""
    return normalize(text) in REFUSALS


def without_citations(text: str) -> str:
    """Drop citation marks such as "[1]" or "[2, 3]"."""
    return _CITATION.sub("", text)


def references(answer: object, answer_format: str) -> list[str]:
    """Return the acceptable answers as texts: a list gives alternatives unless the format is itself a list."""
    several = sequence(answer)
    if several is None:
        return [str(answer)]
    return [", ".join(map(str, several))] if answer_format == "List" else [str(item) for item in several]


def sequence(value: object) -> Sequence[object] | None:
    """Return a list or tuple as it is, None for anything else."""
    return cast(Sequence[object], value) if isinstance(value, (list, tuple)) else None


def aliases(answer: object) -> list[list[str]]:
    """Return short answers as lists of their aliases; a plain text is an answer with itself as only alias."""
    groups = sequence(answer)
    return [list(map(str, sequence(group) or [group])) for group in ([answer] if groups is None else groups)]


def items(answer: object) -> list[str]:
    """Return an answer as a list of texts; a text that holds a literal list is read as that list."""
    several = sequence(answer)
    if several is not None:
        return [str(item) for item in several]
    found = parse_list(str(answer))
    return [str(answer)] if found is None else [str(item) for item in found]


def parse_list(text: str) -> list[object] | None:
    """Return the literal list that a text starting with "[" is, None for any other, or one that is too long or deep."""
    if not text.startswith("[") or len(text) > LONGEST or _depth(text) > DEEPEST:
        return None
    try:
        found = cast(object, ast.literal_eval(text.strip()))
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None
    return cast("list[object]", found) if isinstance(found, list) else None


def _depth(text: str) -> int:
    """Return the deepest nesting of brackets; brackets inside quotes count too, which only makes it stricter."""
    depth = deepest = 0
    for character in text:
        if character in "([{":
            depth += 1
            deepest = max(deepest, depth)
        elif character in ")]}":
            depth -= 1
    return deepest


Item = TypeVar("Item")

THRESHOLD = 0.5
"""Similarity that ANLS counts as none (Biten et al., "Scene Text Visual Question Answering", ICCV 2019)."""

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n+")
_WORD = re.compile(r"[a-z0-9]+")


def exact_match(answer: object, prediction: str, answer_format: str = "Str") -> float:
    """Return 1.0 when the normal forms are the same, for lists of the same items in any order, else 0.0.

    Rajpurkar et al., "SQuAD", EMNLP 2016; BookRAG appendix A.1.2, equation 18.
    """
    if answer_format == "List":
        return float(sorted(map(normalize, items(answer))) == sorted(map(normalize, items(prediction))))
    given = normalize(prediction)
    return float(any(normalize(wanted) == given for wanted in references(answer, answer_format)))


def token_f1(answer: object, prediction: str, answer_format: str = "Str") -> float:
    """Return F1 of the bags of words. Rajpurkar et al., EMNLP 2016; BookRAG appendix A.1.2, equation 19."""
    given = tokens(prediction)
    return max((_bag_f1(tokens(wanted), given) for wanted in references(answer, answer_format)), default=0.0)


def _bag_f1(wanted: list[str], given: list[str]) -> float:
    """Return the harmonic mean of precision and recall of two bags; two empty bags agree."""
    if not wanted or not given:
        return float(wanted == given)
    return 2 * (Counter(wanted) & Counter(given)).total() / (len(wanted) + len(given))


def inclusion(answer: object, prediction: str, answer_format: str = "Str") -> float:
    """Return 1.0 when the answer, of a list every item, stands inside the prediction, else 0.0.

    BookRAG appendix A.1.2, equation 17; for short answers with aliases the same is called EM recall.
    """
    if answer_format == "List":
        return float(all(includes(prediction, item) for item in items(answer)))
    return float(any(includes(prediction, wanted) for wanted in references(answer, answer_format)))


def includes(prediction: str, answer: str) -> bool:
    """Return whether the answer stands in the prediction; an answer without words only in one without words."""
    wanted, given = normalize(answer), normalize(prediction)
    return wanted in given if wanted else not given


def string_em(answer: object, prediction: str, _format: str = "") -> float:
    """Return the share of short answers of which an alias stands in the prediction; 0.0 where there is no gold.

    Gao et al., "Enabling Large Language Models to Generate Text with Citations" (ALCE), EMNLP 2023, section 4.
    """
    text = without_citations(prediction)
    found = [any(includes(text, name) for name in group) for group in aliases(answer)]
    return sum(found) / len(found) if found else 0.0


def string_hit(answer: object, prediction: str, _format: str = "") -> float:
    """Return 1.0 when every short answer stands in the prediction, else 0.0 (ALCE)."""
    return float(string_em(answer, prediction) == 1.0)


def anls(answer: object, prediction: str, answer_format: str = "Str") -> float:
    """Return average normalised Levenshtein similarity, case and white space aside.

    Biten et al., ICCV 2019, and the MP-DocVQA and DUDE evaluations: a list is aligned one to one with the predicted
    list and divided by the longer length (DUDE's ANLSL).
    """
    if answer_format == "List":
        wanted, given = ([_plain(item) for item in items(side)] for side in (answer, prediction))
        return aligned(wanted, given, similarity)
    if answer_format == "None":
        return float(is_refusal(prediction))
    given = _plain(prediction)
    return max((similarity(_plain(wanted), given) for wanted in references(answer, answer_format)), default=0.0)


def _plain(text: str) -> str:
    return on_one_line(text.lower())


def similarity(left: str, right: str) -> float:
    """Return 1 - distance / longer length in 0..1, and 0 where that is not above the threshold."""
    longest = max(len(left), len(right))
    if not longest:
        return 1.0
    if 1 - abs(len(left) - len(right)) / longest <= THRESHOLD:
        return 0.0
    value = 1 - distance(left, right) / longest
    return value if value > THRESHOLD else 0.0


def distance(left: str, right: str) -> int:
    """Return the least number of insertions, deletions and replacements that turn one text into the other."""
    if len(left) < len(right):
        left, right = right, left
    row = list(range(len(right) + 1))
    for at, character in enumerate(left, start=1):
        diagonal, row[0] = row[0], at
        for other, wanted in enumerate(right, start=1):
            diagonal, row[other] = row[other], min(diagonal + (character != wanted), row[other] + 1, row[other - 1] + 1)
    return row[-1]


def aligned(wanted: Sequence[Item], given: Sequence[Item], score: Callable[[Item, Item], float]) -> float:
    """Return the mean score of two lists paired one to one so that it is highest; two empty lists agree.

    It is the sum over the pairs divided by the longer length.
    """
    if not wanted or not given:
        return float(len(wanted) == len(given))
    table = [[score(left, right) for right in given] for left in wanted]
    return sum(best_alignment(table)) / max(len(wanted), len(given))


def best_alignment(scores: Sequence[Sequence[float]]) -> list[float]:
    """Return the pairs' scores of the one-to-one pairing with the highest sum, one per row of the shorter side."""
    table = np.asarray(scores, np.float64)
    if table.ndim != 2 or not table.size:
        return []
    from scipy.optimize import linear_sum_assignment  # pyright: ignore[reportUnknownVariableType]

    if table.shape[0] > table.shape[1]:
        table = table.T
    rows, columns = cast("tuple[Sequence[int], Sequence[int]]", linear_sum_assignment(table, maximize=True))
    return [float(table[row, column]) for row, column in zip(rows, columns, strict=True)]


def rouge_l(answer: object, prediction: str, _format: str = "") -> float:
    """Return ROUGE-L, summary level: sentences matched by their longest common subsequences.

    Lin, "ROUGE", 2004, section 3.2, equations 5 to 8, with F1 for F-beta; stemmed words as in the published figures.
    """
    given = _sentences(without_citations(prediction))
    return max((_subsequence_f1(_sentences(wanted), given) for wanted in references(answer, "")), default=0.0)


def _subsequence_f1(wanted: list[list[str]], given: list[list[str]]) -> float:
    left, right = Counter(word for part in wanted for word in part), Counter(word for part in given for word in part)
    total = left.total() + right.total()
    if not left or not right:
        return 0.0
    hits = 0
    for sentence in wanted:
        for word in _union_subsequence(sentence, given):
            if left[word] and right[word]:
                hits, left[word], right[word] = hits + 1, left[word] - 1, right[word] - 1
    return 2 * hits / total


def _union_subsequence(sentence: list[str], others: list[list[str]]) -> list[str]:
    """Return the words of a sentence that are in its longest common subsequence with any other sentence."""
    found = {at for other in others for at in _common_positions(sentence, other)}
    return [sentence[at] for at in sorted(found)]


def _common_positions(left: list[str], right: list[str]) -> list[int]:
    """Return the positions in `left` of a longest common subsequence of two lists of words, last first."""
    lengths = [[0] * (len(right) + 1) for _ in range(len(left) + 1)]
    for row, word in enumerate(left, start=1):
        for column, other in enumerate(right, start=1):
            before = lengths[row - 1][column - 1] + 1 if word == other else 0
            lengths[row][column] = max(before, lengths[row - 1][column], lengths[row][column - 1])
    found: list[int] = []
    row, column = len(left), len(right)
    while row and column:
        if left[row - 1] == right[column - 1]:
            row, column = row - 1, column - 1
            found.append(row)
        elif lengths[row - 1][column] >= lengths[row][column - 1]:
            row -= 1
        else:
            column -= 1
    return found


def _sentences(text: str) -> list[list[str]]:
    parts = (_WORD.findall(part) for part in _SENTENCE_END.split(text.lower()))
    return [[_stem(word) for word in words] for words in parts if words]


def _stem(word: str) -> str:
    return _porter()(word) if len(word) > 3 else word


@cache
def _porter() -> Callable[[str], str]:
    import Stemmer  # pyright: ignore[reportMissingTypeStubs]

    return Stemmer.Stemmer("porter").stemWord  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
