"""`lmssync preview`."""

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import click

from ..errors import LmssyncError, WrongUse
from ..support.visible import escape_invisible
from . import options, printing
from .command_help import PROJECT_EXITS, DocumentedCommand

if TYPE_CHECKING:
    from .previewing import Source

_FOLDER = Path("preview")


@click.command(
    "preview",
    cls=DocumentedCommand,
    exits=PROJECT_EXITS,
    examples=(
        ("lmssync preview", "write the pages that learners will see into the folder preview"),
        ("lmssync preview --serve", "show them in the browser, and again whenever you save"),
        ("lmssync preview -e production", "mark what differs from what production has"),
    ),
)
@options.where
@click.option(
    "--out", type=options.FOLDER, default=_FOLDER, show_default=True, help="Folder for the pages."
)
@click.option(
    "--serve", is_flag=True, help="Serve the pages, and load them again whenever a file is saved."
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8801,
    show_default=True,
    help="With --serve: the port on this machine; 0 takes a free one.",
)
@options.as_json
def command(
    *, out: Path, serve: bool, port: int, json_: bool, **given: Unpack[options.WhereOptions]
) -> None:
    """Show the catalog as learners will see it, with what differs from what is recorded marked.

    Writes static pages, which open in any browser. Asks nothing of the platform and needs no key.
    """
    from ..report import preview
    from ..report.value_words import count_noun
    from .previewing import Source

    source = Source(**given)
    if serve:
        if json_ or out != _FOLDER:
            raise WrongUse("--serve writes no files", "use it without --out and --json")
        _serve(source, port)
        return
    frame, courses = source.shown()
    number = preview.write(preview.PreviewSite(frame, courses), out)
    marked = {str(address): mark for address, mark in courses.marks.items() if mark}
    if json_:
        document = {"format": "lmssync.preview/1", "folder": str(out), "pages": number}
        printing.echo({**document, "marks": marked})
        return
    click.echo(
        escape_invisible(f"wrote {count_noun(number, 'page')} to {out}: open {out}/index.html")
    )
    if marked:
        click.echo(escape_invisible(f"{len(marked):,} marked as different: {out}/changes.html"))


def _serve(source: "Source", port: int) -> None:
    """Serves until it is interrupted."""
    from ..report import preview

    try:
        server = preview.server(preview.Preview(source.version, source.site), port)
    except OSError as error:
        hint = "choose another with --port"
        raise LmssyncError(f"port {port} cannot be used: {error.strerror}", hint) from error
    with server, suppress(KeyboardInterrupt):
        address = f"http://127.0.0.1:{server.server_address[1]}/"
        click.echo(f"{address} shows the catalog, and changes whenever you save; Ctrl-C ends this.")
        server.serve_forever(poll_interval=0.2)
