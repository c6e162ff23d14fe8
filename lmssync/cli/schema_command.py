"""`lmssync schema`."""

from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import click

from ..errors import WrongUse
from ..problems import suggest_near
from . import options
from .chosen_workspace import choose_online_workspace
from .command_help import PLATFORM_EXITS, documented_command
from .safe_output import print_line

if TYPE_CHECKING:
    from ..catalog.manifests.schemas.json_schema import Names


@documented_command(
    "schema",
    exits=PLATFORM_EXITS,
    examples=(
        ("lmssync schema course", "print the schema of a course"),
        ("lmssync schema --out schemas", "write all schemas into a folder"),
        (
            "lmssync schema --online --out schemas",
            "write them with the tags and clients of the platform",
        ),
    ),
)
@click.argument("name", required=False)
@click.option(
    "--out", type=options.FOLDER, metavar="DIR", help="Write all schemas into this folder."
)
@click.option(
    "--online",
    is_flag=True,
    help="Let editors offer the tags, clients and locations of the platform.",
)
@options.where_whole
def command(
    *, name: str | None, out: Path | None, online: bool, **given: Unpack[options.WhereOptions]
) -> None:
    """Print the JSON Schema NAME (manifest, course, lmssync, ...), or write all to a folder.

    Needs no catalog and no network. With --online, the names of tags, clients and locations are
    read from the platform, and editors offer them; other names stay valid.
    """
    from ..catalog.manifests.schemas.json_schema import (
        FILES,
        make_schema,
        offer_names,
        spell_schema,
    )

    offered = _read_offered_names(**given) if online else {}
    if out:
        _write_schemas(out, offered)
        return
    names = [file.removesuffix(".json") for file in FILES]
    wanted = (name or "").removesuffix(".json")
    if wanted not in names:
        hint = suggest_near(wanted, names) if name else ""
        message = f"there is no schema `{name}`" if name else "which schema?"
        raise WrongUse(message, hint or f"there are: {', '.join(names)}; or --out DIR for all")
    click.echo(spell_schema(offer_names(make_schema(f"{wanted}.json"), offered)), nl=False)


def _read_offered_names(**given: Unpack[options.WhereOptions]) -> "Names":
    """What can be named, by kind; read as `validate --online` reads it."""
    from ..kinds import LOOKUPS
    from ..platform.live import IdsByName
    from .progress import ProgressLines

    with choose_online_workspace(**given).open_reader() as reader, ProgressLines() as progress:
        reader.pace.tell = progress.note
        by_name = IdsByName(reader)
        return {kind: by_name.other_names(kind) for kind in LOOKUPS}


def _write_schemas(folder: Path, names: "Names") -> None:
    from ..catalog.manifests.schemas.json_schema import all_schemas, offer_names, spell_schema
    from ..support.file_writing import write_below

    schemas = {file: offer_names(made, names) for file, made in all_schemas().items()}
    try:
        for file, made in schemas.items():
            write_below(folder, file, [spell_schema(made).encode()])
    except OSError as error:
        raise WrongUse(
            f"{folder} cannot be written: {error.strerror}", "name a folder that you may write to"
        ) from None
    print_line(f"wrote {len(schemas)} schemas to {folder}", err=True)
