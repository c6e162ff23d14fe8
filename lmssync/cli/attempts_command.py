"""`lmssync attempts`."""

from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import click

from ..errors import WrongUse
from ..problems import suggest_near
from . import options, row_operations
from .chosen_workspace import parse_typed_address, require_record
from .command_help import PLATFORM_EXITS, documented_group
from .exits import Exit
from .typed_moments import parse_past_milliseconds

if TYPE_CHECKING:
    from ..planning.workspace import Workspace
    from ..state import Record, Store


def _find_event_ids(store: "Store", course: str, topic: str | None) -> tuple[frozenset[str], str]:
    """The ids by which events may name the course, and that of the topic, if there is one.

    Raises `WrongUse` for what is not recorded.
    """
    from ..kinds import is_uuid

    record = None if is_uuid(course) else require_record(store, parse_typed_address(course))
    courses = record.ids.own.values() if record else [course]
    if not topic or is_uuid(topic):
        return frozenset(map(str.lower, courses)), (topic or "").lower()
    if record is None:
        raise WrongUse("--topic is an id in a course, but --course is no address", "give its uuid")
    return frozenset(map(str.lower, courses)), _find_topic(record, topic)


def _find_topic(record: "Record", topic: str) -> str:
    """A path of the course, or the last id of one where that is enough."""
    parts = record.ids.parts
    paths = [path for path in parts if path == topic or path.endswith(f"/{topic}")]
    if len(paths) == 1:
        return parts[paths[0]].lower()
    if paths:
        raise WrongUse(f"`{topic}` is in {record.address} more than once: {', '.join(paths)}")
    hint = suggest_near(topic, parts) or f"`lmssync outline {record.address}` shows its parts"
    raise WrongUse(f"{record.address} has no part `{topic}` that is recorded", hint)


@documented_group(
    "attempts",
    examples=(("lmssync attempts forgive --from ids.csv", "show what would be forgiven"),),
)
def command() -> None:
    """Forgive failed attempts at quizzes and tests."""


@command.command(
    "forgive",
    exits=PLATFORM_EXITS | {Exit.UNKNOWN, Exit.LOCKED, Exit.PARTIAL},
    exit_meanings={Exit.PARTIAL: "some attempts were forgiven, others were refused"},
    examples=(
        (
            "lmssync attempts forgive 7d1c0000-0000-4000-8000-000000000901",
            "show what would be sent for one attempt, and ask",
        ),
        ("lmssync attempts forgive --from ids.csv --yes", "forgive the attempts of a file"),
        (
            "lmssync attempts forgive --course course.safety-101 --topic check --since 7d",
            "forgive all who failed one quiz in the last week",
        ),
    ),
)
@click.argument("ids", nargs=-1, metavar="[ID]...")
@options.where
@click.option(
    "--from",
    "file",
    type=options.FILE,
    metavar="FILE",
    help="CSV file with the ids in its column `id`.",
)
@click.option(
    "--course",
    metavar="COURSE",
    help="Take all failed attempts at this course: its address or uuid.",
)
@click.option(
    "--topic",
    metavar="TOPIC",
    help="With --course: only those at this quiz, by its id in the course or its uuid.",
)
@click.option(
    "--since",
    metavar="TIME",
    callback=parse_past_milliseconds,
    help="With --course: only those from this time on: a date, a time, or 30d, 12h, 45m.",
)
@click.option(
    "--until",
    metavar="TIME",
    callback=parse_past_milliseconds,
    help="With --course: only those before this time; default: now.",
)
@row_operations.sending
def forgive(
    *,
    ids: tuple[str, ...],
    file: Path | None,
    course: str | None,
    topic: str | None,
    since: int | None,
    until: int | None,
    **given: Unpack[row_operations.SendingOptions],
) -> int:
    """Turn failed attempts into passed ones: by ID, from a file, or all of a course.

    Shows what would be sent, and asks. The recorded grade stays. With --course, the attempts are
    read from the platform each time, because the index of learners does not keep their ids.
    """
    from ..learners.operations.operation_kinds import FORGIVE

    if (bool(ids) + bool(file) + bool(course)) != 1:
        raise WrongUse("say which attempts: ID, --from FILE or --course COURSE, one of them")
    if (topic or since or until) and not course:
        raise WrongUse("--topic, --since and --until go with --course")
    place = row_operations.choose_sending_workspace(given)
    if file:
        listed = row_operations.read_listed_file(FORGIVE, file)
    else:
        found = _failed_attempts(place, course, topic, (since, until)) if course else ids
        listed = row_operations.list_ids(FORGIVE, found)
    return row_operations.send_rows(place, listed, given)


def _failed_attempts(
    place: "Workspace", course: str, topic: str | None, within: tuple[int | None, int | None]
) -> list[str]:
    """Ids of the failed attempts that the feed shows; raises `WrongUse` if there are none."""
    from ..learners.operations.operation_kinds import AttemptWindow, failed_attempts
    from ..platform.live import allow_pairing

    begin, end = within
    if begin is None:
        raise WrongUse("say from when on: --since 2027-01-31, or --since 7d")
    with place.open_reader() as reader:
        with place.store(read_only=True) as store:
            allow_pairing(store, reader, place.platform.routes)
            courses, topic_id = _find_event_ids(store, course, topic)
        found = list(failed_attempts(reader, AttemptWindow(courses, topic_id, begin, end)))
    if not found:
        raise WrongUse("the feed shows no failed attempt there in that time", "nothing was sent")
    return found
