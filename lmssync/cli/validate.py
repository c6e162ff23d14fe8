"""`lmssync validate`."""

import sys
from pathlib import Path

import click

from . import options
from .exits import Exit


@click.command("validate")
@options.catalog
@options.as_json
def command(*, root: Path, json_: bool) -> int:
    """Check every manifest of the catalog, offline; all mistakes are shown at once."""
    from .. import manifests, pipeline, report
    from ..problems import errors
    from .terminal import ink

    root = root.absolute()
    manifests.project(root)
    catalog, problems = pipeline.validate(root)
    if json_:
        options.echo_json(report.problems_json(problems))
    elif problems:
        click.echo(report.problems_text(problems, ink(sys.stdout)), nl=False)
    if not errors(problems) and not json_:
        click.echo(report.valid_text(catalog.files, len(catalog.resources)), nl=False)
    return Exit.INVALID if errors(problems) else Exit.DONE
