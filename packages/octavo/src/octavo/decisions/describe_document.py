"""What a document is about, read from its first pages: names, who issued it, kind, period, date, version, short forms.

The rule says what the rules of `about.profiling` found. What a model says is kept only as far as the document says it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

from pydantic import BaseModel, ConfigDict, Field

from octavo.about.fields import FieldValue, checked
from octavo.about.names import words_of
from octavo.about.profile import DocumentProfile
from octavo.decisions.engine import Decision, Filled, Template, inert, shorten
from octavo.errors import UsageError
from octavo_documents.text.analyzer import is_function_word
from octavo_documents.text.document_kinds import KINDS
from octavo_documents.text.lines import on_one_line

_MOST_NAMES = 12
_FIRST_SHARE = 0.8
"""Share of the room that the first pages have before the last lines."""


@dataclasses.dataclass(frozen=True)
class DocumentToDescribe:
    """A document as a model is shown it: its file's name, first pages, running heads and last lines."""

    file: str
    opening: str
    heads: str = ""
    ending: str = ""
    by_rule: DocumentProfile = dataclasses.field(default_factory=DocumentProfile)
    """What rules found, which no model is shown: it is to read for itself."""

    def says(self, name: str) -> bool:
        """Return whether all words of a name that say anything stand in what is shown."""
        words = {word for word, written in words_of(name) if not is_function_word(written)}
        shown = " ".join((self.file.replace("_", " "), self.heads, self.opening, self.ending))
        return bool(words) and words <= {word for word, _ in words_of(shown)}


class DescribedShort(BaseModel):
    """A short form and the name that it stands for."""

    short: str
    stands_for: str = ""


class DocumentDescribed(BaseModel):
    """What a document is about, each as it is written there; empty where it does not say."""

    model_config = ConfigDict(
        json_schema_extra={"required": ["title", "issuer", "kind", "period", "date", "version", "names", "short_forms"]}
    )

    title: str = ""
    issuer: str = ""
    kind: str = ""
    period: str = ""
    date: str = ""
    version: str = ""
    names: list[str] = Field(default_factory=list[str])
    short_forms: list[DescribedShort] = Field(default_factory=list[DescribedShort])

    @property
    def fields(self) -> dict[str, FieldValue]:
        """Return what it says by the names of the fields that may be set of a document."""
        said = {name: getattr(self, name) for name in ("title", "issuer", "kind", "period", "date", "version")}
        return {name: value for name, value in {**said, "names": tuple(self.names)}.items() if value}


def _render(value: DocumentToDescribe, room: int) -> Filled:
    opening, cut = shorten(value.opening, int(_FIRST_SHARE * room))
    heads, _ = shorten(value.heads, room // 20)
    ending, _ = shorten(value.ending, room // 10)
    return Filled(
        {
            "file": inert(value.file),
            "heads": inert(heads) or "(none)",
            "opening": inert(opening) or "(no words)",
            "ending": inert(ending) or "(shown above)",
            "kinds": ", ".join(KINDS),
        },
        left_out=int(bool(cut)),
    )


def _rule(value: DocumentToDescribe) -> DocumentDescribed:
    found = value.by_rule
    return DocumentDescribed(
        title=found.title,
        issuer=found.issuer,
        kind=next(iter(found.kinds), ""),
        period=found.period,
        date=found.date,
        version=found.version,
        short_forms=[DescribedShort(short=short, stands_for=long) for short, long in found.short_forms.items()],
    )


def _check(value: DocumentToDescribe, output: DocumentDescribed) -> DocumentDescribed:
    """Return what a model said without names that do not stand there, and values that no field takes."""
    names = [on_one_line(name) for name in dict.fromkeys(output.names) if value.says(name)]
    plain = {field: on_one_line(getattr(output, field)) for field in ("kind", "period", "date", "version")}
    named = {field: text for field in ("title", "issuer") if value.says(text := on_one_line(getattr(output, field)))}
    kept = {**dict.fromkeys(("title", "issuer"), ""), **plain, **named, "names": names[:_MOST_NAMES]}
    return output.model_copy(
        update={
            **{field: _taken(field, given) for field, given in kept.items()},
            "short_forms": [one for one in output.short_forms if value.says(one.short)][:_MOST_NAMES],
        }
    )


def _taken(field: str, given: str | list[str]) -> str | list[str]:
    """Return a value as the field has it; an empty one where it takes no such value."""
    try:
        found: Mapping[str, FieldValue | None] = checked({field: given})
    except UsageError:
        found = {}
    taken = found.get(field)
    if field == "names":
        return [*taken] if isinstance(taken, tuple) else []
    return str(taken) if taken is not None else ""


DESCRIBE_DOCUMENT: Decision[DocumentToDescribe, DocumentDescribed] = Decision(
    name="describe_document",
    version="4",
    template=Template.beside(__file__),
    output=DocumentDescribed,
    render=_render,
    rule=_rule,
    check=_check,
    max_output_tokens=500,
)
