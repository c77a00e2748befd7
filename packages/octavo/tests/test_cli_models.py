"""`octavo models`, choosing a model for good, and the line that says how a model could answer."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from cli_corpus import FakeCorpus, document, octavo
from octavo.cli import context, terminal
from octavo.cli.settings import load
from octavo.models.finding import FoundModel

READY = FoundModel("ollama:qwen3:8b", "Ollama, 127.0.0.1:11434", 5_200_000_000)
SEEING = FoundModel("openai:gemma@http://127.0.0.1:1234/v1", "LM Studio, 127.0.0.1:1234", sees=True)
OTHER = FoundModel("local:/m/a.gguf", "LM Studio's files", 2_000, sees=False, problem="is of the family x: serve it")


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.delenv("OCTAVO_MODEL", raising=False)
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> list[FoundModel]:
    found: list[FoundModel] = []
    monkeypatch.setattr("octavo.models.finding.find_models", lambda: tuple(found))
    return found


# The list


def test_models_are_listed_by_the_name_to_give(here: list[FoundModel]) -> None:
    here += [READY, SEEING, OTHER]
    done = octavo("models")
    lines = [line.split("  ") for line in done.out.splitlines()]
    assert done.status == 0
    assert [line[0] for line in lines[:3]] == ["model", READY.name, SEEING.name]
    assert [part.strip() for part in lines[1] if part.strip()] == [READY.name, "5.2 GB", READY.where]
    assert [part.strip() for part in lines[2] if part.strip()] == [SEEING.name, "yes", SEEING.where]
    assert done.out.splitlines()[3:5] == [
        "not ready: local:/m/a.gguf  (2.0 kB, LM Studio's files)",
        "    is of the family x: serve it",
    ]
    assert done.out.splitlines()[-1].startswith("The rules answer now; --model NAME")


def test_for_programs_models_are_one_object(here: list[FoundModel]) -> None:
    here += [READY, OTHER]
    told = json.loads(octavo("models", "--json").out)
    assert told["model"] == "none"
    assert told["models"][0] == {
        "name": "ollama:qwen3:8b",
        "where": "Ollama, 127.0.0.1:11434",
        "size_bytes": 5_200_000_000,
        "sees": None,
        "problem": "",
    }
    assert told["models"][1]["problem"] == OTHER.problem


def test_without_a_model_there_are_ways_to_one(here: list[FoundModel]) -> None:
    assert json.loads(octavo("models", "--json").out) == {"model": "none", "models": []}
    out = octavo("models").out
    assert "No language model was found" in out
    assert all(way in out for way in ("ollama pull", "octavo[local]", "OPENAI_API_KEY"))


def test_what_a_server_calls_its_models_cannot_steer_the_terminal(here: list[FoundModel]) -> None:
    here.append(FoundModel("ollama:\x1b[2J", "x\x1b]0;", problem="\x1b[1m"))
    assert "\x1b" not in octavo("models").out


def test_doctor_names_the_models_that_can_be_used(here: list[FoundModel]) -> None:
    def said() -> str:
        parts = json.loads(octavo("doctor", "--json").out)["parts"]
        return next(part["detail"] for part in parts if part["name"] == "models here")

    assert said() == "none; 'octavo models' says how to get one"
    here.append(OTHER)
    assert said() == "none can be used as it is; 'octavo models' lists 1"
    here += [READY, SEEING]
    assert said() == f"{READY.name}, {SEEING.name}; 'octavo models' lists 3"


# Choosing one


def in_force() -> str:
    return load({}).model


def test_a_choice_goes_to_the_users_file_where_no_other_is_in_force(tmp_path: Path) -> None:
    done = octavo("models", "use", "ollama:qwen3:8b")
    path = tmp_path / "config" / "octavo" / "octavo.toml"
    assert (done.status, done.out) == (0, f"{path}: the model is ollama:qwen3:8b from now on\n")
    assert path.read_text() == 'model = "ollama:qwen3:8b"\n'
    assert in_force() == "ollama:qwen3:8b"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            '# mine\nlimit = 5  # few\n\n[models]\nvision = "none"\n',
            '# mine\nlimit = 5  # few\nmodel = "ollama:x"\n\n[models]\nvision = "none"\n',
        ),
        ('model = "openai:y"  # dear\nlimit = 5\n', 'model = "ollama:x"  # dear\nlimit = 5\n'),
        ('[models]  # by role\nlanguage = "openai:y" # dear\n', '[models]  # by role\nlanguage = "ollama:x" # dear\n'),
        (
            '[prices]\n"x" = { input = 1, output = 2 }\n',
            'model = "ollama:x"\n\n[prices]\n"x" = { input = 1, output = 2 }\n',
        ),
        ("limit = 5\r\n", 'limit = 5\r\nmodel = "ollama:x"\n'),
    ],
)
def test_a_choice_goes_to_the_file_in_force_and_leaves_the_rest(tmp_path: Path, before: str, after: str) -> None:
    path = tmp_path / "octavo.toml"
    path.write_bytes(before.encode())
    done = octavo("models", "use", "ollama:x")
    assert done.out.startswith(f"{path}: ")
    assert path.read_bytes().decode() == after
    assert in_force() == "ollama:x"
    assert not (tmp_path / "config").exists()
    assert [one.name for one in tmp_path.iterdir() if "octavo" in one.name] == ["octavo.toml"]


def test_none_lets_the_rules_answer_again() -> None:
    octavo("models", "use", "ollama:x")
    assert "the model is none" in octavo("models", "use", "none").out
    assert in_force() == "none"


def test_a_link_to_the_file_stays_one(tmp_path: Path) -> None:
    (tmp_path / "real.toml").write_text("limit = 5\n")
    (tmp_path / "octavo.toml").symlink_to(tmp_path / "real.toml")
    octavo("models", "use", "ollama:x")
    assert (tmp_path / "octavo.toml").is_symlink()
    assert tomllib.loads((tmp_path / "real.toml").read_text()) == {"limit": 5, "model": "ollama:x"}


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("qwen3", "PROVIDER:NAME"),
        ("nobody:x", "no model provider 'nobody'"),
        ("local:gone.gguf", "gone.gguf does not exist"),
        ("openai:gpt-x", "needs a key"),
    ],
)
def test_what_cannot_be_used_is_not_written(
    name: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    done = octavo("models", "use", name)
    assert done.status != 0
    assert told in done.err
    assert not (tmp_path / "config").exists()


def test_a_file_that_is_no_toml_is_told_and_left(tmp_path: Path) -> None:
    (tmp_path / "octavo.toml").write_text("limit =")
    done = octavo("models", "use", "ollama:x")
    assert done.status == 2
    assert "is not valid TOML" in done.err
    assert (tmp_path / "octavo.toml").read_text() == "limit ="


def test_a_variable_that_goes_before_the_file_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OCTAVO_MODEL", "ollama:y")
    assert "OCTAVO_MODEL goes before the file and names ollama:y" in octavo("models", "use", "ollama:x").err


# The line under an answer of the rules


@pytest.fixture
def corpus(monkeypatch: pytest.MonkeyPatch) -> FakeCorpus:
    fake, one = FakeCorpus(), document()
    fake.documents[one.id] = one
    monkeypatch.setattr(context, "open_corpus", lambda _settings, **_options: fake)
    return fake


@pytest.fixture
def at_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminal, "is_terminal", lambda _stream: True)


@pytest.mark.usefixtures("corpus", "at_a_terminal")
def test_a_person_is_told_of_the_model_that_is_here(here: list[FoundModel]) -> None:
    here += [READY, SEEING]
    done = octavo("ask", "x?")
    assert "to ask a model that is here: --model ollama:qwen3:8b" in done.err
    assert done.err.count("\n") == 1
    assert "--model" not in done.out


@pytest.mark.usefixtures("corpus", "at_a_terminal")
def test_a_name_that_does_not_fit_into_the_line_is_left_out(here: list[FoundModel]) -> None:
    here.append(FoundModel(f"local:/{'m' * 90}.gguf", "x"))
    assert octavo("ask", "x?").err == "octavo: answered by rule; 'octavo models' lists the models that are here\n"


@pytest.mark.usefixtures("corpus", "at_a_terminal")
def test_a_person_without_a_model_is_told_where_to_read_of_one(here: list[FoundModel]) -> None:
    here.append(OTHER)
    err = octavo("ask", "x?").err
    assert "'octavo models' says how" in err
    assert "--model" not in err


@pytest.mark.usefixtures("corpus", "at_a_terminal")
def test_whoever_said_that_no_model_is_wanted_hears_nothing(here: list[FoundModel], tmp_path: Path) -> None:
    here.append(READY)
    assert octavo("ask", "x?", "--model", "none").err == ""
    (tmp_path / "octavo.toml").write_text('model = "none"\n')
    assert octavo("ask", "x?").err == ""


@pytest.mark.usefixtures("corpus", "at_a_terminal")
def test_programs_hear_nothing(here: list[FoundModel]) -> None:
    here.append(READY)
    assert octavo("ask", "x?", "--json").err == ""
    assert octavo("search", "x?").err == ""


@pytest.mark.usefixtures("corpus")
@pytest.mark.parametrize("piped", ["stdout", "stderr"])
def test_a_pipe_hears_nothing(here: list[FoundModel], piped: str, monkeypatch: pytest.MonkeyPatch) -> None:
    here.append(READY)
    monkeypatch.setattr(terminal, "is_terminal", lambda stream: stream is not getattr(terminal.sys, piped))
    assert octavo("ask", "x?").err == ""


@pytest.mark.usefixtures("corpus", "at_a_terminal")
def test_no_model_is_asked_that_nobody_chose(here: list[FoundModel], corpus: FakeCorpus) -> None:
    here.append(READY)
    octavo("ask", "x?")
    assert in_force() == "none"
    assert [name for name, _ in corpus.calls if name == "search"] == ["search"]
