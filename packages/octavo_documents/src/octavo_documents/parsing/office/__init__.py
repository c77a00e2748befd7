"""Documents, slides and books that are archives of XML: DOCX, PPTX, ODT, ODP and EPUB.

Each module that `formats.FLOWING` names has `read`. Nothing in a file is run, no linked picture or object is opened,
and what is left out is said in the warnings.
"""
