"""Which documents a question means, among several that are about like things."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Sequence

import numpy as np
import pytest

from octavo.about.library import Library
from octavo.about.profile import DocumentProfile
from octavo.evidence.meant_documents import MeantDocuments, preferred_in_words


def profile(words: str, year: str, kind: str = "annual report", version: str = "", **more: str) -> DocumentProfile:
    return DocumentProfile(
        kinds=(kind,),
        period=year,
        version=version,
        words=dict.fromkeys(words.split(), 1.0),
        issuer=more.get("issuer", words),
        date=more.get("date", ""),
        years={year: 1.0, year[:4]: 1.0, str(int(year[:4]) - 1): 0.4} if year else {},
    )


PROFILES = {
    "norwick21": profile("norwick ferries nwf", "2021"),
    "norwick22": profile("norwick ferries nwf", "2022"),
    "norwick22q2": profile("norwick ferries nwf", "2022 Q2", "quarterly report"),
    "energy22": profile("norwick energy", "2022"),
    "harbor22": profile("harbor", "2022"),
    "pump-a": profile("quillon pump", "2019", "manual", "revision a"),
    "pump-b": profile("quillon pump", "2020", "manual", "revision b"),
    "none": DocumentProfile(),
}
IDS = [*PROFILES]
LIBRARY = Library(IDS, [*PROFILES.values()])
IN_TEXTS = {"norwick": 4, "ferri": 3, "nwf": 3, "energi": 5, "harbor": 4, "quillon": 2, "pump": 4, "tesla": 0}


def counted(terms: Sequence[str]) -> list[int]:
    """Stands for the texts: what is not listed stands in all of them."""
    return [IN_TEXTS.get(term, len(IDS)) for term in terms]


def meant(question: str, library: Library = LIBRARY) -> MeantDocuments:
    return library.meant(question, counted)


def first(question: str) -> str:
    found = meant(question)
    best = found.best(3)
    assert len(best) == 1, f"{best} for {question}: {found}"
    return best[0]


@pytest.mark.parametrize(
    ("question", "document"),
    [
        ("What was the revenue of Norwick Ferries in FY2021?", "norwick21"),
        ("What was the revenue of Norwick Ferries in 2022, by its annual report?", "norwick22"),
        ("NWF's second quarter 2022 revenue?", "norwick22q2"),
        ("nwf revenue 2021", "norwick21"),
        ("Revenue of Norwick Energy?", "energy22"),
        ("How many trains has Harbor?", "harbor22"),
        ("How long may the Quillon pump run, in Rev. A of the manual?", "pump-a"),
        ("revenue of Norwick Ferrys in 2021?", "norwick21"),
        ("Quilon pump oil, rev. b", "pump-b"),
    ],
)
def test_names_periods_kinds_and_versions_tell_the_document(question: str, document: str) -> None:
    assert first(question) == document


def test_of_one_name_without_a_period_the_newest_is_first() -> None:
    found = meant("What oil does the Quillon pump take?")
    assert (found.best(1), found.age) == (["pump-b"], "newest")


def test_the_newest_and_the_oldest_are_asked_for_in_words() -> None:
    for question, document, age in (
        ("What oil does the Quillon pump take, in the latest manual?", "pump-b", "newest"),
        ("What oil did the Quillon pump take in the very first manual?", "pump-a", "oldest"),
    ):
        found = meant(question)
        assert (found.best(1), found.age) == ([document], age)
    assert meant("What was the revenue of Norwick Ferries in 2021?").age == ""


def test_a_common_word_that_is_a_name_too_counts_with_a_capital_only() -> None:
    assert meant("is there a harbor for small boats?").confidence < 0.2
    assert meant("Is there a ferry to Harbor?").confidence > 0.8


def test_a_capital_that_opens_a_sentence_makes_no_name() -> None:
    assert meant("how old is it? Harbor pilots must know.").confidence == meant("Harbor pilots must know.").confidence
    rare = LIBRARY.meant("How old is it? Kindly tell me.", lambda terms: [1 for _ in terms])
    assert rare.strangers == ()
    assert LIBRARY.meant("How old is the Kindly?", lambda terms: [1 for _ in terms]).strangers == ("Kindly",)


def test_a_question_that_names_nothing_prefers_nothing() -> None:
    found = meant("how long does it take to boil an egg?")
    assert not found
    assert not found.of(IDS).any()
    assert found.may_hold("energy22")


@pytest.mark.parametrize("question", ["Who pays for the breakdown service?", "what is the breakdown of costs"])
def test_an_ordinary_word_that_many_texts_have_names_no_document(question: str) -> None:
    every = {f"d{at}": profile(f"issuer{at}", "2020") for at in range(300)}
    every |= {"breakdown": profile("breakdown", "2020", issuer="Breakdown Bank plc")}
    library = Library([*every], [*every.values()])
    assert library.meant(question, lambda terms: [25 for _ in terms]).confidence < 0.6
    assert library.meant("What does Breakdown Bank cost?", lambda terms: [25 for _ in terms]).best(1) == ["breakdown"]
    assert library.meant("what does breakdown bank cost", lambda terms: [1 for _ in terms]).best(1) == ["breakdown"]


def test_a_place_in_a_title_is_no_sure_name_where_many_texts_have_it() -> None:
    every = {f"d{at}": profile(f"issuer{at}", "2020") for at in range(300)}
    every |= {"survey": profile("survey indonesia", "2020", issuer="Orrin Skerry")}
    library = Library([*every], [*every.values()])
    found = library.meant("How long does it take in Indonesia?", lambda terms: [20 for _ in terms])
    assert found.confidence < 0.6
    assert found.best(1) == ["survey"], "it is preferred a little"


def test_a_name_of_no_document_is_told() -> None:
    assert meant("What did Tesla spend in 2022?").strangers == ("Tesla",)
    assert meant("What did Norwick Ferries spend in 2022?").strangers == ()


def test_a_year_that_no_document_of_the_name_speaks_of_is_told() -> None:
    assert meant("What did Norwick Ferries spend in 2017?").uncovered == ("2017",)
    assert meant("What did Norwick Ferries spend in 2020 and 2022?").uncovered == ()
    assert meant("What was spent in 2017?").uncovered == (), "nobody is named"


def test_values_of_another_name_may_not_be_stated() -> None:
    found = meant("What was the revenue of Norwick Energy in 2022?")
    assert found.may_hold("energy22")
    assert not found.may_hold("harbor22")
    assert found.may_hold("unknown"), "of what says nothing of itself nothing is known"


def test_each_of_several_names_has_documents_of_its_own() -> None:
    found = meant("Compare the revenue of Norwick Ferries and Harbor")
    groups = dict(zip(IDS, found.groups.tolist(), strict=True))
    assert groups["norwick22"] == groups["norwick21"] != groups["harbor22"]
    assert min(groups["norwick22"], groups["harbor22"]) >= 0
    assert groups["pump-a"] == -1


def test_years_far_apart_have_documents_of_their_own() -> None:
    profiles = [*(profile("norwick", year) for year in ("2018", "2019", "2020")), *(profile("harbor", "2020"),) * 9]
    library = Library([f"d{at}" for at in range(12)], profiles)
    found = library.meant("How did Norwick's revenue change from 2018 to 2020?", lambda terms: [3 for _ in terms])
    assert found.groups.tolist() == [2, 1, 0, *[-1] * 9]
    found = library.meant("How did Norwick's revenue change from 2019 to 2020?", lambda terms: [3 for _ in terms])
    assert set(found.groups.tolist()) == {-1}, "the report of 2020 has both"
    older = Library([f"d{at}" for at in range(13)], [*profiles, profile("norwick", "2015")])
    found = older.meant("How did Norwick's revenue change from 2018 to 2020?", lambda terms: [4 for _ in terms])
    assert found.groups.tolist() == [2, 1, 0, *[-1] * 10], "a report of another year is of none of them"


def several(profiles: dict[str, DocumentProfile], question: str) -> dict[int, set[str]]:
    """Return the documents of each thing that a question asks about, of a library with ten others."""
    every = {**profiles, **{f"other{at}": profile(f"other{at}", "2011") for at in range(10)}}
    found = Library([*every], [*every.values()]).meant(question, lambda terms: [3 for _ in terms])
    groups: dict[int, set[str]] = {}
    for name, group in zip(every, found.groups.tolist(), strict=True):
        if group >= 0:
            groups.setdefault(group, set()).add(name)
    return groups


def test_names_that_share_a_word_each_have_their_own_documents() -> None:
    profiles = {"rail": profile("marchmont rail", "2020"), "re": profile("marchmont re", "2020")}
    assert several(profiles, "Marchmont Rail or Marchmont: who paid more?") == {0: {"rail"}, 1: {"re"}}


def test_two_names_of_one_document_are_no_two_things() -> None:
    profiles = {"j": profile("jonson consumer", "2020"), "k": profile("jonson pharma", "2021")}
    assert several(profiles, "What did Jonson earn by selling its unit Consumer?") == {}


def test_each_name_has_the_year_beside_it() -> None:
    profiles = {f"{name}{year}": profile(name, year) for name in ("harbor", "summit") for year in ("2020", "2023")}
    question = "Whose notes were larger, Harbor's in 2020 or Summit's in 2023?"
    assert several(profiles, question) == {0: {"harbor2020"}, 1: {"summit2023"}}
    assert several(profiles, "Compare Harbor and Summit in 2023") == {0: {"harbor2023"}, 1: {"summit2023"}}


def test_quarters_and_months_of_a_name_each_have_their_documents() -> None:
    quarters = {key: profile("larkspur", key, "quarterly report") for key in ("2022 Q3", "2023 Q2", "2023 Q3")}
    found = several(quarters, "How did the score of Larkspur change from Q3 2022 to Q3 2023?")
    assert found == {0: {"2023 Q3"}, 1: {"2022 Q3"}}, "the newest first"
    minutes = {
        date: profile("ellersby", "2023", "minutes", date=date) for date in ("2023-03-06", "2023-07-28", "2023-10-02")
    }
    found = several(minutes, "Ellersby, March and October 2023: which meeting passed the bigger budget?")
    assert found == {0: {"2023-10-02"}, 1: {"2023-03-06"}}


def test_versions_that_are_spoken_of_together_each_have_their_documents() -> None:
    manuals = {f"rev-{one}": profile("quillon pump", "2020", "manual", f"revision {one}") for one in "abc"}
    question = "Over the three revisions of the Quillon pump manual, which speed is the highest?"
    assert several(manuals, question) == {0: {"rev-c"}, 1: {"rev-b"}, 2: {"rev-a"}}, "the newest first"
    assert several(manuals, "What changed from Rev. A to Rev. C of the Quillon pump manual?") == {
        0: {"rev-c"},
        1: {"rev-a"},
    }
    assert several(manuals, "Which speed has the Quillon pump?") == {}


def test_a_kind_in_small_letters_is_no_name() -> None:
    profiles = {"plan": profile("marketing budget", "2020", "presentation"), "own": profile("spring", "2026", "budget")}
    every = {**profiles, **{f"other{at}": profile(f"other{at}", "2011") for at in range(10)}}
    found = Library([*every], [*every.values()]).meant(
        "what was rejected in the 2026 budget?", lambda terms: [3 for _ in terms]
    )
    assert found.best(1) == ["own"]
    assert (found.named, found.kinds, found.periods) == ((), ("budget",), ("2026",))


def test_a_document_of_another_name_is_not_meant_for_its_year() -> None:
    profiles = {"norwick21": profile("norwick", "2021"), "harbor19": profile("harbor", "2019")}
    every = {**profiles, **{f"other{at}": profile(f"other{at}", "2011") for at in range(10)}}
    found = Library([*every], [*every.values()]).meant(
        "What did Norwick earn in 2019?", lambda terms: [3 for _ in terms]
    )
    assert not found.may_hold("harbor19")
    assert found.scores[found.rows["harbor19"]] < -0.9


def test_of_a_year_the_report_on_all_of_it_is_before_those_of_a_part() -> None:
    profiles = {
        "annual": profile("norwick", "2021"),
        "quarter": profile("norwick", "2021", "quarterly report"),
        "day": profile("norwick", "2021", "current report"),
    }
    every = {**profiles, **{f"other{at}": profile(f"other{at}", "2011") for at in range(10)}}
    library = Library([*every], [*every.values()])
    assert library.meant("What did Norwick earn in 2021?", lambda terms: [3 for _ in terms]).best(1) == ["annual"]
    assert library.meant("Norwick, 10-Q of 2021: what did it earn?", lambda terms: [3 for _ in terms]).best(1) == [
        "quarter"
    ]


def test_a_capital_alone_makes_no_name_of_a_word_that_half_of_all_texts_have() -> None:
    profiles = {"app": profile("cash app", "2020", issuer="Square, Inc."), "retail": profile("retail", "2020")}
    every = {**profiles, **{f"other{at}": profile(f"other{at}", "2011") for at in range(10)}}
    found = Library([*every], [*every.values()]).meant(
        "Did Cash & Cash Equivalents drop?", lambda terms: [6 for _ in terms]
    )
    assert found.confidence < 0.6


def test_a_document_that_says_nothing_of_itself_is_like_the_last() -> None:
    found = meant("What was the revenue of Norwick Energy in 2022?")
    scores = found.of(["energy22", "harbor22", "of an older corpus"])
    assert scores[0] == 0
    assert scores[1] == found.scores[found.rows["harbor22"]] < -0.5
    assert np.isfinite(scores[2])


def test_one_document_is_never_preferred() -> None:
    assert not Library(["a"], [profile("norwick", "2020")]).meant("Norwick in 2020?", counted)
    assert not Library([], []).meant("Norwick in 2020?", counted)


def test_a_part_of_a_library_has_its_own_rarities() -> None:
    part = LIBRARY.within(["norwick21", "norwick22"])
    assert len(part) == 2
    assert part.meant("What was the revenue of Norwick Ferries?", lambda terms: [2 for _ in terms]).scores.min() > -0.1
    assert LIBRARY.within(IDS) is LIBRARY


def test_names_in_other_scripts_are_found() -> None:
    library = Library(["a", "b"], [profile("星川 川電 電力", "2020"), profile("ελλάς", "2020")])
    rare = library.meant("星川電力の売上は?", lambda terms: [1 for _ in terms])
    assert rare.best(1) == ["a"]


@pytest.mark.parametrize(
    ("name", "question"),
    [
        ("северная верфь", "Какова выручка Северной верфи?"),
        ("شركة النور", "ما هي إيرادات النور؟"),
        ("ελληνική ναυτιλία", "Ποια είναι τα έσοδα της Ναυτιλία;"),
        ("sorkapp", "What does Sørkapp owe?"),
    ],
)
def test_names_in_other_scripts_prefer_their_documents_or_none(name: str, question: str) -> None:
    every = {"own": profile(name, "2020"), **{f"other{at}": profile(f"other{at}", "2020") for at in range(10)}}
    found = Library([*every], [*every.values()]).meant(question, lambda terms: [1 for _ in terms])
    assert found.best(1) in (["own"], [])
    assert found.may_hold("own")


def test_in_a_library_of_one_issuer_kinds_and_periods_decide() -> None:
    kinds = {"annual report": "annual", "minutes": "minutes", "policy": "policy"}
    every = {
        f"{short}{year}": profile("norwick", year, kind) for kind, short in kinds.items() for year in ("2020", "2021")
    }
    library = Library([*every], [*every.values()])

    def asked(question: str) -> MeantDocuments:
        return library.meant(question, lambda terms: [len(every) for _ in terms])

    assert asked("What does the annual report of Norwick say of 2021?").best(1) == ["annual2021"]
    assert asked("What was decided in Norwick's minutes of 2020?").best(1) == ["minutes2020"]
    unnamed = asked("What does Norwick say of herons?")
    assert not unnamed.of([*every]).any()
    assert all(unnamed.may_be_stated(one) for one in every)


@pytest.mark.parametrize(
    "question",
    [
        "How did sales change from 2018 to 2020?",
        "Compare the sales of 2018, 2019 and 2020",
        "Wie hat sich der Umsatz von 2018 bis 2020 entwickelt?",
        "Comment les ventes ont-elles évolué de 2018 à 2020 ?",
        "Cómo cambiaron las ventas de 2018 a 2020",
        "2018年から2020年の売上高",
        "从2018年到2020年的收入",
    ],
)
def test_in_a_library_of_one_issuer_each_year_of_a_range_has_its_place(question: str) -> None:
    every = {f"d{year}": profile("norwick", str(year)) for year in range(2015, 2024)}
    every |= {"minutes": profile("norwick", "2019", "minutes")}
    library = Library([*every], [*every.values()])
    meant = library.meant(question, lambda terms: [len(every) for _ in terms])
    groups = dict(zip(every, meant.groups_of([*every]).tolist(), strict=True))
    assert [groups[name] for name in ("d2020", "d2019", "d2018")] == [0, 1, 2]
    assert {groups[name] for name in ("d2015", "d2017", "d2021", "d2023")} == {-1}
    other = {f"o{year}": profile("summit", str(year)) for year in range(2015, 2024)}
    both = Library([*every, *other], [*every.values(), *other.values()])
    assert set(both.meant(question, lambda terms: [9 for _ in terms]).groups_of([*every, *other]).tolist()) == {-1}


YEARLY = {
    **{f"d{year}": profile("norwick", str(year)) for year in range(2018, 2024)},
    "release": profile("norwick", "2024", "press release"),
    **{f"o{year}": profile("summit", str(year)) for year in range(2018, 2026)},
    **{f"n{at}": profile(f"note{at}", "2025") for at in range(30)},
}


@pytest.mark.parametrize(
    ("question", "documents"),
    [
        ("What did Norwick earn last year?", ["d2023"]),
        ("What did Norwick earn two years ago?", ["d2022"]),
        ("What did Norwick earn two years before fiscal 2021?", ["d2019"]),
        ("How many work for Norwick as of the most recent fiscal year?", ["d2023"]),
        ("How did Norwick's sales develop since 2021?", ["d2021", "d2022", "d2023"]),
        ("Norwick's sales over the last three years", ["d2021", "d2022", "d2023"]),
    ],
)
def test_years_are_told_from_the_newest_report_of_who_is_named(question: str, documents: list[str]) -> None:
    library = Library([*YEARLY], [*YEARLY.values()])
    found = library.meant(question, lambda terms: [7 for _ in terms])
    assert sorted(found.best(5)) == documents
    assert set(found.periods) == {document[1:] for document in documents}, "it is told which"
    if len(documents) > 1:
        assert all(found.groups[found.rows[document]] >= 0 for document in documents)


def test_last_year_of_nobody_prefers_no_document() -> None:
    library = Library([*YEARLY], [*YEARLY.values()])
    assert library.meant("what was spent on paint last year?", lambda terms: [7 for _ in terms]).periods == ()


def test_a_renamed_issuer_is_called_by_either_name() -> None:
    new, old = profile("arcwell", "2023", issuer="Arcwell, Inc."), profile("granite", "2020", issuer="Granite plc")
    every = {"new": dataclasses.replace(new, former=("Granite",)), "old": old}
    every |= {f"other{at}": profile(f"other{at}", year) for at in range(5) for year in ("2020", "2023")}
    library = Library([*every], [*every.values()])
    for name in ("Granite", "Arcwell"):
        for year, document in (("2020", "old"), ("2023", "new")):
            found = library.meant(f"What did {name} earn in {year}?", lambda terms: [1 for _ in terms])
            assert found.best(2) == [document]


def test_a_document_that_says_no_issuer_is_of_the_one_that_its_names_tell() -> None:
    every = {
        "own": dataclasses.replace(profile("sarvena", "2022", issuer="Sarvena, Inc."), short_forms={"SRVN": "Sarvena"}),
        "bare": profile("sarvena", "2023", issuer=""),
        "both": profile("sarvena harbor", "2023", issuer=""),
        "harbor": profile("harbor", "2023"),
        **{f"other{at}": profile(f"other{at}", "2023") for at in range(10)},
    }
    library = Library([*every], [*every.values()])
    assert library.meant("SRVN's sales in 2023", lambda terms: [1 for _ in terms]).best(2) == ["bare"]


def test_two_documents_of_one_name_are_preferred_alike() -> None:
    every = {"a": profile("visa", "2020"), "b": profile("visa", "2020"), "c": profile("target", "2020")}
    every |= {f"other{at}": profile(f"other{at}", "2020") for at in range(10)}
    library = Library([*every], [*every.values()])
    assert library.meant("What did Visa earn in 2020?", lambda terms: [5 for _ in terms]).best(3) == ["a", "b"]
    small = library.meant("do i need a visa, and what is our target?", lambda terms: [5 for _ in terms])
    assert small.confidence < 0.6


def test_ten_thousand_documents_are_looked_through_in_milliseconds() -> None:
    profiles = [profile(f"issuer{at % 700} unit{at}", str(2000 + at % 20)) for at in range(10_000)]
    library = Library([f"d{at}" for at in range(10_000)], profiles)
    library.meant("first", lambda terms: [1 for _ in terms])
    started = time.process_time()
    for at in range(20):
        library.meant(f"What did Issuer{at} spend in {2000 + at}?", lambda terms: [30 for _ in terms])
    assert (time.process_time() - started) / 20 < 0.1, "a guard: 10 ms on a quiet machine"


def test_what_was_preferred_is_told_in_words() -> None:
    documents = [{"document": f"{at}.pdf", "document_id": str(at)} for at in range(4)]
    assert preferred_in_words(None) == ""
    assert preferred_in_words({"documents": []}) == ""
    told = preferred_in_words({"documents": documents[:1], "named": ["Norwick", "Ferries"], "periods": ["2021"]})  # pyright: ignore[reportArgumentType]
    assert told == "0.pdf, for “Norwick Ferries” and 2021"
    aged = preferred_in_words({"documents": documents[:1], "named": ["Norwick"], "age": "newest"})  # pyright: ignore[reportArgumentType]
    assert aged == "0.pdf, for “Norwick” and as the newest"
    assert preferred_in_words({"documents": documents, "kinds": ["manual"]}).startswith("0.pdf, 1.pdf and 2 more, for")  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(("texts", "is_sure"), [(1, True), (8, False)])
def test_a_code_that_one_document_alone_has_means_it(texts: int, is_sure: bool) -> None:
    profiles = [*PROFILES.values()]
    profiles[0] = dataclasses.replace(profiles[0], words={**profiles[0].words, "r-954": 0.3})
    found = Library(IDS, profiles).meant(
        "Who got the works under resolution R-954?", lambda terms: [texts for _ in terms]
    )
    assert (found.confidence >= 0.6 and found.best(2) == [IDS[0]]) is is_sure


def test_the_newest_is_clearly_before_the_next_newest_however_old_the_others_are() -> None:
    versions = {
        f"guide-{letter}": profile("quillon guide", year, "manual", f"revision {letter}", date=f"{year}-05-01")
        for letter, year in (("a", "2001"), ("b", "2021"), ("c", "2022"))
    }
    found = Library([*versions], [*versions.values()]).meant("the newest Quillon manual", counted)
    assert found.in_order(2) == ["guide-c", "guide-b"]
    assert found.scores[found.rows["guide-b"]] < -0.25


def test_an_amendment_is_asked_for_and_put_aside() -> None:
    contracts = {
        "first": profile("summit cleaning", "2021", "contract"),
        "amended": profile("summit cleaning", "2022", "amendment"),
    }
    library = Library([*IDS, *contracts], [*PROFILES.values(), *contracts.values()])
    assert library.meant("What does Summit pay since the amendment?", counted).in_order(1) == ["amended"]
    assert library.meant("What did Summit pay before the amendment?", counted).kinds == ()


@pytest.mark.parametrize(
    ("question", "document"),
    [
        ("norwick ferries revenue in march 22", "norwick22"),
        ("Norwick Ferries' annual report 20/21", "norwick21"),
        ("what did Norwick Ferries earn from April to June 2022", "norwick22q2"),
    ],
)
def test_times_are_understood_as_people_write_them(question: str, document: str) -> None:
    assert first(question) == document


def test_a_small_word_that_texts_have_begins_no_name() -> None:
    profiles = {**PROFILES, "example": profile("examples brightwater", "2020", "letter")}
    library = Library([*profiles], [*profiles.values()])
    found = library.meant("what has to be in the written part of the exam?", lambda terms: [2 for _ in terms])
    assert found.named == ()
    assert library.meant("brightw letter of 2020", lambda terms: [0 for _ in terms]).best(1) == ["example"]
