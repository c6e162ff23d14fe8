"""`lmssync schema`."""

from pathlib import Path

import click

from ..errors import WrongUse
from ..problems import near
from ..visible import visible


@click.command("schema")
@click.argument("name", required=False)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    help="Write all schemas into this folder.",
)
def command(*, name: str | None, out: Path | None) -> None:
    """Print the JSON Schema NAME (manifest, course, lmssync, ...), or write all to a folder."""
    from ..manifests.schemas import schema

    if out:
        _write(out)
        return
    names = [file.removesuffix(".json") for file in schema.FILES]
    wanted = (name or "").removesuffix(".json")
    if wanted not in names:
        hint = near(wanted, names) if name else ""
        message = f"there is no schema `{name}`" if name else "which schema?"
        raise WrongUse(message, hint or f"there are: {', '.join(names)}; or --out DIR for all")
    click.echo(schema.spelled(schema.schema(f"{wanted}.json")), nl=False)


def _write(folder: Path) -> None:
    from ..manifests.schemas import schema
    from ..writing import write_below

    schemas = schema.schemas()
    try:
        for file, made in schemas.items():
            write_below(folder, file, [schema.spelled(made).encode()])
    except OSError as error:
        raise WrongUse(
            f"{folder} cannot be written: {error.strerror}", "name a folder that you may write to"
        ) from None
    click.echo(visible(f"wrote {len(schemas)} schemas to {folder}"), err=True)
