"""Text layers that say something else than the page shows, as a wrong map of a font's glyphs makes them.

Their letters or words are those of no language, on the whole page or in one of its fonts. Whether it is so is settled
by OCR: it reads other words with certainty.
"""

from __future__ import annotations

import re
import string
import unicodedata
from collections import defaultdict
from collections.abc import Sequence, Set
from dataclasses import dataclass, field

import numpy as np

from octavo_documents.parsing.content import TextLine
from octavo_documents.parsing.pdf.characters import Integers
from octavo_documents.parsing.pdf.digit_shapes import DigitShapes
from octavo_documents.text.language_identification import function_word_share

_COMMON = "aeinorst"
"""Letters that make more than half of a text in any language written in Latin letters."""
_SIGNS = "!\"#$%&'()*+/:;<=>?@[\\]^`{|}~"
_WORD = re.compile(r"[^\W\d_]{3,}")
_NUMBER = re.compile(r"\d+")
_IDEOGRAPH = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af]")
_LEFTWARD = re.compile("[\u0590-\u08ff]")


class _Lying:
    """What tells letters of no language, chosen by hand.

    Pages of reports in four languages have .5 and more of common letters. Of 987 pages at hand with 100 letters one has
    less than .06 of function words, and it has .58 of common letters; with letters exchanged at random 982 are told.
    """

    COMMON = 0.45  # share of common letters
    FEWEST = 100  # letters that are looked at
    LATIN = 0.5  # share of what is written that is Latin letters
    SIGNS = 0.5  # share of signs that stand for no letter
    WORDS = 40  # words of a page, or of a font on it, whose function words are looked at
    KNOWN = 0.06  # share of function words, where common letters are fewer than is usual
    USUAL = 0.55
    KNOWN_ELSEWHERE = 0.03  # the same in other scripts
    SAME = 0.4  # share of the commonest letter
    IDEOGRAPHS = 200  # of so many there are more than so many different ones in Chinese, Japanese and Korean
    DIFFERENT = 70
    PRIVATE = 40  # signs of private use in a font that has more of them than of others
    SURE = 0.85  # confidence of OCR
    SHARED = 0.3  # of its words that the layer has too, at most
    SAME_NUMBERS = 0.9  # of the numbers that it reads, where the shapes of digits tell that they are wrong
    FEWEST_WORDS = 10
    UPHELD = 3  # pages of a file whose layer OCR upheld, after which letters alone raise doubts
    MIXED = 0.1  # share of the words of a right-to-left page that have letters of another script too


@dataclass(slots=True)
class Doubts:
    """What is known of a file's text layers while its pages are read in their order."""

    upheld: int = 0
    """Pages whose text was doubted, and is what OCR reads."""
    fonts: set[str] = field(default_factory=set[str])
    """Names of fonts whose text OCR found to be wrong."""
    digits: DigitShapes = field(default_factory=dict["tuple[str, int]", bool])
    """Which digits of fonts have other shapes than they have in any type."""

    def judged(self, doubted: Doubted, *, is_wrong: bool) -> None:
        """Note what OCR said of a page."""
        self.upheld += not is_wrong
        if is_wrong and not doubted.has_digits:
            right = {span.font for line in doubted.right for span in line.spans}
            self.fonts |= {span.font for line in doubted.wrong for span in line.spans} - right


@dataclass(frozen=True, slots=True)
class Doubted:
    """The lines of a page whose text may be wrong, the others, and whether there are characters without a meaning."""

    wrong: tuple[TextLine, ...]
    right: tuple[TextLine, ...]
    has_lost: bool = False
    is_known: bool = False
    """Whether the lines are in fonts that were found to be wrong before."""
    has_digits: bool = False
    """Whether the shapes of their digits are those of others."""

    def __bool__(self) -> bool:
        return bool(self.wrong) or self.has_lost

    def is_wrong(self, others: Sequence[TextLine]) -> bool:
        """Return whether OCR, which reads these lines where no right one stands, reads something else there."""
        if self.has_digits and counts_otherwise(others, self.wrong):
            return True
        return says_otherwise(others, self.wrong, fewest=1 if self.is_known else _Lying.FEWEST_WORDS)


def doubted(
    lines: Sequence[TextLine], doubts: Doubts, lost: Set[str] = frozenset(), exchanged: Set[str] = frozenset()
) -> Doubted:
    """Return which lines of a page are of no language: all, those with text in a font whose text is of none, or none.

    `lost` are fonts that are mapped to no letters, whose text may have no lines at all, `exchanged` those whose digits
    have the shapes of others. Lists of names have no function
    words either: where OCR has upheld the layer of several pages, only letters count.
    """
    has_words = doubts.upheld < _Lying.UPHELD
    by_font: dict[str, list[str]] = defaultdict(list)
    for line in lines:
        for span in line.spans:
            by_font[span.font].append(line.text[span.start : span.stop])
    lost = lost if has_words else frozenset()
    known = doubts.fonts & by_font.keys()
    exchanged = exchanged & by_font.keys()
    other = {font for font, texts in by_font.items() if _is_wrong_font(" ".join(texts), has_words=has_words)}
    fonts = known | lost | exchanged | other
    wrong = tuple(line for line in lines if any(span.font in fonts for span in line.spans)) if fonts else ()
    right = tuple(line for line in lines if not any(span.font in fonts for span in line.spans)) if fonts else (*lines,)
    if _is_of_no_language(" ".join(line.text for line in right), has_words=has_words):
        wrong, right = (*lines,), ()
    return Doubted(wrong, right, bool(lost), bool(known) and known == fonts, bool(exchanged))


def lost_fonts(codes: Integers, style: Integers, fonts: Sequence[str]) -> frozenset[str]:
    """Return the fonts of a page that are mapped to no letters; `fonts` are the names by the style of a character."""
    is_private = ((codes >= 0xE000) & (codes <= 0xF8FF)) | (codes == 0xFFFD)
    if int(is_private.sum()) < _Lying.PRIVATE:
        return frozenset()
    numbers = np.array([fonts.index(font) for font in fonts])[style]
    lost, count = np.bincount(numbers[is_private], minlength=len(fonts)), np.bincount(numbers, minlength=len(fonts))
    return frozenset(fonts[at] for at in np.flatnonzero((lost >= _Lying.PRIVATE) & (2 * lost > count)).tolist())


def _is_wrong_font(text: str, *, has_words: bool) -> bool:
    """Return whether the text in one font is of no language; formulas have letters, and no words, names only those."""
    if len(text) < _Lying.FEWEST or _words_in(text) < _Lying.WORDS:
        return False
    return _is_of_no_language(text, has_words=has_words)


def _words_in(text: str) -> int:
    return sum(len(word) > 1 and word.isalpha() for word in text.split())


def _is_of_no_language(text: str, *, has_words: bool) -> bool:
    lower = text.lower()
    if len(lower) < _Lying.FEWEST:
        return False
    written = len(lower) - lower.count(" ")
    latin = sum(map(lower.count, string.ascii_lowercase))
    if latin < max(_Lying.FEWEST, _Lying.LATIN * written):
        ideographs = _IDEOGRAPH.findall(lower)
        if len(ideographs) >= max(_Lying.IDEOGRAPHS, _Lying.LATIN * written):
            return len({*ideographs}) <= _Lying.DIFFERENT
        if sum(map(lower.count, _SIGNS)) > _Lying.SIGNS * written:
            return True
        others = sum(map(str.isalpha, lower)) - latin
        is_other = others >= max(_Lying.FEWEST, _Lying.LATIN * written)
        return has_words and is_other and _has_no_words(text, _Lying.KNOWN_ELSEWHERE)
    common = sum(map(lower.count, _COMMON))
    if common < _Lying.COMMON * latin or max(map(lower.count, string.ascii_lowercase)) > _Lying.SAME * latin:
        return True
    return has_words and common < _Lying.USUAL * latin and _has_no_words(text, _Lying.KNOWN)


def _has_no_words(text: str, least: float) -> bool:
    """Return whether a text of many words has hardly any that its language needs."""
    share, words = function_word_share(text)
    return words >= _Lying.WORDS and share < least


def mixes_scripts(lines: Sequence[TextLine]) -> bool:
    """Return whether words of a page that is written from right to left have letters of other scripts in them."""
    texts = [line.text for line in lines if _LEFTWARD.search(line.text)]
    words = [{unicodedata.bidirectional(one) for one in word} for text in texts for word in _WORD.findall(text)]
    leftward = [found for found in words if not found.isdisjoint(("R", "AL"))]
    mixed = sum("L" in found for found in leftward)
    return mixed >= max(_Lying.FEWEST_WORDS, _Lying.MIXED * len(leftward))


def says_otherwise(
    recognized: Sequence[TextLine], layer: Sequence[TextLine], *, fewest: int = _Lying.FEWEST_WORDS
) -> bool:
    """Return whether OCR reads words of a page with certainty that its text layer does not have."""
    count = sum(len(line.text) for line in recognized)
    words = _words(recognized)
    is_sure = sum(line.confidence * len(line.text) for line in recognized) >= _Lying.SURE * count
    return is_sure and len(words) >= fewest and len(words & _words(layer)) < _Lying.SHARED * len(words)


def counts_otherwise(recognized: Sequence[TextLine], layer: Sequence[TextLine]) -> bool:
    """Return whether OCR reads numbers with certainty that a text layer does not have, whose digits are in doubt."""
    numbers = [(found, line.confidence) for line in recognized for found in _NUMBER.findall(line.text)]
    sure = {found for found, confidence in numbers if confidence >= _Lying.SURE}
    known = {found for line in layer for found in _NUMBER.findall(line.text)}
    return bool(sure) and len(sure & known) < _Lying.SAME_NUMBERS * len(sure)


def _words(lines: Sequence[TextLine]) -> set[str]:
    return {word for line in lines for word in _WORD.findall(line.text.lower())}
