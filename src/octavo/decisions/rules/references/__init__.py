"""What a question points at by name or place, read by a grammar: "page 5 of the appendix", "Fig. 2(b)"."""

from octavo.decisions.rules.references.grammar import references, unread
from octavo.decisions.rules.references.reference import Reference, Relation, What, canonical, number_value

__all__ = ["Reference", "Relation", "What", "canonical", "number_value", "references", "unread"]
