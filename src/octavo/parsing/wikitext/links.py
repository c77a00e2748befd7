"""What a link in wikitext shows: its words, a picture's caption, or nothing.

Owns the namespaces and picture options, in the languages of the large wikis. Follows no link.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from octavo.document import Kind
from octavo.parsing.flow import FlowBlock
from octavo.parsing.wikitext.kept import Kept
from octavo.parsing.wikitext.words import words

_PICTURES = (
    "file image media datei bild fichier archivo imagen immagine ficheiro imagem bestand afbeelding plik grafika файл "
    "изображение fil tiedosto kuva soubor dosya ファイル 画像 文件 图像 파일 ملف"
)
_FILES = frozenset(_PICTURES.split())
_CATEGORIES = (
    "category kategorie catégorie categoría categoria categorie kategoria категория kategori luokka カテゴリ 分类 분류 "
    "تصنيف"
)
_UNSEEN = frozenset(_CATEGORIES.split())
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[a-z]{2,10}){0,2}|simple")
_OPTION = re.compile(
    r"\s*+(?:thumb(?:nail)?|mini(?:atur|atura)?|vignette|frame(?:d|less)?|border|left|right|center|centre|none|links|"
    r"rechts|zentriert|gauche|droite|centré|izquierda|derecha|centro|upright|hochkant|baseline|middle|sub|super|top|"
    r"text-top|bottom|text-bottom|\d{0,5}x?\d{1,5}\s*+px|"
    r"(?:upright|hochkant|link|alt|page|lang|class|thumb|location|start|end|verweis)\s*+=.*+)\s*+",
    re.IGNORECASE | re.DOTALL,
)


def link(body: str, kept: Kept) -> str:
    """Return what stands for a link with these words between its brackets; a picture with a caption is kept."""
    target, bar, label = body.partition("|")
    prefix, colon, rest = target.partition(":")
    if colon:
        space = prefix.strip().lower()
        if space in _FILES:
            return _picture(label.split("|"), kept)
        if space in _UNSEEN or (not bar and rest and _LANGUAGE.fullmatch(space)):
            return ""
    return label.strip("|") if label.strip() else target.lstrip(":").strip("[ ")


def _picture(options: Sequence[str], kept: Kept) -> str:
    text = words(_caption(options), kept)
    return kept.put(FlowBlock(Kind.FIGURE, text)) if text else ""


def _caption(options: Sequence[str]) -> str:
    """Return what a picture's options say of it: the last that is no option, else its alternative text, else ""."""
    alternative = ""
    for option in reversed(options):
        if option.strip() and not _OPTION.fullmatch(option):
            return option.strip()
        name, _, value = option.partition("=")
        if name.strip().lower() == "alt":
            alternative = value.strip()
    return alternative
