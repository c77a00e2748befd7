"""Writes the manual page of `octavo` from its own help: `python publishing/manual.py`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parents[1] / "packages" / "octavo" / "man" / "octavo.1"
_FILES = (
    ("octavo.toml", "settings of this folder and the ones above it"),
    ("~/.local/share/octavo/corpus", "the corpus, where neither --corpus nor OCTAVO_CORPUS names another"),
)
_STATUS = (
    ("0", "done; a question without an answer counts as done"),
    ("1", "the work failed; one line on standard error says why"),
    ("2", "the call was wrong"),
    ("3", "a cap such as --max-seconds ended the work"),
    ("130", "interrupted"),
)


def manual() -> str:
    """Return the page in the language of man(7)."""
    from typer.main import get_command

    from octavo.cli.main import all_commands

    program: Any = get_command(all_commands())
    return "\n".join(_lines(program)) + "\n"


def _lines(program: Any) -> Iterator[str]:
    yield '.TH OCTAVO 1 "" "octavo" "User Commands"'
    yield from (".SH NAME", _text(f"octavo - {program.help[0].lower()}{program.help[1:].rstrip('.')}"))
    yield from (".SH SYNOPSIS", r".B octavo", _text("COMMAND [ARGUMENTS] [OPTIONS]"), ".SH COMMANDS")
    for name, command in sorted(program.commands.items()):
        context = command.make_context(name, [], resilient_parsing=True)
        usage = " ".join(command.collect_usage_pieces(context))
        yield from (f".SS {_text(name)} {_text(usage)}", _text(command.help or ""))
        for parameter in command.get_params(context):
            record = parameter.get_help_record(context)
            if parameter.param_type_name == "option" and record and "--help" not in parameter.opts:
                yield from (".TP", rf"\fB{_text(record[0])}\fR", _text(record[1]))
    for title, rows in (("FILES", _FILES), ("EXIT STATUS", _STATUS)):
        yield f".SH {title}"
        for name, meaning in rows:
            yield from (".TP", rf"\fB{_text(name)}\fR", _text(meaning))


def _text(words: str) -> str:
    """Return words as they stand in a line of roff: no request, no escape."""
    line = " ".join(words.replace("\\", r"\e").replace("-", r"\-").split())
    return rf"\&{line}" if line[:1] in (".", "'") else line


if __name__ == "__main__":
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(manual(), encoding="utf-8")
