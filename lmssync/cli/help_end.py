"""The end of every `--help`: examples, and the exit codes of the command."""

import textwrap
from collections.abc import Iterator

import click

from .examples import EXAMPLES
from .exit_codes import MEANINGS, OF

_WIDTH = 76
"""80 columns without the indentation."""


def with_end(command: click.Command, name: str) -> click.Command:
    """The command with examples and exit codes added; also each command of a group."""
    if isinstance(command, click.Group):
        for inner, below in command.commands.items():
            with_end(below, f"{name} {inner}")
    command.epilog = "\n\n".join((_block(_examples(name)), _block(_codes(name))))
    return command


def _block(lines: Iterator[str]) -> str:
    """Lines that click must not wrap: `\\b` marks them."""
    return "\n".join(("\b", *lines))


def _examples(name: str) -> Iterator[str]:
    """Each line with its explanation beside it, or below it if some line is too long."""
    yield "Examples:"
    shown = EXAMPLES[name]
    width = max(len(line) for line, _ in shown)
    fits = all(width + len(what) + len("    ") <= _WIDTH for _, what in shown)
    for line, what in shown:
        yield f"  {line:<{width}}  {what}" if fits else f"  {line}\n      {what}"


def _codes(name: str) -> Iterator[str]:
    yield "Exit codes:"
    own = [codes for command, codes in OF.items() if _is_in(command, name)]
    for code in sorted(set().union(*own)):
        means, _ = MEANINGS[code]
        yield textwrap.fill(
            means, _WIDTH, initial_indent=f"  {code.value:<4} ", subsequent_indent=" " * 7
        )


def _is_in(command: str, name: str) -> bool:
    """True if it is that command, or one of that group; the root has no name."""
    return f"{command} ".startswith(f"{name} ".lstrip())
