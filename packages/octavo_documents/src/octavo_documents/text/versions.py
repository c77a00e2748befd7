"""Versions, revisions and editions that a text names: "v2.1", "Version 3", "Rev. B", "2nd edition"."""

from __future__ import annotations

import re

_ORDINALS = {"first": "1", "second": "2", "third": "3", "fourth": "4", "fifth": "5", "sixth": "6", "seventh": "7"}
_PATTERN = re.compile(
    r"\b(?:v(?:er(?:sion)?)?\.?|rel(?:ease)?\.?|issue(?:\s+no\.?)?)\s*(?P<version>\d+(?:\.\d+){0,3}[a-z]?)\b"
    r"|\brev(?:ision)?\.?[\s:]*(?P<revision>\d+(?:\.\d+)*|[A-Z](?![\w]))"
    r"|\b(?P<edition>\d+(?:st|nd|rd|th)|first|second|third|fourth|fifth|sixth|seventh)\s+edition\b"
    r"|\bedition\s+(?P<edition2>\d+)\b",
    re.IGNORECASE,
)


def versions_in(text: str) -> list[str]:
    """Return the versions that a text names, each once, in order: "version 2.1", "revision b", "edition 2".

    >>> versions_in("Manual Rev. B, software v2.10, Third Edition")
    ['revision b', 'version 2.10', 'edition 3']
    """
    found: dict[str, None] = {}
    for match in _PATTERN.finditer(text):
        edition = match["edition"] or match["edition2"]
        if edition:
            low = edition.lower()
            found[f"edition {_ORDINALS.get(low) or re.sub(r'[a-z]+$', '', low)}"] = None
        elif match["revision"]:
            found[f"revision {match['revision'].lower()}"] = None
        else:
            found[f"version {match['version'].lower()}"] = None
    return [*found]


def version_order(version: str) -> tuple[tuple[int, ...], str]:
    """Return what versions of one sort are ordered by: numbers by value, letters by the alphabet."""
    number = version.rpartition(" ")[2]
    parts = re.findall(r"\d+", number)
    return tuple(int(part) for part in parts), "" if parts else number
