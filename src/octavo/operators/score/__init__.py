"""Operators that give rows scores: searches, references, kinds and features of pages, and how scores are fused.

`page_features` tells what a page shows beside its words, for or against it: things of the kind asked for, financial
statements, and contents that only point elsewhere (`contents_pages`). `document_bonuses` tells how well a document
fits, and which documents the best ones name by title.
"""
