"""What a question asks for: the type of its answer and the words its answer stands near.

Owns the reading of questions, by their own words only. Knows nothing about documents.
"""

from __future__ import annotations

import dataclasses
import enum
import re

from octavo.decisions.rules.values import NUMBER_WORDS, Value, ValueKind, values_in
from octavo.models.analyzer import analyze, fold


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
    Expects.NUMBER: (ValueKind.NUMBER, ValueKind.PERCENT, ValueKind.MONEY),
    Expects.YEAR: (ValueKind.YEAR, ValueKind.DATE),
    Expects.DATE: (ValueKind.DATE, ValueKind.YEAR),
}
"""Kinds of value that answer a question, best first; types not named here are answered in words."""


@dataclasses.dataclass(frozen=True)
class Question:
    """A question as read. `terms` are those its answer stands near; `subject` those of the thing asked for.

    In "How many people does the company employ?" the subject is people, the terms people, company and employ.
    """

    text: str
    expects: Expects
    terms: tuple[str, ...]
    subject: tuple[str, ...] = ()
    values: tuple[Value, ...] = ()
    """Years, numbers and dates the question itself mentions."""
    units: str = ""
    """Pattern of the units that measure what is asked, for instance time and length for "how long"; empty for any."""
    items: int = 0
    """How many items a list is said to have ("the three risks"); 0 when it is not said."""
    role: str = ""
    """Term of whose name is asked: "cook" in "the name of the cook of the winter crew"; empty for none."""
    asked: frozenset[str] = frozenset()
    """All terms of the question, those about the document or the answer's form too."""


_BE = r"(?:is|was|were|are)"
_ANY_WORDS = r"(?:[\w'’&.-]+ ){0,6}?"
_MONEY = (
    "price|cost|fee|salary|revenues?|net income|net loss|profit|sales|expenses?|expenditures?|budget|earnings|assets|"
    "liabilities|debt|dividends?|cash|goodwill|inventor(?:y|ies)|equity|receivables|payables?|capex|ebitda|income"
)
_MEASURE = (
    "ratio|rate|score|accuracy|average|mean|total|amount|value|size|weight|height|length|width|temperature|capacity|"
    "population|age|difference|sum|f1|turnover|margin|phone number|number|duration|distance|speed|voltage|index|"
    "interval|charge|depth|level|pressure|surge|frequency|density"
)
_UNITS = (
    "seconds|minutes|hours|days|weeks|months|years|m|km|cm|mm|met(?:re|er)s|kilomet(?:re|er)s|miles|feet|inches|kg|"
    "kilograms|tonnes|degrees|volts|watts|thousands|millions|billions|dollars|euros|pounds"
)
_ADJECTIVES = "much|long|far|high|tall|old|large|big|deep|wide|fast|heavy|often"
_PEOPLE = (
    "person|author|judge|president|director|ceo|chairman|chairperson|manager|officer|player|winner|candidate|actor|"
    "actress|singer|rapper|painter|artist|writer|musician|king|queen|mayor|captain|coach|engineer|cook|professor|"
    "founder|husband|wife|father|mother|son|daughter|spouse|scientist|politician|inventor|editor|photographer"
)
_PLACES = (
    "country|city|state|town|village|location|place|region|address|county|continent|station|district|island|airport|"
    "river|area|venue|province"
)
_DESCRIBED = r"(?:(?!(?:does|do|did|is|was|are|were|of|in|for|on|has|have|had|the|to|can|will)\b)[\w'’-]+ ){0,3}?"
"""Words that may stand between "which" and the noun it asks for."""
_PLURAL = rf"{_DESCRIBED}(?!(?:does|was|is|has|its|this)\b)[a-z]{{2,}}(?<![sui])s"
_TOLD_IN_SENTENCES = (
    "purpose|aim|goal|objective|reason|role|conclusion|finding|message|idea|focus|effect|impact|difference|advantage|"
    "disadvantage|benefit|drawback|cause|motivation|intention|rationale|consequence|responsibility|contribution"
)
_AFTER_PLURAL = r"(?: (?:are|were|do|have|does|did|can|will|must|in|of)\b|[?,]|$)"

_AUXILIARY = "is|are|was|were|do|does|did|has|have|had"
_RULES: tuple[tuple[Expects, str], ...] = (
    (
        Expects.YES_NO,
        rf"^\s*(?:(?:as of|in|for|at|on|from|during|by)\b[^,?]{{0,60}}, )?(?:{_AUXILIARY})\b(?!.*\bor\b)"
        r"(?!.*\b(?:what|which|how (?:many|much))\b)",
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
    (Expects.DATE, rf"\b(?:what|which) (?:{_BE} )?(?:the )?(?:\w+ )?(?:date|day|month)\b"),
    (Expects.MONEY, r"\bhow much (?:money|(?:did|does|do) .* (?:cost|pay|spend|earn)|is the (?:fee|price|cost))\b"),
    (Expects.NUMBER, rf"\b(?:what|which) {_BE} (?:the )?{_ANY_WORDS}(?:ratio|rate|margin|turnover|growth)\b"),
    (Expects.MONEY, rf"\bwhat {_BE} (?:the )?{_ANY_WORDS}(?:{_MONEY})\b"),
    (Expects.LIST, r"^\s*who (?:are|were) (?:all |the |all the )(?:[\w&-]+ ){0,5}?[a-z]{2,}(?<![sui])s\b"),
    (Expects.PERSON, rf"^\s*who(?:se|m)?\b|\bwho {_BE}\b|\bby whom?\b|\bwhom?\W*$"),
    (Expects.PERSON, rf"\b(?:what|which) {_DESCRIBED}(?:{_PEOPLE})\b(?! of\b)"),
    (Expects.PERSON, rf"\bname of the {_DESCRIBED}(?:{_PEOPLE})\b"),
    (Expects.PLACE, rf"^\s*where\b|\bwhere\W*$|\b(?:what|which) (?:{_BE} the )?{_DESCRIBED}(?:{_PLACES})\b"),
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
    (Expects.NUMBER, rf"\bhow (?:{_ADJECTIVES})\b|\bwhat {_BE} (?:the )?{_ANY_WORDS}(?:{_MEASURE})\b"),
    (Expects.NUMBER, rf"\b(?:at|by|to|of|with) (?:what|which) (?:[\w-]+ ){{0,2}}?(?:{_MEASURE})\b"),
    (Expects.NUMBER, rf"\b(?:what|which)\b.* in (?:{_UNITS})\b"),
    (Expects.NUMBER, rf"\bwhat {_BE} the (?:\w+ )?(?:maximum|minimum|highest|lowest)\b"),
    (Expects.PASSAGE, rf"\b(?:what|which) {_BE} (?:the |its |their )?(?:[\w-]+ ){{0,2}}?(?:{_TOLD_IN_SENTENCES})\b"),
    (Expects.DEFINITION, r"\bwhat (?:does|do|is|are) .* (?:mean|stand for|refer to)\b|\bstands? for\b"),
    (Expects.DEFINITION, r"\bdefin(?:e|ition)\b|\bmeaning of\b"),
    (
        Expects.YES_NO,
        r"^\s*(?:is|are|was|were|do|does|did|has|have|had|can|could|may|might|must|will|would|should)\b(?!.*\bor\b)",
    ),
    (Expects.PASSAGE, r"^\s*(?:how|why|describe|explain|summari[sz]e)\b|\bwhat (?:happens|should|must)\b"),
    (Expects.NAME, r"\b(?:what|which|name)\b"),
)
_COMPILED = tuple((expects, re.compile(pattern)) for expects, pattern in _RULES)
"""Tried in order; the first that matches decides."""

_SUBJECT = re.compile(
    r"\b(?:how many|number of|what|which|who (?:are|were)(?: the| all){0,2}|list (?:all )?(?:the )?|"
    r"name (?:all )?(?:the )?|"
    r"(?:percentage|proportion) of)\s+(?P<subject>[^,?;:]*?)"
    r"(?=\s+(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|in|of|for|on|at|by|that|which|"
    r"who|with|from|to|the|mentioned|listed|shown|used|there)\b|[,?;:]|$)",
    re.IGNORECASE,
)
_TIME = r"(?:milli)?(?:second|minute|hour|day|week|month|year|decade)s?"
_LENGTH = r"(?:kilo|centi|milli)?met(?:re|er)s?|miles?|feet|foot|inch(?:es)?|[kcm]?m"
_MASS = r"(?:kilo|milli)?grams?|tonnes?|[km]?g"
_SPEED = r"km/h|mph|knots?"
_MEASURED_IN = {
    **dict.fromkeys(("far", "high", "tall", "deep", "wide"), _LENGTH),
    "long": f"{_TIME}|{_LENGTH}",
    "old": _TIME,
    "often": _TIME,
    "heavy": _MASS,
    "fast": _SPEED,
}
_HOW = re.compile(rf"\bhow ({'|'.join(_MEASURED_IN)})\b", re.IGNORECASE)
_ITEMS = re.compile(
    r"\b(?:the|which|what|name|list|any) (two|three|four|five|six|seven|eight|nine|ten)\b", re.IGNORECASE
)
_ROLE = re.compile(
    r"\bnames? of the ([\w'’ -]+?)(?= (?:of|in|at|on|for|from|who|that|since|to)\b|[?,.]|$)", re.IGNORECASE
)
_SECOND_PART = re.compile(r"(?<=\w),? and (?:how|what|which|when|by) (?!.*\bof each\b).*$")
_ABOUT_THE_QUESTION = frozenset(
    analyze(
        "according document report paper slide slides figure chart table page pages following given based mentioned "
        "shown show list listed answer question please write give format return tell state total name integer string "
        "float value values number many much percentage percent proportion year date order ascending descending"
    )
)
"""Terms that speak of the document or of the answer's form: an answer does not stand near them."""


def read_question(text: str) -> Question:
    """Return what a question asks for."""
    terms = list(dict.fromkeys(analyze(text)))
    content = [term for term in terms if term not in _ABOUT_THE_QUESTION]
    found = _SUBJECT.search(text)
    return Question(
        text=text,
        expects=_expects(text),
        terms=tuple(content or terms),
        subject=tuple(dict.fromkeys(analyze(found["subject"]))) if found else (),
        values=tuple(values_in(text)),
        units=_units(text),
        items=_items(text),
        role=_role(text),
        asked=frozenset(analyze(text)),
    )


def _role(text: str) -> str:
    found = _ROLE.search(text)
    terms = analyze(found[1]) if found else []
    return terms[-1] if terms else ""


def _items(text: str) -> int:
    found = _ITEMS.search(text)
    return NUMBER_WORDS[found[1].lower()] if found else 0


def _units(text: str) -> str:
    found = _HOW.search(text)
    return _MEASURED_IN.get(found[1].lower(), "") if found else ""


def _expects(text: str) -> Expects:
    # "Which boat is fastest, and how many knots does it make?" asks for the boat first.
    flat = _SECOND_PART.sub("", " ".join(fold(text).split()))
    for expects, pattern in _COMPILED:
        if pattern.search(flat):
            return expects
    return Expects.PASSAGE
