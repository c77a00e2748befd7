"""Generated collections have the gold they say they have."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from collection_topics import HELD_OUT, TOPICS, more_topics
from collection_words import VALUES, Words
from generated_collection import Collection, generate, stream, write
from octavo_documents.parsing import DEFAULT_LIMITS
from octavo_documents.parsing.articles import Article, Container
from octavo_documents.parsing.formats import read_flow
from octavo_lab.benchmarks import load

COMMON = frozenset(re.findall(r"\w+", "a an and at by for from how in is it of on once the to was what which who with"))


@pytest.fixture(scope="module")
def made() -> Collection:
    return generate(3, 160, 40)


def words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.lower())) - COMMON


def test_a_seed_says_everything(made: Collection) -> None:
    assert generate(3, 160, 40) == made
    assert tuple(stream(3, 160)) == made.articles
    assert tuple(stream(3, 90)) == made.articles[:90]
    assert len({article.title for article in made.articles}) == 160


def test_seeds_and_topics_share_no_names(made: Collection) -> None:
    names = [{Words(seed, random.Random(1)).name(number) for number in range(2112)} for seed in (3, 4)]
    assert [len(one) for one in names] == [2112, 2112] and not names[0] & names[1]
    held = generate(3, 80, 8, topics=HELD_OUT)
    assert not any("Museum" in article.title for article in held.articles)
    assert set(HELD_OUT) < set(TOPICS)


def test_evidence_is_a_block_of_the_article_and_holds_the_answer(made: Collection, tmp_path: Path) -> None:
    texts = {article.title: article.text for article in made.articles}
    path = tmp_path / "article.md"
    for asked in made.questions[:24]:
        for answer, (title, block) in zip(asked.answers, asked.evidence, strict=True):
            path.write_text(texts[title], "utf-8")
            assert answer in block
            assert block in [one.text for one in read_flow(path, DEFAULT_LIMITS).blocks]


def test_only_the_heading_tells_where_a_sibling_answer_is(made: Collection) -> None:
    texts = {article.title: article.text for article in made.articles}
    for asked in (one for one in made.questions if one.kind == "sibling"):
        title, block = asked.evidence[0]
        wanted = words(asked.question) - words(title)
        near = max(texts[title].split("\n\n"), key=lambda part: len(words(part) & wanted))
        assert block not in near
        assert len(words(near) & wanted) >= 2 * len(words(block) & wanted)


def test_lookalikes_have_twins_and_lists_several_headings(made: Collection) -> None:
    titles = [article.title for article in made.articles]
    kinds = {one.kind for one in made.questions}
    assert kinds == {"sibling", "list", "lookalike", "single"}
    for asked in made.questions:
        title = asked.evidence[0][0]
        if asked.kind == "lookalike":
            assert any(len(words(title) ^ words(other)) == 2 for other in titles)
        if asked.kind == "list":
            assert len(asked.evidence) >= 3


def test_a_written_collection_is_a_benchmark(made: Collection, tmp_path: Path) -> None:
    write(tmp_path / "lines", iter(made.articles[:3]), made.questions[:8], as_files=False)
    read = load(str(tmp_path / "lines"))
    assert [path.name for path in read.documents] == ["articles.jsonl"] and not read.warnings
    assert [asked.question for asked in read.questions] == [asked.question for asked in made.questions[:8]]
    with Container(read.documents[0]) as container:
        articles = list(container.articles())
    assert [(one.title, one.format) for one in articles if isinstance(one, Article)] == [
        (article.title, "markdown") for article in made.articles[:3]
    ]
    write(tmp_path / "files", iter(made.articles[:3]), made.questions[:8], as_files=True)
    assert len(load("multihop", tmp_path / "files").documents) == 3


def test_topics_in_several_wordings_can_be_asked_of() -> None:
    topics = more_topics()
    assert len({topic.name for topic in topics}) == len(topics) > 4
    for topic in topics:
        for fact in (*topic.hidden, *topic.plain):
            assert "{e}" in fact.ask and "{v}" not in fact.ask
            assert fact.tell.count("{v}") == 1 and fact.value in VALUES
        for hidden in topic.hidden:
            wanted = words(hidden.ask)
            assert len(words(hidden.decoy) & wanted) >= 2 * len(words(hidden.tell) & wanted - {"v"})
            assert not words(" ".join(hidden.path)) & wanted
        for asked in topic.spread:
            assert "{e}" in asked.ask and asked.value in VALUES
            assert len({path for path, _ in asked.items}) >= 3
            assert all(tell.count("{v}") == 1 for _, tell in asked.items)


def test_too_few_articles_are_told() -> None:
    with pytest.raises(ValueError, match="more articles"):
        generate(3, 4, 40)
