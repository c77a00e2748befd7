"""Text with marks in it to flowing text: RTF, LaTeX, reStructuredText, AsciiDoc, Org, notebooks, papers in JATS."""
