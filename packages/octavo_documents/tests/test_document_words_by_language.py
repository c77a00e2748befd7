"""Kinds, versions and periods of documents, as other languages name them."""

from __future__ import annotations

import pytest

from octavo_documents.text.document_ages import age_wanted, is_told_by_another
from octavo_documents.text.document_kinds import KINDS, document_kinds, kinds_asked, kinds_called, kinds_put_aside
from octavo_documents.text.languages import LANGUAGES, language
from octavo_documents.text.periods import periods_in
from octavo_documents.text.versions import versions_in


@pytest.mark.parametrize(
    ("code", "text", "keys"),
    [
        ("de", "im März 2023, am 3. Mai 2020, im 2. Quartal des Jahres 2022", ["2023-03", "2020-05-03", "2022 Q2"]),
        ("de", "das dritte Quartal 2021 und Q4 2021", ["2021 Q3", "2021 Q4"]),
        ("fr", "le 1er mars 2021, le T3 2022, le deuxième trimestre 2023", ["2021-03-01", "2022 Q3", "2023 Q2"]),
        ("es", "el 3 de marzo de 2020 y el segundo trimestre de 2021", ["2020-03-03", "2021 Q2"]),
        ("it", "il 12 maggio 2021 e nel terzo trimestre 2022", ["2021-05-12", "2022 Q3"]),
        ("pt", "em março de 2020 e no 2º trimestre de 2021", ["2020-03", "2021 Q2"]),
        ("nl", "in maart 2022 en het eerste kwartaal 2023", ["2022-03", "2023 Q1"]),
        ("pl", "3 marca 2020 i w II kwartale 2021 roku", ["2020-03-03", "2021 Q2"]),
        ("ru", "3 марта 2020 года и во втором квартале 2022", ["2020-03-03", "2022 Q2"]),
        ("zh", "2020年3月5日，2023年第三季度", ["2020-03-05", "2023 Q3"]),
        ("ja", "2020年3月と2023年第3四半期", ["2020-03", "2023 Q3"]),
        ("ar", "في 3 مارس 2020 وفي الربع الثاني 2021", ["2020-03-03", "2021 Q2"]),
    ],
)
def test_months_and_quarters_of_other_languages_are_periods(code: str, text: str, keys: list[str]) -> None:
    found = periods_in(text, code)
    assert [one.keys[-1] if one.day or one.quarter else f"{one.year}-{one.month:02}" for one in found] == keys


@pytest.mark.parametrize(
    ("code", "text", "kinds"),
    [
        ("de", "Was steht im Protokoll zum Geschäftsbericht?", ["minutes", "annual report"]),
        ("de", "die Rechnungen des Annual Report", ["invoice", "annual report"]),
        ("fr", "le procès-verbal et le rapport annuel", ["minutes", "annual report"]),
        ("es", "los contratos de alquiler, el contrato de alquiler", ["contract", "lease"]),
        ("it", "il bilancio di previsione e il verbale", ["budget", "minutes"]),
        ("pt", "o relatório e contas, a ata", ["annual report", "minutes"]),
        ("nl", "het jaarverslag en de notulen", ["annual report", "minutes"]),
        ("pl", "w protokole i w umowie najmu", ["minutes", "lease"]),
        ("ru", "в годовом отчёте и протоколе", ["annual report", "minutes"]),
        ("zh", "年度报告和租赁合同", ["annual report", "lease"]),
        ("ja", "議事録と取扱説明書", ["minutes", "manual"]),
        ("ar", "محضر الاجتماع والتقرير السنوي", ["minutes", "annual report"]),
        ("de", "Auf dem Briefkopf steht er nicht.", []),
    ],
)
def test_kinds_are_named_in_other_languages(code: str, text: str, kinds: list[str]) -> None:
    assert [*document_kinds(text, code)] == kinds


def test_a_version_is_no_quarter() -> None:
    assert [one.keys for one in periods_in("die Fassung V2 2023 und Q3 2023", "de")] == [("2023",), ("2023", "2023 Q3")]


def test_every_kind_of_a_language_is_one_that_documents_have() -> None:
    named = {kind for code in LANGUAGES for kind, _ in language(code).kinds}
    assert named
    assert named <= KINDS.keys()


def test_a_kind_is_found_by_its_whole_name_in_any_language() -> None:
    assert kinds_called("Protokoll") == kinds_called("procès-verbal") == kinds_called("議事録") == ("minutes",)
    assert kinds_called("protokoll der leitung") == ()


@pytest.mark.parametrize(
    ("code", "text", "versions"),
    [
        ("de", "Fassung 2.1, 3. Auflage, zweite Auflage", ["version 2.1", "edition 3", "edition 2"]),
        ("fr", "la 2e édition, version 4", ["version 4", "edition 2"]),
        ("zh", "第3版说明书，版本2.0", ["version 2.0", "edition 3"]),
        ("en", "Third Edition", ["edition 3"]),
    ],
)
def test_versions_are_named_in_other_languages(code: str, text: str, versions: list[str]) -> None:
    assert sorted(versions_in(text, code)) == sorted(versions)


@pytest.mark.parametrize(
    ("code", "text", "age"),
    [
        ("de", "Was sagt die aktuelle Fassung?", "newest"),
        ("de", "in der ursprünglichen Richtlinie", "oldest"),
        ("de", "in der vorherigen Richtlinie", "previous"),
        ("de", "die aktuellen Zahlen", None),
        ("fr", "le règlement en vigueur", "newest"),
        ("fr", "la version précédente", "previous"),
        ("es", "la política vigente", "newest"),
        ("es", "en la política anterior", "previous"),
        ("ru", "в действующей редакции договора", "newest"),
        ("ru", "в предыдущей редакции", "previous"),
        ("zh", "最新版本的制度", "newest"),
        ("zh", "上一版本", "previous"),
        ("en", "what the superseded policy says", "previous"),
        ("en", "in the revision before the present one", "previous"),
        ("en", "in the edition just before the latest", "previous"),
        ("en", "compare the current with the previous version", "newest"),
        ("en", "the torque after the correction", "newest"),
        ("en", "the torque since the table was revised", "newest"),
        ("en", "the version before 2020", None),
    ],
)
def test_a_document_is_asked_for_by_age(code: str, text: str, age: str | None) -> None:
    assert age_wanted(text, code) == age


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("the current AURORA protocol", ["protocol"]),
        ("minutes of the tunnel protocol", ["minutes", "protocol"]),
        ("HTTP protocol headers", []),
        ("the tariff of 2023", ["price list"]),
        ("import tariffs on steel", []),
        ("general policy conditions", ["terms"]),
        ("the second call for proposals", ["tender"]),
        ("a standard deductible", []),
        ("what the standard says", ["standard"]),
        ("the earnings call of February", ["transcript"]),
        ("Amd 1 to the standard", ["amendment", "standard"]),
        ("who came to the general meeting of 2022", ["minutes"]),
        ("record date of the annual meeting of shareholders", ["minutes", "proxy statement"]),
        ("what did the court order", ["judgment"]),
        ("the rent now that the lease was varied", ["amendment"]),
        ("the lease as amended", ["amendment"]),
        ("days to report a claim", []),
        ("the draft minutes", ["minutes", "draft"]),
        ("the 3.0 release candidate", ["draft"]),
        ("the half-year results", ["quarterly report"]),
        ("the IFU of Luxacem", ["manual"]),
        ("the Home wording", ["policy"]),
    ],
)
def test_kinds_are_asked_for_by_what_they_tell_of(text: str, kinds: list[str]) -> None:
    assert sorted(kinds_asked(text)) == sorted(kinds)


def test_a_kind_is_put_aside_before_it() -> None:
    assert kinds_put_aside("the fee in the contract before the first amendment") == ["amendment"]
    assert kinds_put_aside("the fee in the contract since the amendment") == []
    assert kinds_put_aside("the approved minutes") == kinds_put_aside("het definitieve verslag") == ["draft"]
    assert kinds_put_aside("the final quarter") == []


def test_changes_of_contracts_are_numbered() -> None:
    assert versions_in("Addendum No. 2") == versions_in("side letter 2") == ["amendment 2"]
    assert versions_in("under the second amendment", bare=True) == ["amendment 2"]
    assert versions_in("laut Fassung 2", bare=True) == ["version 2"]


def test_what_is_told_by_another_is_not_told_itself() -> None:
    assert is_told_by_another("when was the rule that replaced the one of 2019 published")
    assert not is_told_by_another("who replaced Ms Dunn")
