"""In which language an answer speaks around what it quotes: that of its question, else that of whoever reads it."""

from __future__ import annotations

from contextlib import AbstractContextManager

from octavo_documents import wording
from octavo_documents.document import is_no_page, printed_label
from octavo_documents.text.language_identification import language_of


def language_of_answer(question: str) -> str:
    """Return the language of a question where Octavo speaks it, else that of whoever reads the answer."""
    told = language_of(question, expected="")
    spoken = told in wording.CATALOGUES or told == wording.ENGLISH
    return told if spoken else wording.language()


def answering(question: str) -> AbstractContextManager[None]:
    """Speak in the block as the answer to a question does."""
    return wording.speaking(language_of_answer(question))


def page_told(page: int, label: str) -> str:
    """Return what a page is called, as `page_name` does, in the language that is spoken: "Seite 12", "Blatt Costs"."""
    if is_no_page(label):
        kind, _, rest = label.partition(" ")
        return wording.t(f"{kind} {{name}}", name=rest)
    printed = printed_label(page, label)
    if printed:
        return wording.t("page {page} (printed “{label}”)", page=str(page), label=printed)
    return wording.t("page {name}", name=str(page))


def is_on(label: str) -> bool:
    """Return whether something stands on what has a label, as on pages and slides, and not in it, as in sheets."""
    return not is_no_page(label) or label.startswith(("page ", "slide "))


def in_turn(texts: list[str]) -> str:
    """Return texts with "or" between them."""
    return wording.t(" or ").join(texts)
