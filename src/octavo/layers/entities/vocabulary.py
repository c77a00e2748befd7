"""Lists of words: which may stand in a term, and by which a name is a person, an organisation or a place."""

from __future__ import annotations

import re
from functools import lru_cache

from octavo.layers.entities.extraction import NAME, ORGANISATION, PERSON, PLACE
from octavo.text.analyzer import fold, is_function_word

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
    """Tell a word in lower case that belongs to no term: function words, verbs, adverbs, words that say little."""
    if is_function_word(word) or word in _BROKEN or len(word) < 2 or not word[0].isalpha() or word.endswith(_NOT):
        return True
    return word.endswith("ly") and len(word) > 4 and word not in _KEPT_LY


@lru_cache(maxsize=65_536)
def may_end(word: str) -> bool:
    """Tell a word in lower case that a term may end with: none that is an adjective or participle by its ending."""
    return not word.endswith(("ed", *_ADJECTIVE_ENDINGS)) and any(map(str.isalpha, word)) and len(word) > 2


@lru_cache(maxsize=65_536)
def is_month_or_day(word: str) -> bool:
    """Tell the name of a month or a day of the week."""
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
