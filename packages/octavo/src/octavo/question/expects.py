"""What a question asks for: the type of its answer, and the words its answer stands near."""

from __future__ import annotations

import enum
import re

from octavo.evidence import AnswerFormat
from octavo.question.words import ABOUT_THE_QUESTION, EXPLAINED, MEASURES, MONEY, PEOPLE, PLACES, SIZES, SOURCES, UNITS
from octavo_documents.lazy import lazy_regex
from octavo_documents.text.analyzer import analyze, fold
from octavo_documents.text.language_identification import language_of
from octavo_documents.text.lines import on_one_line
from octavo_documents.text.values import NUMBER_WORDS, ValueKind


class Expects(enum.Enum):
    """The type of answer a question expects."""

    COUNT = "count"
    PERCENT = "percent"
    MONEY = "money"
    NUMBER = "number"
    YEAR = "year"
    DATE = "date"
    PERSON = "person"
    PLACE = "place"
    NAME = "name"
    LIST = "list"
    YES_NO = "yes_no"
    DEFINITION = "definition"
    PASSAGE = "passage"


VALUE_KINDS: dict[Expects, tuple[ValueKind, ...]] = {
    Expects.COUNT: (ValueKind.NUMBER,),
    Expects.PERCENT: (ValueKind.PERCENT, ValueKind.NUMBER),
    Expects.MONEY: (ValueKind.MONEY, ValueKind.NUMBER),
    Expects.NUMBER: (ValueKind.NUMBER, ValueKind.PERCENT),
    Expects.YEAR: (ValueKind.YEAR, ValueKind.DATE),
    Expects.DATE: (ValueKind.DATE, ValueKind.YEAR),
}
"""Kinds of value that answer a question, best first; types not named here are answered in words."""

_BE = r"(?:is|was|were|are)"
_ANY_WORDS = r"(?:[\w'’&.-]+ ){0,6}?"
_DESCRIBED = r"(?:(?!(?:does|do|did|is|was|are|were|of|in|for|on|has|have|had|the|to|can|will)\b)[\w'’-]+ ){0,3}?"
"""Words that may stand between "which" and the noun it asks for."""
_PLURAL = rf"{_DESCRIBED}(?!(?:does|was|is|has|its|this)\b)[a-z]{{2,}}(?<![sui])s"
_AFTER_PLURAL = r"(?: (?:are|were|do|have|does|did|can|will|must|in|of)\b|[?,]|$)"

_AUXILIARY = "is|are|was|were|do|does|did|has|have|had"
_RULES: tuple[tuple[Expects, str], ...] = (
    (
        Expects.YES_NO,
        rf"^\s*(?:(?:as of|in|for|at|on|from|during|by)\b[^,?]{{0,60}}, )?(?:{_AUXILIARY})\b(?!.*\bor\b)"
        r"(?!.*\b(?:what|which|how (?:many|much))\b)",
    ),
    (
        Expects.PASSAGE,
        rf"^\s*what (?:happen|occur)|^\s*where (?:{_AUXILIARY}) .*\b(?:rank|plac|finish)(?:s|ed|e|ing)?\b"
        rf"|^\s*where (?:{_AUXILIARY}) .*\b(?:defined|disclosed|described|discussed|explained|presented|reported)\b"
        rf"|^\s*when (?:{_AUXILIARY}) .*\bnot\b"
        rf"|\b(?:what|which) {_BE} (?:the |an? )?(?:\w+ )?(?:reason|cause|explanation)s? (?:for|of|behind|why)\b",
    ),
    (Expects.YEAR, r"\b(?:what|which) years?\b"),
    (
        Expects.PERCENT,
        r"\b(?:what|how much|give|state|tell)\b.*\b(?<!\d )(?:percent(?:age)?s?|per cent|proportion)\b"
        r"|\bwhich (?:[\w-]+ ){0,2}(?:percent(?:age)?s?|per cent|proportion)\b",
    ),
    (Expects.PERCENT, r"\b(?:what|which) (?:\w+ )?share\b"),
    (Expects.DATE, r"\b(?:at|by|until|from) (?:what|which) time\b|^\s*what time\b|\bwhen\W*$"),
    (Expects.COUNT, r"\bhow many\b|\b(?:the|total) number of\b|\bcount (?:the|of|how)\b"),
    (Expects.YEAR, r"\b(?:what|which) (?:\w+ )?years?\b"),
    (Expects.DATE, r"^\s*when\b|\bwhen (?:was|were|did|is|does|will)\b|\bdue date\b|\bdeadline\b"),
    (Expects.DATE, rf"\b(?:what|which) (?:{_BE} )?(?:the )?(?:\w+ )?(?:date|day|month|period)\b"),
    (
        Expects.MONEY,
        r"\bhow much (?:money|(?:did|does|do) .* (?:cost|pay|spend|earn)"
        rf"|{_BE} (?:the |an? )(?:[\w-]+ ){{0,2}}?(?:fee|price|cost|rent|deposit|fine|penalty|salary|wage|fare|toll"
        r"|premium|bonus|ticket)s?)\b",
    ),
    (Expects.NUMBER, rf"\b(?:what|which) {_BE} (?:the )?{_ANY_WORDS}(?:ratio|rate|margin|turnover|growth)\b"),
    (
        Expects.MONEY,
        r"\bhow much (?:(?:do|does|did|will|would|can|could) (?:[\w'’-]+ ){1,4}?"
        r"(?:get|receive|earn|claim|reclaim|charge)\b"
        rf"|(?:{_BE}|will be) (?:paid|reimbursed|refunded|charged|billed)\b).*\bper\b",
    ),
    (Expects.MONEY, r"\bwhat (?:does|did|do|will|would) .* cost\b"),
    (Expects.MONEY, rf"\bwhat {_BE} (?:the )?{_ANY_WORDS}(?:{MONEY})\b"),
    (Expects.NUMBER, r"\b(?:what|how much) (?:does|did|do|will|would) .* weigh\b"),
    (Expects.LIST, r"^\s*who (?:are|were) (?:all |the |all the )(?:[\w&-]+ ){0,5}?[a-z]{2,}(?<![sui])s\b"),
    (Expects.PERSON, rf"^\s*who(?:se|m)?\b|\bwho {_BE}\b|\bby whom?\b|\bwhom?\W*$"),
    (Expects.PERSON, rf"\b(?:what|which) {_DESCRIBED}(?:{PEOPLE})\b(?! of\b)"),
    (Expects.PERSON, rf"\bname of the {_DESCRIBED}(?:{PEOPLE})\b"),
    (Expects.NUMBER, rf"\bwhat {_BE} (?:the )?(?:[\w-]+ ){{0,3}}?area of\b"),
    (Expects.PLACE, rf"^\s*where\b|\bwhere\W*$|\b(?:what|which) (?:{_BE} the )?{_DESCRIBED}(?:{PLACES})\b"),
    (Expects.LIST, r"^\s*(?:please )?(?:list|enumerate|name)\b|\bin (?:a|the) list\b|\blist (?:all|the|of)\b"),
    (
        Expects.LIST,
        r"\b(?:what|which) are\b(?!.*\b(?:made (?:of|from)|called|named|known as)\W*$)"
        rf"|\b(?:what|which) {_PLURAL}{_AFTER_PLURAL}",
    ),
    (
        Expects.LIST,
        r"\bwhich (?:two |three |four |five )?(?!(?:does|was|is|has)\b)[a-z]{2,}(?<![sui])s "
        r"(?!the\b)[a-z]+(?<!s)(?<!ed)\b",
    ),
    (Expects.NUMBER, rf"\bhow (?:{SIZES})\b|\bwhat {_BE} (?:the )?{_ANY_WORDS}(?:{MEASURES})\b"),
    (Expects.NUMBER, rf"\b(?:at|by|to|of|with) (?:what|which) (?:[\w-]+ ){{0,2}}?(?:{MEASURES})\b"),
    (
        Expects.NUMBER,
        rf"^\s*(?:what|which) (?!size|level|index)(?:{MEASURES})"
        rf"(?= of\b| (?:{_AUXILIARY}|can|could|should|must|will|would|may)\b)",
    ),
    (Expects.NUMBER, rf"\b(?:what|which)\b.* in (?:{UNITS})\b"),
    (Expects.NUMBER, rf"\bwhat {_BE} the (?:\w+ )?(?:maximum|minimum|highest|lowest)\b"),
    (Expects.PASSAGE, rf"\b(?:what|which) {_BE} (?:the |its |their )?(?:[\w-]+ ){{0,2}}?(?:{EXPLAINED})\b"),
    (Expects.DEFINITION, r"\bwhat (?:does|do|is|are) .* (?:mean|stand for|refer to)\b|\bstands? for\b"),
    (Expects.DEFINITION, r"\bdefin(?:e|ition)\b|\bmeaning of\b"),
    (
        Expects.YES_NO,
        r"^\s*(?:is|are|was|were|do|does|did|has|have|had|can|could|may|might|must|will|would|should)\b(?!.*\bor\b)",
    ),
    (Expects.PASSAGE, r"^\s*(?:how|why|describe|explain|summari[sz]e)\b|\bwhat (?:happens|should|must)\b"),
    (Expects.NAME, r"\b(?:what|which|name)\b"),
)
_COMPILED = tuple((expects, lazy_regex(pattern)) for expects, pattern in _RULES)
"""Tried in order; the first that matches decides."""

_SUBJECT = lazy_regex(
    r"\b(?:how many|number of|what|which|who (?:are|were)(?: the| all){0,2}|list (?:all )?(?:the )?|"
    r"name (?:all )?(?:the )?|"
    r"(?:percentage|proportion) of)\s+(?P<subject>[^,?;:]*?)"
    r"(?=\s+(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|in|of|for|on|at|by|that|which|"
    r"who|with|from|to|the|mentioned|listed|shown|used|there)\b|[,?;:]|$)",
    re.IGNORECASE,
)
_ITEMS = lazy_regex(
    r"\b(?:the|which|what|name|list|any) (two|three|four|five|six|seven|eight|nine|ten)\b", re.IGNORECASE
)
_ROLE = lazy_regex(
    r"\bnames? of the ([\w'’ -]+?)(?= (?:of|in|at|on|for|from|who|that|since|to)\b|[?,.]|$)", re.IGNORECASE
)
_SECOND_PART = lazy_regex(r"(?<=\w),? and (?:how|what|which|when|by) (?!.*\bof each\b).*$")
_ASKS_WHICH = lazy_regex(
    r"\b(?:which|what) (?!(?:is|was|are|were|does|do|did|has|have|had|can|could|will|would|should|happens)\b)[a-z]",
    re.IGNORECASE,
)
_TOLD_IN_SENTENCES = lazy_regex(
    r"\b(?:how (?:do|does|did|can|could|should|would|to|is|are|was|were)|why|explain|describe)\b"
    r"|\bwhat (?:should|happens|if)\b"
    r"|\b(?:is|are|was|were|do|does|did|has|have|can|could|will|would|should|may)"
    r" (?:i|we|you|it|they|the|this|my|our|a|an)\b",
    re.IGNORECASE,
)
_DENIED = lazy_regex(r"\b(?:not|no|never|without)\b|n['’]t\b", re.IGNORECASE)
_SECOND_QUESTION = lazy_regex(r"\band (?:\w+ )?(?:how|what|when|where|who|which|why)\b", re.IGNORECASE)
_FORMATS: tuple[tuple[AnswerFormat, re.Pattern[str]], ...] = (
    (AnswerFormat.INT, re.compile(r"\b(?:how many|number of|count of)\b", re.IGNORECASE)),
    (
        AnswerFormat.FLOAT,
        re.compile(
            r"\b(?:how much|percent|percentage|ratio|average|mean|difference|proportion|rate"
            r"|total (?:revenue|amount|cost))\b|%",
            re.IGNORECASE,
        ),
    ),
    (
        AnswerFormat.LIST,
        re.compile(
            r"\b(?:list|enumerate|which (?:two|three|four|five|\w+s)\b|what are|who are|names? of (?:all|the \w+s)"
            r"|all of the)",
            re.IGNORECASE,
        ),
    ),
)


def expected(question: str) -> Expects:
    """Return the type of answer a question expects."""
    # "Which boat is fastest, and how many knots does it make?" asks for the boat first.
    flat = _SECOND_PART.sub("", on_one_line(fold(question)))
    return next((expects for expects, pattern in _COMPILED if pattern.search(flat)), Expects.PASSAGE)


def short_format(question: str) -> AnswerFormat:
    """Return the format of a short answer that a question's words ask for, as MMLongBench-Doc tells them apart."""
    return next((form for form, pattern in _FORMATS if pattern.search(question)), AnswerFormat.STR)


def terms_near(question: str) -> tuple[str, ...]:
    """Return the terms an answer stands near, each once: those that speak of the document or the form left out."""
    terms = list(dict.fromkeys(analyze(question, language_of(question))))
    content = [term for term in terms if term not in ABOUT_THE_QUESTION]
    return tuple(content or terms)


def subject_of(question: str) -> tuple[str, ...]:
    """Return the terms of the thing asked for: people in "How many people does the company employ?"."""
    subjects = (tuple(dict.fromkeys(analyze(found["subject"]))) for found in _SUBJECT.finditer(question))
    return next(filter(None, subjects), ())


def role_of(question: str) -> str:
    """Return the term of whose name is asked: cook in "the name of the cook of the winter crew"; "" for none."""
    found = _ROLE.search(question)
    terms = analyze(found[1]) if found else []
    return terms[-1] if terms else ""


def items_of(question: str) -> int:
    """Return how many items a list is said to have ("the three risks"), 0 when it is not said."""
    found = _ITEMS.search(question)
    return NUMBER_WORDS[found[1].lower()] if found else 0


def asks_which(question: str) -> bool:
    """Return whether a question is for one of several things ("which boat"), and not for what something is."""
    return _ASKS_WHICH.search(question) is not None


def is_told_in_sentences(question: str) -> bool:
    """Return whether a question asks how or why or whether something is so: it asks for no value and no name."""
    return _TOLD_IN_SENTENCES.search(question) is not None


def asks_for_sources(question: str) -> bool:
    """Return whether a bibliography may answer a question."""
    return not SOURCES.isdisjoint(analyze(question))


def has_second_question(question: str) -> bool:
    """Return whether a question goes on with another: "... and how many knots does it make?"."""
    return _SECOND_QUESTION.search(question) is not None


def is_negated(question: str) -> bool:
    """Return whether a question asks for what is not so: "which countries do not report?"."""
    return _DENIED.search(question) is not None
