"""The points of sweeps: what each value of a setting gave.

Owns their place in report.json. Knows nothing about how settings are written into plans.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def swept_from(system: Mapping[str, Any]) -> str:
    """Return the name of the system that one of a sweep was made from: its own without the swept setting."""
    return str(system["system"]).rpartition("@")[0] if system["swept"] else str(system["system"])


def sweeps_of(systems: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return, for each setting that was swept, its points in the order they were given, system after system."""
    settings = dict.fromkeys(system["swept"] for system in systems if system["swept"])
    return [
        {"setting": setting, "points": [_point(one, setting) for one in systems if one["swept"] == setting]}
        for setting in settings
    ]


def _point(system: Mapping[str, Any], setting: str) -> dict[str, Any]:
    return {
        "system": system["system"],
        "from": swept_from(system),
        "value": system["settings"][setting],
        "metrics": system["metrics"],
        "intervals": system["intervals"],
        "usage": system["usage"],
    }
