"""Operators that give rows scores: searches, references, kinds and features of pages, and how scores are fused."""
