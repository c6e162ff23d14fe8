"""The command reference, from the command line itself."""

from collections.abc import Callable, Iterator, Mapping

import click

from lmssync.cli import help_end
from lmssync.cli.examples import EXAMPLES
from lmssync.cli.main import cli

from .tables import table


def parts() -> Mapping[str, Callable[[], str]]:
    """The generated parts of `commands.md` by name."""
    return {"commands": _commands, "exit codes": exit_table}


def leaves(
    group: click.Group = cli, above: tuple[str, ...] = ()
) -> Iterator[tuple[str, click.Command]]:
    """Every command that does something, with its whole name: `state list`."""
    context = click.Context(group)
    for name in group.list_commands(context):
        found = group.get_command(context, name)
        if isinstance(found, click.Group):
            if found.invoke_without_command:
                yield " ".join((*above, name)), found
            yield from leaves(found, (*above, name))
        elif found is not None:
            yield " ".join((*above, name)), found


def _commands() -> str:
    return "\n".join(_command(name, command) for name, command in leaves())


def _command(name: str, command: click.Command) -> str:
    context = click.Context(command, info_name=f"lmssync {name}")
    usage = " ".join(command.collect_usage_pieces(context))
    codes = ", ".join(f"{code.value}" for code in sorted(help_end.OF[name]))
    return (
        f"### lmssync {name}\n\n{_help(command)}\n\n"
        f"```text\nlmssync {name} {usage}\n```\n\n{_options(command)}\n"
        f"```sh\n{_examples(name)}\n```\n\n"
        f"Exit codes: {codes}.\n"
    )


def _help(command: click.Command) -> str:
    return "\n\n".join(" ".join(part.split()) for part in (command.help or "").split("\n\n"))


def _examples(name: str) -> str:
    width = max(len(line) for line, _ in EXAMPLES[name])
    return "\n".join(f"{line:<{width}}  # {what}" for line, what in EXAMPLES[name])


def _options(command: click.Command) -> str:
    options = [o for o in command.params if isinstance(o, click.Option) and not o.hidden]
    return table(("Option", "Meaning"), [_option(option) for option in options]) if options else ""


def _option(option: click.Option) -> tuple[str, str]:
    context = click.Context(click.Command(""))
    names, told = option.get_help_record(context) or ("", "")
    return f"`{names}`", told


def exit_table() -> str:
    """The exit codes of all commands."""
    lines = [(str(code.value), *told) for code, told in help_end.MEANINGS.items()]
    return table(("Exit", "Means", "Do"), lines)
