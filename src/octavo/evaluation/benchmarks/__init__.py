"""Benchmarks: a reader of rows for each, a table of them all, and `load`, which reads one with its documents."""
