"""Spreadsheets to flowing text: each sheet is a part, and the tables on it are told apart and say their cells.

`xlsx`, `ods`, `binary` (XLS, XLSB) and `delimited` (CSV, TSV) read a file into `sheet.Sheet`; `blocks` finds
what stands together on a sheet and makes tables, captions and paragraphs of it.
"""
