"""Imports courses from the formats of other systems."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import click

from ..errors import WrongUse
from . import options
from .exits import Exit

_WEB = re.compile(r"https?://[^\s/]+", re.IGNORECASE)


class Wish(NamedTuple):
    """What to import, and where to."""

    form: str
    out: Path
    base: str | None
    """Where the files of the courses will be hosted, if that is known."""
    force: bool


def from_formats(wish: Wish, sources: Sequence[Path], *, json_: bool) -> int:
    """Imports all sources or none of them, and reports; raises `LmssyncError`."""
    from ..importing import add, staging
    from ..report.import_report import import_json, import_text

    if wish.base is not None and not _WEB.match(wish.base):
        raise WrongUse(
            f"`{wish.base}` is not an http or https address",
            "write where the files will be: --asset-url https://media.example.com/courses",
        )
    with staging(wish.out, base=wish.base, force=wish.force) as courses:
        for source in sources:
            add(courses, wish.form, source)
    if json_:
        options.echo_json(import_json(wish.out, courses.imported))
    else:
        click.echo(import_text(wish.out, courses.imported), nl=False)
    return Exit.DONE
