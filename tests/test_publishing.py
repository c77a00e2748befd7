"""What is published beside the packages: the site, the list of pages for programs, the registry entry, the skill."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest

import documentation_site
import registry_owner
from cli_corpus import octavo

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site") / "pages"
    documentation_site.write(folder)
    return folder


def test_every_link_of_the_site_leads_to_a_page_of_it(pages: Path) -> None:
    for page in pages.rglob("*.md"):
        for link in re.findall(r"\]\(([^)\s]+)\)", page.read_text()):
            target = link.partition("#")[0]
            assert link != "#", f"{page.name} links to what is no page of the site"
            assert link.startswith(("http", "#", "mailto:")) or (pages / target).exists(), f"{page.name}: {link}"


def test_the_navigation_and_the_list_for_programs_name_pages_that_there_are(pages: Path) -> None:
    named = re.findall(r": (\S+\.md)$", (pages.parent / "mkdocs.yml").read_text(), re.M)
    assert len(named) > 30
    assert [name for name in named if not (pages / name).exists()] == []
    listed = re.findall(r"^- \[[^]]+\]\(([^)]+)\): \w", (pages / "llms.txt").read_text(), re.M)
    assert len(listed) > 30
    assert [name for name in listed if not (pages / name).exists()] == []


def test_the_reference_has_methods_and_routes(pages: Path) -> None:
    text = (pages / "reference.md").read_text()
    assert "### Corpus.ask(question, documents, where, system, limit, caps)" in text
    assert "| `POST /v1/ask` |" in text


def test_the_registry_entry_names_the_package_and_the_package_names_it_back() -> None:
    entry = json.loads((ROOT / "server.json").read_text())
    (package,) = entry["packages"]
    project = tomllib.loads((ROOT / "packages" / "octavo" / "pyproject.toml").read_text())["project"]
    assert (package["identifier"], package["version"]) == (project["name"], project["version"])
    assert f"<!-- mcp-name: {entry['name']} -->" in (ROOT / "packages" / "octavo" / "README.md").read_text()
    assert len(entry["description"]) <= 100


def test_commands_of_the_skill_are_commands() -> None:
    text = (ROOT / "skills" / "octavo" / "SKILL.md").read_text()
    assert re.match(r"---\nname: octavo\ndescription: .{50,1024}\n", text)
    names = set(re.findall(r"^octavo (\w+)", text, re.M))
    assert len(names) >= 5
    for name in names:
        assert octavo(name, "--help").status == 0, name


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    for file in registry_owner.FILES:
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text((ROOT / file).read_text())
    return tmp_path


def test_the_placeholder_of_an_owner_is_not_published(clone: Path) -> None:
    told = list(registry_owner.misfits("ann-lee", clone))
    assert [line.partition(":")[0] for line in told] == [*registry_owner.FILES]
    assert all("placeholder" in line for line in told)
    assert list(registry_owner.misfits(registry_owner.PLACEHOLDER, clone))
    assert list(registry_owner.misfits("no owner", clone))


def test_a_fork_fills_in_its_owner_and_nobody_elses_name_is_published(clone: Path) -> None:
    registry_owner.fill("Ann-Lee", clone)
    assert list(registry_owner.misfits("ann-lee", clone)) == []
    name = json.loads((clone / "server.json").read_text())["name"]
    assert name == "io.github.Ann-Lee/octavo"
    assert f"<!-- mcp-name: {name} -->" in (clone / "packages" / "octavo" / "README.md").read_text()
    registry_owner.fill("other", clone)
    assert list(registry_owner.misfits("other", clone)) == [
        f"{file}: is Ann-Lee's, not other's" for file in registry_owner.FILES
    ]


def test_the_release_names_its_owner_before_anything_is_built() -> None:
    steps = (ROOT / ".github" / "workflows" / "release.yml").read_text()
    fill, check, build = (
        steps.index(words) for words in ("registry_owner.py fill", "registry_owner.py check", "make dist")
    )
    assert fill < check < build
