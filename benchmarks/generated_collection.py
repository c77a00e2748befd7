"""Collections of articles with questions whose evidence is known, generated from a seed.

Run: python benchmarks/generated_collection.py FOLDER [--articles 400] [--questions 200] [--seed 1] [--topics a,b]
     [--files]

Writes `articles.jsonl` and `questions.jsonl` into FOLDER, a benchmark for `octavo evaluate FOLDER`; with `--files`
each article is a Markdown file in FOLDER/documents instead. Articles have a lead before the first heading, headings of
two to four levels, lists, rows as boxes have them, tables, and about 100 to 900 words. They are made one at a time, so
that `--articles 200000 --questions 0` needs no more memory than a few.

Four kinds of questions: `sibling`, whose words stand in one section and whose answer stands in another, which only its
heading tells; `list`, whose items stand under several headings; `lookalike`, about one of a few articles of nearly the
same title that tell the same things with other values; and `single`, told in one block in the words of the question.
Names of seeds that differ modulo 64 are disjoint; TOPICS may be split so that no wording is shared either.
"""

from __future__ import annotations

import argparse
import dataclasses
import itertools
import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal, TypeVar

from collection_topics import TOPICS, Hidden, Plain, Spread, Topic
from collection_topics import Path as Headings
from collection_words import VALUES, Words

_Fact = TypeVar("_Fact", Hidden, Plain, Spread)
Kind = Literal["sibling", "list", "lookalike", "single"]
KINDS: tuple[Kind, ...] = ("sibling", "list", "lookalike", "single")
_SEVERAL = 0.3
"""Share of titles that two or three articles have nearly the same."""
_BOX = ("Registered: {y}", "Keeper: {p}", "Source: {q}", "Last revised: {y}")


@dataclasses.dataclass(frozen=True)
class Article:
    """A title and a text in Markdown, which begins with the title as its only heading of level one."""

    title: str
    text: str


@dataclasses.dataclass(frozen=True)
class GoldQuestion:
    """A question, its answers (all of them are wanted), and its evidence as (title, text of a block, verbatim)."""

    question: str
    answers: tuple[str, ...]
    evidence: tuple[tuple[str, str], ...]
    kind: Kind


@dataclasses.dataclass(frozen=True)
class Collection:
    """Articles, and questions about them."""

    articles: tuple[Article, ...]
    questions: tuple[GoldQuestion, ...]


def generate(seed: int, articles: int, questions: int, *, topics: Sequence[str] = tuple(TOPICS)) -> Collection:
    """Return a collection; the kinds of questions are equally many, each about an article of its own kind at most once.

    Raises ValueError when so few articles do not have so many questions.
    """
    made = list(itertools.islice(written(seed, _named(topics)), articles))
    asked = _chosen(random.Random(f"{seed} questions"), [one for _, found in made for one in found], questions)
    return Collection(tuple(article for article, _ in made), asked)


def stream(seed: int, articles: int, *, topics: Sequence[str] = tuple(TOPICS)) -> Iterator[Article]:
    """Yield the same articles as `generate`, one at a time, up to four million."""
    return (article for article, _ in itertools.islice(written(seed, _named(topics)), articles))


def _named(topics: Sequence[str]) -> list[Topic]:
    return [TOPICS[name] for name in topics]


def written(seed: int, topics: Sequence[Topic]) -> Iterator[tuple[Article, list[GoldQuestion]]]:
    """Yield articles with all questions they can answer."""
    for number in itertools.count():
        source = random.Random(f"{seed} {number}")
        words, topic = Words(seed, source), source.choice(topics)
        several = source.choice((2, 2, 3)) if source.random() < _SEVERAL else 1
        for title in _titles(topic, words, number, several):
            draft = _Draft(topic, title, words, has_twin=several > 1)
            yield draft.article(), draft.questions


def _titles(topic: Topic, words: Words, number: int, count: int) -> list[str]:
    """Return one title, or several that differ in one word; `number` tells them from all others."""
    one, other = number % words.names(), (number * 7 + 1 + number // words.names()) % words.names()
    names = {"a": words.name(one), "b": words.name(other)}
    if topic.title.startswith("{a}a "):
        names["b"] = names["b"].lower()
    years = words.random.sample(range(1850, 2020), count)
    if count == 1:
        return [topic.title.format(**names, k=years[0])]
    places = {words.name(number + 1 + at) for at in range(count)}
    return [topic.twin.format(**names, k=year, q=place) for year, place in zip(years, sorted(places), strict=True)]


class _Draft:
    """An article being written: blocks by the headings they stand under."""

    def __init__(self, topic: Topic, title: str, words: Words, *, has_twin: bool) -> None:
        self._topic, self._title, self._words, self._has_twin = topic, title, words, has_twin
        self._blocks: dict[Headings, list[str]] = {}
        self.questions: list[GoldQuestion] = []
        length = words.random.choice((100, 200, 300, 450, 600, 800))
        self._box = [self._said(row, "") for row in words.random.sample(_BOX, words.number(0, 3))]
        self._tell(length)
        self._fill(length)

    def _tell(self, length: int) -> None:
        """Put in the facts: all in a long article, some in a short one."""
        share = min(0.3 + length / 600, 1.0)
        for hidden in self._some(self._topic.hidden, share):
            self._hide(hidden)
        for plain in self._some(self._topic.plain, share):
            self._say(plain)
        for spread in self._some(self._topic.spread, share):
            self._spread(spread)

    def _some(self, facts: Sequence[_Fact], share: float) -> list[_Fact]:
        return self._words.random.sample(list(facts), max(1, round(len(facts) * share)))

    def _hide(self, fact: Hidden) -> None:
        value = VALUES[fact.value](self._words)
        text = self._said(fact.tell, value)
        ends = text.endswith(".")
        self._put(fact.path, text if ends else f"- {text}")
        if not ends:
            self._put(fact.path, f"- {self._said('{p}, noted in {y}', '')}")
        self._put(fact.near, f"{self._said(fact.decoy, value)} {self._words.sentence()}")
        self._ask(fact.ask, [value], [text], "sibling")

    def _say(self, fact: Plain) -> None:
        value = VALUES[fact.value](self._words)
        text = self._said(fact.tell, value)
        if fact.path:
            text = f"{text} {self._words.sentence()}" if self._words.random.random() < 0.5 else text
            self._put(fact.path, text)
        else:
            self._box.append(text)
        self._ask(fact.ask, [value], [text], "lookalike" if self._has_twin else "single")

    def _spread(self, fact: Spread) -> None:
        values = [VALUES[fact.value](self._words) for _ in fact.items]
        texts = [self._said(tell, value) for (_, tell), value in zip(fact.items, values, strict=True)]
        for (path, _), text in zip(fact.items, texts, strict=True):
            self._put(path, text)
        if len(set(values)) == len(values):
            self._ask(fact.ask, values, texts, "list")

    def _ask(self, ask: str, values: Sequence[str], texts: Sequence[str], kind: Kind) -> None:
        evidence = tuple((self._title, text) for text in texts)
        self.questions.append(GoldQuestion(ask.format(e=self._title), tuple(values), evidence, kind))

    def _said(self, template: str, value: str) -> str:
        made = {key: VALUES[kind](self._words) for key, kind in (("p", "person"), ("q", "place"), ("y", "year"))}
        return template.format(e=self._title, v=value, **made)

    def _put(self, path: Headings, block: str) -> None:
        self._blocks.setdefault(path, []).append(block)

    def _fill(self, length: int) -> None:
        """Put in paragraphs that answer nothing until the article is about so long."""
        written = sum(block.count(" ") + 1 for blocks in self._blocks.values() for block in blocks)
        while written < length:
            path = self._words.pick([*self._topic.filler, *self._blocks])
            if self._words.random.random() < 0.1:
                path = (*path[:2], f"{self._words.name()} {self._words.pick('affair inquiry papers years')}")
            size = self._words.number(25, 90)
            self._place(path, self._table() if self._words.random.random() < 0.05 else self._words.paragraph(size))
            written += size

    def _place(self, path: Headings, block: str) -> None:
        """Put a block at either end of its section, but not between the items of a list."""
        blocks = self._blocks.setdefault(path, [])
        blocks.insert(0 if self._words.random.random() < 0.5 else len(blocks), block)

    def _table(self) -> str:
        """Return a table of a few rows."""
        rows = [[self._said("{y}", ""), self._said("{q}", ""), self._said("{p}", "")] for _ in range(4)]
        return "\n".join("| " + " | ".join(row) + " |" for row in (["Year", "Place", "Person"], ["---"] * 3, *rows))

    def article(self) -> Article:
        """Return the article as it is written."""
        lead = " ".join(self._said(sentence, "") for sentence in self._topic.lead)
        self._words.random.shuffle(self._box)
        parts = [f"# {self._title}", f"{lead} {self._words.sentence()}", "\n".join(f"- {row}" for row in self._box)]
        parts += self._sections()
        return Article(self._title, "\n\n".join(part for part in parts if part) + "\n")

    def _sections(self) -> Iterator[str]:
        """Yield headings and blocks; the first headings come in an order of the article's own."""
        firsts = list(dict.fromkeys(path[0] for path in self._blocks))
        self._words.random.shuffle(firsts)
        order = {path: at for at, path in enumerate(self._blocks)}
        open_path: Headings = ()
        for path in sorted(self._blocks, key=lambda path: (firsts.index(path[0]), *_within(path, order))):
            shared = next((at for at, (a, b) in enumerate(zip(path, open_path, strict=False)) if a != b), None)
            start = min(len(path), len(open_path)) if shared is None else shared
            yield from (f"{'#' * (at + 2)} {path[at]}" for at in range(start, len(path)))
            yield from _joined(self._blocks[path])
            open_path = path


def _within(path: Headings, order: dict[Headings, int]) -> tuple[int, ...]:
    """Return where a section stands below its first heading: a heading's own text before that of those under it."""
    seconds = [at for other, at in order.items() if other[:2] == path[:2]]
    return () if len(path) == 1 else (min(seconds), len(path) > 2, order[path])


def _joined(blocks: Sequence[str]) -> Iterator[str]:
    """Yield the blocks, items that follow each other as one list."""
    for is_list, group in itertools.groupby(blocks, key=lambda block: block.startswith("- ")):
        yield ("\n" if is_list else "\n\n").join(group)


def _chosen(source: random.Random, known: list[GoldQuestion], count: int) -> tuple[GoldQuestion, ...]:
    """Return `count` questions, the kinds in turn; none of its kind shares an article with another."""
    source.shuffle(known)
    by_kind = {kind: iter(_apart([one for one in known if one.kind == kind])) for kind in KINDS}
    found = [next(by_kind[KINDS[at % len(KINDS)]], None) for at in range(count)]
    if None in found:
        raise ValueError(f"so few articles do not have {count} questions; ask for more articles")
    return tuple(one for one in found if one is not None)


def _apart(known: Sequence[GoldQuestion]) -> Iterator[GoldQuestion]:
    titles: set[str] = set()
    for one in known:
        title = one.evidence[0][0]
        if title not in titles:
            titles.add(title)
            yield one


def row(at: int, asked: GoldQuestion) -> dict[str, object]:
    """Return a question as a line of `questions.jsonl` has it."""
    return {
        "id": f"{asked.kind}-{at}",
        "question": asked.question,
        "answer": asked.answers[0] if len(asked.answers) == 1 else list(asked.answers),
        "answer_format": "Str" if len(asked.answers) == 1 else "List",
        "evidence_documents": list(dict.fromkeys(title for title, _ in asked.evidence)),
        "evidence_text": [text for _, text in asked.evidence],
        "task_type": asked.kind,
    }


def write(folder: Path, articles: Iterator[Article], questions: Sequence[GoldQuestion], *, as_files: bool) -> int:
    """Write a benchmark folder and return how many words the articles have."""
    folder.mkdir(parents=True, exist_ok=True)
    words = (_as_files if as_files else _as_lines)(folder, articles)
    with (folder / "questions.jsonl").open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(row(at, asked)) + "\n" for at, asked in enumerate(questions))
    return words


def _as_lines(folder: Path, articles: Iterator[Article]) -> int:
    words = 0
    with (folder / "articles.jsonl").open("w", encoding="utf-8") as file:
        for article in articles:
            file.write(json.dumps({"title": article.title, "markdown": article.text}) + "\n")
            words += len(article.text.split())
    return words


def _as_files(folder: Path, articles: Iterator[Article]) -> int:
    words = 0
    (folder / "documents").mkdir(exist_ok=True)
    for article in articles:
        (folder / "documents" / f"{article.title}.md").write_text(article.text, "utf-8")
        words += len(article.text.split())
    return words


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--articles", type=int, default=400)
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--topics", default=",".join(TOPICS), help="names with commas between them")
    parser.add_argument("--files", action="store_true")
    given = parser.parse_args()
    topics = given.topics.split(",")
    asked = generate(given.seed, given.articles, given.questions, topics=topics).questions if given.questions else ()
    articles = stream(given.seed, given.articles, topics=topics)
    words = write(given.folder, articles, asked, as_files=given.files)
    print(f"{given.articles} articles of {words / max(given.articles, 1):.0f} words, {len(asked)} questions")


if __name__ == "__main__":
    main()
