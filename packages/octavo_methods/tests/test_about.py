"""What systems say of themselves can be listed without what they do it with."""

from __future__ import annotations

import subprocess
import sys

import pytest

from octavo.systems import SYSTEMS, about


@pytest.mark.parametrize("name", SYSTEMS)
def test_what_is_listed_is_what_the_system_says(name: str) -> None:
    assert about(name) == SYSTEMS[name].about
    assert about(name).endswith(".")


def test_listing_imports_no_system() -> None:
    code = (
        "import sys\nfrom octavo.systems import SYSTEMS, about\nprint([about(name) for name in SYSTEMS])\n"
        "print(*(name for name in sys.modules if name.endswith('system') and name.startswith('octavo_methods')))\n"
        "print('octavo.systems.auto' in sys.modules)"
    )
    said, methods, ours = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.splitlines()
    assert "Walks down the section tree" in said
    assert (methods, ours) == ("", "False")
