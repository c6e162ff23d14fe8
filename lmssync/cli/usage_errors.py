"""Turns errors of the command line into messages like all others."""

from collections.abc import Sequence

import click

from ..errors import WrongUse
from ..problems import suggest_near

_HELP = getattr(click.exceptions, "NoArgsIsHelpError", ())
"""Older versions of click print the help themselves and raise nothing."""


class UnknownCommand(click.UsageError):
    """The group has no command of that name."""

    def __init__(self, name: str, known: Sequence[str], ctx: click.Context) -> None:
        super().__init__(f"there is no command `{name}`", ctx)
        self.name, self.known = name, known


def asks_for_help(error: click.UsageError) -> bool:
    """True for a group that was called without a command: its help is the answer."""
    return isinstance(error, _HELP)


def word_usage_error(error: click.UsageError) -> WrongUse:
    """The error as one of ours, with a suggestion or a command that shows more."""
    where = error.ctx.command_path if error.ctx else "lmssync"
    if isinstance(error, UnknownCommand):
        hint = suggest_near(error.name, error.known) or f"`{where} --help` lists the commands"
        return WrongUse(f"{where} has no command `{error.name}`", hint)
    if isinstance(error, click.NoSuchOption):
        return WrongUse(f"{where} has no option `{error.option_name}`", _option_hint(error, where))
    if isinstance(error, click.MissingParameter):
        name = _name_of_param(error.param) if error.param else "another argument"
        return WrongUse(f"{where} needs {name}", _example_hint(error))
    if isinstance(error, click.BadParameter) and error.param:
        return WrongUse(
            f"{_name_of_param(error.param)}: {error.message.rstrip('.')}", _help_hint(where)
        )
    message = error.format_message().rstrip(".")
    message = f"{message[:1].lower()}{message[1:]}"
    return WrongUse(f"{where}: {message}", _help_hint(where)) if error.ctx else WrongUse(message)


def _help_hint(where: str) -> str:
    return f"`{where} --help` shows how it is used"


def _option_hint(error: click.NoSuchOption, where: str) -> str:
    params = error.ctx.command.get_params(error.ctx) if error.ctx else []
    known = [name for param in params for name in (*param.opts, *param.secondary_opts)]
    return suggest_near(
        error.option_name, [name for name in known if name[:1] == "-"]
    ) or _help_hint(where)


def _name_of_param(param: click.Parameter) -> str:
    """An argument by the name that the help gives it, or the long form of an option."""
    if isinstance(param, click.Argument):
        return param.metavar or str(param.name).upper()
    return max(param.opts, key=len)


def _example_hint(error: click.UsageError) -> str:
    """The first example of the command, which says more than a form of it."""
    examples = getattr(error.ctx.command, "examples", ()) if error.ctx else ()
    if examples:
        return f"for example: {examples[0][0]}"
    return _help_hint(error.ctx.command_path if error.ctx else "lmssync")
