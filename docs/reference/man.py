"""The man page, from the command line and the table of variables in `commands.md`."""

import re
from collections.abc import Iterator
from pathlib import Path

import click

from lmssync import __version__
from lmssync.cli.command_help import MEANINGS, DocumentedCommand
from lmssync.cli.main import cli

from .commands import leaves

_COMMANDS = Path(__file__).parents[1] / "commands.md"
_VARIABLE = re.compile(r"^\| `(LMSSYNC_\w+)` \| (.*) \|$", re.MULTILINE)
_LINK = re.compile(r"\[([^\]]+)\]\([^)]*\)")


def page() -> str:
    """`lmssync.1`; it has no date, so that it is the same wherever it is made."""
    return "".join(f"{line}\n" for line in _lines())


def _lines() -> Iterator[str]:
    yield r".\" Made by docs/generate.py: do not edit."
    yield f'.TH LMSSYNC 1 "" "lmssync {__version__}" "User Commands"'
    yield ".SH NAME"
    yield r"lmssync \- keep a learning catalog in git and the platform in step with it"
    yield ".SH SYNOPSIS"
    yield r".B lmssync"
    yield r"[\-C DIR] [\-e ENV] COMMAND [ARGS]..."
    yield ".SH DESCRIPTION"
    yield from _paragraphs(cli.help or "")
    yield ".PP"
    yield "Before the command stand:"
    yield from _options(cli)
    yield ".SH COMMANDS"
    for name, command in leaves():
        yield from _command(name, command)
    yield ".SH EXIT STATUS"
    for code, (means, remedy) in MEANINGS.items():
        yield from _term(str(code.value), f"{means}. What to do: {remedy}.")
    yield ".SH ENVIRONMENT"
    for name, means in _VARIABLE.findall(_COMMANDS.read_text("utf-8")):
        yield from _term(name, _LINK.sub(r"\1", means))
    yield ".SH FILES"
    yield from _term("lmssync.yaml", "The project file, at the root of a catalog.")


def _command(name: str, command: DocumentedCommand) -> Iterator[str]:
    usage = " ".join(command.collect_usage_pieces(click.Context(command)))
    yield f'.SS "{_spelled(f"lmssync {name} {usage}")}"'
    yield from _paragraphs(command.help or "")
    yield from _options(command)
    yield ".PP"
    yield ".EX"
    for line, what in command.examples:
        yield _text(f"# {what}")
        yield _text(line)
    yield ".EE"


def _options(command: click.Command) -> Iterator[str]:
    context = click.Context(click.Command(""))
    for option in command.params:
        if isinstance(option, click.Option) and (record := option.get_help_record(context)):
            names, means = record
            yield from _term(names, means or "See above.")


def _term(term: str, means: str) -> Iterator[str]:
    yield ".TP"
    yield f".B {_spelled(term)}"
    yield _text(" ".join(means.split()))


def _paragraphs(text: str) -> Iterator[str]:
    for number, paragraph in enumerate(text.split("\n\n")):
        if number:
            yield ".PP"
        yield _text(" ".join(paragraph.split()))


def _text(text: str) -> str:
    """A line that roff takes as text, whatever it begins with."""
    spelled = _spelled(text)
    return rf"\&{spelled}" if spelled.startswith((".", "'")) else spelled


def _spelled(text: str) -> str:
    """Hyphens as they are typed, and nothing that roff would take for a request."""
    return text.replace("\\", r"\e").replace("-", r"\-").replace('"', r"\(dq")
