"""Wrong arguments of the public calls: one line that names the argument and what it takes, before anything is done."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import octavo
from octavo.corpus import Corpus, arguments
from octavo.corpus.conversation import Conversation
from octavo.corpus.places import Places
from octavo.errors import UsageError
from octavo.models.gateway import Caps

UNCHECKED = {"self", "corpus", "turns", "value"}
"""Parameters that only other parts of Octavo give."""


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    return octavo.open(tmp_path / "corpus")


def test_every_argument_of_a_public_call_is_looked_at() -> None:
    unknown = [
        f"{cls.__name__}.{name}({parameter})"
        for cls in (Corpus, Places, Conversation)
        for name, method in vars(cls).items()
        if inspect.isfunction(method) and (name == "__init__" or not name.startswith("_"))
        for parameter in inspect.signature(method).parameters.values()
        if parameter.name not in UNCHECKED and arguments.check_of(parameter) is None
    ]
    assert unknown == []


CALLS: dict[str, Callable[[Corpus, Any], object]] = {
    "question": lambda corpus, value: corpus.ask(value),
    "question of search": lambda corpus, value: corpus.search(value),
    "question of stream": lambda corpus, value: corpus.stream(value),
    "question of a conversation": lambda corpus, value: corpus.conversation().ask(value),
    "quote": lambda corpus, value: corpus.verify(value),
    "reference": lambda corpus, value: corpus.resolve(value),
    "reference of document": lambda corpus, value: corpus.document(value),
    "references": lambda corpus, value: corpus.remove(value),
    "references of select": lambda corpus, value: corpus.select(value),
    "paths": lambda corpus, value: corpus.add(value),
    "paths of plan": lambda corpus, value: corpus.plan(value),
    "page": lambda corpus, value: corpus.words("a", value),
    "dpi": lambda corpus, value: corpus.render("a", 1, dpi=value),
    "passages": lambda corpus, value: corpus.search("x", passages=value),
    "sort": lambda corpus, value: corpus.list(sort=value),
    "system": lambda corpus, value: corpus.ask("x", system=value),
    "ocr": lambda corpus, value: corpus.add("x", ocr=value),
    "block": lambda corpus, value: corpus.marks("a", value, ["x"]),
}
NONE_TAKEN: dict[str, Callable[[Corpus, Any], object]] = {
    "documents": lambda corpus, value: corpus.ask("x", documents=value),
    "documents of a conversation": lambda corpus, value: corpus.conversation(value),
    "documents of verify": lambda corpus, value: corpus.verify("x", value),
    "ids": lambda corpus, value: corpus.view(value),
    "limit": lambda corpus, value: corpus.ask("x", limit=value),
    "limit of list": lambda corpus, value: corpus.list(limit=value),
    "workers": lambda corpus, value: corpus.add("x", workers=value),
    "caps": lambda corpus, value: corpus.ask("x", caps=value),
    "progress": lambda corpus, value: corpus.add("x", progress=value),
    "box": lambda corpus, value: corpus.picture("a", 1, box=value),
    "path": lambda _corpus, value: octavo.open(value),
    "models": lambda _corpus, value: octavo.open("x", models=value),
}


@pytest.mark.parametrize("value", [None, 3.5, b"x", [None], {}], ids=repr)
@pytest.mark.parametrize("argument", CALLS)
def test_a_wrong_argument_is_named_with_what_it_takes(corpus: Corpus, argument: str, value: object) -> None:
    if argument == "dpi" and value == 3.5:
        return
    with pytest.raises(UsageError) as caught:
        CALLS[argument](corpus, value)
    assert str(caught.value).startswith(f"{argument.split()[0]} takes ")
    assert "\n" not in str(caught.value)
    assert not corpus.path.exists()


@pytest.mark.parametrize("value", [3.5, b"x", [None]], ids=repr)
@pytest.mark.parametrize("argument", NONE_TAKEN)
def test_a_wrong_argument_that_may_be_left_out_is_named_too(corpus: Corpus, argument: str, value: object) -> None:
    with pytest.raises(UsageError, match=f"^{argument.split()[0]} takes "):
        NONE_TAKEN[argument](corpus, value)


@pytest.mark.parametrize("value", [[], (), set(), iter(())], ids=["list", "tuple", "set", "iterator"])
@pytest.mark.parametrize("argument", ["documents", "ids", "documents of a conversation"])
def test_no_name_at_all_does_not_mean_everything(corpus: Corpus, argument: str, value: object) -> None:
    with pytest.raises(UsageError, match=f"^{argument.split()[0]} takes .*not an empty"):
        (CALLS | NONE_TAKEN)[argument](corpus, value)


def test_adding_no_files_adds_none(corpus: Corpus) -> None:
    assert not corpus.add([]).added


@pytest.mark.parametrize("limit", ["3", 0, -1, True, 2.0])
def test_a_limit_is_a_whole_number(corpus: Corpus, limit: object) -> None:
    with pytest.raises(UsageError, match=r"^limit takes a whole number, 1 or more, or None, not"):
        corpus.ask("x", limit=limit)  # type: ignore[arg-type]


def test_an_empty_name_does_not_mean_the_current_folder(corpus: Corpus) -> None:
    for paths in ("", " ", ["a.pdf", ""]):
        with pytest.raises(UsageError, match="paths holds an empty name"):
            corpus.add(paths)
    with pytest.raises(UsageError, match="path is empty"):
        octavo.open("")


@pytest.mark.parametrize("question", ["", "  \n"])
def test_a_question_without_words_is_empty(corpus: Corpus, question: str) -> None:
    for ask in (corpus.ask, corpus.search, corpus.stream, corpus.conversation().ask):
        with pytest.raises(UsageError, match="the question is empty"):
            ask(question)


@pytest.mark.parametrize("question", ["?", "?!.,;:-", "→ §"])
def test_a_question_of_nothing_but_signs_says_so(corpus: Corpus, question: str) -> None:
    for ask in (corpus.ask, corpus.search, corpus.stream, corpus.conversation().ask):
        with pytest.raises(UsageError, match="no word and no number"):
            ask(question)


def test_a_question_that_is_no_utf_8_says_so(corpus: Corpus) -> None:
    with pytest.raises(UsageError, match=r"^question is not UTF-8"):
        corpus.ask("What is the fee\udcff?")


def test_caps_that_are_no_numbers_are_told() -> None:
    for value in ("3", True, [1]):
        with pytest.raises(UsageError, match="max_calls needs a number, 0 or more"):
            Caps(calls=value)  # type: ignore[arg-type]


def test_what_is_right_in_another_dress_is_taken(corpus: Corpus, tmp_path: Path) -> None:
    import numpy as np

    file = tmp_path / "fees.md"
    file.write_text("# Fees\n\nThe fee is 7 dollars.\n", encoding="utf-8")
    corpus.add(path for path in [file])
    assert corpus.resolve(file).name == "fees.md"  # type: ignore[arg-type]
    assert corpus.list(file)[0].name == "fees.md"  # type: ignore[arg-type]
    assert corpus.search("fee", documents={str(file)}, limit=np.int64(1), passages=np.bool_(False)).evidence  # type: ignore[arg-type]
