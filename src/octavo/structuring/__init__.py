"""Pages of lines to a document: blocks, reading order, headings and their levels."""
