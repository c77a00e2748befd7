"""What a document is about as it is shown: each field with who says so."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Literal, TypeAlias

from typing_extensions import TypedDict

from octavo.about.description import DocumentDescription
from octavo.about.fields import FIELDS, LISTS, FieldValue
from octavo.about.profile import DocumentProfile

SaidBy: TypeAlias = Literal["rule", "model", "zotero", "sidecar", "hand"]
"""Who says what a field holds: a rule or a model that read the document, Zotero, a file beside it, or a person."""


class AboutShape(TypedDict):
    """What a document is about, as JSON has it; empty is what nobody says. `by` tells who says each field."""

    title: str
    issuer: str
    kind: str
    date: str
    period: str
    version: str
    language: str
    tags: list[str]
    names: list[str]
    former: list[str]
    own: dict[str, str | int | float | list[str]]
    by: dict[str, SaidBy]


@dataclasses.dataclass(frozen=True)
class DocumentAbout:
    """What a document is about: what rules found, over it what Zotero or a sidecar says and what is set by hand."""

    id: str
    name: str
    title: str = ""
    issuer: str = ""
    """Who issued it: a company, an office, an author."""
    kind: str = ""
    """What it is: "annual report", "minutes", "contract"."""
    date: str = ""
    """Of the document itself: "2023", "2023-08" or "2023-08-30"."""
    period: str = ""
    """What it reports on: "2022", "2023 Q2"."""
    version: str = ""
    language: str = ""
    tags: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    """Further names and short forms it is known by."""
    former: tuple[str, ...] = ()
    """Names that who issued it had before."""
    own: Mapping[str, FieldValue] = dataclasses.field(default_factory=dict[str, FieldValue])
    """Fields of one's own."""
    by: Mapping[str, SaidBy] = dataclasses.field(default_factory=dict[str, SaidBy])
    """Who says each field that holds something."""

    @classmethod
    def of(cls, identity: str, name: str, profile: DocumentProfile, description: DocumentDescription) -> DocumentAbout:
        """Return it from what rules found and what was set."""
        found: dict[str, FieldValue] = {
            "title": profile.title,
            "issuer": profile.issuer,
            "kind": next(iter(profile.kinds), ""),
            "date": profile.date,
            "period": profile.period,
            "version": profile.version,
            "names": tuple(dict.fromkeys((*profile.short_forms, *profile.names))),
            "former": profile.former,
        }
        by = dict[str, SaidBy]()
        ruled = [field for field, value in found.items() if value]
        sources: tuple[tuple[SaidBy, Iterable[str]], ...] = (
            ("rule", ruled),
            ("model", [field for field in ruled if field in profile.by_model]),
            ("zotero", description.zotero),
            ("sidecar", description.sidecar),
            ("hand", description.hand),
        )
        for who, fields in sources:
            for field in fields:
                by[field] = who
        said = found | description.fields
        own = {field: value for field, value in sorted(said.items()) if field not in FIELDS}
        texts = {field: str(said.get(field, "")) for field in FIELDS if field not in LISTS}
        tags, names, former = (value if isinstance(value := said.get(field, ()), tuple) else () for field in LISTS)
        ordered: dict[str, SaidBy] = {field: by[field] for field in (*FIELDS, *own) if field in by}
        return cls(identity, name, **texts, tags=tags, names=names, former=former, own=own, by=ordered)

    def fields(self) -> dict[str, FieldValue]:
        """Return the fields that hold something, by name, those of one's own last."""
        named: dict[str, FieldValue] = {field: getattr(self, field) for field in FIELDS}
        return {**{field: value for field, value in named.items() if value}, **self.own}

    def to_json(self) -> AboutShape:
        """Return it as JSON has it."""
        own = {name: [*value] if isinstance(value, tuple) else value for name, value in self.own.items()}
        return {
            "title": self.title,
            "issuer": self.issuer,
            "kind": self.kind,
            "date": self.date,
            "period": self.period,
            "version": self.version,
            "language": self.language,
            "tags": [*self.tags],
            "names": [*self.names],
            "former": [*self.former],
            "own": own,
            "by": dict(self.by),
        }
