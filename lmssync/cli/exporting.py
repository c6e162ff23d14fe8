"""The warnings that an export prints beside the manifests."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from ..manifests.export import Manifest


def printed(texts: Iterable[str]) -> None:
    """Prints all manifests as one stream; warns if it is too large for a manifest file."""
    from ..manifests.files import MANIFEST_BYTES

    size = 0
    for text in texts:
        written = text.encode()
        size += len(written)
        click.echo(written, nl=False)
    if size > MANIFEST_BYTES:
        limit = f"a manifest may have {MANIFEST_BYTES:,}"
        click.echo(f"warning: this is {size:,} bytes; {limit}: use --out DIR", err=True)


def with_warnings(manifests: Iterable["Manifest"]) -> Iterator["Manifest"]:
    """The manifests; warns on stderr about each that leaves something out."""
    from ..persons import codes
    from ..report.words import counted

    for manifest in manifests:
        unknown = len(set(codes(manifest.data)))
        for address in manifest.inexact:
            why = (
                f"has {counted(unknown, 'code')} in place of people whom this machine does not "
                "know: write their identifiers in place of each `$person`"
                if unknown
                else "leaves out some of what is recorded: compare it with `lmssync state show`"
            )
            click.echo(f"warning: the manifest of {address} {why}", err=True)
        yield manifest
