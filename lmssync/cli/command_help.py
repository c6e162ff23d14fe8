"""What every command and group brings to `--help`: lines to copy, and the exit codes.

A command says both where it is defined. A group shows the first sentence of each of its commands,
and suggests a name for an unknown one.
"""

import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from typing import Any

import click

from .exits import Exit, UnknownCommand

MEANINGS: Mapping[Exit, tuple[str, str]] = {
    Exit.DONE: ("done, or nothing to do", "go on"),
    Exit.ERROR: ("any other error", "read the message"),
    Exit.CHANGES: (
        (
            "there are changes: `plan --detailed-exitcode`, `drift`, `diff-env`, `watch --once`, "
            "`fmt --check`"
        ),
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
        "the outcome of a call is unknown, and waits for a decision",
        "run `lmssync apply` again, then `lmssync resolve`",
    ),
    Exit.STALE: ("the saved plan is stale: the state has changed since", "plan again"),
    Exit.LOCKED: ("another run has locked the state", "wait until it ends"),
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
            "interrupted by Ctrl-C or SIGTERM; the journal is intact (a command that runs until "
            "Ctrl-C ends with 0)"
        ),
        "run the same command again",
    ),
}
"""What each code means, and what to do then."""
CATALOG_MEANINGS = {
    Exit.INVALID: "the catalog or the project file is invalid",
    Exit.PARTIAL: "applied in part: something was refused, blocked or skipped, or a job failed",
}
"""In the help of commands that make no plan."""
PLAN_MEANINGS = {Exit.INVALID: MEANINGS[Exit.INVALID][0]}
"""In the help of commands that make one."""

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
        exit_meanings: Mapping[Exit, str] = CATALOG_MEANINGS,
        **more: Any,
    ) -> None:
        """`examples` are lines to copy, each with what it does; a test tries them all.

        `exit_meanings` are the words for codes that mean something special for this command.
        """
        super().__init__(*args, **more)
        self.examples = examples
        self.own_exits = exits
        self.exit_meanings = {**CATALOG_MEANINGS, **exit_meanings}

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        self.epilog = "\n\n".join(
            "\n".join(("\b", *lines))  # a paragraph that click does not wrap
            for lines in (self._list_examples(), self._list_exits())
        )
        super().format_epilog(ctx, formatter)

    def _list_examples(self) -> Iterator[str]:
        """Each line with its explanation beside it, or below it if some line is too long."""
        yield "Examples:"
        width = max(len(line) for line, _ in self.examples)
        fits = all(width + len(what) + len("    ") <= _WIDTH for _, what in self.examples)
        for line, what in self.examples:
            yield f"  {line:<{width}}  {what}" if fits else f"  {line}\n      {what}"

    def _list_exits(self) -> Iterator[str]:
        """The codes in the words of this command; those that every command has, in one line."""
        yield "Exit codes:"
        for code in sorted({Exit.DONE} | self.own_exits - EXITS):
            yield _word_exit(code, self.exit_meanings.get(code, MEANINGS[code][0]))
        common = ", ".join(str(code.value) for code in sorted(EXITS - {Exit.DONE}))
        yield f"  {common}: see `lmssync --help`"


def _word_exit(code: Exit, means: str) -> str:
    return textwrap.fill(
        means, _WIDTH, initial_indent=f"  {code.value:<4} ", subsequent_indent=" " * 7
    )


class DocumentedGroup(DocumentedCommand, click.Group):
    """A group of such commands."""

    command_class = DocumentedCommand
    group_class = type  # groups inside it are of this class as well

    def __init__(self, *args: Any, exits: Set[Exit] = frozenset(), **more: Any) -> None:
        super().__init__(*args, exits=exits, **more)

    def _list_exits(self) -> Iterator[str]:
        """All codes for the program; for a group that does nothing itself, where they are."""
        if self.own_exits >= set(Exit):
            yield "Exit codes:"
            yield from (_word_exit(code, means) for code, (means, _) in MEANINGS.items())
        elif self.own_exits:
            yield from super()._list_exits()
        else:
            yield "Each command shows its options and exit codes with --help."

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


def documented_command(
    name: str, **about: Any
) -> Callable[[Callable[..., Any]], DocumentedCommand]:
    """Makes a function a command: `exits`, `examples` and `exit_meanings` are for its help."""
    return click.command(name, cls=DocumentedCommand, **about)


def documented_group(name: str, **about: Any) -> Callable[[Callable[..., Any]], DocumentedGroup]:
    """Makes a function a group of such commands."""
    return click.group(name, cls=DocumentedGroup, **about)
