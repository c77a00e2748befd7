"""The second hop: a document that the best one mentions by title is found by the mention, not by its words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexed import run_over
from octavo.evidence import Evidence
from octavo.operators.score.fuse import MENTIONED, BoostMentionedDocuments
from octavo_documents.document import Document, Kind
from octavo_documents.text.titles import TitleWords, by_title, mentioned_among, mentioned_in, title_key
from synthetic import document


def article(name: str, *texts: str) -> Document:
    return document([(Kind.PARAGRAPH, text, 1, 0) for text in texts], name=name)


FILM = article("Silver Harbour.md", "Silver Harbour is a film by Olga Lind.", "It was shown in Vesterby.")
DIRECTOR = article("Olga Lind (director).md", "She studied music.", "Born in a town by the sea.")
TOWN = article("Vesterby.md", "A town of fishermen.")
OTHER = article("Red Harvest.md", "A film about farms.")


def ranked(*sources: Document, scores: list[float], step: BoostMentionedDocuments) -> Evidence:
    run = run_over(*sources)
    return step(Evidence.of(run.view, range(len(run.view)), fused=scores), run)


class TestTitles:
    @pytest.mark.parametrize(
        ("name", "key"),
        [
            ("Silver Harbour", "silver harbour"),
            ("Silver Harbour.md", "silver harbour"),
            ("Olga Lind (director).html", "olga lind"),
            ("Vesterby", "vesterby"),
            ("Dr. No", "dr no"),
            ("Up", ""),
            ("1984", ""),
            ("There", ""),
            ("", ""),
        ],
    )
    def test_a_name_is_compared_by_its_words_without_ending_and_brackets(self, name: str, key: str) -> None:
        assert title_key(name) == key

    def test_the_longest_title_at_a_word_counts(self) -> None:
        titles = {"new vesterby": [1], "new vesterby bridge": [2], "vesterby": [3]}
        assert mentioned_in(TitleWords.of("the New Vesterby Bridge"), titles) == [2, 3]

    def test_a_title_in_small_letters_is_no_mention(self) -> None:
        assert mentioned_in(TitleWords.of("a silver harbour at night"), {"silver harbour": [1]}) == []

    @given(st.lists(st.sampled_from(["Ab", "Cd", "ef", "Gh", "12", "ij"]), min_size=2, max_size=8))
    def test_a_title_of_several_words_is_found_in_any_text_where_it_begins_as_titles_do(self, words: list[str]) -> None:
        name = "Zz " + " ".join(words[:6])
        assert mentioned_in(TitleWords.of(f"there was {name}, they say"), {title_key(name): [7]}) == [7]

    @given(
        st.lists(st.text("Ab1 .()-'ß", max_size=12), max_size=6),
        st.lists(st.sampled_from(["Ab", "b1", "1b", "A'b", "Ss", "ab", "-"]), max_size=12),
    )
    def test_of_many_names_the_same_are_found_as_when_all_keys_are_made(
        self, names: list[str], words: list[str]
    ) -> None:
        numbered = dict(enumerate([*names, "Ab b1", "1b", "Ab.md", "A'b (b)"]))
        texts = [TitleWords.of(" ".join(words[::2])), TitleWords.of(" ".join(words))]
        titles = by_title(numbered.items())
        expected = [*dict.fromkeys(number for text in texts for number in mentioned_in(text, titles))]
        assert mentioned_among(texts, numbered) == expected


class TestMentioned:
    STEP = BoostMentionedDocuments("fused", 0.8)

    def test_the_best_block_of_a_mentioned_document_gains(self) -> None:
        found = ranked(FILM, OTHER, DIRECTOR, scores=[1.0, 0.2, 0.5, 0.1, 0.3], step=self.STEP)
        assert found.scores["fused"].tolist() == pytest.approx([1.0, 0.2, 0.5, 0.1, 1.1])
        assert found.sources[MENTIONED].tolist() == [False, False, False, False, True]

    def test_no_more_documents_gain_than_count(self) -> None:
        one = BoostMentionedDocuments("fused", 0.8, count=1)
        found = ranked(FILM, TOWN, DIRECTOR, scores=[1.0, 0.2, 0.1, 0.2, 0.3], step=one)
        assert found.scores["fused"].tolist() == pytest.approx([1.0, 0.2, 0.1, 0.2, 1.1])

    def test_only_the_best_documents_mentions_count(self) -> None:
        scores = [0.1, 0.2, 1.0, 0.1, 0.3]
        assert ranked(FILM, OTHER, DIRECTOR, scores=scores, step=self.STEP).scores["fused"].tolist() == scores

    def test_nothing_changes_where_a_single_document_is_asked(self) -> None:
        run = run_over(FILM)
        before = Evidence.of(run.view, range(2), fused=[1.0, 0.5])
        assert self.STEP.apply(before, run) is before

    def test_evidence_without_rows_stays_so(self) -> None:
        run = run_over(FILM, TOWN)
        assert len(self.STEP(Evidence.of(run.view, [], fused=[]), run)) == 0
