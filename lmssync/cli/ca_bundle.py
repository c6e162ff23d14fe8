"""`--ca-bundle`: authorities that are trusted in this run besides the usual ones."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import click

_Command = TypeVar("_Command", bound=Callable[..., Any])
VARIABLE = "LMSSYNC_CA_BUNDLE"


@contextmanager
def _set(value: str) -> Iterator[None]:
    """The variable has the value until the run ends: another one may begin in this process."""
    before = os.environ.get(VARIABLE)
    os.environ[VARIABLE] = value
    try:
        yield
    finally:
        if before is None:
            del os.environ[VARIABLE]
        else:
            os.environ[VARIABLE] = before


def _set_ca_bundle(ctx: click.Context, _option: click.Parameter, file: str | None) -> None:
    if file is not None:
        ctx.with_resource(_set(file))


def option(*, hidden: bool = False) -> Callable[[_Command], _Command]:
    """The option; hidden where it may stand as well, but the help of `lmssync` shows it."""
    return click.option(
        "--ca-bundle",
        metavar="FILE",
        type=click.Path(exists=True, dir_okay=False),
        callback=_set_ca_bundle,
        expose_value=False,
        hidden=hidden,
        help=f"Trust these certificate authorities as well (PEM); default: {VARIABLE}.",
    )
