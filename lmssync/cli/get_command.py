"""`lmssync get`."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import click

from ..errors import WrongUse
from ..problems import suggest_near
from ..resource import Address
from ..support.invisible_characters import escape_invisible
from ..support.remembered_files import remember_names
from . import options
from .chosen_workspace import choose_online_workspace, require_record
from .command_help import PLATFORM_EXITS, documented_command
from .completion_command import list_addresses, root_of
from .exits import Exit
from .options import format_options
from .terminal_output import print_or_write, terminal_width

if TYPE_CHECKING:
    from ..kind import Ids
    from ..planning.workspace import Workspace
    from ..platform.client import Reader
    from ..platform.list_declarations import PlatformList
    from ..report.lists_report import ShownList
    from .progress import ProgressLines


def complete_list(_ctx: click.Context, _param: click.Parameter, begun: str) -> list[str]:
    from ..platform.list_declarations import LISTS

    return [name for name in LISTS if name.startswith(begun)]


def _find_list(ctx: click.Context) -> "PlatformList | None":
    """The list that the command line names; where an option still lacks its value, click has not
    given the arguments their names yet."""
    from ..platform.list_declarations import LISTS

    return LISTS.get(ctx.params.get("name") or next(iter(ctx.args), ""))


def complete_recorded(ctx: click.Context, _param: click.Parameter, begun: str) -> list[str]:
    """Addresses of the kinds that name what is listed."""
    one = _find_list(ctx)
    kinds = {*one.takes.kinds, *one.about} if one else ()
    starts = tuple(f"{kind}." for kind in kinds)
    known = {word for start in starts for word in list_addresses(root_of(ctx), begun or start)}
    return sorted(word for word in known if word.startswith(starts))


def complete_filter(ctx: click.Context, _param: click.Parameter, begun: str) -> list[str]:
    one = _find_list(ctx)
    offered = (f"{f.name}={word}" for f in (one.filters if one else ()) for word in f.words or [""])
    return [word for word in offered if word.startswith(begun)]


def complete_columns(ctx: click.Context, _param: click.Parameter, begun: str) -> list[str]:
    one = _find_list(ctx)
    before, comma, last = begun.rpartition(",")
    there = (*one.columns, *one.further) if one else ()
    return [f"{before}{comma}{name}" for name in there if name.startswith(last)]


LIMIT = 100
LIST_FORMATS = ("table", "json", "yaml", "csv")


class GetOptions(options.WhereOptions):
    """What is asked of a list."""

    words: tuple[str, ...]
    filters: tuple[tuple[str, str], ...]
    sort: str | None
    limit: int | None
    everything: bool
    columns: list[str]


def _parse_filters(
    _ctx: click.Context, _option: click.Parameter, given: tuple[str, ...]
) -> tuple[tuple[str, str], ...]:
    """Filters as names and values; raises `WrongUse` for one without a value."""
    for text in given:
        if "=" not in text:
            raise WrongUse(
                f"--filter: `{text}` has no value",
                "write it as NAME=VALUE; `lmssync get` says which filters a list has",
            )
    return tuple(
        (name.strip(), value) for name, _, value in (text.partition("=") for text in given)
    )


chosen = options.combine_options(
    click.option(
        "--filter",
        "filters",
        multiple=True,
        metavar="NAME=VALUE",
        callback=_parse_filters,
        shell_complete=complete_filter,
        help="List only what matches; `lmssync get` shows which filters each list has.",
    ),
    click.option(
        "--sort",
        metavar="FIELD",
        help="Sort by this field, where the platform can: name, or -name for the reverse.",
    ),
    click.option(
        "--limit",
        type=click.IntRange(min=1),
        metavar="N",
        help=f"List at most this many; default: {LIMIT}.",
    ),
    click.option("--all", "everything", is_flag=True, help="List everything, page by page."),
    click.option(
        "--columns",
        metavar="FIELD,...",
        callback=lambda _ctx, _option, given: [
            name.strip() for name in (given or "").split(",") if name.strip()
        ],
        shell_complete=complete_columns,
        help="Show only these fields, in this order (id,title); a dot leads inside (tags.label).",
    ),
)


@documented_command(
    "get",
    exits=PLATFORM_EXITS,
    examples=(
        ("lmssync get", "show what can be listed, and by which filters"),
        ("lmssync get tags --all", "list all tags"),
        ("lmssync get clients --filter query=acme --sort -name", "search the clients"),
        ("lmssync get assets --filter tagIds=Safety --json", "print files with a tag as JSON"),
        ("lmssync get paths course.safety-101", "list the purchase paths of a course"),
        ("lmssync get sessions course.safety-101", "list the sessions of its course group"),
        ("lmssync get users license.staff", "list the people who have a license"),
        (
            "lmssync get users --all --format csv --out users.csv",
            "write all users to a file that only you can read",
        ),
    ),
)
@click.argument("name", metavar="[LIST]", required=False, shell_complete=complete_list)
@click.argument("words", nargs=-1, metavar="[ID]...", shell_complete=complete_recorded)
@options.where
@chosen
@format_options(
    click.Choice(LIST_FORMATS),
    "table",
    "Output format; CSV has more fields than the table, JSON and YAML have all.",
)
@click.option(
    "--out",
    type=options.FILE,
    metavar="FILE",
    help="Write to this file, which only you can read, instead of printing.",
)
def command(*, name: str | None, form: str, out: Path | None, **given: Unpack[GetOptions]) -> int:
    """List what is on the platform: tags, clients, users, courses, ...

    Without LIST it shows what can be listed, and by which filters. ID picks single things, or the
    client, course or lesson whose list you want: by its uuid, the slug of a client, or an address
    (course.safety-101, course.safety-101/start/welcome). An address narrows other lists too: `get
    users license.staff` lists who has that license. Only reads, and keeps nothing but the names of
    tags, clients and locations, which an editor then offers: accounts and attempts name people.
    """
    if name is None:
        from ..platform.list_declarations import LISTS
        from ..report.lists_report import overview_of

        click.echo(overview_of(LISTS, terminal_width(sys.stdout)), nl=False)
        return Exit.DONE
    if given["everything"] and given["limit"]:
        raise WrongUse("--all and --limit contradict each other", "give one of them")
    return print_list(name, form, out, **given)


def print_list(name: str, form: str, out: Path | None, **given: Unpack[GetOptions]) -> int:
    """Lists it; the exit code is that of a wrong command line if something that it names is not
    there."""
    from ..platform.list_reading import IdFinder, ListQuery, choose_list, find_named, read_list
    from ..report.lists_report import ShownList

    declared, limit = choose_list(name), None if given["everything"] else given["limit"] or LIMIT
    place = choose_online_workspace(root=given["root"], environment=given["environment"])
    with place.open_reader() as reader, _show_progress(form, out) as progress:
        reader.pace.tell = progress.note
        finder = IdFinder.by(reader, _recorded_ids(place, reader))
        asked = ListQuery(name, declared, limit=limit)
        asked = asked.with_filters(given["filters"], finder.id_of).with_order(given["sort"])
        named = find_named(name, given["words"], declared, finder)
        asked = asked._replace(about=named.about)
        items = read_list(reader, asked, named.ids, place.platform.routes, progress.now)
        listed = ShownList.of(asked, items, given["columns"])
        currency = place.project.currency or ""
        _print_or_write_list(listed, form, out, progress, currency)
    if items.lookup:
        remember_names(place.root, items.lookup.kind, items.names)
    return _end_list(listed)


@contextmanager
def _show_progress(form: str, out: Path | None) -> "Iterator[ProgressLines]":
    """Lines about the pages, where they do not get between what is printed meanwhile."""
    from .progress import ProgressLines

    streams = out is None and form != "table" and sys.stdout.isatty()
    with ProgressLines(plain=streams) as progress:
        yield progress


def _recorded_ids(place: "Workspace", reader: "Reader") -> "Callable[[Address], Ids]":
    """Looks into the state, which is opened only where an address is named."""
    from ..platform.live import allow_pairing

    def find_ids(address: Address) -> "Ids":
        with place.store(read_only=True) as store:
            allow_pairing(store, reader, place.platform.routes)
            return require_record(store, address).ids

    return find_ids


def _print_or_write_list(
    listed: "ShownList", form: str, out: Path | None, progress: "ProgressLines", currency: str
) -> None:
    from ..report.lists_report import PIECES, table_of
    from ..report.value_words import join_words

    if form != "table":
        print_or_write(PIECES[form](listed), out)
        return
    text, left_out = table_of(listed, None if out else terminal_width(sys.stdout), currency)
    progress.end()
    print_or_write([text.encode("utf-8", "replace")], out)
    if not listed.fields:
        click.echo("the list is empty", err=True)
    if left_out:
        names = join_words(left_out)
        click.echo(
            f"{names} had no room: choose columns with --columns, or use --format csv", err=True
        )


def _end_list(listed: "ShownList") -> int:
    query, items = listed.query, listed.items
    if items.more:
        click.echo(
            f"there are more than these {query.limit:,}: --limit N or --all lists them", err=True
        )
    for name in sorted(listed.unseen):
        known = ", ".join(sorted(listed.fields))
        near = suggest_near(name, listed.fields) or (known and f"the fields are {known}")
        text = f"nothing that was listed has the field `{escape_invisible(name)}`"
        click.echo(f"{text}{near and '; '}{near}", err=True)
    for id_ in items.missing:
        click.echo(f"the platform has no {query.list.named.noun} {escape_invisible(id_)}", err=True)
    return Exit.USAGE if items.missing or listed.unknown else Exit.DONE
