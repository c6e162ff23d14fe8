"""`lmssync schema`."""

from pathlib import Path

import click

from ..errors import WrongUse
from ..problems import near
from .exits import Exit


@click.command("schema")
@click.argument("name", required=False)
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), help="Write all of them.")
def command(*, name: str | None, out: Path | None) -> int:
    """Print the JSON Schema NAME (course, license, lmssync, ...), or write all to a folder."""
    from ..manifests import schema

    schemas = schema.schemas()
    names = [file.removesuffix(".json") for file in schemas]
    if out:
        out.mkdir(parents=True, exist_ok=True)
        for file, found in schemas.items():
            (out / file).write_text(schema.spelled(found), "utf-8")
        click.echo(f"wrote {len(schemas)} schemas to {out}", err=True)
        return Exit.DONE
    if name not in names:
        hint = near(name, names) if name else ""
        said = f"there is no schema `{name}`" if name else "which schema?"
        raise WrongUse(said, hint or f"there are: {', '.join(names)}")
    click.echo(schema.spelled(schemas[f"{name}.json"]), nl=False)
    return Exit.DONE
