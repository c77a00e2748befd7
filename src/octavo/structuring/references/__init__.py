"""Words and link annotations that lead to another part of the document, and what they lead to."""
