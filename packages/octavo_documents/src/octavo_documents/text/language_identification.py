"""What language a text is in: by its script, and where several languages share one, by their function words."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import cache

from octavo_documents.lazy import lazy_regex
from octavo_documents.text.languages import ENGLISH, LANGUAGES, language

_SCRIPTS = {
    "kana": "\u3041-\u30ff\uff66-\uff9f",
    "han": "\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003ffff",
    "hangul": "\u1100-\u11ff\u3131-\u318e\uac00-\ud7af",
    "thai": "\u0e01-\u0e4e",
    "lao": "\u0e81-\u0ece",
    "khmer": "\u1780-\u17d3",
    "devanagari": "\u0900-\u0963\u0971-\u097f",
    "arabic": "\u0620-\u064a\u066e-\u06d3\ufb50-\ufdff\ufe70-\ufefc",
    "hebrew": "\u05d0-\u05ea\ufb1d-\ufb4f",
    "cyrillic": "\u0400-\u052f",
    "greek": "\u0370-\u03ff\u1f00-\u1fff",
    "latin": "A-Za-z\u00c0-\u024f\u1e00-\u1eff",
}
_LETTERS = {script: re.compile(f"[{letters}]") for script, letters in _SCRIPTS.items()}
_WORD = lazy_regex(r"[^\W\d_]+")
_DENSE = {"han": 2.0, "kana": 2.0, "hangul": 2.0}
"""What a letter of a script counts: one says as much as several of an alphabet."""
_KANA_SHARE = 0.1
"""Share of kana among Japanese letters, at least: a Chinese text may quote a word."""
_OWN_LETTERS = {
    "de": "äöüß", "fr": "éèêçàùœîâôû", "es": "ñ¿¡áíóú", "pt": "ãõçáêé",
    "pl": "ąęłńśźż", "tr": "ğışçöü", "ro": "ăâîșțşţ",
    "sv": "åäö", "da": "æøå", "no": "æøå", "fi": "äö", "hu": "őűáéöü", "cs": "ěščřžýů", "vi": "ơưđạảấầậắếềệộợớ",
    "ca": "ç·àèò", "it": "àèìòù", "uk": "іїєґ", "ru": "ыэъё", "fa": "پچژگک",
}  # fmt: skip
"""Letters that tell a language from others with its script."""
_SHARED = Counter("".join(_OWN_LETTERS.values()))
"""How many languages have each of these."""
_LEAD = 1.25
"""How far the best language must be ahead of the one that is expected."""
_WORTH = {1: 0.1, 2: 0.75}
"""What a word of so few letters counts, which may be a name's or a symbol as well."""
_LEAST = 1.2
"""Evidence below which no language is told: a function word that no other language has counts 1."""
_ONE_WORD = 0.6
"""Evidence that tells the language of a question of a few words, where it is twice that of any other."""
_FEW_WORDS, _LONGEST_ASKED = 3, 40
"""Words and characters of a question that one word of its own tells the language of: "Wie oft?"."""
_MOST_TIMES = 3
_WORDS_A_TIME = 15
"""How often a word is counted, once more for each so many words: one that comes again and again may be a name."""
_SEVERAL = 3
"""Words that tell a language though others share each of them."""
_MOST_READ = 4000
"""Characters that tell a language."""


def language_of(text: str, *, expected: str = ENGLISH) -> str:
    """Return the code of the language of a text, `expected` where nothing tells.

    >>> language_of("Wie viele Einwohner hat die Stadt?"), language_of("第三章有多少页？"), language_of("Total 2020")
    ('de', 'zh', 'en')
    """
    return _told(text, expected) or expected


def tells_language(text: str) -> bool:
    """Return whether the words of a text tell what language it is in."""
    return bool(_told(text, ""))


def function_word_share(text: str) -> tuple[float, int]:
    """Return which share of the words of two letters and more are function words of the language that has most.

    The second number says how many words were looked at; it is 0 in a script none of whose languages is known.

    >>> function_word_share("the price of a tree is in the list"), function_word_share("uif qsjdf pg b usff")
    ((0.75, 8), (0.0, 4))
    """
    head = text[:_MOST_READ]
    script = "latin" if head.isascii() else _script(head)
    if not _of_script().get(script):
        return 0.0, 0
    by_word, counts = _words_of(script), Counter[str]()
    words = [word for word in _WORD.findall(unicodedata.normalize("NFC", head).casefold()) if len(word) > 1]
    for word, times in Counter(words).items():
        for code in by_word.get(word, ()):
            counts[code] += times
    return max(counts.values(), default=0) / max(len(words), 1), len(words)


def _told(text: str, expected: str) -> str:
    """Return the language that a text tells by its script and its function words, "" for none."""
    head = text[:_MOST_READ]
    script = "latin" if head.isascii() else _script(head)
    if script == "kana":
        return "ja"
    codes = _of_script().get(script, ())
    if len(codes) == 1 and script != "latin":
        return codes[0]
    evidence = _evidence(head, script)
    if not evidence:
        return codes[0] if script != "latin" and codes else ""
    best = max(evidence, key=lambda code: (evidence[code], code == expected))
    other = max((code for code in evidence if code != ENGLISH), key=lambda code: evidence[code], default=best)
    if script == "latin" and expected in (ENGLISH, "") and _has_enough_words(head, other):
        return other
    if script == "latin" and evidence[best] < _LEAST:
        return _asked_in(head, evidence)
    if evidence.get(expected, 0.0) * _LEAD >= evidence[best]:
        return expected
    return best


def _asked_in(text: str, evidence: Mapping[str, float]) -> str:
    """Return the language of a question of a few words, none of them English: "Wie oft?"; "" for any other text."""
    asked = text.strip().rstrip(" ?").casefold()
    is_short = text.strip().endswith("?") and len(asked) <= _LONGEST_ASKED and len(asked.split()) <= _FEW_WORDS
    if not is_short or evidence.get(ENGLISH):
        return ""
    said = [code for code in evidence if any(asked in phrases for _, phrases in language(code).asks)]
    if len(said) == 1:
        return said[0]
    best, *others = sorted(evidence, key=lambda code: -evidence[code])
    is_plain = evidence[best] >= max(_ONE_WORD, 2 * max((evidence[code] for code in others), default=0.0))
    return best if is_plain else ""


def _has_enough_words(text: str, code: str) -> bool:
    """Return whether several words of a language stand in a text and hardly any of English, or none but shared ones."""
    words = {*_WORD.findall(unicodedata.normalize("NFC", text).casefold())}
    own, english = (
        {word for word in words if len(word) > 1 and word in language(one).telling_words} for one in (code, ENGLISH)
    )
    return len(own) >= _SEVERAL * max(1, len(english)) or (len(own) > 1 and english < own)


def _script(text: str) -> str:
    """Return the script of most letters of a text, "" without any; kana where Japanese is written."""
    counts = {script: _DENSE.get(script, 1.0) * len(letters.findall(text)) for script, letters in _LETTERS.items()}
    japanese = counts["kana"] + counts["han"]
    if counts["kana"] > _KANA_SHARE * japanese and japanese > sum(counts.values()) - japanese:
        return "kana"
    best = max(counts, key=lambda script: counts[script])
    return best if counts[best] else ""


@cache
def _of_script() -> dict[str, tuple[str, ...]]:
    """Return the codes of the languages of each script."""
    found: dict[str, list[str]] = {}
    for code in LANGUAGES:
        found.setdefault(language(code).script, []).append(code)
    return {script: tuple(codes) for script, codes in found.items()}


@cache
def _words_of(script: str) -> dict[str, tuple[str, ...]]:
    """Return by function word which languages of a script have it."""
    found: dict[str, list[str]] = {}
    for code in _of_script()[script]:
        for word in language(code).telling_words:
            found.setdefault(word, []).append(code)
    return {word: tuple(codes) for word, codes in found.items()}


def _evidence(text: str, script: str) -> dict[str, float]:
    """Return what speaks for each language of a script: its words and letters, less where others share them."""
    evidence: dict[str, float] = defaultdict(float)
    if script not in _of_script():
        return evidence
    words = _words_of(script)
    found = _WORD.findall(unicodedata.normalize("NFC", text).casefold())
    most = max(_MOST_TIMES, len(found) // _WORDS_A_TIME)
    for word, times in Counter(found).items():
        codes = words.get(word, ())
        for code in codes:
            evidence[code] += min(times, most) * _WORTH.get(len(word), 1.0) / len(codes)
    lower = text.lower()
    for code in _of_script()[script] if not text.isascii() else ():
        for letter in _OWN_LETTERS.get(code, ""):
            evidence[code] += lower.count(letter) / _SHARED[letter]
    return evidence


def runs_of(texts: Sequence[str], *, expected: str = ENGLISH) -> list[str]:
    """Return the language of each of some texts of one document, in order.

    A text that is short, or does not tell plainly, is in the language of the document as a whole.
    """
    sample = "\n".join(text[:_SAMPLE] for text in texts[:: max(1, len(texts) // _SAMPLES)])
    main = language_of(sample, expected=expected)
    return [_departs(text, main) for text in texts]


_SAMPLE, _SAMPLES = 300, 60
"""Characters and texts that tell the language of a document."""
_PLAINLY = 4.0
"""Evidence for another language than the document's, at least, and how many times as much as for the document's."""
_TIMES = 2.0
_LEAST_LETTERS = 20


def _departs(text: str, main: str) -> str:
    """Return the language of a part of a document that is in `main`."""
    head = text[:_MOST_READ]
    script = "latin" if head.isascii() else _script(head)
    own = language(main).script
    told = _told(head, main) if script != own or script == "latin" else main
    if not told or told == main:
        return main
    if language(told).script != own and script != "latin":
        letters = len(_LETTERS[script].findall(head)) if script in _LETTERS else 0
        return told if _DENSE.get(script, 1.0) * letters >= _LEAST_LETTERS else main
    evidence = _evidence(head, script)
    is_plain = evidence[told] >= _PLAINLY and evidence[told] >= _TIMES * evidence[main]
    return told if is_plain else main
