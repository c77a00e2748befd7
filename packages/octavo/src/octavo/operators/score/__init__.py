"""Operators that give rows scores: searches, references, features of pages, and how scores are fused."""
