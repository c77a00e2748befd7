"""Where the documents of the generated library are kept: folders and file names as an office has them.

Some names tell issuer, kind and period, some only the kind, some nothing; the same name stands in several folders.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from library_plan import Plan, shorts_at

_FORMATS: dict[str, dict[str, float]] = {
    "annual report": {"pdf": 82, "docx": 8, "html": 10},
    "quarterly report": {"pdf": 72, "html": 18, "docx": 5, "txt": 5},
    "press release": {"pdf": 35, "html": 28, "txt": 17, "docx": 10, "md": 10},
    "policy": {"pdf": 45, "docx": 47, "md": 8},
    "manual": {"pdf": 84, "html": 10, "docx": 6},
    "minutes": {"docx": 50, "pdf": 30, "txt": 20},
    "contract": {"pdf": 50, "docx": 50},
    "paper": {"pdf": 90, "docx": 10},
    "deck": {"md": 1},
    "readme": {"md": 1},
}
_GUIDES = {"md": 40, "html": 30, "pdf": 30}
_CODES = {
    "annual report": ("10k", "annual_report", "AR"),
    "quarterly report": ("10q", "quarterly", "Q"),
    "press release": ("press", "news", "8k"),
    "policy": ("policy",),
    "manual": ("manual",),
    "minutes": ("minutes",),
    "contract": ("agreement",),
    "paper": ("paper",),
    "deck": ("review",),
    "readme": ("README",),
}
_SPARE = ("Inbox", "Downloads", "scans", "archive/old laptop", "Inbox/to file", "shared/misc")
_EMPTY = ("report", "final", "document ({n})", "final_v2 (1)", "Untitled", "attachment-{n}", "copy of {kind}", "print")


def file_format(plan: Plan, seed: int) -> str:
    """Return the extension that a document's file has."""
    among = _GUIDES if plan.texts == "manual-software" else _FORMATS[plan.kind]
    return random.Random(f"{seed} format {plan.key}").choices(list(among), list(among.values()))[0]


class Paths:
    """Gives each document a path of its own."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._taken: set[str] = set()
        self._scans = random.Random(f"{seed} scans").randint(20, 40)

    def of(self, plan: Plan, extension: str) -> str:
        """Return the path of a document."""
        source = random.Random(f"{self._seed} path {plan.key}")
        path = next(one for one in self._tried(source, plan, extension) if one.lower() not in self._taken)
        self._taken.add(path.lower())
        return path

    def _tried(self, source: random.Random, plan: Plan, extension: str) -> Iterator[str]:
        """Yield paths, the one that is wanted first."""
        if plan.kind == "readme":
            folder = source.choice(plan.issuer["folders"])
            name = f"{plan.about} {plan.version}".strip() or "agreements"
            yield f"{folder}/{name.lower().replace(' ', '-').replace('version-', 'v')}/README.md"
        folders = [source.choice(plan.issuer["folders"]), *plan.issuer["folders"], *_SPARE]
        if source.random() < 0.16:
            folders.insert(0, source.choice(_SPARE))
        name = self._named(source, plan, extension)
        yield from (f"{folder}/{name}.{extension}" for folder in folders)
        yield from (f"{folders[0]}/{name} ({number}).{extension}" for number in range(2, 99))

    def _named(self, source: random.Random, plan: Plan, extension: str) -> str:
        drawn = source.random()
        if drawn < 0.45:
            return _telling(source, plan)
        return _half_telling(source, plan) if drawn < 0.74 else self._empty(source, plan, extension)

    def _empty(self, source: random.Random, plan: Plan, extension: str) -> str:
        """Return a name that says nothing."""
        if extension == "pdf" and source.random() < 0.5:
            self._scans += source.randint(1, 4)
            return f"scan{self._scans:04d}"
        return source.choice(_EMPTY).format(n=source.randint(1, 9), kind=plan.kind)


def _telling(source: random.Random, plan: Plan) -> str:
    """Return a name that says who, what and when."""
    who = _slug(source.choice(shorts_at(plan.issuer, plan.date)))
    code = source.choice(_CODES[plan.kind])
    when = _when(source, plan)
    if plan.kind in {"manual", "policy", "paper"}:
        return f"{who}_{_slug(plan.about)}_{_slug(plan.version)}"
    if plan.kind == "contract":
        number = "_amendment_1" if plan.base else ""
        return "_".join(_slug(party).split("_")[0] for party in plan.parties) + f"_{_slug(plan.about)}{number}"
    return f"{who}_{code}_{when}"


def _half_telling(source: random.Random, plan: Plan) -> str:
    """Return a name that says what, or when, but not who."""
    version = plan.version.replace("Version ", "v")
    kind = plan.about if plan.kind in {"manual", "policy", "contract"} else plan.kind
    if plan.kind in {"manual", "policy", "paper", "contract"}:
        return source.choice((f"{kind} {version}".strip(), plan.kind, f"{_slug(kind)}_{plan.date.year}"))
    when = _when(source, plan).replace("_", " ")
    return source.choice((f"{kind} {when}", f"{kind.title()} {plan.date.year}", f"{_slug(kind)}_final", kind))


def _when(source: random.Random, plan: Plan) -> str:
    if plan.period.startswith("FY"):
        year, _, quarter = plan.period.removeprefix("FY").partition(" ")
        return f"{quarter.lower()}_{year}" if quarter else source.choice((year, f"FY{year[2:]}"))
    return plan.period.replace(" ", "_")


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_")
