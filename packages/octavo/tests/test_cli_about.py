"""`octavo about`: what a document is about, in words and in JSON, and setting it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import storing
from cli_corpus import octavo
from octavo.cli import context
from octavo.layers.about import ABOUT
from storing import write


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    plain = storing.layers
    monkeypatch.setattr(storing, "layers", lambda **how: {**plain(**how), "about": ABOUT})
    monkeypatch.setattr(context, "open_corpus", lambda _settings, **_how: storing.corpus(tmp_path / "corpus"))
    write(tmp_path, minutes="# Minutes of Norwick Ferries Ltd\nNorwick Ferries Ltd met on 4 March 2021.", empty="x")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def shown(*arguments: str) -> dict[str, tuple[str, str]]:
    """Return value and who says so, by field, as the table has them."""
    done = octavo("about", *arguments)
    assert done.status == 0, done.err
    lines = [line.rstrip() for line in done.out.splitlines()]
    at, by = lines[0].index("value"), lines[0].index("by")
    return {line[:at].strip(): (line[at:by].strip(), line[by:]) for line in lines[1:]}


def test_what_rules_found_is_shown() -> None:
    assert shown("minutes.pdf") == {
        "issuer": ("Norwick Ferries Ltd", "found by rule"),
        "kind": ("minutes", "found by rule"),
        "date": ("2021-03-04", "found by rule"),
        "period": ("2021", "found by rule"),
    }


def test_where_nothing_is_known_it_is_said() -> None:
    assert octavo("about", "empty.pdf").out.startswith("Nothing is known of what empty.pdf is about")


def test_fields_are_set_shown_and_taken_back(files: Path) -> None:
    sets = ("title=A = B", 'names="Norwick, Ltd", NF', "names=NFL", "case_no=007", "n=12", "share=0.5", "p=a", "p=b")
    found = shown("minutes.pdf", *(part for one in sets for part in ("--set", one)))
    assert found["title"] == ("A = B", "set by hand")
    assert found["names"] == ("Norwick, Ltd, NF, NFL", "set by hand")
    assert found["p"] == ("a, b", "set by hand")
    assert found["issuer"][1] == "found by rule"
    assert shown("minutes.pdf", "--set", "type=protocol", "--set", "tag=a, b")["kind"] == ("protocol", "set by hand")
    twice = octavo("about", "minutes.pdf", "--set", "type=memo", "--set", "kind=letter")
    assert (twice.status, "kind is set twice" in twice.err) == (2, True)
    assert shown("minutes.pdf", "--unset", "type", "--unset", "tag")["kind"] == ("minutes", "found by rule")
    (files / "minutes.meta.json").write_text('{"issuer": "Harbour Board", "title": "Beside"}')
    assert octavo("add", "minutes.pdf").status == 0
    assert shown("minutes")["issuer"] == ("Harbour Board", "the file beside it")
    done = octavo("about", "minutes.pdf", "--unset", "title", "--unset", "names", "--set", "n=", "--json")
    told = json.loads(done.out)
    assert told["document"] == "minutes.pdf"
    assert (told["title"], told["names"]) == ("Beside", [])
    assert told["own"] == {"case_no": "007", "p": ["a", "b"], "share": 0.5}
    assert told["by"] == {
        "title": "sidecar",
        "issuer": "sidecar",
        "kind": "rule",
        "date": "rule",
        "period": "rule",
        "case_no": "hand",
        "p": "hand",
        "share": "hand",
    }


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["minutes.pdf", "--set", "title"], "--set takes FIELD=VALUE"),
        (["minutes.pdf", "--set", "=x"], "--set takes FIELD=VALUE"),
        (["minutes.pdf", "--set", "date=soon"], "date takes 2023, 2023-08 or 2023-08-30, not 'soon'"),
        (["minutes.pdf", "--set", "Title=x"], "'Title' is no name of a field"),
        (["minutes.pdf", "--set", "title=a", "--set", "title=b"], "title is set twice"),
        (["minutes.pdf", "--unset", "No"], "'No' is no name of a field"),
        (["nothing", "--set", "title=a"], "there is no file 'nothing'"),
    ],
)
def test_bad_usage_is_told_in_one_line(arguments: list[str], told: str) -> None:
    done = octavo("about", *arguments)
    assert done.status == 2
    assert told in done.err
    assert len(done.err.splitlines()) == 1


def test_a_sidecar_that_cannot_be_used_is_one_line_of_add(files: Path) -> None:
    (files / "minutes.meta.json").write_text('{"date": "soon"}')
    done = octavo("add", ".")
    assert done.status == 0
    assert [line for line in done.err.splitlines() if "meta.json" in line] == [
        f"octavo: {files / 'minutes.meta.json'} is not used: date takes 2023, 2023-08 or 2023-08-30, not 'soon'"
    ]
    assert "2 added" in done.out
