"""Which blocks are headings, and on what level: outline, printed contents, numbers, type, and what speaks against."""
