"""`lmssync import`."""  # noqa: N999 - commands are found by their names

from pathlib import Path
from typing import Any

import click

from ..errors import WrongUse
from . import importing, options


@click.command("import")
@click.argument("sources", nargs=-1, metavar="[SOURCE]...")
@options.catalog
@options.as_json
@importing.wishes
def command(
    *, sources: tuple[str, ...], root: Path, json_: bool, form: str | None, **wishes: Any
) -> int:
    """Bring courses from elsewhere into the catalog, as manifests and bodies.

    SOURCE is an archive, a folder or a file. What could not be carried over is listed with its
    place in the source.
    """
    if not sources:
        raise WrongUse("nothing to import is named", "name an archive, a folder or a file")
    if form is None:
        hint = f"pass --format {'|'.join(importing.FORMATS)}"
        raise WrongUse(f"nothing says what {sources[0]} is", hint)
    return importing.from_formats(root, form, map(Path, sources), json_=json_, **wishes)
