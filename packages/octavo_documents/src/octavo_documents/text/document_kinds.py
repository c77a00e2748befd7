"""Kinds of documents, as documents and questions name them: an annual report (10-K), minutes, a manual, a contract."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache

from octavo_documents.lazy import lazy_regex
from octavo_documents.text.languages import ENGLISH, LANGUAGES, language, pattern_of

_OF_YEAR = r"(?:FY|fiscal|the|19|20)"
_SHORT = r"(?:(?<=\bthe )|(?<=\bits )|(?<=\bthe 20[0-4]\d )|(?<=\blatest )|(?<=\brecent ))"
"""What stands before a form that people call by its letter alone: "the K", "the 2022 K"."""
_ALONE = r"(?=\s|[.,;:?!'’]|$)"
KINDS: Mapping[str, str] = {
    "annual report": r"10-?\s?K(?:/A|405|SB)?\b|annual reports?|20-?F\b|40-?F\b|annual accounts|integrated report"
    rf"|{_SHORT}(?-i:K)s?{_ALONE}|(?-i:K)(?=\s+(?:for|of)\s+{_OF_YEAR})",
    "quarterly report": r"10-?\s?Q(?:/A)?\b|quarterly (?:reports?|filings?)"
    r"|(?:interim|half-?year(?:ly)?) (?:reports?|results)"
    r"|interims"
    rf"|{_SHORT}(?-i:Q)s?{_ALONE}",
    "current report": r"8-?\s?K(?:/A)?\b|6-?K\b|current reports?",
    "press release": r"press releases?|news releases?|earnings releases?|media releases?|earnings announcements?",
    "proxy statement": r"proxy statements?|DEF ?14A|(?:the|its|their|latest|last|annual)\s+prox(?:y|ies)",
    "prospectus": r"prospectus(?:es)?|S-?1\b|offering memorandum",
    "minutes": r"(?:board|meeting|committee|council|the|draft|approved)[\s_]+minutes|^minutes"
    r"|minutes(?=[\s_]+(?:of|from|for)\b|[\W_]*\d{4}|[\W_]*$)",
    "agenda": r"agendas?",
    "manual": r"(?:user|install|admin(?:istration|istrator)?|owner['’]?s|operat(?:ing|or['’]?s?|ion)|instruction|"
    r"service|installation|reference)[\s-]+"
    r"(?:manuals?|guides?|instructions)|manuals?|user guides?|quick[\s-]start(?: guides?)?|instructions for use|IFUs?",
    "handbook": r"handbooks?",
    "policy": r"polic(?:y|ies)|(?:policy|insurance) wordings?|wordings?(?=[\W_]*(?:$|\d|new|old|edition|of|for))",
    "procedure": r"(?:standard operating )?procedures?|SOPs?",
    "amendment": r"amendments?(?! of)|addend(?:um|a)|deeds? of (?:variation|amendment)|side letters?|amds?(?=[\s.]*\d)"
    r"|corrigend(?:um|a)|errat(?:um|a)",
    "contract": r"contracts?|agreements?|charter[\s-]part(?:y|ies)|statements? of work|SOWs?|letters? of intent"
    r"|memorand(?:um|a) of understanding",
    "lease": r"(?:the|this|our|your|a)[\s]+lease|lease agreements?|lease(?=[\W_]*$)|^lease|tenancy agreements?",
    "paper": r"papers?|preprints?|journal articles?|proceedings",
    "thesis": r"thes[ei]s|dissertations?",
    "presentation": r"presentations?|slides?|decks?|slide ?decks?|pptx?",
    "brochure": r"brochures?|leaflets?|flyers?|prospekt",
    "catalogue": r"catalog(?:ue)?s?",
    "price list": r"price ?lists?|price[\s-]sheets?|rate cards?|rate[\s-]sheets?|lists? of prices|tariffs?(?! on\b)"
    r"|(?:fee schedules?|schedules? of (?:fees|charges|rates))",
    "data sheet": r"data ?sheets?|spec(?:ification)? sheets?",
    "terms": r"terms and conditions|(?:general|special|policy|insurance|standard)(?: \w+)? conditions"
    r"|conditions of (?:sale|use|carriage|contract|insurance)|terms of (?:use|service)",
    "protocol": r"(?:study|trial|clinical|research)(?: \w+)? protocols?|protocols?(?=[\W_]*(?:amendment|$))",
    "tender": r"calls? for (?:proposals|tenders?|applications|bids)|invitations? to tender"
    r"|requests? for (?:proposals?|quotations?)|RFPs?|RFQs?|tenders?(?= (?:for|no|nr|of|documents?)\b)|^tender",
    "offer": r"quotations?|quotes?(?=[\W_]*(?:no|nr|\d|$))|^offer|offers?(?=[\s_]+(?:no|nr|dated|of)\b)",
    "certificate": r"certificates?",
    "specification": r"specifications?|specs",
    "standard": r"standards|standard(?=[\W_]*$|[\W_]+(?:no|nr|for|on|of|in|version|edition|and|does|is|says?|requires?"
    r"|defines?|allows?|\d)\b)",
    "survey": r"surveys?|polls?|questionnaires?",
    "budget": r"budgets?",
    "register": r"registers?|inventor(?:y|ies)",
    "invoice": r"invoices?",
    "order": r"purchase orders?",
    "letter": r"letters?",
    "mail": r"e-?mails?|mails?",
    "memo": r"memos?|memorand(?:um|a)",
    "guideline": r"guidelines?|guidance",
    "white paper": r"white ?papers?",
    "newsletter": r"newsletters?",
    "case study": r"case stud(?:y|ies)",
    "transcript": r"transcripts?|(?:earnings|conference|results|investor|analyst) calls?",
    "judgment": r"judge?ments?|rulings?|(?:court|tribunal)[\s_]+(?:decisions?|orders?)"
    r"|decisions? of the (?:court|tribunal)",
    "syllabus": r"syllab(?:us|i|uses)|course outlines?",
    "draft": r"drafts?|unapproved|not yet approved|release candidates?|rc\d{1,2}",
    "report": r"(?<!to )reports?",
    "notes": r"release notes|relnotes|change ?logs?",
    "questions": r"FAQs?|frequently asked questions",
}
"""A pattern of the words for each kind. The first that fits a place wins: "annual report" is no "report"."""
_NAMES = tuple(KINDS)
_SAYS_ITSELF = re.compile(r"\b(?:this|present|attached|enclosed|following)\s+(?:[\w-]+\s+)?$", re.IGNORECASE)
_MOST_OF_A_NAME = 6
"""Words of a line that may be a name; a longer one is a sentence."""
_ENDS_SENTENCE = ".,;:!?"


@cache
def _pattern(code: str) -> re.Pattern[str]:
    """Return what names a kind in a language; documents of all languages have the English words too."""
    spoken = language(code)
    theirs = {} if code == ENGLISH else {kind: pattern_of(names, spoken) for kind, names in spoken.kinds}
    # Of phrases of different kinds the longer one first, such as that for a minute book before that for a book.
    own = sorted(theirs, key=lambda kind: -max(map(len, dict(spoken.kinds)[kind])))
    parts = [f"(?P<o{_NAMES.index(kind)}>{theirs[kind]})" for kind in own]
    english = "|".join(f"(?P<k{at}>{words})" for at, words in enumerate(KINDS.values()))
    return re.compile("|".join([*parts, rf"(?<![\w-])(?:{english})(?![\w-])"]), re.IGNORECASE | re.MULTILINE)


def kind_spans(text: str, code: str = ENGLISH) -> list[tuple[int, int]]:
    """Return where a text in a language names kinds of documents, as begins and ends."""
    return [match.span() for match in _pattern(code).finditer(text)]


def document_kinds(text: str, code: str = ENGLISH) -> dict[str, int]:
    """Return how often a text in a language names each kind of document.

    >>> document_kinds("FORM 10-K: Annual Report, minutes of the board")
    {'annual report': 2, 'minutes': 1}
    >>> document_kinds("Das Protokoll der Sitzung zum Geschäftsbericht", "de")
    {'minutes': 1, 'annual report': 1}
    """
    return dict(Counter(map(_kind_of, _pattern(code).finditer(text))))


_BEFORE = re.compile(
    r"\b(?:before|prior\s+to|without|until|vor|ohne|bis\s+zum|avant|sans|antes\s+de|sin|prima\s+d\w+|senza|voor|zonder|przed|bez|до|без)"
    r"\s+(?:[\w'’]+\s+){0,2}$",
    re.IGNORECASE,
)
"""What puts aside the kind of document behind it: "before the amendment"."""


DRAFT = "draft"
"""A kind that says how far a document is, beside what it is."""
_FINAL = lazy_regex(
    r"\b(?:final(?:e|es|en|er|i[sz]ed|a|ny)?(?!\s+(?:quarter|dividend|exam|score|year|price))|approved|adopted|signed|executed|"
    r"definiti[ve]\w*|définiti\w*|endgültig\w*|genehmigt\w*|verabschiedet\w*|vastgesteld\w*|aprobad\w*|approvat\w*|aprovad\w*|"
    r"ostateczn\w*|zatwierdzon\w*)\b",
    re.IGNORECASE,
)
"""What asks for what is no draft any more."""
_AS_CHANGED = lazy_regex(
    r"\b(?:since|now\s+that|after|once)\s+(?:[\w'’-]+\s+){1,4}?(?:(?:was|were|is|got|has|have|been)\s+){1,2}"
    r"(?:varied|amended|modified)\b|\bas\s+(?:varied|amended|modified)\b",
    re.IGNORECASE,
)
"""What asks for what changed a contract or the like: "now that the lease was varied"."""
_TOLD_OF: Mapping[str, str] = {
    "minutes": r"(?:general|annual|board|council|committee|shareholders['’]?|parish|team)\s+(?:\w+\s+)?meetings?"
    r"|AGM|EGM"
    r"|meetings?\s+(?:of|in|on)(?:\s+the)?\s+\w+",
    "proxy statement": r"(?:annual|shareholders['’]?|stockholders['’]?)\s+meetings?|AGM"
    r"|meetings?\s+of\s+(?:share|stock)holders",
    "judgment": r"(?:the|high|supreme|district|appeals?|labour)\s+court",
}
"""What a question speaks of that documents of a kind tell, by the kind."""


def kinds_asked(question: str, code: str = ENGLISH) -> list[str]:
    """Return the kinds of documents that a question asks for, in order; not one that it puts aside.

    Where it names none, the kinds that tell of what it speaks of: minutes of a meeting.

    >>> kinds_asked("the fee in the contract before the amendment"), kinds_asked("the rent since the amendment")
    (['contract'], ['amendment'])
    >>> kinds_asked("the rent now that the lease was varied"), kinds_asked("who came to the general meeting of 2022")
    (['amendment'], ['minutes'])
    """
    if _AS_CHANGED.search(question):
        return ["amendment"]
    found = [kind for kind, is_aside in _named(question, code) if not is_aside]
    found += [DRAFT] if DRAFT not in found and _told_of(KINDS[DRAFT]).search(question) else []  # "the draft minutes"
    return [*dict.fromkeys(found)] or [kind for kind, words in _TOLD_OF.items() if _told_of(words).search(question)]


def kinds_put_aside(question: str, code: str = ENGLISH) -> list[str]:
    """Return the kinds of documents that a question does not ask for though it names them, in order.

    >>> kinds_put_aside("the fee in the contract before the amendment"), kinds_put_aside("in the approved minutes")
    (['amendment'], ['draft'])
    """
    aside = [kind for kind, is_aside in _named(question, code) if is_aside]
    return [*dict.fromkeys([*aside, *([DRAFT] if _FINAL.search(question) else [])])]


def _named(question: str, code: str) -> Iterator[tuple[str, bool]]:
    """Yield the kinds that a question names, and whether it puts each aside."""
    for match in _pattern(code).finditer(question):
        yield _kind_of(match), bool(_BEFORE.search(question[: match.start()]))


@cache
def _told_of(words: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{words})\b", re.IGNORECASE)


def _kind_of(match: re.Match[str]) -> str:
    return _NAMES[int(str(match.lastgroup)[1:])]


@lru_cache(maxsize=1024)
def kinds_called(name: str) -> tuple[str, ...]:
    """Return the kinds that are called so, in English or, where the whole name is, in any language.

    >>> kinds_called("10-K"), kinds_called("Protokoll")
    (('annual report',), ('minutes',))
    """
    found = tuple(document_kinds(name))
    if found:
        return found
    matches = (_pattern(code).fullmatch(name.strip()) for code in LANGUAGES if language(code).kinds)
    return tuple(dict.fromkeys(_kind_of(match) for match in matches if match))


def named_kinds(line: str, code: str = ENGLISH, *, is_name: bool) -> dict[str, int]:
    """Return which kinds a line of a document says that it is, and how often.

    In a sentence a word of a kind is mostly about something else ("twelve on deck", "asked her to report"): there it
    counts with a capital or after "this". `is_name`: the line may be a name, as it is where it is short.

    >>> named_kinds("There is room for twelve on deck in summer.", is_name=True)
    {}
    >>> named_kinds("This agreement is made on 3 March.", is_name=True)
    {'contract': 1}
    >>> named_kinds("annual report 2024", is_name=True)
    {'annual report': 1}
    """
    may_be_name = is_name and len(line.split()) <= _MOST_OF_A_NAME and line.rstrip()[-1:] not in _ENDS_SENTENCE
    return dict(
        Counter(
            _kind_of(match)
            for match in _pattern(code).finditer(line)
            if may_be_name or not match[0][0].islower() or _SAYS_ITSELF.search(line[: match.start()])
        )
    )
