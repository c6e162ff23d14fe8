"""`lmssync events`."""

import json
import os
import re
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

import click

from ..errors import StateLocked, Stopped, Unreachable, WrongUse
from ..problems import suggest_near
from ..settings import STATE
from ..support import redaction
from . import options
from .chosen_workspace import choose_online_workspace, choose_workspace
from .command_help import PLATFORM_EXITS, PROJECT_EXITS, documented_group
from .exits import Exit, print_message
from .options import Decorator
from .terminal_output import print_or_write, print_view
from .typed_moments import parse_past_milliseconds

if TYPE_CHECKING:
    from ..learners.events import EventRow, FeedPulled, LearnerIndex, Puller
    from ..planning.workspace import Workspace
    from ..platform.client import Reader
    from .progress import ProgressLines


def kinds_option(default: str = "the eight that every instance has") -> Decorator:
    """`--kind`, and the feeds that are meant without it."""
    text = f"Only this feed: courseAction, quizAttempt, …; default: {default}."
    return click.option("--kind", multiple=True, metavar="KIND", help=text)


def since_option(text: str) -> Decorator:
    """`--since`, and what it means for a command."""
    return click.option("--since", metavar="TIME", callback=parse_past_milliseconds, help=text)


def choose_feeds(given: Sequence[str]) -> Sequence[str]:
    """The feeds that are meant; raises `WrongUse` for one that no instance has."""
    from ..learners.events import FURTHER, KINDS

    known = [*KINDS, *FURTHER]
    for kind in given:
        if kind not in known:
            hint = suggest_near(kind, known) or f"the feeds are {', '.join(known)}"
            raise WrongUse(f"--kind: there is no feed `{kind}`", hint)
    return list(dict.fromkeys(given)) or KINDS


def open_index_to_pull(place: "Workspace") -> "Puller":
    """The index of the environment, to be written; raises `StateError`."""
    from ..learners.events import Puller
    from ..state import instance_of, keep_out_of_git

    file = place.learners
    keep_out_of_git(file, place.root)
    inside = None if place.env.get(STATE) else place.root
    instance = instance_of(place.environment.baseUrl)
    return Puller(file, inside, environment=place.name, instance=instance)


@contextmanager
def open_pulled_index(place: "Workspace", *, any_feed: bool = False) -> "Iterator[LearnerIndex]":
    """The index of the environment, to be read; raises `WrongUse` where the feed that counts need,
    or any feed, was not pulled."""
    from ..learners.events import LearnerIndex
    from ..state import instance_of

    instance = instance_of(place.environment.baseUrl)
    index = LearnerIndex.open_index(place.learners, instance=instance, any_feed=any_feed)
    if index is None:
        name = "feed" if any_feed else "feed of courseAction"
        raise WrongUse(
            f"no {name} was pulled to its end for the environment `{place.name}`",
            "run `lmssync events pull`; it goes on where it was stopped",
        )
    with index:
        yield index


def show_pull_progress(progress: "ProgressLines") -> Callable[["FeedPulled", int | None], None]:
    """Shows how far a pull has come."""
    from ..report.events_report import on_the_way

    return lambda pulled, oldest: progress.now(on_the_way(pulled, oldest))


def pull_round(index: "Puller", reader: "Reader", kinds: Sequence[str]) -> "list[FeedPulled]":
    """One of many pulls: what only this one meets is said, and the next one tries again."""
    try:
        return list(index.pull_newest(reader, kinds))
    except (StateLocked, Unreachable) as error:
        print_message(error)
        return []


EVENT_FORMATS = ("ndjson", "csv", "parquet")


@documented_group(
    "events",
    examples=(("lmssync events pull", "bring the index of learners up to date"),),
)
def command() -> None:
    """Pull what learners do, and count it without names."""


@command.command(
    "export",
    exits=PROJECT_EXITS,
    examples=(
        (
            "lmssync events export --since 30d > events.ndjson",
            "write the events of a month, one on each line",
        ),
        (
            "lmssync events export --format parquet --out events.parquet",
            "write all events as Parquet",
        ),
    ),
)
@options.where
@click.option(
    "--format",
    "form",
    type=click.Choice(EVENT_FORMATS),
    default="ndjson",
    show_default=True,
    help="Output format; Parquet needs the extra `parquet`.",
)
@click.option(
    "--out", type=options.FILE, metavar="FILE", help="Write to this file instead of printing."
)
@kinds_option("all that were pulled")
@since_option("Only events from this time on: a date, a time, or 30d, 12h, 45m.")
def export(
    *,
    form: str,
    out: Path | None,
    kind: tuple[str, ...],
    since: int | None,
    **given: Unpack[options.WhereOptions],
) -> None:
    """Write the pulled events, oldest first, with codes in place of people.

    Needs no network. A person has one code in all exports of one index.
    """
    from ..report.events_report import EVENT_WRITERS
    from ..report.value_words import count_noun

    if form == "parquet" and out is None:
        raise WrongUse("Parquet cannot be printed", "name a file: --out events.parquet")
    start, wanted = since or 0, choose_feeds(kind) if kind else ()
    with open_pulled_index(choose_workspace(**given), any_feed=True) as index:
        pieces = EVENT_WRITERS[form](index.list_events(since=start, kinds=wanted))
        print_or_write(pieces, out)
    if out:
        click.echo(f"wrote {count_noun(out.stat().st_size, 'byte')} to {out}", err=True)


SECRET = "LMSSYNC_LISTEN_SECRET"  # noqa: S105 - the name of the variable
_FIT = re.compile(r"[A-Za-z0-9_-]{16,200}")
_SETTLE = 2.0
"""Seconds between a first hint and the pull: notifications come in swarms."""


@command.command(
    "listen",
    exits=PLATFORM_EXITS,
    examples=(
        ("lmssync events listen", "pull whenever the platform pushes a notification"),
        (
            "lmssync events listen --host 0.0.0.0 --port 8850",
            "listen behind a proxy that has the TLS key",
        ),
    ),
)
@options.where
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@options.port_option(8850, "Port to listen on")
@options.number_option(
    "--every", 15, "MINUTES", (1, 1440), "Pull at least this often, in case a notification is lost."
)
def listen(*, host: str, port: int, every: int, **given: Unpack[options.WhereOptions]) -> None:
    """Receive notifications from the platform, and pull the events that they announce, until
    Ctrl-C.

    The platform posts them to http://HOST:PORT/SECRET; the secret is in LMSSYNC_LISTEN_SECRET. They
    are not signed, so lmssync counts nothing from them: they only say when to pull.
    """
    from ..learners.events import KINDS, receive_notifications

    secret, place = _read_secret(), choose_online_workspace(**given)
    with (
        open_index_to_pull(place) as index,
        place.open_reader() as reader,
        receive_notifications(host, port, secret) as heard,
    ):
        number, hints = heard
        reader.pace.tell = lambda text: click.echo(text, err=True)
        with suppress(KeyboardInterrupt, Stopped):
            click.echo(json.dumps({"listening": f"http://{host}:{number}/"}))
            named: Collection[str] = KINDS
            while True:
                new = sum(feed.new for feed in pull_round(index, reader, sorted(named)))
                if new:
                    click.echo(json.dumps({"new": new, "notifications": hints.received}))
                named = hints.wait_for_kinds(every * 60, settle=_SETTLE) or KINDS


def _read_secret() -> str:
    """The last part of the address; raises `WrongUse` where it could be guessed."""
    secret = os.environ.get(SECRET, "")
    if not _FIT.fullmatch(secret):
        raise WrongUse(
            f"{SECRET} is {'not set' if not secret else 'too short or has odd characters'}",
            "set it to 16 to 200 letters and digits: "
            f"export {SECRET}=$(python3 -c 'import secrets; print(secrets.token_hex(16))')",
        )
    redaction.register_secret(secret)
    return secret


@command.command(
    "tail",
    exits=PLATFORM_EXITS | {Exit.LOCKED},
    exit_meanings={Exit.LOCKED: "another run pulls events"},
    examples=(
        ("lmssync events tail", "print what happens, as it happens"),
        ("lmssync events tail --since 1h --kind courseAction", "begin with the last hour"),
    ),
)
@options.where
@kinds_option()
@since_option("Also print the known events from this time on: a date, a time, or 30d, 12h, 45m.")
@options.number_option(
    "--every",
    15,
    "SECONDS",
    (1, 3600),
    "Time between two looks; never less than the platform allows.",
)
@click.option("--json", "json_", is_flag=True, help="Print a line of JSON for each event.")
def tail(
    *,
    kind: tuple[str, ...],
    since: int | None,
    every: int,
    json_: bool,
    **given: Unpack[options.WhereOptions],
) -> None:
    """Print new events as they come, with codes in place of people, until Ctrl-C.

    Pulls first what has come since the last pull. The index gets every event that is printed.
    """
    from .progress import ProgressLines

    place, wanted = choose_online_workspace(**given), choose_feeds(kind)
    with open_index_to_pull(place) as index, place.open_reader() as reader:
        with ProgressLines() as progress:
            reader.pace.tell = progress.note
            first = index.pull_feeds(reader, wanted, show_pull_progress(progress), since=since)
            refused = {feed.kind: feed.refused for feed in first if feed.refused}
        if since is not None:
            _print_events(index.list_events(since=since, kinds=kind), json_=json_)
        wanted = _choose_shown_feeds(wanted, refused)
        reader.pace.tell = lambda text: click.echo(text, err=True)
        with suppress(KeyboardInterrupt, Stopped):
            click.echo("Waiting for events; Ctrl-C ends this.", err=True)
            while True:
                time.sleep(every)
                new = [key for feed in pull_round(index, reader, wanted) for key in feed.keys]
                _print_events(index.read_event_rows(new), json_=json_)


def _choose_shown_feeds(wanted: Sequence[str], refused: Mapping[str, str]) -> list[str]:
    """The feeds that the platform shows, once it is said which it refuses; raises `WrongUse` where
    nothing is left to wait for."""
    said = "; ".join(refused.values())
    shown = [kind for kind in wanted if kind not in refused]
    if not shown:
        raise WrongUse(said, "wait for the events of a feed that this instance has")
    if said:
        click.echo(f"not waited for: {said}", err=True)
    return shown


def _print_events(rows: "Iterable[EventRow]", *, json_: bool) -> None:
    from ..report.events_report import describe_event_row, encode_event_line

    for row in rows:
        click.echo(encode_event_line(row) if json_ else describe_event_row(row), nl=not json_)


@command.command(
    "pull",
    exits=PLATFORM_EXITS | {Exit.LOCKED, Exit.PARTIAL},
    exit_meanings={
        Exit.LOCKED: "another run pulls events",
        Exit.PARTIAL: "the platform refused a feed",
    },
    examples=(
        ("lmssync events pull", "bring the index of learners up to date"),
        ("lmssync events pull --since 90d", "begin three months ago, or read three months again"),
        ("lmssync events pull --kind courseAction --kind quizAttempt", "pull two of the feeds"),
    ),
)
@options.where
@kinds_option()
@since_option(
    "Begin here if nothing was pulled yet, else read again from here: a date, a time, or 30d, 12h, "
    "45m."
)
@options.as_json
def pull(
    *, kind: tuple[str, ...], since: int | None, json_: bool, **given: Unpack[options.WhereOptions]
) -> int:
    """Bring the index of learners up to date with the event feeds.

    Reads each feed to its end. A run that was stopped goes on where it was. No event is counted
    twice.
    """
    from ..report import events_report
    from ..sync.record_edits import pair_learned_courses
    from .progress import ProgressLines

    place = choose_online_workspace(**given)
    with place.open_reader() as reader, ProgressLines() as progress:
        reader.pace.tell, show = progress.note, show_pull_progress(progress)
        with open_index_to_pull(place) as index:
            pulled = list(index.pull_feeds(reader, choose_feeds(kind), show, since=since))
        pair_learned_courses(place, reader, progress.note)
    report = events_report.PulledFeeds(place.name, place.learners, pulled)
    print_view(report.as_json() if json_ else report.as_text())
    return Exit.PARTIAL if any(feed.refused for feed in pulled) else Exit.DONE


@command.command(
    "show",
    exits=PROJECT_EXITS,
    examples=(
        ("lmssync events show", "count the learners of each course"),
        ("lmssync events show course.safety-101", "count them in one course and its quizzes"),
    ),
)
@click.argument("addresses", nargs=-1, metavar="[ADDRESS]...")
@options.where
@options.as_json
def show(*, addresses: tuple[str, ...], json_: bool, **given: Unpack[options.WhereOptions]) -> None:
    """Show how many learners are in each course, and how far they are.

    Counts the pulled events and needs no network. ADDRESS may be a pattern (`course.safety-*`);
    then quizzes and assignments are counted as well. A course that is not recorded is shown by its
    id.
    """
    from ..report import events_report
    from .chosen_workspace import matches_patterns, refuse_unmatched

    place = choose_workspace(**given)
    with open_pulled_index(place) as index, place.store(read_only=True) as store:
        refuse_unmatched(addresses, store.fingerprints())
        records = [
            record for record in store.list_records() if matches_patterns(record.address, addresses)
        ]
        shown = events_report.counted_places(index, records, others=not addresses)
        as_of = index.as_of
        unread = [record.address for record in records if record.unpaired]
    click.echo(events_report.explain_unread(unread), err=True, nl=False)
    spell: Any = events_report.learners_json if json_ else events_report.learners_text
    print_view(spell(shown, as_of))
