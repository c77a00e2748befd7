"""What one does with a corpus: name documents, open views, ask over few and over many documents."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import octavo
import storing
from octavo.corpus import Corpus, location
from octavo.corpus.ask import document_opener
from octavo.corpus.ask.views import Changed
from octavo.errors import CorpusError, UnknownDocumentError, UsageError
from octavo.evidence import Evidence, Result
from octavo.systems import System
from storing import write, write_file

TEXT = "# Sales\nThey rose to 1,577.5 in 2015.\f# Costs\nThey fell."


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    with storing.corpus(tmp_path / "corpus") as opened:
        yield opened


class TestPlaces:
    def test_the_place_is_the_one_given_then_the_environments_then_the_users(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("OCTAVO_CORPUS", str(tmp_path / "environment"))
        assert octavo.open(tmp_path / "given").path == tmp_path / "given"
        assert octavo.open().path == tmp_path / "environment"
        monkeypatch.delenv("OCTAVO_CORPUS")
        monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
        assert octavo.open().path.name == "corpus"

    @pytest.mark.parametrize("place", ["s3://bucket/prefix", "file"])
    def test_a_place_that_is_no_folder_is_a_usage_error(self, tmp_path: Path, monkeypatch, place: str) -> None:
        monkeypatch.chdir(tmp_path)
        write_file(tmp_path / "file", "")
        with pytest.raises(UsageError, match="folder"):
            octavo.open(place)

    def test_looking_at_a_corpus_that_does_not_exist_makes_nothing(self, tmp_path: Path) -> None:
        corpus = octavo.open(tmp_path / "none")
        assert corpus.list() == ()
        assert corpus.status().documents == corpus.status().bytes == 0
        assert corpus.check().is_sound
        assert corpus.retry() == 0
        assert len(corpus.view()) == 0
        with pytest.raises(CorpusError, match="no document"):
            corpus.remove("a.pdf")
        with pytest.raises(CorpusError, match="octavo add"):
            corpus.ask("What?")
        assert not (tmp_path / "none").exists()

    def test_a_closed_corpus_opens_again_by_itself(self, corpus: Corpus, tmp_path: Path) -> None:
        corpus.add(write(tmp_path, a="one"))
        corpus.close()
        assert len(corpus.list()) == 1

    def test_importing_the_corpus_loads_nothing_heavy(self) -> None:
        code = "import octavo.corpus, sys; print([m for m in sys.modules])"
        loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
        for heavy in ("openvino", "onnxruntime", "rapidocr", "cv2", "tokenizers", "pypdfium2", "rich", "pydantic"):
            assert f"'{heavy}'" not in loaded

    def test_the_package_shows_its_version_and_no_unknown_names(self) -> None:
        assert octavo.__version__.count(".") == 2
        assert "open" in dir(octavo)
        with pytest.raises(AttributeError):
            octavo.nothing  # noqa: B018


class TestNames:
    def test_a_document_is_known_by_id_hash_name_and_path(self, corpus: Corpus, tmp_path: Path, monkeypatch) -> None:
        [path] = write(tmp_path / "files", a="one")
        [info] = corpus.add(path).added
        monkeypatch.chdir(tmp_path / "files")
        for reference in (info.id, info.id[7:], info.id[7:15], info.id[:15], "a.pdf", str(path), "./a.pdf"):
            assert corpus.resolve(reference) == info

    def test_an_ambiguous_name_lists_what_it_may_mean(self, corpus: Corpus, tmp_path: Path) -> None:
        files = [*write(tmp_path / "x", a="one"), *write(tmp_path / "y", a="two")]
        corpus.add(files)
        with pytest.raises(UsageError, match="means 2 documents") as caught:
            corpus.resolve("a.pdf")
        assert all(str(path) in str(caught.value) for path in files)
        assert corpus.resolve(str(files[0])).path == str(files[0])

    @pytest.mark.parametrize("reference", ["nothing.pdf", "", "abc", "sha256:", "%", "q", "~nobody-here/a.pdf"])
    def test_a_name_of_nothing_says_where_the_names_are(self, corpus: Corpus, tmp_path: Path, reference: str) -> None:
        corpus.add(write(tmp_path, a="one"))
        with pytest.raises(CorpusError, match="octavo list") as caught:
            corpus.resolve(reference)
        assert caught.value.reason == "unknown"

    @pytest.mark.parametrize("reference", ["HARBOUR PLAN.PDF", "harbour plan", "Harb", "our pl", "Überblick", "überb"])
    def test_a_part_of_a_name_in_any_case_will_do_where_one_document_has_it(
        self, corpus: Corpus, tmp_path: Path, reference: str
    ) -> None:
        corpus.add(write(tmp_path, **{"Harbour plan": "one", "ÜBERBLICK": "two", "list": "three"}))
        wanted = "ÜBERBLICK.pdf" if reference[0] in "Üü" else "Harbour plan.pdf"
        assert corpus.resolve(reference).name == wanted
        assert [info.name for info in corpus.list(reference)] == [wanted]
        assert [info.name for info in corpus.select(reference)] == [wanted]

    @pytest.mark.parametrize(
        ("reference", "name"), [("tides and currents", "b.md"), ("CURRENTS", "b.md"), ("tides", "tides.md")]
    )
    def test_a_title_names_a_document_where_no_name_does(self, tmp_path: Path, reference: str, name: str) -> None:
        with octavo.open(tmp_path / "titled") as corpus:
            for file, title in {"a.md": "A manual", "b.md": "Tides and  currents", "tides.md": "Times"}.items():
                write_file(tmp_path / file, f"# {title}\n\nSome words.\n\n## Part\n\nMore words.\n")
            corpus.add(tmp_path)
            assert corpus.resolve(reference).name == name
            corpus.remove("b.md")
            with pytest.raises(UnknownDocumentError):
                corpus.resolve("currents")

    def test_a_name_in_full_is_before_names_it_is_a_part_of(self, corpus: Corpus, tmp_path: Path) -> None:
        corpus.add(write(tmp_path, **{"plan": "one", "plan two": "two", "floorplan": "three"}))
        for reference in ("plan.pdf", "PLAN.pdf", "Plan"):
            assert corpus.resolve(reference).name == "plan.pdf"

    def test_a_part_of_several_names_lists_them(self, corpus: Corpus, tmp_path: Path) -> None:
        corpus.add(write(tmp_path, **{"tides 2030": "one", "tides 2031": "two", "list": "three"}))
        with pytest.raises(UsageError, match=r"'tides' means 2 documents: tides 2030\.pdf, tides 2031\.pdf; give more"):
            corpus.resolve("tides")
        assert len(corpus.list("tides")) == 2

    def test_a_file_name_is_no_part_of_another(self, corpus: Corpus, tmp_path: Path) -> None:
        corpus.add(write(tmp_path, floorplan="one"))
        with pytest.raises(UnknownDocumentError, match=r"did you mean 'floorplan\.pdf'"):
            corpus.resolve("plan.pdf")

    def test_a_misspelt_name_is_told_what_it_may_mean(self, corpus: Corpus, tmp_path: Path) -> None:
        corpus.add(write(tmp_path, handbook="one", ferry="two"))
        for reference in ("hanbook.pdf", "HANDBOK"):
            with pytest.raises(UnknownDocumentError, match=r"did you mean 'handbook\.pdf'\?$") as caught:
                corpus.resolve(reference)
            assert caught.value.near == ("handbook.pdf",)

    def test_a_part_of_a_name_is_not_enough_to_remove_a_document(self, corpus: Corpus, tmp_path: Path) -> None:
        corpus.add(write(tmp_path, handbook="one"))
        with pytest.raises(UnknownDocumentError, match=r"did you mean 'handbook\.pdf'"):
            corpus.remove("han")
        assert [info.name for info in corpus.remove("handbook.pdf")] == ["handbook.pdf"]

    def test_one_name_is_a_document_and_not_its_letters(self, corpus: Corpus, tmp_path: Path) -> None:
        path = write(tmp_path, handbook="one ferry", ferry="two ferries")[0]
        corpus.add([path, *write(tmp_path, ferry="two ferries")])
        for documents in ("handbook.pdf", path, [path], ("handbook.pdf",)):
            result = corpus.search("ferry", documents=documents, system="bm25")
            assert [document.name for document in result.evidence.view.documents] == ["handbook.pdf"]
            assert len(corpus.ask("ferry", documents=documents, system="bm25").evidence.view.documents) == 1
            assert len(corpus.view(documents).documents) == 1
        *_, last = corpus.stream("ferry", documents="handbook.pdf", system="bm25")
        assert len(last.evidence.view.documents) == 1

    def test_one_system_to_add_for_is_a_system_and_not_its_letters(self, corpus: Corpus, tmp_path: Path) -> None:
        [path] = write(tmp_path, a="one")
        corpus.plan(path, systems="hybrid")
        assert corpus.add(str(path), systems="hybrid").added

    def test_removal_stops_before_anything_goes_when_one_name_is_wrong(self, corpus: Corpus, tmp_path: Path) -> None:
        corpus.add(write(tmp_path, a="one"))
        with pytest.raises(CorpusError):
            corpus.remove("a.pdf", "nothing.pdf")
        assert len(corpus.list()) == 1

    def test_a_removed_document_can_be_added_again(self, corpus: Corpus, tmp_path: Path) -> None:
        [path] = write(tmp_path, a="one")
        [first] = corpus.add(path).added
        assert [gone.id for gone in corpus.remove("a.pdf", first.id)] == [first.id]
        assert corpus.list() == ()
        assert corpus.add(path).added[0].id == first.id


class TestViews:
    def test_a_view_holds_the_documents_asked_for_in_that_order(self, corpus: Corpus, tmp_path: Path) -> None:
        corpus.add(write(tmp_path, a="one", b="two", c="three"))
        view = corpus.view(["c.pdf", "a.pdf"])
        assert [document.name for document in view.documents] == ["c.pdf", "a.pdf"]
        assert list(view.passages.text) == ["three", "one"]
        assert len(corpus.view().documents) == 3

    def test_layers_are_loaded_when_asked_for_and_not_before(self, corpus: Corpus, tmp_path: Path, monkeypatch) -> None:
        corpus.add(write(tmp_path, a="one"))
        loaded: list[str] = []
        store = corpus._opened().store
        load = store.load_all
        monkeypatch.setattr(store, "load_all", lambda keys: loaded.extend(key.name for key in keys) or load(keys))
        view = corpus.view()
        assert loaded == ["document"]
        assert len(view.passages) == 1
        assert loaded == ["document", "passages"]

    def test_a_view_is_opened_once_while_nothing_changes(self, corpus: Corpus, tmp_path: Path) -> None:
        corpus.add(write(tmp_path, a="one", b="two"))
        assert corpus.view() is corpus.view()
        before = corpus.view(["a.pdf"])
        corpus.add(write_file(tmp_path / "a.pdf", "changed"))
        assert corpus.view(["a.pdf"]) is not before
        assert list(before.blocks.text) == ["one"]

    def test_a_view_never_mixes_a_document_with_layers_of_a_later_one(self, corpus: Corpus, tmp_path: Path) -> None:
        [path] = write(tmp_path, a=TEXT)
        corpus.add(path, ocr="auto")
        view = corpus.view()
        corpus.add(path, ocr="never")
        with pytest.raises(Changed, match="ask again"):
            _ = view.passages

    def test_a_document_bears_the_name_of_the_file_that_is_left(self, corpus: Corpus, tmp_path: Path) -> None:
        first, _ = write(tmp_path, a="same", b="same")
        corpus.add([first, tmp_path / "b.pdf"])
        assert corpus.view().documents[0].name == "a.pdf"
        corpus.add(write_file(first, "changed"))
        assert {document.name for document in corpus.view().documents} == {"a.pdf", "b.pdf"}


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list:
    """Collect the runs that questions make, with a system that only looks at its view."""
    import octavo.models.embedders
    import octavo.systems

    runs = []

    def search(system, query, run, *, shows) -> Result:
        runs.append(run)
        return Result(query.question, "fake", Evidence.of(run.view, range(len(run.view))), "text")

    monkeypatch.setattr(octavo.systems, "run_search", search)
    monkeypatch.setattr(octavo.models.embedders, "embedder", storing.WordEmbedder)
    return runs


class TestManyDocuments:
    COUNT = 40

    @pytest.fixture
    def many(self, corpus: Corpus, tmp_path: Path) -> Corpus:
        texts = {f"f{number:02}": f"filler text number{number} about nothing" for number in range(self.COUNT)}
        corpus.add(write(tmp_path, **(texts | {"f33": "the zebra crossed the river"})))
        return corpus

    def test_few_documents_are_all_opened(self, corpus: Corpus, tmp_path: Path, asked: list) -> None:
        corpus.add(write(tmp_path, a="one", b="two"))
        corpus.search("anything")
        assert len(asked[0].view.documents) == 2
        assert not location.derived(corpus.path).exists()

    def test_of_many_the_best_are_opened_best_first(self, many: Corpus, asked: list) -> None:
        many.search("Where is the zebra?")
        names = [document.name for document in asked[0].view.documents]
        assert len(names) == System.opens
        assert names[0] == "f33.pdf"
        [step] = asked[0].trace
        assert step.parameters == {"documents": self.COUNT, "candidates": self.COUNT, "opened": len(names)}
        assert [part.step for part in step.steps] == [
            "PassageIndex",
            "BM25",
            "EmbedQuestion",
            "Dense",
            "BoostMentionedDocuments",
            "OpenDocuments",
        ]

    def test_a_document_that_the_best_one_mentions_by_title_is_opened_too(
        self, corpus: Corpus, tmp_path: Path, asked: list
    ) -> None:
        names = [f"Farm Number{at:02}" for at in range(self.COUNT)]
        corpus.add(write(tmp_path, **{name: f"filler text about {name}" for name in names}))
        corpus.search("Where is the zebra?")
        left_out = sorted({f"{name}.pdf" for name in names} - {one.name for one in asked[0].view.documents})[-1]
        corpus.add(write_file(tmp_path / "best.pdf", f"the zebra lives on {left_out.removesuffix('.pdf')} now"))
        corpus.search("Where is the zebra?")
        opened = [one.name for one in asked[1].view.documents]
        assert opened[0] == "best.pdf"
        assert left_out in opened
        assert len(opened) == System.opens
        corpus.search("Where is the zebra?", documents=["best.pdf", *(f"{name}.pdf" for name in names[:30])])
        assert left_out not in [one.name for one in asked[2].view.documents]

    def test_a_question_to_some_of_many_looks_at_those_only(self, many: Corpus, asked: list) -> None:
        scope = [f"f{number:02}.pdf" for number in range(30)]
        many.search("Where is the zebra?", documents=scope)
        assert {document.name for document in asked[0].view.documents} <= set(scope)
        many.search("Where is the zebra?", documents=["f01.pdf"])
        assert [document.name for document in asked[1].view.documents] == ["f01.pdf"]

    def segments(self, corpus: Corpus) -> dict[str, int]:
        return {path.name: path.stat().st_mtime_ns for path in location.derived(corpus.path).glob("segment-*")}

    def test_the_index_is_made_once_and_then_only_what_is_new(self, many: Corpus, tmp_path: Path, asked: list) -> None:
        many.search("zebra")
        first = self.segments(many)
        many.search("river")
        assert self.segments(many) == first
        many.add(write_file(tmp_path / "new.pdf", "a giraffe"))
        many.search("giraffe")
        assert asked[-1].view.documents[0].name == "new.pdf"
        assert first.items() < self.segments(many).items()

    def test_another_corpus_object_finds_the_index_ready(self, many: Corpus, asked: list) -> None:
        many.search("zebra")
        first = self.segments(many)
        with storing.corpus(many.path) as other:
            other.search("zebra")
        assert asked[-1].view.documents[0].name == "f33.pdf"
        assert self.segments(many) == first

    def test_nothing_of_a_removed_document_stays_in_the_index(self, many: Corpus, asked: list) -> None:
        many.search("zebra")
        before = self.segments(many)
        (gone,) = many.remove("f33.pdf")
        after = self.segments(many)
        assert after.keys().isdisjoint(before)
        assert not any(gone.id.encode() in (many.path / "derived" / name).read_bytes() for name in after)
        many.search("zebra")
        assert "f33.pdf" not in {document.name for document in asked[-1].view.documents}

    @pytest.mark.parametrize("damage", [b"", b"short", b"x" * 100_000])
    @pytest.mark.parametrize("name", ["segment-*.bin", "index.json"])
    def test_a_damaged_index_is_made_again(self, many: Corpus, asked: list, damage: bytes, name: str) -> None:
        many.search("zebra")
        many.close()
        [path] = location.derived(many.path).glob(name)
        path.write_bytes(damage)
        many.search("zebra")
        assert asked[-1].view.documents[0].name == "f33.pdf"

    def test_a_document_changed_while_it_is_read_is_read_again(
        self, corpus: Corpus, tmp_path: Path, asked: list, monkeypatch
    ) -> None:
        [path] = write(tmp_path, a=TEXT)
        corpus.add(path)
        calls = []

        def search(system, query, run, *, shows) -> Result:
            calls.append(run)
            if len(calls) == 1:
                corpus.add(path, ocr="never")
            assert len(run.view.passages)
            return Result(query.question, "fake", Evidence.of(run.view, ()), "text")

        monkeypatch.setattr("octavo.systems.run_search", search)
        assert corpus.search("anything")
        assert len(calls) == 2

    def test_threads_may_ask_at_once(self, many: Corpus, asked: list) -> None:
        problems = []

        def ask() -> None:
            try:
                for _ in range(5):
                    many.search("Where is the zebra?")
            except Exception as error:  # noqa: BLE001
                problems.append(error)

        threads = [threading.Thread(target=ask) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not problems
        assert {run.view.documents[0].name for run in asked} == {"f33.pdf"}

    @pytest.mark.parametrize(("question", "limit"), [(" ", 10), ("What?", 0)])
    def test_a_question_that_asks_nothing_is_a_usage_error(self, corpus: Corpus, question: str, limit: int) -> None:
        with pytest.raises(UsageError):
            corpus.search(question, limit=limit)

    def test_an_unknown_system_is_a_usage_error_before_anything_is_opened(self, corpus: Corpus) -> None:
        with pytest.raises(UsageError, match="hybrid"):
            corpus.ask("What?", system="nonsense")


def test_fused_rankings_put_first_what_both_put_high() -> None:
    assert document_opener.fuse([[1, 2, 3], [3, 2, 4]])[:2] == [3, 2]
    assert document_opener.fuse([[7], [5]]) == [5, 7]
    assert document_opener.fuse([[], []]) == []
