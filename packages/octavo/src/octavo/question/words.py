"""The words that questions are read by, each list once: what is asked for, what frames the asking, what is form."""

from __future__ import annotations

import re
from collections.abc import Mapping

from octavo_documents.text.analyzer import analyze, sentence_spans

# Nouns, as alternatives of a pattern

DOCUMENT = (
    "document|report|paper|article|book|guidebook|handbook|manual|slides?|deck|presentation|file|pdf|brochure|text|"
    "filing|course"
)
"""What a question calls the document it is asked of."""
MONEY = (
    "price|cost|fee|salary|revenues?|net income|net loss|profit|sales|expenses?|expenditures?|budget|earnings|assets|"
    "rent|deposit|fine|penalty|wage|premium|bonus|fare|toll|liabilities|debt|dividends?|cash|goodwill|inventor(?:y|ies)|equity|receivables|payables?|capex|ebitda|income"
)
MEASURES = (
    "ratio|rate|score|accuracy|average|mean|total|amount|value|size|weight|height|length|width|temperature|capacity|"
    "population|age|difference|sum|f1|turnover|margin|phone number|number|duration|distance|speed|voltage|index|"
    "interval|charge|depth|level|pressure|surge|frequency|density|diameter|radius|thickness|altitude|elevation|volume|"
    "limit|allowance|quota|threshold|velocity"
)
UNITS = (
    "seconds|minutes|hours|days|weeks|months|years|m|km|cm|mm|met(?:re|er)s|kilomet(?:re|er)s|miles|feet|inches|kg|"
    "kilograms|tonnes|degrees|volts|watts|thousands|millions|billions|dollars|euros|pounds"
)
SIZES = "much|long|far|high|tall|old|large|big|deep|wide|fast|heavy|often|thick|hot|cold|warm"
"""What "how" asks the measure of."""
PEOPLE = (
    "person|author|judge|president|director|ceo|chairman|chairperson|manager|officer|player|winner|candidate|actor|"
    "actress|singer|rapper|painter|artist|writer|musician|king|queen|mayor|captain|coach|engineer|cook|professor|"
    "founder|husband|wife|father|mother|son|daughter|spouse|scientist|politician|inventor|editor|photographer"
)
PLACES = (
    "country|city|state|town|village|location|place|region|address|county|continent|station|district|island|airport|"
    "river|area|venue|province"
)
EXPLAINED = (
    "purpose|aim|goal|objective|reason|role|conclusion|finding|message|idea|focus|effect|impact|difference|advantage|"
    "disadvantage|benefit|drawback|cause|motivation|intention|rationale|consequence|responsibility|contribution"
)
"""What is told in sentences, not by a name or a value."""
MORE = (
    "more|most|higher|highest|larger|largest|bigger|biggest|greater|greatest|longer|longest|taller|tallest|older|oldest"
    "|deeper|deepest|heavier|heaviest|faster|fastest|later|latest|wider|widest|better|best|steeper|steepest|maximum"
)
LESS = (
    "less|least|lower|lowest|smaller|smallest|fewer|fewest|shorter|shortest|younger|youngest|lighter|lightest|slower"
    "|slowest|earlier|earliest|first|cheaper|cheapest|narrower|narrowest|minimum"
)
COLOURS = r"colou?r(?:s|ed)?|red|blue|green|yellow|purple|orange"
# Measures

MEASURE_NOUNS: Mapping[str, tuple[str, ...]] = {
    "tall": ("height",), "high": ("height",), "long": ("length", "durat"), "heavi": ("weight", "mass"),
    "old": ("age",), "far": ("distanc",), "wide": ("width",), "deep": ("depth",), "fast": ("speed",),
    "larg": ("size", "area"), "big": ("size",), "often": ("frequenc",), "thick": ("thick",),
}  # fmt: skip
"""What a question's adjective is called where its measure is printed, as terms."""
SOURCES = frozenset(analyze("reference references bibliography cites cited citation literature index"))
"""Terms of questions that bibliographies may answer."""
# Words that are no part of what is asked for

ABOUT_THE_QUESTION = frozenset(
    analyze(
        "according document report paper slide slides figure chart table page pages following given based mentioned "
        "shown show listed list answer question please write give format return tell state total name integer string "
        "float value values number many much percentage percent proportion year date order ascending descending"
    )
)
"""Terms that speak of the document or of the answer's form: an answer does not stand near them."""
FRAME = frozenset(
    analyze(
        "how many number count list enumerate name all page pages slide slides title document report paper article "
        "book whole entire full in total altogether include included contain contained shown show appear present "
        "there give summarize summarise summary overview main idea topic point finding following type kind handbook "
        "guidebook deck presentation file provide appeared figures tables charts graphs sections chapters images"
    )
)
"""Terms of a question that goes through things, which say nothing of what the things are about."""
_MONTHS = "january february march april may june july august september october november december"
_FORMATS = "int integer float str string list none answer format"
_PARTS = "page pages figure fig table section chapter slide slides appendix unit part"
_ORDERS = (
    "according based given please return give name enumerate regarding among between besides write tell repeat "
    "describe explain summarize summarise compare calculate compute count find identify state show"
)
NO_NAMES = frozenset(f"{_FORMATS} {_PARTS} {_MONTHS} {_ORDERS}".split())
"""Words that are no names though they may be capitalised."""
EMPTY = frozenset(
    "all under included mentioned listed illustrated provided corresponding related used done".split()  # noqa: SIM905
)
"""Words that are no part of a content phrase."""
LOWER_IN_TITLES = frozenset("a an and as at by for from in of on or the to with".split())  # noqa: SIM905
WORKED_OUT = frozenset(analyze("EBITDA EBITA EBIT CAPEX COGS ROCE ROIC CAGR WACC"))
"""Terms of figures that are worked out of others, and often not printed."""
_EXAMPLE = re.compile(
    r"\((?:for example|e\.g\.|such as)[^)]*\)"
    r"|\b(?:for example|e\.g\.|such as|like)[,:]?\s*[\[\"'].*?(?:\]|[.;](?=\s|$)|$)"
    r"|\[[^\]]*[,\"'][^\]]*\]|\b(?:answer|format|write|return|give) .{0,60}\bformat\b",
    re.IGNORECASE | re.DOTALL,
)
_EXAMPLE_BEGINS = re.compile(
    r"\b(?:for example|for instance|e\.g\.?|example:)|\b(?:like|as|format)\W*(?=[\[(][\"'\d])", re.I
)
"""Where words begin that only show what an answer may look like."""
_ABOUT_THE_ANSWER = re.compile(
    r"\s*(?:please\b|an[sw]{2}er\b|write\b|format\b|round\b|return\b|give\b|express\b|provide\b|note\b|use\b|output\b)",
    re.I,
)


def without_examples(question: str) -> str:
    """Return the question with examples and orders of format as spaces, so that offsets stay."""
    return _EXAMPLE.sub(lambda found: " " * len(found.group()), question)


def without_form(question: str) -> str:
    """Return the question without examples of answers and sentences about the answer's form."""
    spans = [question[start:stop] for start, stop in sentence_spans(question)]
    kept = [part for at, part in enumerate(spans) if at == 0 or not _ABOUT_THE_ANSWER.match(part)]
    return " ".join(_EXAMPLE_BEGINS.split(part, maxsplit=1)[0] for part in kept)
