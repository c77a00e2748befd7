"""Which words may stand in a term: what English words do, as far as endings and short lists tell it.

Owns the lists of words that belong to no term, and the test of a term's first and last word. Knows nothing about
documents.
"""

from __future__ import annotations

from functools import lru_cache

from octavo.text.analyzer import is_function_word

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


def _inflected(verb: str) -> tuple[str, ...]:
    stem = verb[:-1] if verb.endswith("e") else verb
    third = f"{verb[:-1]}ies" if verb.endswith("y") and verb[-2] not in "aeiou" else f"{verb}s"
    past = f"{verb[:-1]}ied" if third.endswith("ies") else f"{stem}ed"
    return (third, past, f"{stem}ing", f"{verb}es")


_IRREGULAR = frozenset(
    """became began begun brought built came chose chosen drawn drew driven drove fallen fell found gave given gone got
    grew grown held kept knew known laid led left lost made meant met paid put ran read said saw seen sent set shown
    sold spent stood taken thought told took understood went won written wrote arising being""".split()  # noqa: SIM905
)
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
