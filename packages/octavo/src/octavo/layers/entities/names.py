"""Candidates for entities in running text: names by their capital letters, technical terms, dates and quantities.

Terms are noun phrases that come again, ranked by C-value (Frantzi, Ananiadou and Mima, 2000).
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from octavo.layers.entities.extraction import DATE, NAME, ORGANISATION, PERSON, PLACE, QUANTITY
from octavo.layers.entities.words import BlockWords, Forms, is_capital, is_marked, is_shouted
from octavo_documents.document import Kind
from octavo_documents.text.analyzer import fold, is_function_word
from octavo_documents.text.values import ValueKind, values_in, with_unit

_VERBS = frozenset(
    """accept accompany achieve acquire act add adopt affect agree aim allow announce answer appear apply approve argue
    arise ask assess assist assume attempt attend attribute avoid base become begin believe belong bring build buy
    calculate call cause choose claim collect combine come compare complete comprise compute conclude conduct confirm
    connect consider consist contain continue contribute convert correspond create decide decline decrease define
    deliver demonstrate depend derive describe determine develop differ disclose discover discuss display drive earn
    elect eliminate employ enable encourage enhance ensure enter establish estimate evaluate examine exceed exclude
    execute exist expand expect explain explore express extend facilitate fail fall file find focus follow generate
    get give go grow handle happen help hold identify illustrate implement imply improve include incorporate increase
    incur indicate inform introduce involve issue keep know lead learn leave let lie limit list look lose maintain
    make mean measure meet mention modify move need note observe obtain occur offer operate outperform own pay
    perform permit place plan play prefer prepare present prevent proceed produce prohibit promote propose protect
    prove provide pursue put raise reach read receive recognize recommend record reduce refer reflect relate rely
    remain remove repeat replace report represent require resolve respond result retain return reveal run say see
    seek seem select send serve set share show sign speak specify spend stand start state stay stop submit suffer
    suggest support suppose take talk tell tend think treat try turn understand undertake use utilize vary view visit
    want work write yield""".split()  # noqa: SIM905
)
_NOUNS_TOO = frozenset(
    """act aim answer attempt attribute base build buy call cause claim complete decline decrease display drive elect
    estimate exit fall file focus function help hold increase issue lead limit list look measure need note offer pay
    place plan play present process produce program project record report result return run sale set share show sign
    start state stop support tend turn use view visit work yield question answer read""".split()  # noqa: SIM905
)
_LIGHT = frozenset(
    """able above according across actual addition additional after again ago ahead almost alone along already although
    always among amount approximate approximately available back based before behind below beneath best better big
    certain clear close consistent corresponding currently day different directly due early easily e.g i.e
    easy end entire equal especially essential et al even eventually ever example exactly extra far few final finally
    first five following former four free full fully further general generally given good great greater half hard
    hence high higher highest however important including initial instance instead interested involved kind large
    larger largest last late later latter least less likely little long longer lot low lower lowest main major
    majority maybe moreover namely near nearly necessary never nevertheless new newly next non notable now number
    numerous often once one ones open original otherwise out over overall own part particular past per perhaps point
    possible potential previous previously primarily prior quite rather ready real recent recently related relative
    relevant remaining respective respectively right second see seven several short significant similar similarly
    simple simply since single six small smaller so some sometimes soon sort specific still strong subject
    substantial substantially sufficient sure ten thereby therefore thereof thing third three thus time times to
    together top total toward towards true two type typical typically unless until up upon usual usually variety
    various versus via vs way well whereas wherein whether whole wide widely within without yes yet zero able aware
    unable apply subject please click page pages figure table section item note chapter appendix fig eq tab
    under around enough eight nine million millions billion billions thousand thousands trillion hundred percent
    living facing based dear thank thanks etc
    aforementioned therein hereby herein thereto pursuant annually monthly daily weekly yearly""".split()  # noqa: SIM905
)
_KEPT_LY = frozenset("anomaly assembly butterfly family fly italy july monopoly only reply supply ally rally".split())  # noqa: SIM905
_NOT = ("n't", "n’t")
_ADJECTIVE_ENDINGS = ("ful", "less", "ous", "ible", "ical")
_MONTHS_AND_DAYS = frozenset(
    """jan feb mar apr jun jul aug sep sept oct nov dec mon tue thu fri
    january february march april may june july august september october november december monday tuesday wednesday
    thursday friday saturday sunday""".split()  # noqa: SIM905
)
_IRREGULAR = frozenset(
    """became began begun brought built came chose chosen drawn drew driven drove fallen fell found gave given gone got
    grew grown held kept knew known laid led left lost made meant met paid put ran read said saw seen sent set shown
    sold spent stood taken thought told took understood went won written wrote arising being""".split()  # noqa: SIM905
)
_ORGANISATION = frozenset(
    """academy administration agency airlines alliance army assembly associates association authority bank board
    brigade brothers bureau cabinet centre center chamber church club coalition college commission committee community
    company conference confederation congress consortium cooperative corp corporation council court department
    directorate division embassy enterprises exchange faculty federation fellowship firm forum foundation fund gmbh
    government group holdings hospital inc incorporated industries institute institution international laboratories
    laboratory labs league library llc llp ltd ministry mission motors museum navy network observatory office
    organisation organization parliament partners partnership party plc police polytechnic press publishers registry
    school secretariat senate services society stores studio syndicate team technologies tribunal trust union university
    works""".split()  # noqa: SIM905
)
_PLACE_TAIL = frozenset(
    """airport avenue bay beach boulevard bridge canyon cape city coast county creek desert district drive forest fort
    garden glacier gulf harbor harbour heights highway hill hills island islands lake lane mountain mountains ocean
    park peninsula plaza province region river road sea square state states station strait street territory town
    valley village""".split()  # noqa: SIM905
)
_PLACE_HEAD = frozenset("lake mount mt fort gulf cape port isle".split())  # noqa: SIM905
_PLACES = frozenset(
    """afghanistan; africa; alabama; alaska; albania; algeria; america; amsterdam; antarctica; argentina; arizona;
    arkansas; armenia; asia; asia pacific; athens; atlanta; australia; austria; azerbaijan; baghdad; bangalore;
    bangkok; bangladesh; barcelona; beijing; belarus; belgium; berlin; bolivia; bosnia; boston; brazil; britain;
    brussels; bulgaria; cairo; california; cambodia; cameroon; canada; caribbean; central america; chennai; chicago;
    chile; china; colombia; colorado; connecticut; copenhagen; costa rica; croatia; cuba; cyprus; czech republic;
    dallas; delaware; delhi; denmark; denver; detroit; dubai; dublin; east asia; eastern europe; ecuador; egypt;
    england; estonia; ethiopia; europe; european union; finland; florida; france; frankfurt; geneva; georgia; germany;
    ghana; greece; guatemala; hawaii; hong kong; houston; hungary; iceland; idaho; illinois; india; indiana; indonesia;
    iowa; iran; iraq; ireland; israel; istanbul; italy; jamaica; japan; jordan; kansas; kazakhstan; kentucky; kenya;
    kuwait; laos; latin america; latvia; lebanon; libya; lisbon; lithuania; london; los angeles; louisiana; luxembourg;
    macau; madrid; maine; malaysia; malta; maryland; massachusetts; melbourne; mexico; miami; michigan; middle east;
    milan; minneapolis; minnesota; mississippi; missouri; moldova; mongolia; montana; montreal; morocco; moscow;
    mumbai; munich; myanmar; nebraska; nepal; netherlands; nevada; new delhi; new hampshire; new jersey; new mexico;
    new york; new york city; new zealand; nicaragua; nigeria; north africa; north america; north carolina;
    north dakota; north korea; norway; ohio; oklahoma; oman; oregon; oslo; pakistan; panama; paraguay; paris;
    pennsylvania; peru; philadelphia; philippines; phoenix; poland; portugal; prague; puerto rico; qatar; rhode island;
    rome; romania; russia; rwanda; san diego; san francisco; san jose; saudi arabia; scandinavia; scotland; seattle;
    senegal; seoul; serbia; shanghai; shenzhen; siberia; silicon valley; singapore; slovakia; slovenia; somalia;
    south africa; south america; south asia; south carolina; south dakota; south korea; soviet union; spain; sri lanka;
    stockholm; sudan; sweden; switzerland; sydney; syria; taipei; taiwan; tanzania; tennessee; texas; thailand; tokyo;
    toronto; tunisia; turkey; uganda; uk; ukraine; united arab emirates; united kingdom; united states;
    united states of america; uruguay; us; usa; utah; uzbekistan; vancouver; venezuela; vermont; vienna; vietnam;
    virginia; wales; warsaw; washington; west africa; west virginia; western europe; wisconsin; wyoming; yemen;
    zambia; zimbabwe; zurich""".replace("\n", " ").split("; ")
)
_GIVEN = frozenset(
    """aaron adam ahmed alan albert alex alexander ali alice amanda amy ana andrea andreas andrew angela anna anne
    anthony antonio arthur barack barbara ben benjamin bernard bill bob brandon brian bruce carl carlos carol caroline
    catherine charles chris christian christina christine christopher claire craig daniel david deborah dennis diana
    donald dorothy douglas edward elena elizabeth emily emma eric erik ernest eva fatima felix francis frank fred
    frederick gabriel gary george gerald giovanni grace greg gregory hannah hans harold harry heather helen henry
    hillary howard hugh ian isaac isabel jack jacob james jane janet jason jean jeff jeffrey jennifer jeremy jessica
    jim joan joe john jonathan jose joseph joshua juan judith julia julian julie karen karl kate katherine kathleen
    keith kelly kenneth kevin kim kyle larry laura lawrence lee leo leonard lewis linda lisa louis lucas lucy luis
    lukas margaret maria marie mario mark martha martin mary matt matthew max melissa michael michelle miguel mike
    mohamed mohammad mohammed muhammad nancy natalie nathan nicholas nick nicole nina noah oliver olivia oscar pamela
    patricia patrick paul pedro peter philip phillip rachel ralph raymond rebecca richard robert roger ronald rose
    russell ruth ryan samuel sandra sara sarah scott sean sebastian sharon simon sofia sophia sophie stephanie stephen
    steve steven stuart susan terry theodore theresa thomas tim timothy todd tom tony tyler victor victoria vincent
    vladimir walter wei wendy william yang yu zachary""".split()  # noqa: SIM905
)
_HONORIFIC = re.compile(
    r"(?:Mr|Mrs|Ms|Dr|Prof|Professor|Sir|Sen|Rep|Gov|Senator|President|Judge|Justice|Captain)\.?\s+[A-Z]"
)
_STATE = re.compile(r"(?:U\.?\s?[SKN]|E\.?\s?U)\.")
_INITIALS = re.compile(
    r"(?:[A-Z]\.\s?){1,3}(?:-[A-Z]\.\s?)?[A-Z][\w’'-]+|[A-Z][\w’'-]+\s+(?:[A-Z]\.?\s){1,2}[A-Z][\w’'-]+"
)
_OF = re.compile(
    r"\b(?:University|Department|Ministry|Bank|Institute|Board|Bureau|Council|Office|House|School|College) of\b"
)


def _inflected(verb: str) -> tuple[str, ...]:
    stem = verb[:-1] if verb.endswith("e") else verb
    third = f"{verb[:-1]}ies" if verb.endswith("y") and verb[-2] not in "aeiou" else f"{verb}s"
    past = f"{verb[:-1]}ied" if third.endswith("ies") else f"{stem}ed"
    return (third, past, f"{stem}ing", f"{verb}es")


_BROKEN = (
    frozenset(one for verb in _VERBS - _NOUNS_TOO for one in (verb, *_inflected(verb)))
    | frozenset(f"{verb[:-1] if verb.endswith('e') else verb}ed" for verb in _NOUNS_TOO)
    | _IRREGULAR
    | _LIGHT
    | _MONTHS_AND_DAYS
) - frozenset("learning building meaning operating accounting training marketing reading writing including".split())  # noqa: SIM905


@lru_cache(maxsize=65_536)
def breaks(word: str) -> bool:
    """Return whether a word in lower case belongs to no term: function words, verbs, adverbs, words that say little."""
    if is_function_word(word) or word in _BROKEN or len(word) < 2 or not word[0].isalpha() or word.endswith(_NOT):
        return True
    return word.endswith("ly") and len(word) > 4 and word not in _KEPT_LY


@lru_cache(maxsize=65_536)
def may_end(word: str) -> bool:
    """Return whether a term may end with a word in lower case: no adjective or participle by its ending."""
    return not word.endswith(("ed", *_ADJECTIVE_ENDINGS)) and any(map(str.isalpha, word)) and len(word) > 2


@lru_cache(maxsize=65_536)
def _is_month_or_day(word: str) -> bool:
    """Return whether this is the name of a month or a day of the week."""
    return word.lower() in _MONTHS_AND_DAYS


@lru_cache(maxsize=65_536)
def type_of(name: str) -> str:
    """Return the type of a capitalised name by its words: person, organisation, place; else "name"."""
    words = re.findall(r"\w+", fold(name))
    if not words:
        return NAME
    if " ".join(words).removeprefix("the ") in _PLACES or name in ("U.S.", "U.K.", "U.S.A."):
        return PLACE
    if words[-1] in _ORGANISATION or _OF.search(name) or (len(words) > 1 and words[-1] in ("co", "ag", "sa")):
        return ORGANISATION
    if len(words) > 1 and (words[-1] in _PLACE_TAIL or words[0] in _PLACE_HEAD):
        return PLACE
    return PERSON if _HONORIFIC.match(name) or _is_person(name, words) else NAME


def _is_person(name: str, words: list[str]) -> bool:
    if _STATE.match(name):
        return False
    if _INITIALS.fullmatch(name):
        return True
    return words[0] in _GIVEN and 2 <= len(words) <= 4 and not any(map(str.isdigit, name))


Span = tuple[int, int]
"""[first, stop) in tokens of a block."""
_JOINING = frozenset({"of", "for", "de", "da", "del", "der", "di", "du", "la", "von", "van", "&", "bin", "al"})
_AND_BEFORE = frozenset(
    """Commission Administration Department Services Agency Committee Board Company Institute Affairs Security Council
    Technology Development Management Organization Act Office""".split()  # noqa: SIM905
)
_REFERENCES = frozenset(
    """figure figures fig table tables section sections chapter appendix page pages note notes item items equation eq
    exhibit part step slide question answer yes no row column line volume vol issue pp algorithm theorem lemma
    definition example box panel""".split()  # noqa: SIM905
)
_OF_DOCUMENTS = _REFERENCES | frozenset(
    """abstract acknowledgements acknowledgments appendices background bibliography conclusion conclusions contents
    discussion introduction index methodology methods overview preface reference references results source sources
    summary total totals""".split()  # noqa: SIM905
)
_HONORIFICS = frozenset("Mr Mrs Ms Dr Prof St Sen Rep Gov Hon Rs No".split())  # noqa: SIM905
"""Short forms before a name, which are none by themselves."""
_ROMAN = frozenset("I II III IV V VI VII VIII IX X XI XII".split())  # noqa: SIM905
_NUMBERED = re.compile(r"\d{1,2}[A-Z]{1,2}")
"""A name that begins with a number: "3M", "5G"."""
_MOST_WORDS = 7
_OFTEN = 3
_MOST_TERM_WORDS = 5
_LEAST_COUNT = 2
_BEFORE_VERBS = frozenset("to will can could may might must shall should would cannot we they who not".split())  # noqa: SIM905
_BEFORE_NOUNS = frozenset("the a an this that these those its their our your his her of each every any no".split())  # noqa: SIM905
_FISCAL = re.compile(r"(?:fiscal(?:\s+year)?|FY|Q[1-4]|[1-4]Q)\s?'?$")
_CLOCK = re.compile(r"\d{1,2}:\d\d")
_RUNNING = frozenset({Kind.PARAGRAPH, Kind.LIST_ITEM, Kind.CAPTION, Kind.FOOTNOTE})
_PLAIN = re.compile(r"[\s,]+")


class Letters:
    """How often a document writes each word small and, away from the start of a sentence, with a capital."""

    def __init__(self, blocks: Sequence[BlockWords]) -> None:
        self.small: Counter[str] = Counter()
        self.capital: Counter[str] = Counter()
        self.anywhere: Counter[str] = Counter()
        for block in blocks:
            self._count(block)

    def _count(self, block: BlockWords) -> None:
        for at, token in enumerate(block.texts):
            if token[0].islower():
                self.small[token] += 1
            elif is_capital(token) and not block.apart:
                self.anywhere[token.lower()] += 1
                self.capital[token.lower()] += block.telling and not block.is_first(at)

    def is_name(self, token: str) -> bool:
        """Return whether a capitalised word is a name: written with a capital within sentences, and mostly so."""
        word = token.lower()
        return self.capital[word] > 0 and self.capital[word] > 2 * self.small[word]

    def always_capital(self) -> Iterator[str]:
        """Yield words, in lower case, that come again and never in small letters: names in slides and headings."""
        for word, count in self.anywhere.items():
            is_told = len(word) > 3 and not self.small[word] and not breaks(word) and word not in _OF_DOCUMENTS
            if count >= _OFTEN and is_told:
                yield word


def names_in(block: BlockWords, letters: Letters) -> Iterator[Span]:
    """Yield the capitalised names of a block of running text, none inside another."""
    at = 0
    while at < len(block.texts):
        if not _may_begin(block, at):
            at += 1
            continue
        stop = _stop(block, at)
        yield from _trimmed(block, at, stop, letters)
        at = stop


def _may_begin(block: BlockWords, at: int) -> bool:
    token = block.texts[at]
    if not is_capital(token):
        return bool(_NUMBERED.fullmatch(token))
    return is_shouted(token) or not (is_function_word(token) or token.endswith(_NOT))


def _stop(block: BlockWords, first: int) -> int:
    """Return the token after the longest run from `first`: capitalised words, joined by small words, with numbers."""
    stop = first + 1
    while stop < len(block.texts) and stop - first < _MOST_WORDS and block.units[stop] == block.units[first]:
        taken = _taken(block, stop)
        if not taken:
            break
        stop += taken
    return stop


def _taken(block: BlockWords, at: int) -> int:
    """Return how many tokens go on with a name at `at`: a capitalised word or number, or small words before one."""
    token = block.texts[at]
    if is_capital(token):
        return 0 if _opens_date(block, at) or (is_function_word(token) and not is_shouted(token)) else 1
    if token[0].isdigit():
        return int(len(token) <= 4 and not _is_month_or_day(block.texts[at - 1]) and "." not in token[:2])
    if token == "and":  # noqa: S105
        return 2 if at + 1 < len(block.texts) and _closes_and(block, at + 1) else 0
    is_short_form = len(block.texts[at - 1]) == 1 or block.texts[at - 1] in _HONORIFICS
    if token == "." and is_short_form and at + 1 < len(block.texts):  # noqa: S105
        return 2 if is_capital(block.texts[at + 1]) else 0
    if token in _JOINING:
        step = 2 if block.texts[at : at + 2] == ["of", "the"] else 1
        following = block.texts[at + step : at + step + 1]
        return step + 1 if following and is_capital(following[0]) and not is_function_word(following[0]) else 0
    return 0


def _opens_date(block: BlockWords, at: int) -> bool:
    """Return whether this is a month before a day or year: "Sept. 17"."""
    after = "".join(block.texts[at + 1 : at + 3]).lstrip(".")
    return _is_month_or_day(block.texts[at]) and after[:1].isdigit()


def _closes_and(block: BlockWords, at: int) -> bool:
    """Return whether the words after "and" close one name: "Securities and Exchange Commission"."""
    for token in block.texts[at : at + 4]:
        if not is_capital(token):
            return False
        if token in _AND_BEFORE:
            return True
    return False


def _trimmed(block: BlockWords, first: int, stop: int, letters: Letters) -> Iterator[Span]:
    """Yield the run without words that are capitalised only because they open a sentence, or refer to a part."""
    texts = block.texts
    while first < stop and block.is_first(first) and not _is_own(texts[first], letters):
        first += 1
        while first < stop and not is_capital(texts[first]):
            first += 1
    while first < stop and _is_month_or_day(texts[first]):
        first += 1
    while stop > first and (not is_capital(texts[stop - 1]) and not texts[stop - 1][0].isdigit()):
        stop -= 1
    if first >= stop or _is_reference(texts, first, stop):
        return
    if _is_cited(texts, first, stop):
        return
    if stop - first > 1 or _is_single(texts[first], letters):
        yield first, stop


def _is_own(token: str, letters: Letters) -> bool:
    """Return whether a word would have its capital within a sentence too."""
    return is_marked(token) or letters.is_name(token) or not (letters.small[token.lower()] or breaks(token.lower()))


def _is_reference(texts: Sequence[str], first: int, stop: int) -> bool:
    """Return whether this is "Section 404" or "Figure 2": a part of a document with its number, or the bare word."""
    return texts[first].lower().rstrip(".") in _REFERENCES and (
        stop - first == 1 or texts[first + 1][0].isdigit() or texts[first + 1] in _ROMAN or len(texts[first + 1]) == 1
    )


def _is_cited(texts: Sequence[str], first: int, stop: int) -> bool:
    """Return whether this is the author of a work that is only cited: "Wang et al.", "(Brown, 2020)"."""
    after = texts[stop : stop + 2]
    if after[:1] == ["et"]:
        return True
    is_year = len(after) == 2 and after[0] in ",(" and after[1][:2] in ("19", "20") and after[1][:4].isdigit()
    return is_year and stop - first == 1 and not is_marked(texts[first]) and len(after[1]) in (4, 5)


def _is_single(token: str, letters: Letters) -> bool:
    if token in _ROMAN or token in _HONORIFICS or len(token) < 2:
        return False
    return is_marked(token) or (letters.is_name(token) and not breaks(token.lower()))


def ranked_terms(blocks: Sequence[BlockWords], most: int) -> dict[Forms, float]:
    """Return at most `most` terms of two words or more with their C-value, best first; ties by first appearance."""
    counts = _counts(blocks, NameUsage(blocks))
    values = c_values({forms: count for forms, count in counts.items() if count >= _LEAST_COUNT})
    kept = sorted((-value, at, forms) for at, (forms, value) in enumerate(values.items()) if value > 1.0)
    return {forms: -value for value, _, forms in kept[:most]}


def c_values(counts: dict[Forms, int]) -> dict[Forms, float]:
    """Return the C-value of each term: how often it stands on its own, times the logarithm of its length.

    C(a) = log2(|a|) * (f(a) - mean f(b) over the longer terms b that hold a).
    """
    holders: defaultdict[Forms, list[int]] = defaultdict(list)
    for forms, count in counts.items():
        for part in _parts(forms):
            if part in counts:
                holders[part].append(count)
    return {forms: _c_value(forms, count, holders.get(forms, ())) for forms, count in counts.items()}


def _c_value(forms: Forms, count: int, holders: Sequence[int]) -> float:
    nested = sum(holders) / len(holders) if holders else 0.0
    return math.log2(len(forms)) * (count - nested)


def _parts(forms: Forms) -> set[Forms]:
    size = len(forms)
    return {forms[at : at + length] for length in range(2, size) for at in range(size - length + 1)}


class NameUsage:
    """What a document does with its words: those it uses as verbs, and those it uses as nouns."""

    def __init__(self, blocks: Sequence[BlockWords]) -> None:
        acts: Counter[str] = Counter()
        self.named: Counter[str] = Counter()
        for block in blocks:
            for before, token in pairwise(block.texts):
                if before in _BEFORE_VERBS:
                    acts[token] += 1
                elif before in _BEFORE_NOUNS:
                    self.named[token] += 1
        self.verbs = frozenset(
            word for word, count in acts.items() if count > 1 and count > 2 * self.named[word] and word[-1] != "s"
        )

    def may_end(self, word: str) -> bool:
        """Return whether a term may end with a word in lower case; one in -ing must be used as a noun elsewhere."""
        return may_end(word) and (not word.endswith("ing") or self.named[word] > 0)


def _counts(blocks: Sequence[BlockWords], usage: NameUsage) -> dict[Forms, int]:
    counts: Counter[Forms] = Counter()
    for block in blocks:
        if block.apart:
            continue
        for first, stop in runs(block, usage):
            counts.update(_phrases(block, usage, first, stop))
    return counts


def runs(block: BlockWords, usage: NameUsage) -> Iterator[tuple[int, int]]:
    """Yield the longest runs of words that may be in a term, in one sentence or cell."""
    first = None
    for at, token in enumerate(block.texts):
        is_in = token[0].isalpha() and token not in usage.verbs and not breaks(token.lower())
        if first is not None and not (is_in and block.units[at] == block.units[first]):
            yield first, at
            first = None
        if is_in and first is None:
            first = at
    if first is not None:
        yield first, len(block.texts)


def _phrases(block: BlockWords, usage: NameUsage, first: int, stop: int) -> Iterator[Forms]:
    forms = block.forms
    for start in range(first, stop - 1):
        for end in range(start + 2, min(stop, start + _MOST_TERM_WORDS) + 1):
            if usage.may_end(block.texts[end - 1].lower()) and forms[start] != forms[end - 1]:
                yield tuple(forms[start:end])


def values_of(block: BlockWords) -> Iterator[tuple[int, int, str]]:
    """Yield (start, stop, type) of the dates and of the numbers with units in a block of running text."""
    if block.kind not in _RUNNING or block.apart or not any(map(str.isdigit, block.text)):
        return
    for value in values_in(block.text):
        start, stop = value.start, value.stop
        if value.kind in (ValueKind.YEAR, ValueKind.DATE):
            if not _CLOCK.match(value.text):
                fiscal = _FISCAL.search(block.text, max(0, start - 14), start)
                yield (fiscal.start() if fiscal else start), stop, DATE
        elif value.kind is not ValueKind.NUMBER:
            yield start, stop, QUANTITY
        elif value.text[:1].isdigit() and (printed := with_unit(block.text, value)) != value.text:
            yield start, start + len(printed), QUANTITY


def value_key(name: str) -> str:
    """Return what is equal for a date or quantity printed in two ways: "1,200 km", "1200 km"."""
    return _PLAIN.sub("", name.lower()).replace("percent", "%").replace("–", "-").replace("−", "-")
