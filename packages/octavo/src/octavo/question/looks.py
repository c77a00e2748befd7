"""What a question, or a request for more, says of looks: colours and underlining, logos, pages and pictures to show."""

from __future__ import annotations

import re

from octavo.question.kinds import asks_to_see, counts_pages, kinds_gone_through, lists_pages
from octavo.question.references import PAGE, names_one_place, references, unread
from octavo.question.words import ABOUT_THE_QUESTION, DOCUMENT, FRAME
from octavo_documents.lazy import lazy_regex
from octavo_documents.text.analyzer import analyze
from octavo_documents.text.label_names import is_of_pages_alone
from octavo_documents.text.lines import on_one_line
from octavo_documents.text.looks_words import COLOURS, WORD_LOOKS, looks_said
from octavo_documents.text.things import CHARTS, FIGURES, kinds_meant

_OF_TEXT = lazy_regex(
    r"\b(?:underlin\w+|italics?|itali[cs]i[sz]ed|bold(?:ed|face)?|fonts?|typefaces?|strike-?through|crossed[\s-]out"
    r"|circled|hand-?writ\w+|colou?r(?:s|ed)?|highlighted (?:words?|texts?|rows?|cells?|lines?)"
    r"|(?:highlighted|marked|printed|written|set|typed|shown|shaded) (?:in|with) (?:a )?(?:\w+ )?"
    r"(?:colou?r|yellow|red|blue|green|orange|pink|purple|gr[ea]y)"
    r"|(?:words?|texts?|phrases?|terms?|names?|lines?|sentences?|passages?|cells?|rows?|numbers?) (?:that )?"
    r"(?:is|are|was|were) (?:\w+ )?highlighted|by hand|watermarks?|(?:header|title|side|top) (?:bar|band|stripe))\b",
    re.I,
)
"""Words for how something on a page looks that is no picture of its own."""
_SHOWS = lazy_regex(
    rf"\b{PAGE}\s+\S+\s+(?:shows?|depicts?|looks?)\b|\bdo(?:es)?\s+(?:\S+\s+)?{PAGE}\s+\S+\s+(?:show|depict|look)\b"
    rf"|\b(?:shown|depicted|pictured|seen|visible|drawn)\s+(?:on|in)\s+(?:the\s+)?(?:\S+\s+)?{PAGE}\b",
    re.I,
)
"""What a page shows: "what does page 5 show", "what is depicted on slide 3"."""
_LOGO = lazy_regex(r"\b(?:logos?|logotypes?|emblems?|crests?|brand\s+marks?)\b", re.I)
_PAGE_PICTURE = lazy_regex(
    rf"\b(?:pictures?|images?|views?|scans?|renderings?|screenshots?|whole|full|entire|layout|look)\s+(?:of\s+)?(?:the\s+)?"
    rf"(?:(?:whole|full|entire)\s+)?{PAGE}",
    re.I,
)
_EVERY_PAGE = lazy_regex(
    r"\W*(?:(?:the\s+)?(?:large\s+|whole\s+|full\s+)?(?:pictures?|images?|views?|scans?|renderings?|screenshots?|looks?)\s+"
    r"(?:of|at|for)\s+)?(?:the\s+)?(?:each|every(?:\s+single)?|all)(?:\s+of)?(?:\s+the(?:se)?)?(?:\s+[\w-]+)?"
    rf"\s+{PAGE}(?:\s+(?:pictures?|images?|scans?))?(?:,?\s+(?:of|in|from)\s+(?:the|this)\s+(?:\w+\s+)?(?:{DOCUMENT}))?\W*",
    re.I,
)
"""All pages and nothing else: "picture of each page", "every page of the report"."""
_LOOKED_AT = lazy_regex(
    rf"\b(?:{FIGURES}|{CHARTS}|{PAGE}|tables?|captions?|whole|full|entire|views?|look(?:ing)?|see|show(?:n|s|ing)?|images?"
    r"|contents?|text|printed|please|itself|visual(?:s|ly)?|large(?:r)?|close(?:r)?|zoom(?:ed)?"
    r"|bars?|pies?|lines?|legends?|axis|axes)\b",
    re.I,
)
"""Words of a request that only say that a place is to be looked at."""
_ALL_PICTURES = lazy_regex(
    r"\b(?:which|what|how many|all|every|each)\s+(?:of\s+)?(?:the\s+)?(?:[\w-]+\s+){0,2}?"
    rf"(?:{FIGURES}|{CHARTS})(?<=s)\b",
    re.I,
)
_PAGES_SHOW = lazy_regex(rf"\b{PAGE}\s+(?:\S+\s+)?(?:show|depict|picture|display|illustrate)s?\b", re.I)
_WHOLE = lazy_regex(
    rf"\b(?:whole|entire|full)\s+(?:{DOCUMENT})\b|\b(?:throughout|across)\s+(?:the|this)\s+(?:{DOCUMENT})\b", re.I
)
_LOOKS = frozenset(("underlined", "italic", "bold", "highlighted", "colour"))
"""Looks that alone say that looks are asked for, and colours as such."""
_BY = lazy_regex(r"\s+(?:by|par|von|da|por|door|przez)\s(?!hand\b|main\b|mano\b)", re.I)
"""What follows where somebody underlines or marks something in speech."""
_LOOSE_ENDS = lazy_regex(r"^(?:\W|\b(?:of|on|in|at|from|the|and|for)\b)+|(?:\W|\b(?:of|on|in|at|from|the|and|for)\b)+$")


def asks_for_looks(question: str) -> bool:
    """Return whether a question asks how something on a page looks, or what a page that it names shows."""
    is_said = _OF_TEXT.search(question) is not None or _SHOWS.search(question) is not None
    return is_said or not _LOOKS.isdisjoint(_said(question))


def word_looks(question: str) -> tuple[str, ...]:
    """Return the looks of words that a question asks for: "underlined", "italic", "bold", "highlighted"."""
    said = _said(question) if asks_for_looks(question) else ()
    return tuple(look for look in WORD_LOOKS if look in said)


def colours_named(question: str) -> tuple[str, ...]:
    """Return the colours of `COLOURS` that a question names, by their English names; in any language."""
    said = _said(question)
    return tuple(colour for colour in COLOURS if colour in said)


def _said(question: str) -> frozenset[str]:
    """Return the looks that a question speaks of; what is "marked" in a colour is highlighted."""
    said = frozenset(one.look for one in looks_said(question) if not _BY.match(question, one.stop))
    is_marked = "marked" in said and (not said.isdisjoint(("colour", *COLOURS)) or _OF_TEXT.search(question))
    return said | {"highlighted"} if is_marked else said


def asks_for_logo(question: str) -> bool:
    """Return whether a question speaks of a logo, which is else a picture that says nothing."""
    return _LOGO.search(question) is not None or "logo" in _said(question)


def says_picture(question: str) -> bool:
    """Return whether a question speaks of figures, charts and the like."""
    return not {"figure", "chart"}.isdisjoint(kinds_meant(question))


def wants_whole_page(phrase: str) -> bool:
    """Return whether a request is for a page and not for a picture on it: "picture of page 7", "page 7"."""
    return _PAGE_PICTURE.search(phrase) is not None or not says_picture(unread(phrase))


def wants_every_page(phrase: str) -> bool:
    """Return whether a request is for all pages: "picture of each page", "pictures of all pages", "every page"."""
    return _EVERY_PAGE.fullmatch(phrase) is not None and not references(phrase)


def words_beside_places(phrase: str) -> str:
    """Return what a request says beside the places that it names: "the price in Table 3" gives "the price".

    "" where it asks for a place alone: "picture of page 17", "Figure 4", "the chart on page 5". A request that names no
    place comes back as it is.
    """
    if wants_every_page(phrase):
        return ""
    if not references(phrase):
        return phrase
    rest = _LOOSE_ENDS.sub("", on_one_line(_LOOKED_AT.sub(" ", unread(phrase)).replace(" ,", ",")))
    return rest if set(analyze(rest)) - ABOUT_THE_QUESTION - FRAME else ""


_OF_PAGE = lazy_regex(
    r"(?:what(?:'s|’s)?|which|is|are|was|were|does|do|did|can|could|you|please|there|stands?|says?|said|contains?|shows?|shown|seen"
    r"|written|printed|found|reads?|told|tell|give|show|describe|summari[sz]e|summary|contents?|text|words|me|us|a|the|of|on|at|in"
    r"|to|about|be|and|this|document|it|have|has|,|\W)*",
    re.IGNORECASE,
)
"""What a question says beside pages where it wants these and nothing else."""


def asks_for_pages(question: str) -> bool:
    """Return whether a question asks what stands on pages that it names, and nothing else: "What is on page 20?"."""
    if _OF_TEXT.search(question) or not _LOOKS.isdisjoint(_said(question)):
        return False
    named = references(question)
    is_of_pages = bool(named) and all(one.what == "page" and one.relation in ("", "in") for one in named)
    return is_of_pages and (
        all(_OF_PAGE.fullmatch(word) for word in unread(question).split()) or is_of_pages_alone(question)
    )


def is_about_all_pages(question: str) -> bool:
    """Return whether a question asks which pages, or says that it is about a whole document."""
    return lists_pages(question) or _WHOLE.search(question) is not None


def goes_over_pictures(question: str) -> bool:
    """Return whether a question is about all figures, charts or pages by their looks: counts them, or asks which.

    "How many charts use blue?", "Which slides show a boat?", "In all photos, who wears a hat?". One place that is named
    beside is no more than an example where all pages are meant.
    """
    if names_one_place(question) and not is_about_all_pages(question):
        return False
    if not {"figure", "chart"}.isdisjoint(kinds_gone_through(question)):
        return True
    if _ALL_PICTURES.search(question):
        return True
    is_of_pages = counts_pages(question) or lists_pages(question)
    is_of_looks = (asks_to_see(question) and says_picture(question)) or asks_for_looks(question)
    return is_of_pages and (is_of_looks or _PAGES_SHOW.search(question) is not None)
