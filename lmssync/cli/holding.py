"""How long a command waits for a state that another run holds, and what it says of the state."""

import click

from ..errors import WrongUse
from ..support.visible import escape_invisible

_UNITS = {"": 1, "s": 1, "m": 60, "h": 3600}


def seconds(_ctx: click.Context, option: click.Parameter, text: str) -> float:
    """A duration as people write it: `90`, `90s`, `15m`, `1h`."""
    number = text.rstrip("smh")
    unit = text[len(number) :]
    if not number.isdecimal() or unit not in _UNITS:
        raise WrongUse(f"`{option.opts[0]} {text}` is no duration", "write 90s, 15m or 1h")
    return float(number) * _UNITS[unit]


lock_timeout = click.option(
    "--lock-timeout",
    default="0",
    metavar="DURATION",
    callback=seconds,
    help="Wait so long (90s, 15m) for another run that holds the state; default: not at all.",
)


def tell(text: str) -> None:
    """Says on stderr what somebody should know of the state."""
    click.echo(escape_invisible(f"note: {text}"), err=True)
