"""Wikitext, the mark-up of MediaWiki, to blocks.

Tags are read first, then templates and links, then lines. Every step goes over the text once. No template is run and no
address is followed: what a page takes from elsewhere is not in it.
"""

from __future__ import annotations

import re

from octavo.parsing.flow import FlowContent, NoText, text_of
from octavo.parsing.wikitext.lines import blocks_of
from octavo.parsing.wikitext.templates_and_links import without_nesting
from octavo.parsing.wikitext.text import Kept, without_tags, words

_REDIRECT = re.compile(r"\s*+#\s?(?!\d)\w{3,20}+\s*+:?\s*+\[\[([^\[\]|#\n]{1,300})[^\[\]\n]{0,300}\]\]")
"""A first line of one word after a number sign and a link, whatever the language; an item would have more words."""
_MOST_AFTER = 2000
"""Characters: a redirect has categories and remarks after it, no article."""
_TITLE = re.compile(r"\{\{\s*+DISPLAYTITLE\s*+:([^{}|\n]{1,300})")


def read(data: bytes) -> FlowContent:
    """Return the blocks of a page. Raises NoText, also for a redirect."""
    text, warnings = text_of(data)
    redirect = _REDIRECT.match(text)
    if redirect and len(text) < _MOST_AFTER:
        raise NoText(f"it only sends on to “{redirect[1].strip()}” (a redirect)", "redirect")
    kept = Kept()
    title = _TITLE.search(text)
    plain = without_nesting(without_tags(text, kept), kept)
    blocks = tuple(blocks_of(plain.split("\n"), kept))
    return FlowContent(blocks, title=words(title[1], kept) if title else "", warnings=warnings)
