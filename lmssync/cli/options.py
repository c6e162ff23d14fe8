"""Options that several commands share, and what they mean."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ..errors import WrongUse

if TYPE_CHECKING:
    from ..address import Address
    from ..workplace import Workplace

F = TypeVar("F", bound=Callable[..., Any])


def catalog(function: F) -> F:
    """`-C DIR`: the root of the catalog."""
    return click.option(
        "-C",
        "--catalog",
        "root",
        type=click.Path(path_type=Path, file_okay=False),
        default=lambda: given("root") or Path(),
        help="Root of the catalog, where lmssync.yaml stands; default: here.",
    )(function)


def environment(function: F) -> F:
    """`-e ENV`: the environment of lmssync.yaml."""
    return click.option(
        "-e",
        "--environment",
        default=lambda: given("environment"),
        help="Environment of lmssync.yaml; default: LMSSYNC_ENV, or the only one.",
    )(function)


def given(name: str) -> Any:
    """What was said before the command: `lmssync -C DIR plan` is `lmssync plan -C DIR`."""
    return click.get_current_context().find_root().params.get(name)


def as_json(function: F) -> F:
    return click.option("--json", "json_", is_flag=True, help="Print JSON.")(function)


def allow(function: F) -> F:
    """`--allow ADDRESS`, more than once: a word that lifts a guard."""
    return click.option(
        "--allow",
        multiple=True,
        metavar="ADDRESS",
        help="Change what is protected, or make what looks like something that is there.",
    )(function)


def place(root: Path, name: str | None) -> "Workplace":
    """The catalog and environment that the options name."""
    from ..workplace import workplace

    return workplace(root.absolute(), name, os.environ)


def address(text: str) -> "Address":
    """The address that somebody typed; raises `WrongUse` for what cannot be one."""
    from ..address import Address

    found = Address.parse(text)
    if not found.key:
        raise WrongUse(
            f"`{text}` is no address", "an address is a kind and a key: course.safety-101"
        )
    return found


def echo_json(document: Any) -> None:
    """Prints one JSON document."""
    import orjson

    click.echo(orjson.dumps(document, option=orjson.OPT_INDENT_2).decode())
