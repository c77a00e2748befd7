"""The example handbook: text files in `content/`, set into a PDF whose structure is recorded while it is laid out."""
