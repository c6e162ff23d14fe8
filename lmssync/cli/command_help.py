"""What every command and group brings to `--help`: lines to copy, and the exit codes.

A command says both where it is defined. A group has the codes of its commands, shows the first
sentence of each, and suggests a name for an unknown one.
"""

import textwrap
from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Any

import click

from .exits import Exit
from .usage_errors import UnknownCommand

MEANINGS: Mapping[Exit, tuple[str, str]] = {
    Exit.DONE: ("done, or nothing to do", "go on"),
    Exit.ERROR: ("any other error", "read the message"),
    Exit.CHANGES: (
        "`plan --detailed-exitcode`, `drift`, `watch --once`, `fmt --check`: there are changes",
        "review them",
    ),
    Exit.INVALID: (
        (
            "the catalog or the project file is invalid, or a guard, a policy or a missing "
            "approval forbids the plan"
        ),
        "correct what is listed",
    ),
    Exit.UNKNOWN: (
        "calls wait for a decision: their outcome is unknown",
        "run `lmssync apply` again, then `lmssync resolve`",
    ),
    Exit.STALE: ("the saved plan is stale: the state has changed since", "plan again"),
    Exit.LOCKED: ("another run holds the state", "wait until it ends"),
    Exit.PARTIAL: (
        (
            "applied in part: something was refused, blocked or skipped, or a job failed; "
            "`plan --detailed-exitcode`: some changes or fields are blocked"
        ),
        "read what and why",
    ),
    Exit.UNREACHABLE: (
        "the platform cannot be reached or refuses the key",
        "check `baseUrl`, the network and the key",
    ),
    Exit.USAGE: ("the command line or the project file is wrong", "read the message"),
    Exit.BUG: ("a bug in lmssync; a report was written", "send the file that the message names"),
    Exit.INTERRUPTED: (
        (
            "interrupted by Ctrl-C or SIGTERM; the journal is intact (what runs until Ctrl-C "
            "ends with 0)"
        ),
        "run the same command again",
    ),
}
"""What each code means, and what to do then."""

EXITS = frozenset({Exit.DONE, Exit.ERROR, Exit.USAGE, Exit.BUG, Exit.INTERRUPTED})
"""Of a command that needs nothing but this machine."""
PROJECT_EXITS = EXITS | {Exit.INVALID}
"""Of one that reads a catalog or its project file."""
PLATFORM_EXITS = PROJECT_EXITS | {Exit.UNREACHABLE}
"""Of one that asks the platform."""
COMPLETE = "_LMSSYNC_COMPLETE"
"""The variable by which a shell asks what a word may become."""
_WIDTH = 76
"""80 columns without the indentation."""


class DocumentedCommand(click.Command):
    """A command that has examples and exit codes."""

    def __init__(
        self,
        *args: Any,
        exits: Set[Exit],
        examples: Sequence[tuple[str, str]],
        **more: Any,
    ) -> None:
        """`examples` are lines to copy, each with what it does; a test tries them all."""
        super().__init__(*args, **more)
        self.examples = examples
        self.own_exits = exits

    @property
    def exits(self) -> Set[Exit]:
        """The codes with which it may end."""
        return self.own_exits

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        self.epilog = "\n\n".join(map(_keep_lines, (self._list_examples(), self._list_exits())))
        super().format_epilog(ctx, formatter)

    def _list_examples(self) -> Iterator[str]:
        """Each line with its explanation beside it, or below it if some line is too long."""
        yield "Examples:"
        width = max(len(line) for line, _ in self.examples)
        fits = all(width + len(what) + len("    ") <= _WIDTH for _, what in self.examples)
        for line, what in self.examples:
            yield f"  {line:<{width}}  {what}" if fits else f"  {line}\n      {what}"

    def _list_exits(self) -> Iterator[str]:
        yield "Exit codes:"
        for code in sorted(self.exits):
            means, _ = MEANINGS[code]
            yield textwrap.fill(
                means, _WIDTH, initial_indent=f"  {code.value:<4} ", subsequent_indent=" " * 7
            )


def _keep_lines(lines: Iterator[str]) -> str:
    """A paragraph that click does not wrap: `\\b` marks it."""
    return "\n".join(("\b", *lines))


class DocumentedGroup(DocumentedCommand, click.Group):
    """A group of such commands."""

    command_class = DocumentedCommand
    group_class = type  # groups inside it are of this class as well

    def __init__(self, *args: Any, exits: Set[Exit] = frozenset(), **more: Any) -> None:
        super().__init__(*args, exits=exits, **more)

    @property
    def exits(self) -> Set[Exit]:
        """Its own codes, and those of its commands."""
        documented = (c for c in self.commands.values() if isinstance(c, DocumentedCommand))
        return frozenset(self.own_exits).union(*(command.exits for command in documented))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if self.get_command(ctx, name) is None and not name.startswith("-"):
            raise UnknownCommand(name, self.list_commands(ctx), ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The first sentence of each command, never cut short."""
        named = ((name, self.get_command(ctx, name)) for name in self.list_commands(ctx))
        rows = [(name, _first_sentence(command)) for name, command in named if command]
        with formatter.section("Commands"):
            formatter.write_dl(rows)


def _first_sentence(command: click.Command) -> str:
    paragraph = " ".join((command.help or "").split("\n\n")[0].split())
    return paragraph.partition(". ")[0].removesuffix(".") + "."
