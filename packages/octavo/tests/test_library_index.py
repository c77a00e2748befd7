"""The library of a corpus is kept in step with its store, of both engines."""

from __future__ import annotations

from engines import Engine
from octavo.about.library_issuers import told_by_others
from octavo.about.profile import BY_RULE, DocumentProfile
from octavo.corpus.ask.library_index import LibraryIndex
from octavo.corpus.store import DocumentInfo, DocumentPart, Publication, Ready, Source


def publish(engine_backend, document_id: str, path: str, words: str) -> None:
    store = engine_backend.store
    lease = store.claim(document_id, path)
    assert lease is not None
    info = DocumentInfo(document_id, path.rpartition("/")[2], path, 1, 0, 1, 0, 0, 10, "")
    profile = DocumentProfile(issuer=words, words=dict.fromkeys(words.split(), 1.0))
    fingerprint = f"{words}.rule"
    parts = [DocumentPart("document", f"d{words}.rule", b"d"), DocumentPart(BY_RULE, fingerprint, profile.to_bytes())]
    publication = Publication(info, "never", {part.name: part.fingerprint for part in parts})
    assert store.bulk.publish_many([Ready(lease, publication, Source(path, 10, 1, document_id), parts)]) == [True]


def test_what_is_added_changed_and_removed_is_known(engine: Engine) -> None:
    backend, index = engine.backend(), LibraryIndex()
    assert len(index.current(backend.store, backend.catalogue)) == 0
    publish(backend, "sha256:a", "/papers/Harbor/a.pdf", "norwick")
    publish(backend, "sha256:b", "/papers/b.pdf", "eastmoor")
    library = index.current(backend.store, backend.catalogue)
    assert {*library.ids} == {"sha256:a", "sha256:b"}
    of = dict(zip(library.ids, library.profiles, strict=True))
    assert of["sha256:a"].words.keys() >= {"norwick", "harbor", "papers"}, "folders tell something too"
    assert index.current(backend.store, backend.catalogue) is library, "nothing is read again"
    assert {*index.numbers(["sha256:b", "sha256:gone"])} == {"sha256:b"}
    few = index.current(backend.store, backend.catalogue, ["sha256:b", "sha256:gone"])
    assert [*few.ids] == ["sha256:b"]
    assert index.current(backend.store, backend.catalogue, ["sha256:b", "sha256:gone"]) is few
    publish(backend, "sha256:b", "/papers/b.pdf", "westmoor")
    changed = index.current(backend.store, backend.catalogue)
    assert dict(zip(changed.ids, changed.profiles, strict=True))["sha256:b"].issuer == "westmoor"
    backend.store.remove(["sha256:a"])
    assert [*index.current(backend.store, backend.catalogue).ids] == ["sha256:b"]
    index.clear()
    assert [*index.current(backend.store, backend.catalogue).ids] == ["sha256:b"]


def test_folders_of_addresses_and_of_articles_are_read_too(engine: Engine) -> None:
    backend = engine.backend()
    publish(backend, "sha256:a", "https://example.org/norwick/reports/a.pdf", "x")
    library = LibraryIndex().current(backend.store, backend.catalogue)
    assert {"norwick", "reports"} <= library.profiles[0].words.keys()


def _of(name: str, issuer: str = "", *, folder: str = "", words: str = "", **short: str) -> DocumentProfile:
    held = dict.fromkeys([*issuer.lower().split(), *words.split()], 0.9)
    return DocumentProfile(issuer=issuer, words=held, short_forms=short).within([folder] if folder else [], name)


def test_what_begins_with_the_word_of_one_issuer_is_its() -> None:
    found = told_by_others(
        [
            _of("a.pdf", "Quillon Dynamics", QDX="Quillon Dynamics"),
            _of("quillon_k8.pdf", words="quillon k8"),
            _of("manual.pdf", folder="Quillon"),
            _of("the quillon file.pdf", words="quillon"),
            _of("harrow.pdf", words="harrow"),
            _of("b.pdf", "Harrow Mills"),
            _of("c.pdf", "Harrow Growers"),
        ]
    )
    assert [profile.issuer for profile in found[1:5]] == ["Quillon Dynamics", "", "", ""]
    by_file, by_folder, inside, shared = found[1:5]
    assert min(by_file.words[word] for word in ("quillon", "dynamics", "qdx", "qd")) >= 0.9
    assert by_folder.words["qdx"] == 0.5, "a folder says so less surely"
    assert "qdx" not in inside.words, "it begins with another word"
    assert "mills" not in shared.words, "two issuers have the word"


def test_a_contract_is_called_by_all_names_of_its_parties() -> None:
    renamed = DocumentProfile(issuer="Skarn Lines", words={"skarn": 0.9}, former=("Ostra Vind",))
    quillon = _of("a.pdf", "Quillon Dynamics", QDX="Quillon Dynamics")
    *_, contract = told_by_others([quillon, renamed, _of("c.pdf", "Quillon Dynamics; Ostra Vind")])
    assert min(contract.words[word] for word in ("qdx", "qd", "skarn", "vind")) >= 0.9
