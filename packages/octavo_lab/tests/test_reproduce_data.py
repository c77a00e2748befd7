"""What is there of the published benchmarks: found, read, and refused in one line that says what to do."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import published_sets
from octavo.errors import UsageError
from octavo_lab.question import Benchmark
from octavo_lab.reproduce.data_sets import data_set, place_of, read
from octavo_lab.reproduce.presets import names, preset


def taken(folder: Path, name: str, **more: int | bool) -> Benchmark:
    one = data_set(name)
    return read(one, place_of(one, [str(folder)]), **more)


def test_every_benchmark_of_a_preset_is_read_as_its_authors_publish_it(tmp_path: Path) -> None:
    published_sets.write_all(tmp_path)
    for name in dict.fromkeys(benchmark for one in names() for benchmark in preset(one).benchmarks):
        found = taken(tmp_path, name)
        assert found.questions and found.documents
        assert all(path.is_file() for path in found.documents)


def test_a_benchmark_is_found_by_its_folder_by_its_files_or_by_name(tmp_path: Path) -> None:
    published_sets.mmlongbench(tmp_path / "mmlongbench")
    one = data_set("mmlongbench-first")
    place = tmp_path / "mmlongbench"
    assert place_of(one, [str(tmp_path)]) == place
    assert place_of(one, [str(place)]) == place
    assert place_of(one, ["/nowhere", f"mmlongbench={place}"]) == place


def test_a_benchmark_that_is_not_there_says_where_it_is_published(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"looked in .*qasper; it is published at https://allenai.org"):
        taken(tmp_path, "qasper")
    with pytest.raises(UsageError, match=r"there is no folder .*elsewhere"):
        place_of(data_set("qasper"), [f"qasper={tmp_path / 'elsewhere'}"])


def test_another_split_is_refused(tmp_path: Path) -> None:
    published_sets.mpdocvqa(tmp_path / "mpdocvqa")
    folder = tmp_path / "mpdocvqa"
    (folder / "val.json").rename(folder / "train.json")
    with pytest.raises(UsageError, match=r"train\.json is not the split that is measured: MP-DocVQA needs val\.json"):
        taken(tmp_path, "mpdocvqa")


def test_of_a_file_with_all_splits_the_one_for_measuring_is_read(tmp_path: Path) -> None:
    published_sets.dude(tmp_path / "dude")
    assert [question.id for question in taken(tmp_path, "dude-val").questions] == ["d1", "d2"]


@pytest.mark.parametrize("name", ["birds.pdf.part", "documents.crdownload"])
def test_half_a_download_is_refused(tmp_path: Path, name: str) -> None:
    published_sets.mmlongbench(tmp_path / "mmlongbench")
    (tmp_path / "mmlongbench" / "documents" / name).write_text("half")
    with pytest.raises(UsageError, match="is half a download: finish it from https://"):
        taken(tmp_path, "mmlongbench-first")


@pytest.mark.parametrize("empty", [True, False])
def test_documents_that_are_missing_or_empty_are_counted(tmp_path: Path, *, empty: bool) -> None:
    published_sets.mmlongbench(tmp_path / "mmlongbench")
    stones = tmp_path / "mmlongbench" / "documents" / "stones.pdf"
    stones.unlink()
    if empty:
        stones.write_text("")
    with pytest.raises(UsageError, match=r"1 of 2 documents .*\(first stones.pdf\): download the rest .* --incomplete"):
        taken(tmp_path, "mmlongbench-first")
    found = taken(tmp_path, "mmlongbench-first", incomplete=True)
    assert [path.name for path in found.documents] == ["birds.pdf"]
    assert len(found.questions) == 2
    assert found.problems == (f"2 questions about documents that are not in {tmp_path / 'mmlongbench'} are left out",)


def test_a_slice_needs_the_documents_of_its_questions_alone(tmp_path: Path) -> None:
    published_sets.mmlongbench(tmp_path / "mmlongbench")
    (tmp_path / "mmlongbench" / "documents" / "stones.pdf").unlink()
    found = taken(tmp_path, "mmlongbench-first", limit=2)
    assert [path.name for path in found.documents] == ["birds.pdf"]


def test_a_folder_with_no_document_that_is_named_is_refused(tmp_path: Path) -> None:
    published_sets.mmlongbench(tmp_path / "mmlongbench")
    rows = json.loads((tmp_path / "mmlongbench" / "samples.json").read_text())
    (tmp_path / "mmlongbench" / "samples.json").write_text(json.dumps([{**row, "doc_id": "x.pdf"} for row in rows]))
    with pytest.raises(UsageError, match="published at https://"):
        taken(tmp_path, "mmlongbench-first", incomplete=True)
