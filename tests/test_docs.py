"""The documentation holds: every example runs and gives what the page says, every command and setting is described."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from documented import PAGES, ROOT, Workplace, blocks, matches
from octavo.cli.settings import ANY, PARSERS, TABLES, load
from octavo.models.providers import PROVIDERS


@pytest.fixture(scope="module")
def workplace(tmp_path_factory: pytest.TempPathFactory) -> Workplace:
    return Workplace(tmp_path_factory.mktemp("documented"))


@pytest.mark.slow
@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_examples_give_what_the_page_says(path: Path, workplace: Workplace) -> None:
    hint = "if the page should say this, run: python tests/documented.py docs/*.md"
    page = path.read_text(encoding="utf-8")
    for needed in re.findall(r"^<!-- needs (\S+) -->$", page, re.M):
        pytest.importorskip(needed)
    for example in workplace.run(page):
        told = f"{example.call}\n--- expected\n{example.expected}\n--- actual\n{example.actual}\n{hint}"
        assert example.holds, told


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_settings_shown_in_a_page_are_settings(path: Path, tmp_path: Path) -> None:
    for block in blocks(path.read_text(encoding="utf-8")):
        if block.language == "toml" and "[" not in block.text:
            (tmp_path / "octavo.toml").write_text(block.text)
            load({}, environment={}, folder=tmp_path, user_folder=tmp_path)


def links(page: str) -> list[str]:
    return re.findall(r"\]\((?!https?:)([^)]+)\)", page)


def anchors(page: str) -> set[str]:
    titles = re.findall(r"^#+ (.+)$", page, re.M)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_links_lead_somewhere(path: Path) -> None:
    for link in links(path.read_text(encoding="utf-8")):
        name, _, anchor = link.partition("#")
        target = path.parent / name if name else path
        assert target.exists(), link
        assert not anchor or anchor in anchors(target.read_text(encoding="utf-8")), link


def test_each_reader_has_a_list_of_ten_pages_at_most_and_each_page_a_reader() -> None:
    section = (ROOT / "README.md").read_text(encoding="utf-8").split("\n## Documentation\n")[1].split("\n## ")[0]
    readers = re.split(r"^### ", section, flags=re.M)[1:]
    assert len(readers) == 4
    listed = [re.findall(r"^\* \[[^]]+\]\(([^)#]+)[^)]*\): \w", reader, re.M) for reader in readers]
    for reader, named in zip(readers, listed, strict=True):
        assert len(named) == reader.count("\n* ") <= 10, f"each line says what its page is for: {reader}"
    pages = {page.relative_to(ROOT).as_posix() for page in PAGES if page.name != "README.md"}
    assert pages - {link for named in listed for link in named} == set()


def test_every_command_and_option_is_described() -> None:
    from typer.main import get_command

    from octavo.cli.main import app

    page = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
    for name, command in get_command(app).commands.items():
        assert f"`{name}`" in page
        for parameter in command.params:
            for option in parameter.opts if parameter.param_type_name == "option" else ():
                assert not option.startswith("--") or f"`{option}" in page, f"{name} {option}"


def test_every_setting_is_described_with_its_variable() -> None:
    page = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
    for key in PARSERS:
        option = "" if key in {"context_tokens", "concurrency", "timeout"} else f"`--{key.replace('_', '-')}` "
        assert f"| `{key}` | {option}| `OCTAVO_{key.upper()}` |" in page
    for table, entries in TABLES.items():
        assert f"[{table}]" in page
        assert all(f"{name} = " in page for name in entries if name != ANY)


def test_every_provider_is_described_with_its_key() -> None:
    page = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
    for name, provider in PROVIDERS.items():
        assert f"`{name}:NAME`" in page
        assert not provider.keys or f"`{provider.keys[0]}`" in page


def test_every_reason_a_file_cannot_be_read_for_is_described() -> None:
    from octavo.errors import SourceError

    page = (ROOT / "docs" / "documents.md").read_text(encoding="utf-8")
    reasons = re.findall(r"`(\w+)`", (SourceError.__doc__ or "").split("Reasons:")[1])
    assert len(reasons) > 10
    assert [reason for reason in reasons if f"| `{reason}` |" not in page] == []


@pytest.mark.parametrize(
    ("expected", "actual", "holds"),
    [
        ("a\nb\n", "a\nb\n", True),
        ("a\n...\nd\n", "a\nb\nc\nd\n", True),
        ("a\n...\n", "a\n", True),
        ("in ...\n", "in 4.2 s\n", True),
        ("x .... 3\n", "x .... 3\n", True),
        ("x .... 3\n", "x ab 3\n", False),
        ("a   b\n", "a  b\n", True),
        ("  a\n", "a\n", False),
        ("a\n", "a\nb\n", False),
        ("a\nb\n", "a\n", False),
        ("a\n", "b\n", False),
    ],
)
def test_an_elision_stands_for_what_it_should(expected: str, actual: str, *, holds: bool) -> None:
    assert matches(expected, actual) is holds
