"""What people say of a document: fields set by hand, and those of a file beside it, over what the rules found."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Mapping
from typing import Any, Literal, TypeAlias

from octavo.about.fields import FieldValue, as_fields, check_count, period_keys, version_key
from octavo.about.names import initials_of_issuer, tells, words_of
from octavo.about.profile import DocumentProfile
from octavo.errors import CorpusError
from octavo_documents.text.document_kinds import kinds_called

SetBy: TypeAlias = Literal["hand", "sidecar", "zotero"]
"""Who set fields: a person, a file beside the document's, or Zotero, whose storage it is in."""
FieldValues: TypeAlias = Mapping[str, FieldValue]

GONE = "gone"
"""The field that hides a document: it is asked only where it is named. It says since when its file is not there."""
_REPLACED = 0.3
"""How surely a word of a name that was replaced tells what a document is about, at most."""
_OTHER_YEAR, _YEAR_OF_DATE = 0.5, 0.8
"""The same of a year beside the period that was set, at most, and of the year of a date that was set, at least."""


@dataclasses.dataclass(frozen=True)
class DocumentDescription:
    """Fields that were set of a document: what is set by hand goes before what a sidecar says, and it before Zotero."""

    hand: FieldValues = dataclasses.field(default_factory=dict[str, FieldValue])
    sidecar: FieldValues = dataclasses.field(default_factory=dict[str, FieldValue])
    zotero: FieldValues = dataclasses.field(default_factory=dict[str, FieldValue])

    def __bool__(self) -> bool:
        return bool(self.hand or self.sidecar or self.zotero)

    @property
    def fields(self) -> dict[str, FieldValue]:
        """All that is set."""
        return {**self.zotero, **self.sidecar, **self.hand}

    @property
    def by(self) -> dict[SetBy, FieldValues]:
        """What each set."""
        return {"zotero": self.zotero, "sidecar": self.sidecar, "hand": self.hand}

    def with_set(
        self, by: SetBy, fields: Mapping[str, FieldValue | None], *, anew: bool = False
    ) -> DocumentDescription:
        """Return it with fields set too, or with `anew` only these; None takes one back. Raises UsageError."""
        before: FieldValues = {} if anew else getattr(self, by)
        after = {name: value for name, value in {**before, **fields}.items() if value is not None}
        check_count(after)
        return dataclasses.replace(self, **{by: after})

    def to_json(self) -> str:
        """Pack it; `from_json` gives an equal one."""
        return json.dumps(dataclasses.asdict(self), separators=(",", ":"))  # in ASCII, whatever stands in it

    @classmethod
    def from_json(cls, text: str) -> DocumentDescription:
        """Unpack. Raises CorpusError (`damaged`)."""
        try:
            values: dict[str, dict[str, Any]] = json.loads(text)
            return cls(_as_set(values["hand"]), _as_set(values["sidecar"]), _as_set(values.get("zotero", {})))
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise CorpusError("damaged", f"what was set of a document cannot be read: {error}") from error

    def over(self, profile: DocumentProfile) -> DocumentProfile:
        """Return what a document is about, by the fields that are set and for the rest by a profile."""
        fields = self.fields
        corrected = dataclasses.replace(
            profile,
            title=str(fields.get("title", profile.title)),
            issuer=str(fields.get("issuer", profile.issuer)),
            kinds=_kinds(str(fields["kind"])) if "kind" in fields else profile.kinds,
            date=str(fields.get("date", profile.date)),
            period=max(period_keys(str(fields["period"]))) if "period" in fields else profile.period,
            version=version_key(str(fields["version"])) if "version" in fields else profile.version,
            short_forms={} if "names" in fields else profile.short_forms,
            former=_texts(fields["former"]) if "former" in fields else profile.former,
        )
        names = (*_texts(fields.get("names", ())), *_texts(fields.get("former", ())))
        return dataclasses.replace(
            corrected, words=_words(profile, corrected, names, fields.keys()), years=_years(profile, fields)
        )


def _as_set(values: Mapping[str, Any]) -> dict[str, FieldValue]:
    """Return fields as they are set: what JSON has as lists are tuples."""
    return as_fields({name: tuple(value) if isinstance(value, list) else value for name, value in values.items()})  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]


def _texts(value: FieldValue) -> tuple[str, ...]:
    return value if isinstance(value, tuple) else (str(value),)


def _kinds(kind: str) -> tuple[str, ...]:
    return kinds_called(kind) or (kind.casefold(),)


def _words(
    profile: DocumentProfile, corrected: DocumentProfile, names: Iterable[str], changed: Iterable[str]
) -> dict[str, float]:
    """Return the words of names by strength: those of names that were set in full, of those they replace a little."""
    given = {name: getattr(corrected, name) for name in ("title", "issuer") if name in {*changed}}
    new = {word for text in (*given.values(), *names) for word in _names_in(text)} | initials_of_issuer(
        given.get("issuer", "")
    )
    own = {word for text in (corrected.title, corrected.issuer) for word in _names_in(text)} | new
    old = {word for name in given for word in _names_in(getattr(profile, name))}
    old |= initials_of_issuer(profile.issuer) if "issuer" in given else set()
    gone = (profile.short_forms.keys() - corrected.short_forms.keys()) | ({*profile.former} - {*corrected.former})
    old |= {word for short in gone for word in _names_in(short)}
    kept = {word: min(much, _REPLACED) if word in old - own else much for word, much in profile.words.items()}
    return {**kept, **dict.fromkeys(sorted(new), 1.0)}


def _names_in(text: str) -> set[str]:
    return {word for word, _ in words_of(text) if tells(word)}


def _years(profile: DocumentProfile, fields: Mapping[str, FieldValue]) -> dict[str, float]:
    """Return years, quarters and days by strength: those of a period that is set in full, others then less."""
    years = dict(profile.years)
    if date := str(fields.get("date", "")):
        years.pop(profile.date, None)
        years[date[:4]] = max(years.get(date[:4], 0.0), _YEAR_OF_DATE)
        if len(date) > len("2023-08"):
            years[date] = 1.0
    if period := str(fields.get("period", "")):
        set_days = {str(fields.get("date", ""))}
        years = {key: much if key in set_days else min(much, _OTHER_YEAR) for key, much in years.items()}
        years |= dict.fromkeys(period_keys(period), 1.0)
    return years
