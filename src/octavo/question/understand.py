"""Understanding a question by its own words, once: what everything that is done for it goes by."""

from __future__ import annotations

import dataclasses
from functools import cached_property, lru_cache

from octavo.document import Operation, Reach
from octavo.question import combining, expects, finance, items, kinds, names, parts
from octavo.question import references as pointing
from octavo.question.combining import Choice
from octavo.question.expects import Expects, ShortFormat
from octavo.question.items import About, Medium
from octavo.question.references import Reference
from octavo.question.words import SOURCES
from octavo.text.analyzer import analyze
from octavo.text.statements import Statement
from octavo.text.things import KindName, kinds_meant
from octavo.text.values import Value, values_in


@dataclasses.dataclass(frozen=True)
class Question:
    """What the words of a question say. Each part is worked out when it is first read, and kept.

    It does not say what a model decides: `octavo.document.Query` carries that.
    """

    text: str

    # What is asked for

    @cached_property
    def expects(self) -> Expects:
        """The type of its answer."""
        return expects.expected(self.text)

    @cached_property
    def short_format(self) -> ShortFormat:
        """The format of a short answer, as benchmarks name it."""
        return expects.short_format(self.text)

    @cached_property
    def asked(self) -> frozenset[str]:
        """All its terms."""
        return frozenset(analyze(self.text))

    @cached_property
    def terms(self) -> tuple[str, ...]:
        """The terms its answer stands near, each once: people, company, employ."""
        return expects.terms_near(self.text)

    @cached_property
    def subject(self) -> tuple[str, ...]:
        """The terms of the thing asked for: people in "How many people does the company employ?"."""
        return expects.subject_of(self.text)

    @cached_property
    def role(self) -> str:
        """The term of whose name is asked: cook in "the name of the cook of the winter crew"; "" for none."""
        return expects.role_of(self.text)

    @cached_property
    def values(self) -> tuple[Value, ...]:
        """Years, numbers and dates it mentions itself."""
        return tuple(values_in(self.text))

    @cached_property
    def units(self) -> str:
        """Pattern of the units that measure what is asked, for instance time and length for "how long"; "" for any."""
        return expects.units_of(self.text)

    @cached_property
    def items(self) -> int:
        """How many items a list is said to have ("the three risks"); 0 when it is not said."""
        return expects.items_of(self.text)

    @cached_property
    def asks_which(self) -> bool:
        """Whether it asks for one of several things ("which boat")."""
        return expects.asks_which(self.text)

    @cached_property
    def is_told_in_sentences(self) -> bool:
        """Whether it asks how or why, or whether something is so."""
        return expects.is_told_in_sentences(self.text)

    @cached_property
    def has_second_question(self) -> bool:
        """Whether it goes on with another question."""
        return expects.has_second_question(self.text)

    @cached_property
    def statements(self) -> frozenset[Statement]:
        """The financial statements that hold what it asks for; none when it names no financial measure."""
        return finance.statements_asked(self.text)

    @cached_property
    def asks_for_sources(self) -> bool:
        """Whether a bibliography may answer it."""
        return not self.asked.isdisjoint(SOURCES)

    # How far it reaches

    @cached_property
    def reach(self) -> Reach:
        """One place, several, or all things of a kind."""
        return kinds.reach_of(self.text)

    @cached_property
    def may_need_several(self) -> bool:
        """Whether its words leave open that it needs several places."""
        return kinds.may_need_several(self.text)

    @cached_property
    def names_one_place(self) -> bool:
        """Whether it names one page, figure, table or chart, and so must not be taken apart."""
        return pointing.names_one_place(self.text)

    @cached_property
    def parts(self) -> tuple[str, ...]:
        """The questions to look up, independent of each other; itself, alone, where one place answers it."""
        return self._split.retrieval

    @cached_property
    def synthesis(self) -> tuple[str, ...]:
        """The questions that put the answers to its parts together."""
        return self._split.synthesis

    @cached_property
    def _split(self) -> parts.Split:
        return parts.split(self.text)

    @cached_property
    def operation(self) -> Operation | None:
        """What is done with all things of a kind; None where one or a few places answer."""
        return kinds.operation_of(self.text)

    @cached_property
    def goes_through_all(self) -> bool:
        """Whether it is about all things of a kind: counts or lists them, or speaks of all of them."""
        return kinds.goes_through_all(self.text)

    @cached_property
    def kinds_gone_through(self) -> tuple[KindName, ...]:
        """The kinds of block all of which it is about."""
        return kinds.kinds_gone_through(self.text)

    @cached_property
    def topic(self) -> str:
        """What things must be about to count; "" when it wants them all."""
        return kinds.topic(self.text)

    @cached_property
    def asks_difference(self) -> bool:
        """Whether it asks by how much things differ."""
        return combining.asks_difference(self.text)

    @cached_property
    def asks_sum(self) -> bool:
        """Whether it asks what things come to together."""
        return combining.asks_sum(self.text)

    @cached_property
    def asks_same(self) -> bool:
        """Whether it asks if things agree."""
        return combining.asks_same(self.text)

    @cached_property
    def choice(self) -> Choice | None:
        """Whether it asks for the thing with the most or the least; None where it asks for neither."""
        return combining.choice_of(self.text)

    @cached_property
    def needs_every_part(self) -> bool:
        """Whether it asks what the answer to no part can tell alone."""
        return combining.needs_every_part(self.text)

    # What it points at and names

    @cached_property
    def references(self) -> tuple[Reference, ...]:
        """What it points at by name or place, in order of mention."""
        return pointing.references(self.text)

    @cached_property
    def without_references(self) -> str:
        """Its text with a comma for each stretch that was read as references."""
        return pointing.unread(self.text)

    @cached_property
    def is_settled(self) -> bool:
        """Whether every word that looks like a reference was read as one."""
        return pointing.is_settled(self.text)

    @cached_property
    def pages(self) -> tuple[str, ...]:
        """Pages it names, as plans write them: "5", "3-10"."""
        return tuple(pointing.pages_as_planned(self.references))

    @cached_property
    def sections(self) -> tuple[str, ...]:
        """Sections, chapters and appendices it names, by title or as "section 3.1"."""
        return tuple(pointing.sections_as_planned(self.references))

    @cached_property
    def quoted(self) -> tuple[str, ...]:
        """What it puts in quotation marks."""
        return tuple(names.quoted(self.text))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Runs of capitalised words: "Bank of England"."""
        return tuple(names.names(self.text))

    @cached_property
    def acronyms(self) -> tuple[str, ...]:
        """Words in capitals: "GDP"."""
        return tuple(names.acronyms(self.text))

    @cached_property
    def named(self) -> tuple[str, ...]:
        """What it quotes, names and abbreviates, in this order, each once."""
        return tuple(dict.fromkeys((*self.quoted, *self.names, *self.acronyms)))

    @cached_property
    def phrases(self) -> tuple[str, ...]:
        """Runs of content words: "total long-term liabilities"."""
        return tuple(names.phrases(self.text))

    @cached_property
    def entities(self) -> tuple[str, ...]:
        """What it is about, most telling first: what it names, else its phrases."""
        return self.named or self.phrases

    @cached_property
    def name_terms(self) -> tuple[str, ...]:
        """Terms of the names that a document must know if it has the answer."""
        return names.name_terms(self.text)

    @cached_property
    def numbers(self) -> tuple[str, ...]:
        """Its numbers as terms, those of references and of the answer's form left out."""
        return names.numbers_named(self.text)

    # How it speaks of the document's parts

    @cached_property
    def about(self) -> frozenset[About]:
        """What it asks of a document as such."""
        return items.about_documents(self.text)

    @cached_property
    def medium(self) -> Medium:
        """What its answer most likely stands in."""
        return items.medium_of(self.text)

    @cached_property
    def asks_to_see(self) -> bool:
        """Whether it asks for something that is seen rather than read."""
        return items.asks_to_see(self.text)

    @cached_property
    def kinds_meant(self) -> tuple[KindName, ...]:
        """The one kind of block that each of its words for a thing means first."""
        return kinds_meant(self.text)

    @cached_property
    def kinds_pictured(self) -> tuple[KindName, ...]:
        """Figures and charts where it speaks of either, and tables where it speaks of these."""
        return items.kinds_pictured(self.text)

    @cached_property
    def says_figures(self) -> bool:
        """Whether it says "figure", which charts are too."""
        return items.says_figures(self.text)

    @cached_property
    def says_pictures(self) -> bool:
        """Whether it speaks of figures, photographs and the like."""
        return items.says_pictures(self.text)

    @cached_property
    def says_chapters(self) -> bool:
        """Whether it speaks of chapters."""
        return "chapter" in self.text.lower()

    @cached_property
    def says_sections(self) -> bool:
        """Whether it speaks of chapters, sections or parts."""
        return items.says_sections(self.text)

    @cached_property
    def says_subsections(self) -> bool:
        """Whether it speaks of subsections."""
        return items.says_subsections(self.text)

    @cached_property
    def counts_pages(self) -> bool:
        """Whether it counts pages."""
        return items.counts_pages(self.text)

    @cached_property
    def lists_pages(self) -> bool:
        """Whether it lists pages."""
        return items.lists_pages(self.text)

    @cached_property
    def asks_for_sorts(self) -> bool:
        """Whether it is about sorts of things, not things."""
        return items.asks_for_sorts(self.text)

    @cached_property
    def pages_by_place(self) -> bool:
        """Whether it counts pages from an end: "the first ten pages"."""
        return items.pages_by_place(self.text)

    def as_written(self, terms: tuple[str, ...]) -> list[str]:
        """Return its names that have some of these terms, as it writes them; neighbouring words together."""
        return names.as_written(self.text, terms)


@lru_cache(maxsize=1024)
def understand(text: str) -> Question:
    """Return what the words of a question say; the same object for the same words."""
    return Question(text)
