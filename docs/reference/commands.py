"""The command reference, from the command line itself."""

from collections.abc import Callable, Iterator, Mapping

import click

from lmssync.cli.command_help import MEANINGS, DocumentedCommand
from lmssync.cli.main import cli

from .tables import table


def parts() -> Mapping[str, Callable[[], str]]:
    """The generated parts of `commands.md` by name."""
    return {"commands": _commands, "exit codes": exit_table}


def leaves(
    group: click.Group = cli, above: tuple[str, ...] = ()
) -> Iterator[tuple[str, DocumentedCommand]]:
    """Every command that does something, with its whole name: `state list`."""
    context = click.Context(group)
    for name in group.list_commands(context):
        found = group.get_command(context, name)
        assert isinstance(found, DocumentedCommand)
        if not isinstance(found, click.Group) or found.invoke_without_command:
            yield " ".join((*above, name)), found
        if isinstance(found, click.Group):
            yield from leaves(found, (*above, name))


def _commands() -> str:
    return "\n".join(_command(name, command) for name, command in leaves())


def _command(name: str, command: DocumentedCommand) -> str:
    context = click.Context(command, info_name=f"lmssync {name}")
    usage = " ".join(command.collect_usage_pieces(context))
    codes = ", ".join(f"{code.value}" for code in sorted(command.own_exits))
    return (
        f"### lmssync {name}\n\n{_help(command)}\n\n"
        f"```text\nlmssync {name} {usage}\n```\n\n{_options(command)}\n"
        f"```sh\n{_examples(command)}\n```\n\n"
        f"Exit codes: {codes}.\n"
    )


def _help(command: click.Command) -> str:
    return "\n\n".join(" ".join(part.split()) for part in (command.help or "").split("\n\n"))


def _examples(command: DocumentedCommand) -> str:
    width = max(len(line) for line, _ in command.examples)
    return "\n".join(f"{line:<{width}}  # {what}" for line, what in command.examples)


def _options(command: click.Command) -> str:
    options = [o for o in command.params if isinstance(o, click.Option) and not o.hidden]
    return table(("Option", "Meaning"), [_option(option) for option in options]) if options else ""


def _option(option: click.Option) -> tuple[str, str]:
    context = click.Context(click.Command(""))
    names, told = option.get_help_record(context) or ("", "")
    return f"`{names}`", told


def exit_table() -> str:
    """The exit codes of all commands."""
    lines = [(str(code.value), *told) for code, told in MEANINGS.items()]
    return table(("Exit", "Means", "Do"), lines)
