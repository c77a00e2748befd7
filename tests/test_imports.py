"""How modules and tests may import each other, beside what import-linter says of packages and floors."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from itertools import accumulate
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGES = sorted(path.parent for path in ROOT.glob("packages/*/pyproject.toml"))
MODULES = {
    ".".join(path.relative_to(package / "src").with_suffix("").parts).removesuffix(".__init__"): path
    for package in PACKAGES
    for path in (package / "src").rglob("*.py")
}
"""Ours, by name."""
HELPERS = {
    path.stem: path
    for folder in ("tests", "examples", "benchmarks", "benchmarks/library", "publishing", "packages/octavo/tests")
    for path in (ROOT / folder).glob("*.py")
}
"""What tests of all packages may import, by name, as pytest is told in pyproject.toml."""
GUARDED = {"engines": {"octavo_cluster"}}
"""Packages that a helper uses only where they are installed; tests that need them are skipped elsewhere."""
UNDER = {
    "octavo_documents": set[str](),
    "octavo": {"octavo_documents"},
    "octavo_methods": {"octavo", "octavo_documents"},
    "octavo_server": {"octavo", "octavo_documents"},
    "octavo_cluster": {"octavo", "octavo_documents"},
    "octavo_lab": {"octavo_methods", "octavo_server", "octavo_cluster", "octavo", "octavo_documents"},
}
"""What stands under each package, as the contract of import-linter says."""


def test_no_import_goes_round() -> None:
    """A module that is imported first by somebody else must not find another one half made.

    Nor do two modules need each other, one of them late: what both need is a module of its own.
    """
    done: set[str] = set()

    def visit(name: str, path: tuple[str, ...]) -> None:
        assert name not in path, " -> ".join((*path[path.index(name) :], name))
        if name not in done:
            at_once, late = imported(name)
            for other in sorted(at_once | late):
                if other in MODULES and not f"{name}.".startswith(f"{other}."):
                    visit(other, (*path, name))
            done.add(name)

    for name in MODULES:
        visit(name, ())


def test_an_import_in_a_function_leaves_something_out() -> None:
    """It is there so that what is heavy is loaded late: a library, or several modules of ours."""
    idle = list[str]()
    for name in MODULES:
        for other in sorted(named(MODULES[name])[1] & MODULES.keys()):
            if loaded(other) - loaded(name) <= {other}:
                idle.append(f"{name} -> {other}")
    assert idle == []


def test_tests_of_a_package_need_no_package_above_it() -> None:
    """Neither they nor the helpers they import: they pass where what stands above is not installed."""
    wrong = list[str]()
    for package in PACKAGES:
        above = UNDER.keys() - UNDER[package.name] - {package.name}
        for path in (package / "tests").rglob("*.py"):
            wrong += [f"{path.name}: {other}" for other in sorted(used(path) & above)]
    assert wrong == []


@cache
def imported(name: str) -> tuple[set[str], set[str]]:
    """Return the modules that one of ours imports at once and those it imports in functions, with their folders."""
    at_once, late = named(MODULES[name])
    return _with_folders(at_once) - {name}, _with_folders(late) - {name}


@cache
def used(path: Path) -> set[str]:
    """Return the packages that a file of tests imports, itself or by helpers beside it, at once or late."""
    names = set.union(*named(path))
    found = {name.partition(".")[0] for name in names} - GUARDED.get(path.stem, set())
    return found.union(*(used(HELPERS[name]) for name in found & HELPERS.keys() if HELPERS[name] != path))


@cache
def loaded(name: str) -> set[str]:
    """Return what is there once a module was imported: modules of ours, and libraries as it names them."""
    found, left = set[str](), [*_with_folders({name})]
    while left:
        one = left.pop()
        if one not in found:
            found.add(one)
            left += imported(one)[0] if one in MODULES else ()
    return found


def named(path: Path) -> tuple[set[str], set[str]]:
    """Return the modules that a file imports outside functions, and in functions."""
    at_once, late = set[str](), set[str]()
    for node, is_late in _imports(ast.parse(path.read_text()), is_late=False):
        (late if is_late else at_once).update(_modules(node))
    return at_once, late


def _modules(node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    for alias in node.names:
        if isinstance(node, ast.Import):
            yield alias.name
        elif node.module:
            whole = f"{node.module}.{alias.name}"
            yield whole if whole in MODULES else node.module


def _with_folders(names: set[str]) -> set[str]:
    return {one for name in names for one in accumulate(name.split("."), "{}.{}".format)}


def _imports(node: ast.AST, *, is_late: bool) -> Iterator[tuple[ast.Import | ast.ImportFrom, bool]]:
    for inner in ast.iter_child_nodes(node):
        if isinstance(inner, ast.If) and "TYPE_CHECKING" in ast.unparse(inner.test):
            continue
        if isinstance(inner, ast.Import | ast.ImportFrom):
            yield inner, is_late
        yield from _imports(inner, is_late=is_late or isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef))
