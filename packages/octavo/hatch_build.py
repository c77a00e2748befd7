"""Puts what a checkout has beside the packages into what is built: the example document and the manual page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class BesideThePackageHook(BuildHookInterface):
    """An sdist has both where a wheel that is built from the sdist finds them; an editable install needs neither."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Name the files that are there; the manual page is written by `make dist`."""
        if version == "editable":
            return
        is_wheel = self.target_name == "wheel"
        handbook = Path(self.root).parents[1] / "examples" / "handbook.pdf"
        if handbook.is_file():
            folder = "octavo" if is_wheel else "src/octavo"
            build_data["force_include"][str(handbook)] = f"{folder}/examples/handbook.pdf"
        if is_wheel and (Path(self.root) / "man" / "octavo.1").is_file():
            build_data["shared_data"]["man/octavo.1"] = "share/man/man1/octavo.1"
