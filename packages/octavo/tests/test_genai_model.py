"""Models in files run on this machine by OpenVINO GenAI: over a scripted stand-in, and for real where it is there."""

from __future__ import annotations

import importlib.util
import itertools
import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import gguf_files
from cli_corpus import octavo
from gateways import gateway, in_threads
from octavo.errors import BudgetError, ModelError
from octavo.models.gateway import Budget, Cancelled, Caps
from octavo.models.genai_engine import GenaiEngine
from octavo.models.language import FaultKind, ModelFault, Request, Turn
from octavo.models.language_models import language_model
from octavo.models.local_model import LocalModel
from octavo.models.open_local import open_local
from scripted_genai import NAME, ScriptedGenai

HANDBOOK = Path(__file__).parents[3] / "examples" / "handbook.pdf"
SCHEMA = json.dumps(
    {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"], "additionalProperties": False}
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return gguf_files.tiny(tmp_path / "tiny.gguf")


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Callable[[ScriptedGenai], ScriptedGenai]:
    def put(genai: ScriptedGenai) -> ScriptedGenai:
        monkeypatch.setitem(sys.modules, NAME, genai)
        monkeypatch.setattr("octavo.models.genai_engine.version", lambda _name: "2026.4.1")
        monkeypatch.setattr("octavo.models.genai_engine.EngineProcess", GenaiEngine)
        return genai

    return put


Install = Callable[[ScriptedGenai], ScriptedGenai]


def asked(words: str = "How large is the crew?", **given: object) -> Request:
    values = {"decision": "d", "version": "1", "instructions": "Read.", "turns": (Turn("user", words),)}
    return Request(**{**values, "max_output_tokens": 50, **given})  # type: ignore[arg-type]


def slow(seconds: float) -> Callable[[], None]:
    return lambda: time.sleep(seconds)


# Replies


def test_a_model_replies_and_counts_its_tokens(path: Path, install: Install) -> None:
    install(ScriptedGenai())
    reply = open_local(path).generate(asked(), timeout=10)
    assert (reply.text, reply.finish) == ("A crew of two", "stop")
    assert reply.input_tokens == len("system: Read.\nuser: How large is the crew?\n")
    assert reply.output_tokens == len("A crew of two") + 1


def test_a_plain_reply_tells_how_likely_its_first_token_was(path: Path, install: Install) -> None:
    install(ScriptedGenai())
    model = open_local(path)
    assert model.generate(asked(), timeout=10).chance == pytest.approx(0.75)
    assert model.generate(asked(schema=SCHEMA), timeout=10).chance is None


def test_a_reply_that_goes_on_in_blanks_is_ended(path: Path, install: Install) -> None:
    install(ScriptedGenai(lambda _prompt: "A crew" + " " * 5000))
    reply = open_local(path).generate(asked(max_output_tokens=400), timeout=10)
    assert (reply.text, reply.finish) == ("A crew", "length")
    assert reply.output_tokens < 250


def test_a_reply_that_is_cut_off_says_so(path: Path, install: Install) -> None:
    install(ScriptedGenai())
    reply = open_local(path).generate(asked(max_output_tokens=6), timeout=10)
    assert (reply.text, reply.finish, reply.output_tokens) == ("A crew", "length", 6)


def test_the_text_is_told_as_it_grows(path: Path, install: Install) -> None:
    install(ScriptedGenai())
    told: list[str] = []
    open_local(path).generate(asked(), timeout=10, on_text=told.append)
    assert told[0] == ""
    assert told[-1] == "A crew of two"
    assert all(later.startswith(earlier) for earlier, later in itertools.pairwise(told))
    assert len(set(told)) > 3


def test_what_a_request_asks_reaches_the_engine(path: Path, install: Install) -> None:
    genai = install(ScriptedGenai())
    model = open_local(path)
    model.generate(asked(schema=SCHEMA), timeout=10)
    (plain,) = (request.config for request in genai.requests)
    assert plain.structured_output_config.json_schema == SCHEMA
    assert plain.stop_token_ids == {0}
    assert not hasattr(plain, "do_sample")
    scheduling = genai.pipelines[0].scheduling
    assert scheduling.enable_prefix_caching
    assert scheduling.max_num_batched_tokens <= 64


def test_a_model_that_knows_no_system_role_is_told_all_the_same(path: Path, install: Install) -> None:
    genai = install(ScriptedGenai(template="no system"))
    open_local(path).generate(asked("Who?"), timeout=10)
    assert genai.requests[0].prompt == "user: Read.\n\nWho?\n"


def test_a_model_without_a_template_reads_paragraphs(path: Path, install: Install) -> None:
    genai = install(ScriptedGenai(template=""))
    open_local(path).generate(asked("Who?"), timeout=10)
    assert genai.requests[0].prompt == "Read.\n\nWho?\n\n"


def test_a_long_prompt_becomes_tokens_piece_by_piece_and_none_is_lost(path: Path, install: Install) -> None:
    genai = install(ScriptedGenai())
    words = "\n".join(f"line {number} of the log" for number in range(400)) + "x" * 5000
    open_local(gguf_files.tiny(path, **{"qwen2.context_length": 40_000})).generate(asked(words), timeout=10)
    assert genai.requests[0].prompt == f"system: Read.\nuser: {words}\n"
    assert max(map(len, genai.encoded)) <= 2000
    assert sum(piece.endswith("\n") for piece in genai.encoded) > 3


def test_a_prompt_that_does_not_fit_is_refused(path: Path, install: Install) -> None:
    install(ScriptedGenai())
    model = open_local(path)
    assert model.context_tokens == 512
    with pytest.raises(ModelFault, match="takes 512 tokens") as wrong:
        model.generate(asked("x" * 500), timeout=10)
    assert wrong.value.kind is FaultKind.CONTEXT


def test_the_context_is_what_the_file_says_and_no_more_than_is_named(path: Path, install: Install) -> None:
    install(ScriptedGenai())
    wide = gguf_files.tiny(path, **{"qwen2.context_length": 40_000})
    assert language_model(f"local:{wide}").context_tokens == 8192
    assert language_model(f"local:{wide}", context_tokens=20_000).context_tokens == 20_000
    assert language_model(f"local:{wide}", context_tokens=90_000).context_tokens == 40_000


# Turns


def test_threads_share_one_model_that_is_loaded_once_and_write_one_at_a_time(path: Path, install: Install) -> None:
    genai = install(ScriptedGenai(lambda prompt: prompt[-3], on_load=slow(0.05), on_step=slow(0.002)))
    model = open_local(path)
    replies: dict[int, str] = {}

    def work(number: int) -> None:
        replies[number] = model.generate(asked(f"Say {number}?"), timeout=20).text

    assert in_threads(8, work) == []
    assert replies == {number: str(number) for number in range(8)}
    assert len(genai.pipelines) == 1
    assert genai.most_at_once == 1


def test_nothing_is_loaded_before_the_first_request(path: Path, install: Install) -> None:
    genai = install(ScriptedGenai())
    model = open_local(path)
    assert model.id.startswith("local:tiny.gguf#")
    assert not genai.pipelines


# Ends


def ended(genai: ScriptedGenai, model: LocalModel) -> bool:
    """Return whether nothing is left of what was ended, and the model replies to the next request."""
    is_idle = not any(pipeline.has_non_finished_requests() for pipeline in genai.pipelines)
    genai.on_step = lambda: None
    return is_idle and model.generate(asked(), timeout=10).text == "A crew of two"


def test_time_ends_a_reply_while_the_prompt_is_still_read(path: Path, install: Install) -> None:
    genai = install(ScriptedGenai())
    model = open_local(path)
    model.generate(asked(), timeout=10)
    genai.on_step = slow(0.05)
    begun = time.monotonic()
    with pytest.raises(ModelFault, match=r"no whole reply within 0\.1 seconds") as late:
        model.generate(asked("x" * 400), timeout=0.1)
    assert time.monotonic() - begun < 1
    assert late.value.kind is FaultKind.TIMEOUT
    assert genai.requests[-1].read_tokens < 400
    assert ended(genai, model)


def test_time_also_runs_while_the_model_is_loaded_which_goes_on_for_the_next(path: Path, install: Install) -> None:
    genai = install(ScriptedGenai(on_load=slow(0.5)))
    model = open_local(path)
    with pytest.raises(ModelFault) as late:
        model.generate(asked(), timeout=0.05)
    assert (late.value.kind, late.value.is_sent) == (FaultKind.TIMEOUT, False)
    assert model.generate(asked(), timeout=10).text == "A crew of two"
    assert len(genai.pipelines) == 1


def test_time_also_runs_while_another_thread_has_the_turn(path: Path, install: Install) -> None:
    genai = install(ScriptedGenai(on_step=slow(0.05)))
    model = open_local(path)
    first = threading.Thread(target=lambda: model.generate(asked(), timeout=30))
    first.start()
    while not genai.requests:
        time.sleep(0.01)
    with pytest.raises(ModelFault) as late:
        model.generate(asked(), timeout=0.1)
    assert late.value.kind is FaultKind.TIMEOUT
    first.join()


@pytest.mark.parametrize("raised", [KeyboardInterrupt, BrokenPipeError])
def test_what_the_listener_raises_ends_the_reply(path: Path, install: Install, raised: type[BaseException]) -> None:
    genai = install(ScriptedGenai())
    model = open_local(path)

    def listen(text: str) -> None:
        if text:
            raise raised

    with pytest.raises(raised):
        model.generate(asked(), timeout=10, on_text=listen)
    assert ended(genai, model)


def test_ctrl_c_in_the_middle_of_a_step_ends_the_reply(path: Path, install: Install) -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    genai = install(ScriptedGenai(on_step=interrupt))
    model = open_local(path)
    with pytest.raises(KeyboardInterrupt):
        model.generate(asked(), timeout=10)
    assert ended(genai, model)


def test_cancelling_ends_a_reply_under_way_and_counts_nothing(path: Path, install: Install) -> None:
    cancel = threading.Event()
    genai = install(ScriptedGenai(lambda _: "x" * 40, on_step=slow(0.02)))
    model = open_local(path)
    way, budget = gateway(), Budget()
    threading.Timer(0.3, cancel.set).start()
    begun = time.monotonic()
    with pytest.raises(Cancelled):
        way.call(model, asked(), budget, cancel=cancel)
    assert time.monotonic() - begun < 1.3
    assert budget.spent.calls == 0
    assert way.journal.usage() == ()
    genai.reply = lambda _: "A crew of two"
    assert ended(genai, model)


def test_a_budget_of_seconds_ends_a_reply_under_way(path: Path, install: Install) -> None:
    genai = install(ScriptedGenai(lambda _: "x" * 40, on_step=slow(0.05)))
    model = open_local(path)
    begun = time.monotonic()
    with pytest.raises(BudgetError, match="max_seconds"):
        gateway().call(model, asked(), Budget(Caps(seconds=0.4)))
    assert time.monotonic() - begun < 1.4
    genai.reply = lambda _: "A crew of two"
    assert ended(genai, model)


def test_a_reply_of_the_gateway_is_paid_for_and_kept_like_any_other(path: Path, install: Install) -> None:
    genai = install(ScriptedGenai())
    model, way, told = open_local(path), gateway(), list[str]()
    settled = way.call(model, asked(), Budget(), on_text=told.append)
    assert (settled.reply.text, settled.is_cached) == ("A crew of two", False)
    assert "" not in told
    assert told[-1] == "A crew of two"
    assert way.call(model, asked(), Budget()).is_cached
    assert len(genai.requests) == 1


# Faults


def test_an_engine_that_fails_is_loaded_anew_for_the_next_attempt(path: Path, install: Install) -> None:
    faults = [RuntimeError("the graph failed")]

    def fail() -> None:
        if faults:
            raise faults.pop()

    genai = install(ScriptedGenai(on_step=fail))
    settled = gateway().call(open_local(path), asked(), Budget())
    assert (settled.reply.text, settled.attempts) == ("A crew of two", 2)
    assert len(genai.pipelines) == 2


def test_an_engine_without_memory_for_the_prompt_is_a_fault(path: Path, install: Install) -> None:
    genai = install(ScriptedGenai())

    def give_up() -> None:
        genai.requests[-1].status = "IGNORED"

    genai.on_step = give_up
    with pytest.raises(ModelFault, match="no memory left") as wrong:
        open_local(path).generate(asked(), timeout=10)
    assert wrong.value.kind is FaultKind.SERVER


def test_a_schema_that_is_not_understood_is_the_requests_fault(path: Path, install: Install) -> None:
    genai = install(ScriptedGenai())
    model = open_local(path)
    with pytest.raises(ModelFault, match=r'schema of the reply is not understood .*"strange"') as wrong:
        model.generate(asked(schema='{"type": "strange"}'), timeout=10)
    assert wrong.value.kind is FaultKind.REQUEST
    assert len(genai.pipelines) == 1
    assert ended(genai, model)


def test_a_model_that_cannot_be_loaded_says_what_to_do_and_is_tried_anew(path: Path, install: Install) -> None:
    faults = [RuntimeError("Check failed:\n Missing tensor: output.weight")]

    def fail() -> None:
        if faults:
            raise faults.pop()

    install(ScriptedGenai(on_load=fail))
    model = open_local(path)
    with pytest.raises(ModelFault, match=r"Missing tensor: output.weight\): fetch it again, or serve it with") as wrong:
        model.generate(asked(), timeout=10)
    assert wrong.value.kind is FaultKind.UNKNOWN_MODEL
    assert model.generate(asked(), timeout=10).text == "A crew of two"


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda path: gguf_files.tiny(path, family="gemma3"), "of the family gemma3, and only llama, qwen2 and qwen3"),
        (lambda path: gguf_files.write(path, {}), "of the family unknown"),
        (lambda path: gguf_files.tiny(path, kind=6), "weights of the kind Q5_0.*fetch F16, Q4_0, .* or Q8_0"),
        (lambda path: gguf_files.tiny(path, kind=99), "weights of the kind 99"),
        (
            lambda path: gguf_files.tiny(path, **{"tokenizer.ggml.model": "llama"}),
            "a tokenizer of the kind llama",
        ),
    ],
)
def test_a_model_that_does_not_run_here_names_what_takes_it(
    path: Path, install: Install, make: Callable[[Path], Path], told: str
) -> None:
    install(ScriptedGenai())
    with pytest.raises(ModelError, match=f"{told}.*serve it with llama.cpp, LM Studio or Ollama"):
        open_local(make(path))


def test_a_file_that_is_cut_off_or_one_of_several_is_told(path: Path, install: Install) -> None:
    install(ScriptedGenai())
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])
    with pytest.raises(ModelError, match=f"is cut off: it has {len(content) // 2:,} of .* bytes; fetch it again"):
        open_local(path)
    gguf_files.tiny(path, **{"split.count": 3})
    with pytest.raises(ModelError, match="one of 3 parts of a model: join them"):
        open_local(path)


def test_folders_that_do_not_run_here_are_told(tmp_path: Path, install: Install) -> None:
    install(ScriptedGenai())
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(ModelError, match=r"convert it .*optimum-cli export openvino"):
        open_local(tmp_path)
    (tmp_path / "openvino_language_model.xml").write_text("<net/>")
    with pytest.raises(ModelError, match="a model that sees, which does not run here"):
        open_local(tmp_path)


def test_a_folder_of_openvino_is_run(tmp_path: Path, install: Install) -> None:
    genai = install(ScriptedGenai())
    (tmp_path / "openvino_model.xml").write_text("<net/>")
    (tmp_path / "config.json").write_text('{"max_position_embeddings": 300}')
    model = open_local(tmp_path)
    assert model.generate(asked(), timeout=10).text == "A crew of two"
    assert (model.context_tokens, genai.pipelines[0].path) == (300, str(tmp_path))


def test_a_package_that_is_missing_or_of_another_version_is_told(
    path: Path, install: Install, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(ScriptedGenai())
    versions = {"openvino-genai": "2026.3.0.0", "openvino": "2026.4.1"}
    monkeypatch.setattr("octavo.models.genai_engine.version", versions.__getitem__)
    with pytest.raises(ModelError, match=r"openvino-genai 2026.3.0.0 needs openvino .* not 2026.4.1: run .*\[local\]"):
        open_local(path)
    monkeypatch.delitem(sys.modules, NAME)
    monkeypatch.setattr("octavo.models.genai_engine.find_spec", lambda _name: None)
    with pytest.raises(ModelError, match=r"run `pip install -U 'octavo\[local\]'`"):
        open_local(path)


# In a command


@pytest.mark.slow
def test_a_question_is_answered_by_a_model_in_a_file(
    path: Path, install: Install, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def reply(prompt: str) -> str:
        assert "Swell height, m | 0.8 | 1.2 | none" in prompt
        return "1.2"

    monkeypatch.setenv("OCTAVO_CORPUS", str(tmp_path / "corpus"))
    genai = install(ScriptedGenai(reply))
    wide = gguf_files.tiny(path, **{"qwen2.context_length": 60_000})
    monkeypatch.setenv("OCTAVO_CONTEXT_TOKENS", "60000")
    done = octavo(
        "ask",
        "What is the greatest swell height for landing at North Gut?",
        str(HANDBOOK),
        "--model",
        f"local:{wide}",
        "--json",
    )
    answer = json.loads(done.out)
    assert (done.status, answer["answer"], answer["decided_by"]) == (0, "1.2", {"model": 1})
    assert (answer["confidence"], genai.requests[0].config.logprobs) == (0.75, 1)


# For real

has_genai = pytest.mark.skipif(
    importlib.util.find_spec("openvino_genai") is None, reason="needs the extra local (openvino-genai)"
)


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalModel]:
    path = tmp_path_factory.mktemp("real") / "tiny.gguf"
    yield open_local(gguf_files.tiny(path, **{"qwen2.context_length": 30_000}))


@has_genai
def test_a_tiny_model_writes(real: LocalModel) -> None:
    told: list[str] = []
    reply = real.generate(asked(max_output_tokens=9), timeout=60, on_text=told.append)
    assert (reply.output_tokens, reply.finish, told[-1]) == (9, "length", reply.text)
    assert reply.input_tokens == len("system: Read.\nuser: How large is the crew?\n")


@has_genai
def test_a_tiny_model_keeps_to_a_schema_and_says_when_it_cannot(real: LocalModel) -> None:
    reply = real.generate(asked(schema='{"type": "object", "enum": [{"a": 1}]}', max_output_tokens=40), timeout=60)
    assert json.loads(reply.text) == {"a": 1}
    assert real.generate(asked(max_output_tokens=3), timeout=60).chance == pytest.approx(1 / 260, rel=0.05)
    with pytest.raises(ModelFault, match="schema of the reply is not understood") as wrong:
        real.generate(asked(schema='{"type": "strange"}'), timeout=60)
    assert wrong.value.kind is FaultKind.REQUEST
    assert real.generate(asked(), timeout=60).output_tokens == 50


@has_genai
def test_no_token_of_a_long_prompt_is_cut_off(real: LocalModel) -> None:
    words = "ab " * 4500
    reply = real.generate(asked(words, max_output_tokens=1), timeout=120)
    assert reply.input_tokens == len("system: Read.\nuser: \n") + 2 * 4500


@has_genai
def test_ending_a_tiny_model_leaves_it_ready(real: LocalModel) -> None:
    with pytest.raises(ModelFault) as late:
        real.generate(asked("other words " * 400), timeout=0.001)
    assert late.value.kind is FaultKind.TIMEOUT
    assert real.generate(asked(), timeout=60).output_tokens == 50


@has_genai
def test_weights_of_every_kind_that_is_said_to_run_do(tmp_path: Path) -> None:
    for kind in (1, 2, 3, 8, 12, 14):
        model = open_local(gguf_files.tiny(tmp_path / f"{kind}.gguf", kind=kind))
        assert model.generate(asked(max_output_tokens=2), timeout=60).output_tokens == 2


@has_genai
def test_a_file_of_nonsense_is_one_clear_error(tmp_path: Path) -> None:
    path = gguf_files.tiny(tmp_path / "a.gguf", **{"qwen2.block_count": 7})
    with pytest.raises(ModelFault, match=r"cannot be loaded by OpenVINO GenAI .*: fetch it again") as wrong:
        open_local(path).generate(asked(), timeout=60)
    assert wrong.value.kind is FaultKind.UNKNOWN_MODEL


@has_genai
def test_importing_the_engine_loads_nothing_that_reports() -> None:
    code = (
        "from octavo_documents.models.openvino_engine import import_openvino; import_openvino(); "
        "import openvino_genai, sys; "
        "print([name for name in sys.modules if 'telemetry' in name or name.startswith('openvino.tools')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
