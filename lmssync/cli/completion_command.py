"""`lmssync completion`, and what a word on the command line may become: addresses, kinds, fields.

A shell asks while somebody types, so each answer imports as little as it can.
"""

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem, ShellComplete, get_completion_class

from ..errors import LmssyncError
from .command_help import COMPLETE, EXITS, documented_command
from .options import find_catalog

SHELLS = ("bash", "zsh", "fish")


@documented_command(
    "completion",
    exits=EXITS,
    examples=(
        ("lmssync completion bash", 'in ~/.bashrc: eval "$(lmssync completion bash)"'),
        ("lmssync completion zsh", "in ~/.zshrc, after compinit"),
        ("lmssync completion fish", "for ~/.config/fish/completions/lmssync.fish"),
    ),
)
@click.argument("shell", type=click.Choice(SHELLS))
def command(*, shell: str) -> None:
    """Print the script with which SHELL completes commands, options and addresses.

    The addresses are those that the last `validate` or `plan` of the catalog has seen.
    """
    completes = get_completion_class(shell)
    assert completes
    program = click.get_current_context().find_root().command
    # That of bash would start bash, to look at its version.
    script = ShellComplete.source(completes(program, {}, "lmssync", COMPLETE))
    click.echo(script, nl=False)


if TYPE_CHECKING:
    _ParamType = click.ParamType[Any]
else:
    _ParamType = click.ParamType
Words = Callable[[Path, str], Iterable[str]]
"""The words that there are, for the root of a catalog and how the word begins."""


class _Completed(_ParamType):
    """The type of an argument or option, with words of ours before its own."""

    def __init__(self, of: _ParamType, words: Words) -> None:
        self.name = of.name
        self._of = of
        self._words = words

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return self._of.convert(value, param, ctx)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        words = (w for w in self._words(root_of(ctx), incomplete) if w.startswith(incomplete))
        own = self._of.shell_complete(ctx, param, incomplete)
        return [*(CompletionItem(word) for word in words), *own]


def with_completions(command: click.Command) -> click.Command:
    """The command with words for what its options and arguments take; also those of a group."""
    if isinstance(command, click.Group):
        for below in command.commands.values():
            with_completions(below)
    for param in command.params:
        if isinstance(param.type, (_Completed, click.Tuple)):
            continue
        if words := _words_of(command, param):
            param.type = _Completed(param.type, words)
        elif param.type is click.STRING and re.search("FILE|SOURCE", param.metavar or ""):
            param.type = click.Path()
    return command


def _words_of(command: click.Command, param: click.Parameter) -> Words | None:
    if param.name == "environment":
        return _list_environments
    if (command.name, param.name) in _OF:
        return _OF[command.name or "", param.name or ""]
    about = f"{param.name} {param.metavar or ''}".upper()
    return list_addresses if "ADDRESS" in about else None


def root_of(ctx: click.Context) -> Path:
    """The catalog that `-C` names, here or before the command; else the one around us."""
    around: click.Context | None = ctx
    while around:
        if named := around.params.get("root"):
            return Path(named).absolute()
        around = around.parent
    return find_catalog().absolute()


def list_addresses(root: Path, start: str) -> list[str]:
    from ..catalog.manifests import cache

    return cache.list_cached_addresses(root, start)


def _list_environments(root: Path, _start: str) -> list[str]:
    from ..catalog.manifests.documents import read_project_file

    try:
        return sorted(read_project_file(root).environments)
    except LmssyncError:  # the command itself says what is wrong
        return []


def _list_resources(_root: Path, _start: str) -> list[str]:
    from ..kinds import BY_RESOURCE

    return sorted(BY_RESOURCE)


def _list_explained_names(_root: Path, _start: str) -> list[str]:
    from ..catalog.manifests.schemas import explanations

    return explanations.known_names()


_OF = {
    ("explain", "name"): _list_explained_names,
    ("mv", "old"): list_addresses,
    ("new", "resource"): _list_resources,
    ("schema", "name"): _list_resources,
}
