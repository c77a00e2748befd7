"""What sort of thing a name names, by its words: a person, an organisation, a place.

Owns the lists of words that tell. Knows nothing about documents.
"""

from __future__ import annotations

import re
from functools import lru_cache

from octavo.layers.entities.extraction import NAME, ORGANISATION, PERSON, PLACE
from octavo.text.analyzer import fold

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
