"""What is set of documents, in each engine: kept with them, gone with them, taken over by what takes their place."""

from __future__ import annotations

from pathlib import Path

import pytest

import storing
from engines import Engine
from octavo.about.description import DocumentDescription
from octavo.corpus.store import DocumentInfo, DocumentPart, Publication, Ready, Source, Store
from octavo.errors import UsageError
from octavo_cluster import shared_corpus

ID, OTHER, THIRD = (f"sha256:{digit * 64}" for digit in "123")


@pytest.fixture
def store(engine: Engine) -> Store:
    return engine.store()


def publish(store: Store, document: str = ID, path: str = "/a.pdf") -> None:
    lease = store.claim(document, path)
    assert lease
    info = DocumentInfo(document, "a.pdf", path, 1, 0, 1, 0, 2, 10, "")
    part = DocumentPart("document", "f1", b"data")
    ready = Ready(lease, Publication(info, "auto", {"document": "f1"}), Source(path, 10, 1, document), [part])
    assert store.bulk.publish_many([ready]) == [True]


def test_nothing_is_set_of_a_document_at_first(store: Store) -> None:
    publish(store)
    assert store.described() == {}
    assert store.described([ID, OTHER]) == {}


def test_fields_are_set_one_by_one_and_taken_back(store: Store) -> None:
    publish(store)
    publish(store, OTHER, "/b.pdf")
    assert store.describe(ID, "hand", {"title": "One", "tags": ("a", "ü\udc80")})
    assert store.describe(ID, "hand", {"n": 7})
    assert store.describe(OTHER, "sidecar", {"title": "Two"})
    assert store.described() == {
        ID: DocumentDescription({"title": "One", "tags": ("a", "ü\udc80"), "n": 7}),
        OTHER: DocumentDescription({}, {"title": "Two"}),
    }
    assert [*store.described([OTHER])] == [OTHER]
    store.describe(ID, "hand", {"title": None, "tags": None})
    assert store.described([ID])[ID].hand == {"n": 7}
    store.describe(ID, "hand", {"n": None})
    store.describe(OTHER, "sidecar", {}, anew=True)
    assert store.described() == {}


def test_anew_only_these_are_set_and_the_others_setters_stay(store: Store) -> None:
    publish(store)
    store.describe(ID, "hand", {"title": "One"})
    store.describe(ID, "sidecar", {"title": "Two", "issuer": "X"})
    store.describe(ID, "sidecar", {"kind": "memo"}, anew=True)
    assert store.described()[ID] == DocumentDescription({"title": "One"}, {"kind": "memo"})


def test_of_what_is_not_there_nothing_is_set(store: Store) -> None:
    assert store.describe(ID, "hand", {"title": "One"}) is False
    publish(store)
    assert store.described() == {}


def test_what_none_may_have_changes_nothing(store: Store) -> None:
    publish(store)
    before = store.generation()
    with pytest.raises(UsageError):
        store.describe(ID, "hand", {f"f{at}": "x" for at in range(41)})
    assert store.described() == {}
    assert store.generation() == before


def test_the_generation_grows_with_a_change_only(engine: Engine, store: Store) -> None:
    publish(store)
    others = engine.backend()
    before = others.catalogue.stamp()
    store.describe(ID, "hand", {"title": "One"})
    after = others.catalogue.stamp()
    assert after.generation == before.generation + 1
    assert others.store.described()[ID].hand == {"title": "One"}
    assert others.catalogue.state(before).changed is not None
    assert store.describe(ID, "hand", {"title": "One", "issuer": None})
    assert others.catalogue.stamp() == after


@pytest.mark.parametrize("way", ["remove", "detach"])
def test_they_go_with_the_document(store: Store, way: str) -> None:
    publish(store)
    store.describe(ID, "hand", {"title": "One"})
    if way == "remove":
        store.remove([ID])
    else:
        assert store.detach([Source("/a.pdf", 10, 1, ID)]) == [ID]
    assert store.described() == {}
    publish(store)
    assert store.described() == {}


def test_a_document_read_again_keeps_them(store: Store) -> None:
    publish(store)
    store.describe(ID, "hand", {"title": "One"})
    publish(store)
    assert store.described()[ID].hand == {"title": "One"}


def test_what_takes_the_place_at_a_path_takes_them_over(store: Store) -> None:
    publish(store)
    store.describe(ID, "hand", {"title": "One"})
    publish(store, OTHER)
    assert store.described() == {OTHER: DocumentDescription({"title": "One"})}


def test_what_had_its_own_keeps_them_and_copies_keep_theirs(store: Store) -> None:
    publish(store)
    publish(store, OTHER, "/b.pdf")
    store.bulk.attach_many([Source("/copy.pdf", 10, 1, ID)])
    store.describe(ID, "hand", {"title": "One"})
    store.describe(OTHER, "hand", {"title": "Two"})
    publish(store, THIRD, "/a.pdf")
    assert {one: found.hand["title"] for one, found in store.described().items()} == {
        ID: "One", OTHER: "Two", THIRD: "One"
    }  # fmt: skip
    publish(store, OTHER, "/a.pdf")
    assert store.described() == {
        ID: DocumentDescription({"title": "One"}),
        OTHER: DocumentDescription({"title": "Two"}),
    }


def test_a_document_is_called_by_the_title_that_was_set(engine: Engine, store: Store) -> None:
    publish(store)
    publish(store, OTHER, "/b.pdf")
    catalogue = engine.backend().catalogue
    store.describe(ID, "sidecar", {"title": "Tide tables"})
    assert catalogue.resolve("tide tables") == catalogue.resolve(ID)
    store.describe(ID, "hand", {"title": "Harbour dues"})
    assert catalogue.resolve("harbour dues") == catalogue.resolve(ID)
    assert [title for *_, title in catalogue.called()] == ["Harbour dues", ""]
    store.describe(ID, "hand", {"title": None})
    assert [info.id for info in catalogue.listing(sort="title")] == [OTHER, ID]


def test_what_is_left_behind_is_found_and_swept_up(engine: Engine, store: Store, tmp_path: Path) -> None:
    publish(store)
    store.describe(ID, "hand", {"title": "One"})
    lost = DocumentDescription({"title": "Lost"}).to_json()
    engine.query(
        tmp_path,
        f"INSERT INTO meta (key, value) VALUES ('described:{OTHER}', '{lost}')"
        if engine.name == "sqlite"
        else f"INSERT INTO descriptions (document_id, fields) VALUES ('{OTHER}', '{lost}')",
    )
    care = engine.backend().care
    assert care.orphans(remove=False) == {"what was set of no document": 1}
    assert care.orphans(remove=True) == {"what was set of no document": 1}
    assert care.orphans(remove=False) == {}
    assert [*store.described()] == [ID]


@pytest.mark.parametrize("engine", ["postgresql"], indirect=True)
def test_a_database_made_before_there_were_any_gets_the_table_when_it_is_wanted(
    engine: Engine, store: Store, tmp_path: Path
) -> None:
    engine.query(tmp_path, "DROP TABLE descriptions")
    publish(store)
    publish(store, OTHER)
    assert store.described() == {}
    assert engine.backend().care.orphans(remove=True) == {}
    store.remove([OTHER])
    publish(store)
    assert store.describe(ID, "hand", {"title": None})
    assert engine.query(tmp_path, "SELECT to_regclass('descriptions')") == [(None,)]
    assert store.describe(ID, "hand", {"title": "One"})
    assert store.described()[ID].hand == {"title": "One"}


@pytest.mark.parametrize("engine", ["postgresql"], indirect=True)
def test_a_copied_corpus_has_what_was_set_and_what_is_there_stays(engine: Engine, tmp_path: Path) -> None:
    files = storing.write(tmp_path / "files", one="# One\nOf one.", two="# Two\nOf two.")
    with (
        storing.Corpus(tmp_path / "folder", builders=storing.builders) as folder,
        storing.Corpus(engine.place(tmp_path / "shared"), builders=storing.builders) as shared,
    ):
        folder.add(files)
        for name in ("one.pdf", "two.pdf"):
            folder.describe(name, title=f"Set of {name}", tags=["a"])
        shared.add(files[0])
        shared.describe("one.pdf", issuer="Theirs")
        shared_corpus.copy(folder, shared)
        assert (shared.about("one.pdf").title, shared.about("one.pdf").issuer) == ("", "Theirs")
        assert shared.about("two.pdf") == folder.about("two.pdf")
