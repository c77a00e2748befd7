"""Spreadsheets to flowing text: each sheet is a part with the tables, captions and paragraphs on it.

`xlsx`, `ods`, `binary` (XLS, XLSB) and `delimited` (CSV, TSV) read a file into a `Sheet`; `regions` finds what stands
together on it, and `blocks` makes tables, captions and paragraphs of that.
"""
