"""A group of commands that suggests a similar name for an unknown command."""

import click


class UnknownCommand(click.UsageError):
    """The group has no command of that name."""

    def __init__(self, name: str, group: "Commands", ctx: click.Context) -> None:
        super().__init__(f"there is no command `{name}`", ctx)
        self.name = name
        self.known = group.list_commands(ctx)


class Commands(click.Group):
    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if self.get_command(ctx, name) is None and not name.startswith("-"):
            raise UnknownCommand(name, self, ctx)
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
