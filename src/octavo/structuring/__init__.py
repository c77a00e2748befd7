"""Pages of lines to a document: blocks, reading order, headings and their levels."""

from octavo.structuring.structure import STRUCTURE_VERSION, structure

__all__ = ["STRUCTURE_VERSION", "structure"]
