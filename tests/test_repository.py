"""What no tool checks: the repository's own rules."""

from __future__ import annotations

import ast
import functools
import re
import subprocess
import sys
import tomllib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

import draw_floors
import manual
import versions

ROOT = Path(__file__).parent.parent
PACKAGES = sorted(path.parent for path in ROOT.glob("packages/*/pyproject.toml"))
SOURCES = sorted(path for package in PACKAGES for path in (package / "src").rglob("*.py"))
FLOORS = [name for group in draw_floors.order(ROOT / "pyproject.toml") for name in group]


def test_there_is_something_to_check() -> None:
    assert len(SOURCES) > 30


@dataclass(frozen=True)
class Module:
    """What is told of a module by what it says; the tree itself is too large to be kept of all."""

    docstring: str | None
    classes: tuple[str, ...]


@functools.cache
def parsed(path: Path) -> Module:
    tree = ast.parse(path.read_text())
    classes = tuple(node.name for node in tree.body if isinstance(node, ast.ClassDef))
    return Module(ast.get_docstring(tree), classes)


def test_a_module_is_one_idea_and_says_which() -> None:
    assert [path for path in SOURCES if len(path.read_text().splitlines()) > 500] == []
    assert [path for path in SOURCES if not parsed(path).docstring] == []


def test_nothing_is_pickled_or_evaluated() -> None:
    never = re.compile(r"\bpickle\b|\beval\(|\bexec\(|yaml\.load\b|\ballow_pickle=True")
    assert [path for path in SOURCES if never.search(path.read_text())] == []


def test_the_folder_of_a_package_is_named_as_it_is_imported() -> None:
    # With a "-" in it, pip takes the folder's name for NAME-VERSION and installs the wheel that it kept last time.
    assert [
        folder.name for folder in PACKAGES if not (folder / "src" / folder.name).is_dir() or "-" in folder.name
    ] == []


def test_the_core_asks_for_no_torch_pyarrow_or_pandas() -> None:
    for package in PACKAGES:
        project = tomllib.loads((package / "pyproject.toml").read_text())["project"]
        names = {re.split(r"[<>=;\[ ]", item)[0].lower() for item in project["dependencies"]}
        assert not names & {"torch", "pyarrow", "pandas", "transformers", "sentence-transformers"}


def loaded_by(statement: str) -> set[str]:
    """Return the top-level modules a fresh interpreter has after a statement."""
    code = f"{statement}\nimport sys\nprint(' '.join({{name.split('.')[0] for name in sys.modules}}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_importing_octavo_loads_nothing_heavy() -> None:
    heavy = {"numpy", "apsw", "openvino", "onnxruntime", "cv2", "rapidocr", "pypdfium2", "rich", "typer", "pydantic"}
    assert not loaded_by("import octavo") & heavy


def test_a_corpus_in_a_folder_loads_nothing_of_a_cluster(tmp_path: Path) -> None:
    used = f"import octavo\nwith octavo.open({str(tmp_path)!r}) as corpus: corpus.add({str(ROOT / 'NOTICE')!r})"
    loaded = loaded_by(used)
    assert "apsw" in loaded
    assert not loaded & {"psycopg", "psycopg_pool", "obstore", "ray", "lance"}


def test_the_change_log_names_the_version() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert version in (ROOT / "CHANGELOG.md").read_text()


def test_all_packages_have_one_version_and_name_each_other_by_it(tmp_path: Path) -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert list(versions.misfits(version)) == []
    found = list(versions.misfits("9.9.9"))
    assert len([line for line in found if "the version is" in line]) == len(PACKAGES) + 1
    assert any("needs octavo-documents[ocr]==" in line for line in found)
    assert any("no section 9.9.9" in line for line in found)


def test_each_package_carries_its_licence() -> None:
    licence, notice = (ROOT / "LICENSE").read_bytes(), (ROOT / "NOTICE").read_bytes()
    assert [folder.name for folder in PACKAGES if (folder / "LICENSE").read_bytes() != licence] == []
    assert [folder.name for folder in PACKAGES if (folder / "NOTICE").read_bytes() != notice] == []


def test_the_manual_page_has_every_command_and_no_line_that_is_a_request_by_accident() -> None:
    page = manual.manual()
    for command in ("ask", "export", "serve", "evaluate", "cluster"):
        assert f"\n.SS {command}" in page
    known = {"TH", "SH", "SS", "TP", "B"}
    assert {line[1:].split()[0] for line in page.splitlines() if line.startswith(".")} <= known


def test_the_architecture_names_every_floor() -> None:
    page = (ROOT / "ARCHITECTURE.md").read_text()
    assert not [floor for floor in FLOORS if f"`{floor.rpartition('.')[2]}`" not in page]
    assert not [package.name for package in PACKAGES if f"`{package.name}`" not in page]


def test_the_picture_of_the_floors_can_be_made_and_names_every_floor() -> None:
    for picture in (draw_floors.picture(), draw_floors.PICTURE.read_text(encoding="utf-8")):
        ElementTree.fromstring(picture)
        assert not [floor for floor in FLOORS if f">{floor}</text>" not in picture]


def test_a_public_class_has_a_name_of_its_own_in_its_package() -> None:
    for package in PACKAGES:
        names = Counter(name for path in (package / "src").rglob("*.py") for name in parsed(path).classes)
        assert not [name for name, count in names.items() if count > 1 and not name.startswith("_")], package.name


def test_files_of_tests_have_names_of_their_own() -> None:
    """Two of one name cannot be collected in one run."""
    root = Path(__file__).parents[1]
    names = Counter(
        path.name for folder in ("tests", "packages/*/tests") for path in root.glob(f"{folder}/**/test_*.py")
    )
    assert not [name for name, count in names.items() if count > 1]
