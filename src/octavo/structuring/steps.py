"""A parser's pages to a document, step by step.

Owns the order of the steps over the whole document. Knows nothing about file formats or stores.
"""

from __future__ import annotations

from octavo.document import Document
from octavo.parsing.content import SourceContent
from octavo.structuring.assembly import document_of
from octavo.structuring.breaks import Words
from octavo.structuring.continuation import link_continuations
from octavo.structuring.figures.repeated import repeated_images, with_images, without
from octavo.structuring.furniture import furniture
from octavo.structuring.headings.sections import set_headings
from octavo.structuring.headings.slides import is_deck
from octavo.structuring.initials import with_initials
from octavo.structuring.layout import PageLayout
from octavo.structuring.lines import body_size, page_lines
from octavo.structuring.references.links import link_references


def structured(content: SourceContent, *, name: str, digest: str) -> Document:
    """Return the document in `content`; see `octavo.structuring.structure`."""
    pages = [with_initials(page_lines(page)) for page in content.pages]
    body = body_size(pages)
    words = Words(text for page in pages for text in page.texts)
    marked = furniture(pages, body, is_deck=is_deck(content.pages))
    images = repeated_images(content.pages)
    drafts = [
        with_images(PageLayout(without(source, repeated), page, words, body).drafts(marks), repeated, source)
        for source, page, marks, repeated in zip(content.pages, pages, marked, images, strict=True)
    ]
    set_headings(drafts, content)
    link_continuations(drafts)
    link_references(drafts, content)
    return document_of(content, [item for page in drafts for item in page], name=name, digest=digest)
