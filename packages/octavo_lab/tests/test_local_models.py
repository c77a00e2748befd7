"""Models in files on this machine: found and described, and those of torch run where it is there."""

from __future__ import annotations

import dataclasses
import importlib.util
import json
import struct
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import gguf_files
from gguf_files import text
from octavo.cli.models_from_settings import config_of
from octavo.cli.settings import load
from octavo.errors import ModelError, UsageError
from octavo.models.language import FaultKind, ModelFault, Request, Turn
from octavo.models.language_models import LANGUAGE_MODELS, language_model
from octavo.models.local_files import LocalFiles, base_files, family_of, local_files, read_header
from octavo.models.providers import is_here
from octavo.models.spec import ModelSpec, parse_spec
from octavo.models.torch_engine import torch_model

HAS_TORCH = all(importlib.util.find_spec(name) for name in ("torch", "transformers", "peft"))
needs_torch = pytest.mark.skipif(not HAS_TORCH, reason="needs the extra train")


def folder(path: Path, **config: object) -> Path:
    path.mkdir()
    (path / "config.json").write_text(json.dumps({"max_position_embeddings": 512, **config}))
    return path


def adapter(path: Path, base: str, **card: object) -> Path:
    path.mkdir()
    (path / "adapter_config.json").write_text(json.dumps({"base_model_name_or_path": base}))
    if card:
        (path / "octavo.json").write_text(json.dumps(card))
    return path


# Names


def test_a_local_model_is_named_by_its_path_spaces_and_all() -> None:
    assert parse_spec(" local:/my models/a@b ", LANGUAGE_MODELS) == ModelSpec("local", "/my models/a@b")
    assert str(parse_spec("LOCAL:./router", LANGUAGE_MODELS)) == "local:./router"


def test_a_local_model_runs_here() -> None:
    assert is_here("local:/models/router")


def test_a_path_in_a_file_is_seen_from_there(tmp_path: Path) -> None:
    (tmp_path / "octavo.toml").write_text('router = "models/router"\n[models]\nvision = "local:eyes"\n')
    found = load({}, environment={}, folder=tmp_path, user_folder=tmp_path)
    assert found.router == f"local:{tmp_path}/models/router"
    assert found.models == {"vision": f"local:{tmp_path}/eyes"}


def test_a_router_asks_for_the_system_that_has_one() -> None:
    assert load({"router": "/models/router"}, environment={}).system == "rdr2"
    assert load({"router": "/models/router", "system": "hybrid"}, environment={}).system == "hybrid"


def test_a_router_is_the_model_of_one_decision(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("octavo.models.torch_engine.find_spec", lambda _name: True)
    path = adapter(tmp_path / "router", str(folder(tmp_path / "small")), context_tokens=512)
    means = config_of(load({"router": str(path), "model": "none"}, environment={}, folder=tmp_path))
    assert means is not None
    assert [name for name, model in means.models.items() if model != "none"] == ["route_document"]
    assert means.models["route_document"].context_tokens == 512
    assert means.limits is not None
    assert means.limits.timeout == 600


def test_a_router_takes_the_decision_that_it_was_trained_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("octavo.models.torch_engine.find_spec", lambda _name: True)
    path = adapter(tmp_path / "router", str(folder(tmp_path / "small")), decision="route_subtree")
    means = config_of(load({"router": str(path), "model": "none"}, environment={}, folder=tmp_path))
    assert means is not None
    assert [name for name, model in means.models.items() if model != "none"] == ["route_subtree"]


# Files


def test_a_folder_says_how_long_its_context_is(tmp_path: Path) -> None:
    assert local_files(folder(tmp_path / "a")).context_tokens == 512
    assert local_files(folder(tmp_path / "b", text_config={"max_position_embeddings": 64})).context_tokens == 512
    (tmp_path / "b" / "config.json").write_text('{"text_config": {"n_ctx": 64}}')
    assert local_files(tmp_path / "b").context_tokens == 64
    (tmp_path / "b" / "config.json").write_text("{}")
    assert local_files(tmp_path / "b").context_tokens == 0


def test_a_gguf_file_says_what_it_holds(tmp_path: Path) -> None:
    found = read_header(gguf_files.tiny(tmp_path / "a.gguf", kind=12, **{"split.count": 2}))
    assert (found.family, found.context_tokens, found.tokenizer, found.parts) == ("qwen2", 512, "gpt2", 2)
    assert found.weights == {"Q4_K"}
    assert found.size == (tmp_path / "a.gguf").stat().st_size
    assert found.parameters > 0
    assert family_of(tmp_path / "a.gguf") == "qwen2"
    empty = read_header(gguf_files.write(tmp_path / "b.gguf", {"general.name": "small", "scores": [1, 2, 3]}))
    assert (empty.family, empty.context_tokens, empty.weights) == ("", 0, frozenset())
    assert local_files(tmp_path / "a.gguf") == LocalFiles(tmp_path / "a.gguf")


def test_a_model_of_few_parameters_is_small(tmp_path: Path) -> None:
    def written(name: str, rows: int, **values: object) -> Path:
        path = gguf_files.write(tmp_path / name, {"general.architecture": "qwen2", **values}, {})  # type: ignore[dict-item]
        head = b"GGUF" + struct.pack("<IQQ", 3, 1, 0) + text("w") + struct.pack("<IQQIQ", 2, rows, 1_000_000, 12, 0)
        path.write_bytes(head)
        return path

    assert local_files(written("a.gguf", 1500)).is_small
    assert not local_files(written("b.gguf", 8000)).is_small
    assert not local_files(gguf_files.tiny(tmp_path / "part.gguf", **{"split.count": 2})).is_small
    (folder := tmp_path / "converted").mkdir()
    (folder / "openvino_model.xml").write_text("<net/>")
    (folder / "openvino_model.bin").write_bytes(b"0")
    assert local_files(folder).is_small


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"GGUF",
        b"PK\x03\x04" + bytes(40),
        b"GGUF" + struct.pack("<IQQ", 3, 0, 1 << 60) + struct.pack("<Q", 1 << 60),
        b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + text("a") + struct.pack("<I", 77),
        b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + text("a") + struct.pack("<IIQ", 9, 9, 1),
        b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + text("a") + struct.pack("<IIQ", 9, 8, 1 << 40),
    ],
)
def test_what_is_no_whole_gguf_file_is_told(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.gguf").write_bytes(content)
    with pytest.raises(ModelError, match="no whole GGUF file"):
        read_header(tmp_path / "a.gguf")


def test_an_adapter_names_its_base_and_says_how_it_is_asked(tmp_path: Path) -> None:
    base = folder(tmp_path / "base")
    found = local_files(adapter(tmp_path / "router", "../base", instructions=False, context_tokens=256))
    assert found == LocalFiles(tmp_path / "router" / ".." / "base", tmp_path / "router", False, 256)
    assert found.context_tokens == 256
    assert local_files(adapter(tmp_path / "plain", str(base))).sends_instructions


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda path: path / "nothing", "does not exist: name a .gguf file, or a folder"),
        (lambda path: path, "is no language model"),
        (lambda path: adapter(path / "a", str(path / "gone")), "is gone"),
        (lambda path: adapter(path / "a", ""), "names no base model"),
    ],
)
def test_what_is_no_model_is_told(tmp_path: Path, make: Callable[[Path], Path], told: str) -> None:
    with pytest.raises(ModelError, match=told):
        local_files(make(tmp_path))


def test_a_base_may_be_a_name_on_the_hub(tmp_path: Path) -> None:
    assert base_files("owner/name") == LocalFiles("owner/name")
    assert base_files(str(folder(tmp_path / "base"))) == LocalFiles(tmp_path / "base")
    with pytest.raises(ModelError, match="does not exist"):
        base_files("models/some/path")


def test_the_digest_follows_the_files(tmp_path: Path) -> None:
    path = folder(tmp_path / "base")
    first = local_files(path).digest()
    assert local_files(path).digest() == first
    (path / "model.safetensors").write_bytes(b"weights")
    second = local_files(path).digest()
    (path / "notes.md").write_text("not a part of the model")
    assert local_files(path).digest() == second != first
    router = adapter(tmp_path / "router", str(path))
    assert local_files(router).digest() not in (first, second)
    assert LocalFiles(path, sends_instructions=False).digest() != second


def test_without_the_packages_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("octavo.models.torch_engine.find_spec", lambda _name: None)
    monkeypatch.setitem(sys.modules, "torch", None)
    router = adapter(tmp_path / "router", str(folder(tmp_path / "base")))
    with pytest.raises(ModelError, match=r"octavo\[train\]"):
        language_model(f"local:{router}")


# Running one


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a model of two tiny layers with random weights, and a tokenizer of words."""
    import torch
    import transformers
    from tokenizers import Tokenizer, models, pre_tokenizers

    said = "[ANSWER] [EXPAND] [REFUSE] 3 5 : The east quay Records a b c"
    words = ["<end>", "<unknown>", *said.split()]
    vocabulary = {word: at for at, word in enumerate(words)}
    made = Tokenizer(models.WordLevel(vocabulary, unk_token="<unknown>"))
    made.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_object=made, eos_token="<end>", unk_token="<unknown>")
    torch.manual_seed(0)
    config = transformers.LlamaConfig(
        vocab_size=len(words),
        hidden_size=16,
        intermediate_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=1,
        max_position_embeddings=4096,
        eos_token_id=0,
        bos_token_id=None,
    )
    path = tmp_path_factory.mktemp("small") / "base"
    transformers.LlamaForCausalLM(config).save_pretrained(path)
    tokenizer.save_pretrained(path)
    return path


def request(words: str = "a b c", most: int = 6) -> Request:
    return Request("route_document", "1", "The east quay", (Turn("user", words),), max_output_tokens=most)


@needs_torch
def test_a_model_of_transformers_replies(small: Path) -> None:
    model = torch_model(local_files(small))
    grown: list[str] = []
    reply = model.generate(request(), timeout=60, on_text=grown.append)
    assert reply == model.generate(request(), timeout=60)
    assert reply.input_tokens == 6
    assert 0 <= reply.output_tokens <= 6
    assert reply.finish == ("length" if reply.output_tokens == 6 else "stop")
    assert grown[-1] == reply.text
    assert model.id.startswith("local:base#")


@needs_torch
def test_logits_are_computed_of_no_more_tokens_than_are_needed(small: Path) -> None:
    import torch

    from octavo.models.torch_engine import Loaded, load

    loaded = load(local_files(small), device="cpu")
    words = torch.tensor([loaded.prompt([{"role": "user", "content": "a b c a b c"}])])
    with torch.inference_mode():
        whole = loaded.model(input_ids=words).logits
        last = loaded.model(input_ids=words, **loaded.last_logits(2)).logits
    assert last.shape[1] == 2 < whole.shape[1]
    assert torch.allclose(last, whole[:, -2:])
    assert Loaded(torch.nn.Linear(1, 1), loaded.tokenizer, "cpu").last_logits(2) == {}


@pytest.mark.parametrize(
    ("said", "least"), [(0.01, 0.01), (1, 1.0), (-1, 0.0), (2, 0.0), (float("nan"), 0.0), ("x", 0.0)]
)
def test_a_router_says_how_likely_an_action_must_be(tmp_path: Path, said: object, least: float) -> None:
    path = adapter(tmp_path / "router", str(folder(tmp_path / "small")), weighs_from=said)
    assert local_files(path).weighs_from == least


@needs_torch
def test_lines_are_weighed_as_if_each_began_the_reply(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    from octavo.models.torch_engine import TorchEngine, load

    loaded = load(local_files(small), device="cpu")
    lines = ("[ANSWER] 3 :", "[REFUSE]", "[EXPAND] 5 :", "[ANSWER] 5 :")
    prompt = loaded.prompt([{"role": "user", "content": "a b c"}])
    alone: dict[str, float] = {}
    for line in lines:
        words = list(loaded.tokenizer(line, add_special_tokens=False)["input_ids"])
        with torch.inference_mode():
            scores = loaded.model(input_ids=torch.tensor([prompt + words])).logits[0].log_softmax(dim=-1)
        alone[line] = float(sum(scores[len(prompt) - 1 + at, word] for at, word in enumerate(words)).exp())
    best = sorted(lines, key=lambda line: -alone[line])
    asked = dataclasses.replace(request(), lines=lines)

    def reply(least: float) -> list[str]:
        *_, last = TorchEngine(loaded, weighs_from=least).write(prompt, asked)
        assert last.finish == "stop"
        return loaded.tokenizer.decode(list(last.tokens)).replace(" [", "\n[").split("\n")

    between = (alone[best[1]] * alone[best[2]]) ** 0.5
    for together in (16_384, 1):
        monkeypatch.setattr("octavo.models.torch_engine._WEIGHED_TOKENS", together)
        assert reply(between) == best[:2]
        assert reply(1e-12) == best
        assert reply(0.999) == best[:1]


@needs_torch
def test_faults_are_told_apart(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = torch_model(local_files(small))
    with pytest.raises(ModelFault) as long:
        model.generate(request("a " * 5000), timeout=60)
    assert long.value.kind is FaultKind.CONTEXT
    monkeypatch.setattr("octavo.models.torch_engine._tokens", lambda *_: iter([5] * 2000))
    with pytest.raises(ModelFault) as slow:
        model.generate(request(most=2000), timeout=0.0)
    assert slow.value.kind is FaultKind.TIMEOUT


@needs_torch
def test_a_model_that_cannot_be_loaded_is_unknown(tmp_path: Path) -> None:
    model = torch_model(local_files(folder(tmp_path / "broken", model_type="llama")))
    with pytest.raises(ModelFault) as wrong:
        model.generate(request(), timeout=60)
    assert wrong.value.kind is FaultKind.UNKNOWN_MODEL


@needs_torch
def test_training_learns_and_goes_on_where_it_was_interrupted(small: Path, tmp_path: Path) -> None:
    from octavo_lab.training.finetuning import TrainingPlan, finetune
    from routing_examples import example

    given_ones = [example((3,)), example((), (5,)), example((3,), (5,)), example()]
    plan = TrainingPlan(learning_rate=0.01, epochs=8, batch=2, checkpoint_steps=4, instructions=False)
    base = base_files(str(small))
    whole = finetune(base, given_ones, plan, tmp_path / "whole", held_out=given_ones, device="cpu")
    assert len(whole.losses) == 16
    assert whole.losses[-1] < whole.losses[0]
    assert whole.held_out_loss is not None
    assert whole.held_out_loss[1] < whole.held_out_loss[0]

    def interrupt(step: int, _steps: int, _loss: float) -> None:
        if step == 7:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        finetune(base, given_ones, plan, tmp_path / "parts", device="cpu", advance=interrupt)
    again = finetune(base, given_ones, plan, tmp_path / "parts", device="cpu")
    assert again.resumed == 4
    assert again.losses == pytest.approx(whole.losses, rel=1e-4)
    found = local_files(again.router)
    assert found.base == small
    assert not found.sends_instructions
    model = language_model(f"local:{again.router}")
    assert model.generate(request(), timeout=60).input_tokens == 3


@needs_torch
def test_a_training_that_runs_away_ends_at_once(small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from octavo_lab.training.finetuning import TrainingPlan, finetune
    from routing_examples import example

    losses = iter([2.0, float("nan")])
    monkeypatch.setattr("octavo_lab.training.finetuning.Trainer._step", lambda _trainer, _batch: next(losses))
    plan = TrainingPlan(epochs=8, batch=1, instructions=False)
    with pytest.raises(ModelError, match="step 2 is no number: begin anew with a lower --learning-rate"):
        finetune(base_files(str(small)), [example((3,))], plan, tmp_path, device="cpu")
    assert not (tmp_path / "router").exists()


@needs_torch
def test_an_adapter_is_no_base(small: Path, tmp_path: Path) -> None:
    from octavo_lab.training.finetuning import TrainingPlan, finetune
    from routing_examples import example

    router = adapter(tmp_path / "router", str(small))
    with pytest.raises(ModelError, match="train on the model it was made from"):
        finetune(base_files(str(router)), [example((3,))], TrainingPlan(), tmp_path)
    with pytest.raises(UsageError, match="no example to train on"):
        finetune(base_files(str(small)), [example((3,))], TrainingPlan(max_tokens=3), tmp_path, device="cpu")
