"""Benchmarks: a reader of rows for each, and `load`, which has the table of them and reads one with its documents."""
