"""Subtitles (`.srt`): a heading for each minute, and under it what is said in that minute."""

from __future__ import annotations

import re
from itertools import groupby

from octavo_documents.document import Kind
from octavo_documents.parsing.encodings import text_of
from octavo_documents.parsing.flow import FlowBlock, FlowContent, NoText, collapse_whitespace

_CUE = re.compile(r"^(\d\d):(\d\d):\d\d[,.]\d{3} --> .*\n((?:.*\S.*\n?)+)", re.MULTILINE)
_TAG = re.compile(r"</?[a-z][^>]*>")


def read(data: bytes) -> FlowContent:
    """Return what the bytes of a file hold. Raises NoText where it is no such file."""
    text, warnings = text_of(data)
    cues = [(f"{hour}:{minute}", said) for hour, minute, said in _CUE.findall(text.replace("\r\n", "\n"))]
    if not cues:
        raise NoText("it has no subtitles")
    blocks = list[FlowBlock]()
    for minute, said in groupby(cues, key=lambda cue: cue[0]):
        blocks.append(FlowBlock(Kind.HEADING, f"Minute {minute}", level=1))
        words = collapse_whitespace(_TAG.sub("", " ".join(text for _, text in said)))
        blocks.append(FlowBlock(Kind.PARAGRAPH, words))
    return FlowContent(tuple(blocks), warnings=warnings)
