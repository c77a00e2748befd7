"""Understanding a question by its own words, once: what everything that is done for it goes by."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from typing import TypeVar

from octavo.question import asked_by_table as by_table
from octavo.question import expects as asking
from octavo.question import gaps, period_choices, planned_places, years_asked
from octavo.question import kinds as reaching
from octavo.question import looks as looking
from octavo.question import measured as measuring
from octavo.question import names as naming
from octavo.question import parts as splitting
from octavo.question import references as pointing
from octavo.question.expects import Expects
from octavo_documents.text import statements, things
from octavo_documents.text.analyzer import analyze
from octavo_documents.text.conditions import condition_in
from octavo_documents.text.language_identification import language_of
from octavo_documents.text.languages import ENGLISH
from octavo_documents.text.values_by_language import values_of
from octavo_documents.text.years import years_in

T = TypeVar("T")


def _read(reader: Callable[[str], T]) -> cached_property[T]:
    """Return a field of a question: what a reader makes of its text, when it is first looked at, and kept."""
    return cached_property(lambda question: reader(question.text))


def _read_in(english: Callable[[str], T], other: Callable[[str, str], T]) -> cached_property[T]:
    """Return a field that is read in another way of questions in other languages, whose code is told."""
    return cached_property(
        lambda question: (
            english(question.text) if question.language == ENGLISH else other(question.text, question.language)
        )
    )


@dataclasses.dataclass(frozen=True)
class Question:
    """What the words of a question say.

    It does not say what a model decides: `octavo.evidence.Query` carries that.
    """

    text: str

    language = _read(language_of)
    """The language of its words, by its code; English where they tell none."""

    # What is asked for

    @cached_property
    def expects(self) -> Expects:
        """The type of its answer; of "Who inspects it? (What does the lift carry?)" that of what comes first."""
        asked, _, told = self.text.partition("? (")
        own = self._expected(f"{asked}?") if told else Expects.PASSAGE
        return self._expected(self.text) if own is Expects.PASSAGE else own

    def _expected(self, text: str) -> Expects:
        return asking.expected(text) if self.language == ENGLISH else by_table.expected(text, self.language)

    short_format = _read(asking.short_format)
    """The format of a short answer, as benchmarks name it."""
    asked = _read(lambda text: frozenset(analyze(text, language_of(text))))
    """All its terms."""
    terms = _read(asking.terms_near)
    """The terms its answer stands near, each once."""
    subject = _read_in(asking.subject_of, by_table.subject_of)
    """The terms of the thing asked for: people in "How many people does the company employ?"."""
    role = _read(asking.role_of)
    """The term of whose name is asked: cook in "the name of the cook of the winter crew"; "" for none."""
    values = _read(lambda text: tuple(values_of(text, language_of(text))))
    """Years, numbers and dates it mentions itself."""
    dimensions = _read(measuring.dimensions_asked)
    """What the units of its answer may measure; none where it does not say."""
    units = _read(measuring.units_asked)
    """Terms of the unit that it counts in: crown in "How many crowns is a ticket?"; none where it counts things."""
    rate_units = _read(measuring.rate_units)
    """Terms of the unit that it wants a rate for: mile in "How much do I get per mile?"; none for no rate."""
    attribute = _read(measuring.attribute_asked)
    """The adjective or noun that says what is measured: deep in "How deep is the lake?"; "" for none."""
    asks_change = _read(measuring.asks_change)
    """Whether it asks by how much something changed or differs."""
    years = _read(years_in)
    is_conditional = _read(lambda text: condition_in(text) is not None)
    """Whether it names a condition itself."""
    gap = _read(gaps.gap_of)
    """Where the gap is that it leaves in a sentence that answers it; None where that is not told."""
    noun_asked = _read(gaps.noun_asked)
    """The term of the noun of "which noun"; "" where none is told."""
    items = _read(asking.items_of)
    """How many items a list is said to have ("the three risks"); 0 when it is not said."""
    asks_which = _read(asking.asks_which)
    is_told_in_sentences = _read(asking.is_told_in_sentences)
    has_second_question = _read(asking.has_second_question)
    asks_for_sources = _read(asking.asks_for_sources)
    is_negated = _read(asking.is_negated)
    statements = _read(statements.statements_asked)
    """The financial statements that hold what it asks for; none when it names no financial measure."""

    # How far it reaches, and how its parts go together

    reach = _read(reaching.reach_of)
    names_one_place = _read(pointing.names_one_place)
    """Whether it names one page, figure, table or chart, and so must not be taken apart."""
    operation = _read(reaching.operation_of)
    """What is done with all things of a kind; None where one or a few places answer."""
    goes_through_all = _read(reaching.goes_through_all)
    """Whether it is about all things of a kind: counts or lists them, or speaks of all of them."""
    kinds_gone_through = _read(reaching.kinds_gone_through)
    topic = _read(reaching.topic)
    """What things must be about to count; "" when it wants them all."""
    asks_difference = _read(splitting.asks_difference)
    asks_sum = _read(splitting.asks_sum)
    asks_same = _read(splitting.asks_same)
    choice = _read(splitting.choice_of)
    """Whether it asks for the thing with the most or the least; None where it asks for neither."""
    needs_every_part = _read(splitting.needs_every_part)
    """Whether it asks what the answer to no part can tell alone."""
    enumerated = _read(splitting.enumerated)
    """The parts that it puts marks before, "(a) …, (b) …"; none where it does not."""
    _split = _read(splitting.split)

    @property
    def parts(self) -> tuple[str, ...]:
        """The questions to look up, independent of each other; itself, alone, where one place answers it."""
        return self._split.retrieval

    @property
    def synthesis(self) -> tuple[str, ...]:
        """The questions that put the answers to its parts together."""
        return self._split.synthesis

    # What it points at and names

    references = _read_in(pointing.references, by_table.references)
    """What it points at by name or place, in order of mention."""
    without_references = _read(pointing.unread)
    """Its text with a comma for each stretch that was read as references."""
    is_settled = _read(pointing.is_settled)
    """Whether every word that looks like a reference was read as one."""
    pages = _read(planned_places.pages_as_planned)
    """Pages it names, as plans write them: "5", "3-10"."""
    sections = _read(planned_places.sections_as_planned)
    """Sections, chapters and appendices it names, by title or as "section 3.1"."""
    quoted = _read(naming.quoted)
    names = _read_in(naming.names, by_table.names)
    """Runs of capitalised words: "Bank of England"."""
    acronyms = _read(naming.acronyms)
    phrases = _read_in(naming.phrases, by_table.phrases)
    """Runs of content words: "total long-term liabilities"."""
    name_terms = _read_in(naming.name_terms, by_table.name_terms)
    """Terms of the names that a document must know if it has the answer."""
    things_named = _read_in(naming.things_named, by_table.none_told)
    """Words in small letters for what it is about, as it writes them: "walruses"."""
    period_choice = _read(period_choices.period_choice_of)
    """The period it asks for by what was the most or the least then; None where it asks for none so."""
    without_turns = _read(period_choices.without_turns)
    """Its text without what asks for the values of several periods in turn, such as "respectively"."""
    years_looked_for = _read(years_asked.years_looked_for)
    """The years it is about, as it writes them and as numbers, in any script; bounds ("after 2016") are none."""
    numbers = _read(naming.numbers_named)
    """Its numbers as terms, those of references and of the answer's form left out."""

    @cached_property
    def named(self) -> tuple[str, ...]:
        """What it quotes, names and abbreviates, in this order, each once."""
        return tuple(dict.fromkeys((*self.quoted, *self.names, *self.acronyms)))

    @property
    def entities(self) -> tuple[str, ...]:
        """What it is about, most telling first: what it names, else its phrases."""
        return self.named or self.phrases

    last_words = _read_in(naming.last_words, by_table.none_told)
    """The terms of words at its end that may be names written small."""

    def words_as_written(self, terms: Sequence[str]) -> list[str]:
        """Return its words that have some of these terms, as it writes them; neighbouring words together."""
        return naming.words_as_written(self.text, terms)

    def as_written(self, terms: Sequence[str]) -> list[str]:
        """Return its names that have some of these terms, as it writes them; neighbouring words together."""
        if self.language != ENGLISH:
            return by_table.as_written(self.text, terms, self.language)
        return naming.as_written(self.text, terms)

    # How it speaks of the document and its parts

    about = _read(reaching.about_documents)
    """What it asks of a document as such."""
    asks_to_see = _read(reaching.asks_to_see)
    """Whether it asks for something that is seen rather than read."""
    asks_for_looks = _read(looking.asks_for_looks)
    """Whether it asks how something on a page looks (colour, underlining), or what a page that it names shows."""
    word_looks = _read(looking.word_looks)
    """How words look that it asks for: "underlined", "italic", "bold", "highlighted"."""
    colours_named = _read(looking.colours_named)
    """The colours that it names, in English."""
    asks_for_pages = _read(looking.asks_for_pages)
    """Whether it asks what stands on pages that it names, and nothing else."""
    asks_for_logo = _read(looking.asks_for_logo)
    goes_over_pictures = _read(looking.goes_over_pictures)
    """Whether it is about all figures, charts or pages by their looks."""
    is_about_all_pages = _read(looking.is_about_all_pages)
    """Whether it asks which pages, or says that it is about a whole document."""
    says_picture = _read(looking.says_picture)
    """Whether it speaks of figures, charts and the like."""
    wants_whole_page = _read(looking.wants_whole_page)
    """Of a request for more: whether it is for pages and not for pictures on them."""
    wants_every_page = _read(looking.wants_every_page)
    """Of a request for more: whether it is for all pages."""
    words_beside_places = _read(looking.words_beside_places)
    """Of a request for more: what it says beside the places that it names; "" where it asks for these alone."""
    kinds_meant = _read(things.kinds_meant)
    """The one kind of block that each of its words for a thing means first."""
    says_figures = _read(reaching.says_figures)
    says_pictures = _read(reaching.says_pictures)
    says_chapters = _read(reaching.says_chapters)
    says_sections = _read(reaching.says_sections)
    says_subsections = _read(reaching.says_subsections)
    counts_pages = _read(reaching.counts_pages)
    lists_pages = _read(reaching.lists_pages)
    asks_where_it_stands = _read(reaching.asks_where_it_stands)
    """Whether it asks in which part or on which page something stands, or for the list of contents."""
    asks_for_each = _read(reaching.asks_for_each)
    """Whether a number is asked for of each page or thing."""
    asks_for_sorts = _read(reaching.asks_for_sorts)
    """Whether it is about sorts of things, not things."""
    pages_by_place = _read(reaching.pages_by_place)
    """Whether it counts pages from an end: "the first ten pages"."""


@lru_cache(maxsize=1024)
def understand(text: str) -> Question:
    """Return what the words of a question say; the same object for the same words."""
    return Question(text)
