"""Makes the pages of the documentation site in out/pages; `make site` runs this and then the builder of sites.

The pages are those of the repository; links between them are turned. Beside them stand a reference made from docstrings
and routes, and `llms.txt`, the list of pages for programs. The navigation is the README's lists, one for each reader.
"""

from __future__ import annotations

import inspect
import re
import shutil
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any

ROOT = Path(__file__).parents[1]
PAGES = ROOT / "out" / "pages"
_LINK = re.compile(r"(\]\()(?!https?:|#|mailto:)([^)#\s]+)(#[^)]*)?(\))")
_LISTED = re.compile(r"^\* \[([^]]+)\]\(([^)#]+)(#[^)]*)?\): (.+)$", re.M)
OTHERS = {
    "README.md": "index.md",
    "ARCHITECTURE.md": "architecture.md",
    "CHANGELOG.md": "changes.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "LICENSE": "licence.md",
    "skills/octavo/SKILL.md": "skill.md",
    "NOTICE": "notice.md",
    "examples/package/README.md": "example-package.md",
    **{
        f"packages/{path.name}/README.md": f"package-{path.name.replace('_', '-')}.md"
        for path in sorted((ROOT / "packages").iterdir())
    },
}
"""Files beside docs/ that are pages of the site."""
REFERENCE = "reference.md"


def addresses() -> dict[str, str]:
    """Return where each file of the repository stands in the site."""
    docs = {path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*") if path.is_file()}
    return {**{name: name.removeprefix("docs/") for name in sorted(docs)}, **OTHERS}


def turned(text: str, name: str, known: dict[str, str]) -> str:
    """Return a page with its links turned to the site; what is no page there is named without a link."""
    here = PurePosixPath(name).parent

    def put(found: re.Match[str]) -> str:
        parts: list[str] = []
        for part in (here / found[2]).parts:
            parts = parts[:-1] if part == ".." else [*parts, part]
        target = known.get("/".join(parts))
        return f"{found[1]}{target}{found[3] or ''}{found[4]}" if target else f"{found[1]}#{found[4]}"

    return _LINK.sub(put, text)


def readers(readme: str) -> list[tuple[str, list[tuple[str, str, str]]]]:
    """Return the README's lists: for each reader (title, file, what it is for) of the pages."""
    section = readme.split("\n## Documentation\n")[1].split("\n## ")[0]
    found: list[tuple[str, list[tuple[str, str, str]]]] = []
    for part in re.split(r"^### ", section, flags=re.M)[1:]:
        rows = [(row[0], row[1], row[3]) for row in _LISTED.findall(part)]
        found.append((part.partition("\n")[0], rows))
    return found


def reference() -> str:
    """Return the reference: what programs call, from docstrings, and the routes of the server."""
    from octavo.corpus import Corpus
    from octavo.evidence import Answer, Citation
    from octavo_documents.document import Document
    from octavo_server.api import ROUTES

    lines = ["# Reference", "", "Made from the code's own words.", ""]
    for of in (Corpus, Answer, Citation, Document):
        lines += [f"## {of.__name__}", "", *_described(of)]
        for name, member in sorted(_members(of)):
            lines += [f"### {of.__name__}.{name}{_signature(member)}", "", *_described(member)]
    lines += ["## Routes", "", "| route | scope | does |", "|---|---|---|"]
    for route in ROUTES:
        lines.append(f"| `{route.method} {route.path}` | {getattr(route, 'scope', '')} | {route.summary} |")
    return "\n".join(lines) + "\n"


def _members(of: type) -> Iterator[tuple[str, Any]]:
    for name in dir(of):
        member = inspect.getattr_static(of, name)
        if not name.startswith("_") and inspect.getdoc(member) and (callable(member) or isinstance(member, property)):
            yield name, member


def _signature(member: Any) -> str:
    if not callable(member):
        return ""
    parameters = [one for one in inspect.signature(member).parameters if one != "self"]
    return f"({', '.join(parameters)})"


def _described(thing: Any) -> list[str]:
    text = inspect.cleandoc(inspect.getdoc(thing) or "")
    return [re.sub(r"^( {4,})", "", line) for line in text.replace("Args:", "Arguments:").splitlines()] + [""]


def llms(readme: str, known: dict[str, str]) -> str:
    """Return the list of pages for programs that read (llms.txt)."""
    first = readme.split("\n\n")[1].replace("\n", " ")
    lines = ["# Octavo", "", "> " + re.sub(r"\[([^]]+)\]\([^)]*\)", r"\1", first)]
    for reader, rows in readers(readme):
        lines += ["", f"## {reader}", ""]
        lines += [f"- [{title}]({known[file]}): {what}" for title, file, what in rows if file in known]
    return "\n".join(lines) + "\n"


def settings(readme: str, known: dict[str, str]) -> str:
    """Return the settings of the site builder, the navigation among them."""
    groups = [
        f"  - {reader}:\n" + "\n".join(f"      - {title}: {known[file]}" for title, file, _ in rows if file in known)
        for reader, rows in readers(readme)
    ]
    more = ["reference.md", "contributing.md", "security.md", "changes.md", "licence.md", "notice.md"]
    nav = "\n".join(["  - Octavo: index.md", *groups, "  - Project:", *(f"      - {name}" for name in more)])
    return f"site_name: Octavo\ndocs_dir: pages\nsite_dir: site\nuse_directory_urls: false\nnav:\n{nav}\n"


def write(folder: Path = PAGES) -> None:
    """Write all pages and files of the site, and the settings beside the repository's own."""
    shutil.rmtree(folder, ignore_errors=True)
    known = addresses()
    for name, target in known.items():
        (folder / target).parent.mkdir(parents=True, exist_ok=True)
        if not target.endswith(".md"):
            shutil.copyfile(ROOT / name, folder / target)
            continue
        text = (ROOT / name).read_text(encoding="utf-8")
        is_plain = not name.endswith(".md")
        text = f"# {name.capitalize()}\n\n```text\n{text}```\n" if is_plain else turned(text, name, known)
        (folder / target).write_text(text, encoding="utf-8")
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (folder / REFERENCE).write_text(reference(), encoding="utf-8")
    (folder / "llms.txt").write_text(llms(readme, known), encoding="utf-8")
    (folder.parent / "mkdocs.yml").write_text(settings(readme, known), encoding="utf-8")


if __name__ == "__main__":
    write()
