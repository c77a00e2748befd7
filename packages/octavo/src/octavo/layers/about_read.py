"""The layer that says what a document is about as a model which read its first pages says it.

Documents are looked up among many by it where it is there, else by what the rules found.
"""

from __future__ import annotations

import dataclasses

from octavo.about.description import DocumentDescription
from octavo.about.profile import DocumentProfile
from octavo.about.profiling import told_by
from octavo.decisions.describe_document import DESCRIBE_DOCUMENT, DocumentDescribed, DocumentToDescribe
from octavo.layers.about import ABOUT
from octavo.layers.base import Layer, LayerInputs, rehearsed


def build(inputs: LayerInputs) -> bytes:
    """Return the packed profile with what a model says over what rules found; that of the rules where none decided."""
    by_rule = DocumentProfile.from_bytes(inputs.stored[ABOUT.name])
    opening, heads, ending = told_by(inputs.document)
    decided = inputs.judge.decide(
        DESCRIBE_DOCUMENT, DocumentToDescribe(inputs.document.name, opening, heads, ending, by_rule)
    )
    return (by_rule if decided.by == "rule" else _over(by_rule, decided.output)).to_bytes()


def _over(by_rule: DocumentProfile, said: DocumentDescribed) -> DocumentProfile:
    """Return a profile with what a model says in the place of what rules found, and its names beside theirs."""
    forms = {one.short: one.stands_for for one in said.short_forms}
    fields = said.fields
    if forms:
        fields["names"] = tuple(dict.fromkeys((*said.names, *forms)))
    corrected = DocumentDescription(sidecar=fields).over(by_rule)
    return dataclasses.replace(
        corrected,
        short_forms={**by_rule.short_forms, **forms},
        names=tuple(said.names),
        by_model=tuple(sorted(fields)),
    )


ABOUT_READ = Layer(
    "about_read",
    1,
    reads=(ABOUT.name,),
    build=build,
    decisions=(DESCRIBE_DOCUMENT.name,),
    estimate=rehearsed(build),
)
