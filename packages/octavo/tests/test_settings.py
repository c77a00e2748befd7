"""Settings: where they come from, which source wins, and what is said of a wrong one."""

from __future__ import annotations

from pathlib import Path

import pytest

from octavo.cli.settings import PARSERS, TABLES, Settings, files, load
from octavo.errors import UsageError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "project" / "deep" / "er").mkdir(parents=True)
    (tmp_path / "user").mkdir()
    return tmp_path


def read(folder: Path, options: dict[str, object] | None = None, environment: dict[str, str] | None = None) -> Settings:
    return load(
        options or {},
        environment=environment or {},
        folder=folder / "project" / "deep" / "er",
        user_folder=folder / "user",
    )


def test_without_any_source_there_are_defaults(folder: Path) -> None:
    assert read(folder) == Settings()


def test_an_option_goes_before_the_environment_before_the_file_before_the_personal_file(folder: Path) -> None:
    (folder / "user" / "octavo.toml").write_text("limit = 2\nocr = 'never'\nworkers = 2\nsystem = 'dense'")
    (folder / "project" / "octavo.toml").write_text("limit = 3\nocr = 'always'\nworkers = 3")
    environment = {"OCTAVO_LIMIT": "4", "OCTAVO_OCR": "auto"}
    chosen = read(folder, {"limit": "5", "ocr": None}, environment)
    assert (chosen.limit, chosen.ocr, chosen.workers, chosen.system) == (5, "auto", 3, "dense")


def test_the_nearest_file_above_the_current_folder_counts(folder: Path) -> None:
    (folder / "octavo.toml").write_text("limit = 1")
    (folder / "project" / "deep" / "octavo.toml").write_text("limit = 2")
    assert read(folder).limit == 2
    assert files(folder / "project", folder / "user") == [folder / "octavo.toml"]


def test_a_corpus_in_a_file_is_seen_from_the_file(folder: Path) -> None:
    (folder / "project" / "octavo.toml").write_text("corpus = 'library'")
    assert read(folder).corpus == folder / "project" / "library"


def test_a_corpus_in_an_option_is_seen_from_the_current_folder(folder: Path) -> None:
    assert read(folder, {"corpus": "library"}).corpus == folder / "project" / "deep" / "er" / "library"


def test_an_empty_variable_is_none(folder: Path) -> None:
    assert read(folder, environment={"OCTAVO_LIMIT": ""}).limit is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("limitt = 3", "there is no setting 'limitt'; did you mean 'limit'?"),
        ("max-seconds = 3", "did you mean 'max_seconds'"),
        ("zzz = 3", "the settings are corpus, ray, system"),
        ("limit = 'many'", "key 'limit': needs a whole number, 1 or more, not 'many'"),
        ("limit = true", "key 'limit'"),
        ("sure = 1.5", "key 'sure': needs a number from 0 to 1, not 1.5"),
        ("sure = 'very'", "key 'sure': needs a number from 0 to 1, not 'very'"),
        ("ocr = 'sometimes'", "key 'ocr': needs one of auto, always, never, not 'sometimes'"),
        ("corpus = 3", "key 'corpus': needs a text, not 3"),
        ("limit = ", "is not valid TOML"),
        ("models = 'openai:a'", "key 'models': needs a table, [models]"),
        ("[models]\nlangage = 'openai:a'", "no setting 'models.langage'; did you mean 'language'"),
        ("[models]\nvision = 'acme:a'", "key 'models.vision': there is no model provider 'acme'"),
        ("[models]\nembedding = 'e5'", "key 'models.embedding': there is no embedding model 'e5'; use one of minilm"),
        ("[models]\nreranking = 'endpoint:r'", "needs its address"),
        ("[models]\nimage_text = 'openai:clip'", "the providers are sentence-transformers"),
        ("model = 'openai:a'\n[models]\nlanguage = 'openai:b'", "'model' and 'models.language' are the same"),
        ("[decisions]\nlevel_headings = 'gpt'", "key 'decisions.level_headings': a model is named PROVIDER:NAME"),
        ("[prices]\na = 3", "key 'prices.a': needs { input = X, output = Y }"),
        ("[prices]\na = {input = 1, output = -1}", "key 'prices.a': needs a number, 0 or more"),
        ("[key_env]\nopenai = 'sk-abc-def'", "needs the name of an environment variable that holds the key"),
    ],
)
def test_a_wrong_file_is_named_with_its_key(folder: Path, text: str, said: str) -> None:
    path = folder / "project" / "octavo.toml"
    path.write_text(text)
    with pytest.raises(UsageError) as wrong:
        read(folder)
    assert str(path) in str(wrong.value)
    assert said in str(wrong.value)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("limit", "0"),
        ("limit", "2.5"),
        ("workers", "-1"),
        ("max_seconds", "0"),
        ("max_seconds", "inf"),
        ("max_seconds", "nan"),
        ("max_calls", "-1"),
        ("max_tokens", "x"),
        ("max_cost", "-0.5"),
        ("model", "acme:gpt"),
        ("model", "gpt-5-mini"),
        ("context_tokens", "100"),
        ("concurrency", "0"),
        ("timeout", "0"),
        ("corpus", "s3://bucket/library"),
        ("corpus", "~nobody-of-this-name/library"),
        ("system", "  "),
    ],
)
def test_a_wrong_value_is_named_by_its_source(folder: Path, key: str, value: str) -> None:
    with pytest.raises(UsageError, match="^--" + key.replace("_", "-")):
        read(folder, {key: value})
    with pytest.raises(UsageError, match=f"^OCTAVO_{key.upper()}"):
        read(folder, environment={f"OCTAVO_{key.upper()}": value})


@pytest.mark.parametrize(
    ("key", "value", "becomes"),
    [
        ("limit", "3", 3),
        ("workers", "1", 1),
        ("max_seconds", "0.5", 0.5),
        ("max_calls", "0", 0),
        ("max_tokens", "10", 10),
        ("max_cost", "0", 0.0),
        ("model", "none", "none"),
        ("model", "openai:gpt", "openai:gpt"),
        ("context_tokens", "32000", 32000),
        ("concurrency", "8", 8),
        ("timeout", "2.5", 2.5),
        ("system", "bm25", "bm25"),
    ],
)
def test_a_text_becomes_what_the_setting_is(folder: Path, key: str, value: str, becomes: object) -> None:
    assert getattr(read(folder, {key: value}), key) == becomes


def test_a_file_that_is_no_text_is_an_error_not_a_traceback(folder: Path) -> None:
    (folder / "project" / "octavo.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(UsageError, match="is not valid TOML"):
        read(folder)


def test_every_setting_has_a_parser() -> None:
    assert {*PARSERS, *TABLES} == set(Settings.__dataclass_fields__) - {"names_model", "partial"}


def test_tables_name_models_by_role_and_decision(folder: Path) -> None:
    (folder / "project" / "octavo.toml").write_text(
        """
        [models]
        language = "OpenAI:gpt-5-mini"
        vision = "ollama:seer"
        embedding = "path:e5"
        reranking = "endpoint:r@http://127.0.0.1:9/v1/"
        [decisions]
        level_headings = "anthropic:large"
        extract_graph = "none"
        [prices]
        "openai:*" = { input = 0.25, output = 2 }
        [key_env]
        openai = "WORK_KEY"
        """
    )
    chosen = read(folder)
    assert chosen.model == "openai:gpt-5-mini"
    assert chosen.models == {
        "vision": "ollama:seer",
        "embedding": f"path:{folder / 'project' / 'e5'}",
        "reranking": "endpoint:r@http://127.0.0.1:9/v1",
    }
    assert chosen.decisions == {"level_headings": "anthropic:large", "extract_graph": "none"}
    assert chosen.prices == {"openai:*": (0.25, 2.0)}
    assert chosen.key_env == {"openai": "WORK_KEY"}


def test_entries_of_a_table_come_from_all_files_the_nearer_one_first(folder: Path) -> None:
    (folder / "user" / "octavo.toml").write_text("[prices]\na = {input = 1, output = 1}\nb = {input = 1, output = 1}")
    (folder / "project" / "octavo.toml").write_text("[prices]\na = {input = 2, output = 2}")
    assert read(folder).prices == {"a": (2.0, 2.0), "b": (1.0, 1.0)}


def test_no_model_said_for_a_run_turns_off_those_of_the_files_too(folder: Path) -> None:
    (folder / "project" / "octavo.toml").write_text(
        "model = 'openai:a'\nlayer_model = 'openai:d'\n[models]\nvision = 'openai:b'\nreranking = 'rule'\n"
        "[decisions]\nx = 'openai:c'"
    )
    for chosen in (read(folder, {"model": "none"}), read(folder, environment={"OCTAVO_MODEL": "none"})):
        assert (chosen.model, chosen.models, chosen.decisions) == ("none", {"reranking": "rule"}, {})
        assert chosen.layer_model == ""
    assert read(folder, {"model": "openai:z"}).decisions == {"x": "openai:c"}


def test_whether_a_model_was_named_is_known_also_where_it_is_none(tmp_path: Path) -> None:
    assert not load({}, environment={}, folder=tmp_path, user_folder=tmp_path).names_model
    assert load({"model": "none"}, environment={}, folder=tmp_path, user_folder=tmp_path).names_model
    (tmp_path / "octavo.toml").write_text('[models]\nlanguage = "none"\n')
    assert load({}, environment={}, folder=tmp_path, user_folder=tmp_path).names_model
