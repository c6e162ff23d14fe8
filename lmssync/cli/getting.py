"""Runs `lmssync get`: reads a list, and prints it or writes it to a file."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Unpack

import click

from ..kind import Ids
from ..planning.workspace import Workspace
from ..platform.lists import LISTS, IdFinder, ListQuery, find_named, listable, read
from ..report.lists_report import PIECES, ShownList, overview_of, table_of
from ..report.value_words import join_words
from ..resource import Address
from ..support.visible import escape_invisible
from . import chosen_workspace as meanings, printing
from .exits import Exit
from .list_options import LIMIT, GetOptions
from .progress import Lines
from .recorded_resources import require_record
from .terminal_output import columns as width_of


def overview() -> str:
    return overview_of(LISTS, width_of(sys.stdout))


def run(name: str, form: str, out: Path | None, **given: Unpack[GetOptions]) -> int:
    """Lists it; the exit code is that of an error if something that was named is missing."""
    declared, limit = listable(name), None if given["everything"] else given["limit"] or LIMIT
    place = meanings.asking(root=given["root"], environment=given["environment"])
    with place.reader() as reader, _progress(form, out) as progress:
        reader.pace.tell = progress.note
        finder = IdFinder.by(reader, _recorded_ids(place))
        asked = ListQuery(name, declared, limit=limit)
        asked = asked.with_filters(given["filters"], finder.id_of).with_order(given["sort"])
        named = find_named(name, given["words"], declared, finder)
        asked = asked._replace(about=named.about)
        items = read(reader, asked, named.ids, place.project.platform.routes, progress.now)
        listed = ShownList.of(asked, items, given["columns"])
        _show(listed, form, out, progress)
    return _end(listed)


@contextmanager
def _progress(form: str, out: Path | None) -> Iterator[Lines]:
    """Lines about the pages, where they do not get between what is printed meanwhile."""
    streams = out is None and form != "table" and sys.stdout.isatty()
    with Lines(plain=streams) as progress:
        yield progress


def _recorded_ids(place: Workspace) -> Callable[[Address], Ids]:
    """Looks into the state, which is opened only where an address is named."""

    def ids(address: Address) -> Ids:
        with place.store(read_only=True) as store:
            return require_record(store, address).ids

    return ids


def _show(listed: ShownList, form: str, out: Path | None, progress: Lines) -> None:
    if form != "table":
        printing.put(PIECES[form](listed), out)
        return
    text, left_out = table_of(listed, None if out else width_of(sys.stdout))
    progress.end()
    printing.put([text.encode("utf-8", "replace")], out)
    if left_out:
        names = join_words(left_out)
        click.echo(f"no room for {names}: --columns chooses, --format csv has all", err=True)


def _end(listed: ShownList) -> int:
    query, items = listed.query, listed.items
    if items.more:
        click.echo(f"there are more than these {query.limit:,}: --limit N or --all", err=True)
    for name in sorted(listed.unseen):
        click.echo(f"nothing that was listed has the field `{escape_invisible(name)}`", err=True)
    for id_ in items.missing:
        click.echo(f"the platform has no {query.list.named.noun} {escape_invisible(id_)}", err=True)
    return Exit.ERROR if items.missing else Exit.DONE
