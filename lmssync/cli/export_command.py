"""`lmssync export`."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import click

from ..errors import WrongUse
from ..problems import suggest_near
from . import options
from .chosen_workspace import choose_workspace
from .command_help import PROJECT_EXITS, documented_command
from .exits import print_warning
from .safe_output import print_line
from .terminal_output import print_exactly, print_view

if TYPE_CHECKING:
    from ..catalog.manifests.export import Manifest


def print_manifests(texts: Iterable[str]) -> None:
    """Prints all manifests as one stream; warns if it is too large for a manifest file."""
    from ..catalog.manifests.catalog_files import MANIFEST_BYTES

    size = 0
    for text in texts:
        written = text.encode()
        size += len(written)
        print_exactly(written)
    if size > MANIFEST_BYTES:
        limit = f"a manifest may have {MANIFEST_BYTES:,}"
        print_warning(f"this is {size:,} bytes; {limit}: use --out DIR")


def with_warnings(manifests: Iterable["Manifest"]) -> Iterator["Manifest"]:
    """The manifests; warns on stderr about each that leaves something out."""
    from ..report.value_words import count_noun
    from ..support.persons import codes_in

    for manifest in manifests:
        unknown = len(set(codes_in(manifest.data)))
        for address in manifest.inexact:
            why = (
                f"has {count_noun(unknown, 'code')} in place of people whom this machine does not "
                "know: write their identifiers in place of each `$person`"
                if unknown
                else "leaves out some of what is recorded: compare it with `lmssync state show`"
            )
            print_warning(f"the manifest of {address} {why}")
        yield manifest


@documented_command(
    "export",
    exits=PROJECT_EXITS,
    examples=(
        ("lmssync export course.safety-101", "print a course as it was applied"),
        ("lmssync export --out exported", "write everything into a folder"),
    ),
)
@click.argument("addresses", nargs=-1, metavar="[ADDRESS]...")
@options.where
@options.as_json
@click.option(
    "--out",
    type=options.FOLDER,
    metavar="DIR",
    help="Write a file for each resource into this folder; default: print.",
)
@click.option("--force", is_flag=True, help="With --out: overwrite existing files.")
@click.option(
    "--body-files",
    is_flag=True,
    help="With --out: write long bodies to files of their own; very large ones always get one.",
)
def command(
    *,
    addresses: tuple[str, ...],
    json_: bool,
    out: Path | None,
    force: bool,
    body_files: bool,
    **given: Unpack[options.WhereOptions],
) -> None:
    """Write what is recorded as manifests: everything, or each ADDRESS.

    ADDRESS may be a pattern (`course.safety-*`). Needs no network.
    """
    from ..catalog.manifests import export
    from ..catalog.manifests.yaml import write_stream
    from ..planning import plan_loading as planning
    from ..report.catalog_report import export_json
    from ..report.value_words import count_noun
    from ..state import keep_forms

    if (force or body_files) and not out:
        raise WrongUse("--force and --body-files need --out DIR")
    place = choose_workspace(**given)
    with place.store(read_only=True) as store:
        packed = {a: one.packed for a, one in keep_forms(store.list_records()).items()}
        people = planning.find_people(place, store)
    named, unknown = export.choose_addresses(export.Packed(packed), addresses)
    if unknown:
        raise WrongUse(
            f"nothing is recorded for {unknown[0]}",
            suggest_near(unknown[0], map(str, packed))
            or "`lmssync state list` lists what is recorded",
        )
    forms = export.Packed({a: packed[a] for a in named}, people.reveal_form)
    made = with_warnings(export.make_manifests(forms))
    manifests = list(made) if json_ and out else made
    texts = export.manifest_texts(manifests, body_files=body_files) if out else {}
    if out:
        export.write_manifests(out, texts, force=force)
        print_line(f"wrote {count_noun(len(texts), 'file')} to {out}", err=True)
    if json_:
        print_view(export_json(manifests, texts))
    elif not out:
        print_manifests(write_stream(manifest.data for manifest in manifests))
    if not named:
        click.echo("nothing is recorded", err=True)
