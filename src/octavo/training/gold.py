"""The right actions of a router that knows where the evidence stands.

Owns the labels: gold that is visible answers, gold hidden under a heading is a reason to open it, gold elsewhere one to
refuse. Knows nothing about models, questions or files.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from octavo.decisions.route_document import Actions, Routing, legal


def actions_of(routing: Routing, gold: Collection[int], hidden: Mapping[int, int]) -> Actions | None:
    """Return what to do with a document; None where its gold can neither be chosen nor be reached.

    Args:
        routing: What is shown.
        gold: Ids of the lines of this document that hold gold and were not chosen yet.
        hidden: For each heading that can be expanded, how many gold lines expanding it shows; the most first.
    """
    answer = [line.id for line in routing.lines if not line.is_heading and line.id in gold]
    closed = [line.id for line in routing.lines if line.is_heading and line.can_expand and hidden.get(line.id)]
    expand = sorted(closed, key=lambda one: -hidden[one])
    if not answer and not expand and (gold or not routing.can_refuse):
        return None
    actions = Actions(answer=answer, expand=expand, refuse=not answer and not expand)
    found = legal(actions, routing.lines)
    return None if found.dropped or found.collapsed else actions
