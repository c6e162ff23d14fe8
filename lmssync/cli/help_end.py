"""The end of every `--help`: examples, and the exit codes of the command."""

import textwrap
from collections.abc import Iterator, Mapping

import click

from .examples import EXAMPLES
from .exits import Exit

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

_ANY = frozenset({Exit.DONE, Exit.ERROR, Exit.USAGE, Exit.BUG, Exit.INTERRUPTED})
_PROJECT = _ANY | {Exit.INVALID}
_PLATFORM = _PROJECT | {Exit.UNREACHABLE}
_RECORDED = _PLATFORM | {Exit.UNKNOWN, Exit.LOCKED, Exit.PARTIAL}

OF: Mapping[str, frozenset[Exit]] = {
    "validate": _PLATFORM,
    "preview": _PROJECT,
    "plan": _PLATFORM | {Exit.CHANGES, Exit.UNKNOWN, Exit.PARTIAL},
    "show": _PROJECT,
    "drift": _PLATFORM | {Exit.CHANGES},
    "watch": _PLATFORM | {Exit.CHANGES, Exit.UNKNOWN, Exit.STALE, Exit.LOCKED, Exit.PARTIAL},
    "diff-env": _PROJECT | {Exit.CHANGES},
    "status": _PROJECT,
    "apply": _PLATFORM | {Exit.UNKNOWN, Exit.STALE, Exit.LOCKED, Exit.PARTIAL},
    "ci": _PLATFORM,
    "ci require": _PLATFORM,
    "ci drift": _PLATFORM | {Exit.CHANGES},
    "activity learning-path record": _RECORDED,
    "activity assignment record": _RECORDED,
    "activity course record": _RECORDED,
    "attempts forgive": _RECORDED,
    "import": _PLATFORM | {Exit.LOCKED},
    "pull": _PLATFORM | {Exit.LOCKED, Exit.PARTIAL},
    "adopt": _PLATFORM | {Exit.LOCKED, Exit.PARTIAL},
    "resolve": _PLATFORM | {Exit.UNKNOWN, Exit.LOCKED, Exit.PARTIAL},
    "state list": _PROJECT,
    "state show": _PROJECT,
    "state history": _PROJECT,
    "state forget": _PROJECT | {Exit.LOCKED},
    "state at": _PROJECT,
    "state verify": _PROJECT,
    "state unlock": _PROJECT | {Exit.LOCKED},
    "state move": _PROJECT | {Exit.LOCKED},
    "state key": _PROJECT,
    "state export": _PROJECT,
    "state import": _PROJECT | {Exit.LOCKED},
    "state rm": _PROJECT | {Exit.LOCKED},
    "state mv": _PROJECT | {Exit.LOCKED},
    "state rebind": _PROJECT | {Exit.LOCKED},
    "events pull": _PLATFORM | {Exit.LOCKED, Exit.PARTIAL},
    "events tail": _PLATFORM | {Exit.LOCKED},
    "events listen": _PLATFORM,
    "events show": _PROJECT,
    "events export": _PROJECT,
    "jobs list": _PLATFORM,
    "jobs watch": _PLATFORM | {Exit.PARTIAL},
    "get": _PLATFORM,
    "doctor": _PLATFORM,
    "schema": _PLATFORM,
    "explain": _ANY,
    "completion": _ANY,
    "init": _ANY,
    "new": _PROJECT,
    "fmt": _PROJECT | {Exit.CHANGES},
    "outline": _PROJECT,
    "tags": _PROJECT,
    "export": _PROJECT,
    "sandbox serve": _ANY,
    "sandbox learners": _PLATFORM,
    "demo": _ANY,
}
"""By command; a test compares the names with the command line."""


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
