"""The command line as a user runs it, without a platform."""

from collections.abc import Callable, Iterator

import click
import pytest

from lmssync.cli.command_help import DocumentedCommand
from lmssync.cli.main import cli, main
from tests.forking import Ran

Run = Callable[..., Ran]


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Run:
    """Runs a command in this process; its exit code and what it wrote."""

    def command(*args: object) -> Ran:
        with pytest.raises(SystemExit) as end:
            main([str(arg) for arg in args])
        out, err = capfd.readouterr()
        code = end.value.code
        return Ran(code if isinstance(code, int) else 0, out, err)

    return command


def every_command() -> list[tuple[str, DocumentedCommand]]:
    """The program, which is "", and all its groups and commands, by their whole names."""
    return list(_walk_commands(cli))


def _walk_commands(
    command: click.Command | None, *above: str
) -> Iterator[tuple[str, DocumentedCommand]]:
    assert isinstance(command, DocumentedCommand)
    yield " ".join(above), command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            yield from _walk_commands(command.get_command(context, name), *above, name)
