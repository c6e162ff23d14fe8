"""`lmssync completion`."""

import click

SHELLS = ("bash", "zsh", "fish")


@click.command("completion")
@click.argument("shell", type=click.Choice(SHELLS))
def command(*, shell: str) -> None:
    """Print a script with which SHELL completes commands, options and what they take.

    Addresses are those that the last `validate` or `plan` of the catalog has met.
    """
    from click.shell_completion import ShellComplete, get_completion_class

    from .main import COMPLETE, cli

    completes = get_completion_class(shell)
    assert completes
    # That of bash would start bash, to look at its version.
    script = ShellComplete.source(completes(cli, {}, "lmssync", COMPLETE))
    click.echo(script, nl=False)
