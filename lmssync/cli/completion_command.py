"""`lmssync completion`."""

import click

from .command_help import EXITS, DocumentedCommand

SHELLS = ("bash", "zsh", "fish")


@click.command(
    "completion",
    cls=DocumentedCommand,
    exits=EXITS,
    examples=(
        ("lmssync completion bash", 'in ~/.bashrc: eval "$(lmssync completion bash)"'),
        ("lmssync completion zsh", "the same in ~/.zshrc, after compinit"),
        ("lmssync completion fish", "for ~/.config/fish/completions/lmssync.fish"),
    ),
)
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
