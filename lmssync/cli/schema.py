"""`lmssync schema`."""

from pathlib import Path

import click

from ..errors import WrongUse
from ..problems import near
from ..visible import visible
from .exits import Exit


@click.command("schema")
@click.argument("name", required=False)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    help="Write all schemas into this folder.",
)
def command(*, name: str | None, out: Path | None) -> int:
    """Print the JSON Schema NAME (manifest, course, lmssync, ...), or write all to a folder."""
    from ..manifests.schemas import schema

    if out:
        count = _write(out)
        click.echo(visible(f"wrote {count} schemas to {out}"), err=True)
        return Exit.DONE
    names = [file.removesuffix(".json") for file in schema.FILES]
    wanted = (name or "").removesuffix(".json")
    if wanted not in names:
        hint = near(wanted, names) if name else ""
        said = f"there is no schema `{name}`" if name else "which schema?"
        raise WrongUse(said, hint or f"there are: {', '.join(names)}; or --out DIR for all")
    click.echo(schema.spelled(schema.schema(f"{wanted}.json")), nl=False)
    return Exit.DONE


def _write(folder: Path) -> int:
    """Writes every schema and returns how many there are."""
    from ..manifests.schemas import schema
    from ..writing import write_below

    schemas = schema.schemas()
    try:
        for file, found in schemas.items():
            write_below(folder, file, [schema.spelled(found).encode()])
    except OSError as error:
        raise WrongUse(
            f"{folder} cannot be written: {error.strerror}", "name a folder that you may write to"
        ) from None
    return len(schemas)
