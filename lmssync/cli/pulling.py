"""What the commands that pull events share."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from ..errors import WrongUse
from ..problems import suggest_near
from .options import Decorator

if TYPE_CHECKING:
    from ..learners.events import FeedPulled, LearnerIndex, Puller
    from ..planning.workspace import Workspace
    from ..platform.client import Reader
    from .progress import Lines

kinds = click.option(
    "--kind",
    multiple=True,
    metavar="KIND",
    help="Only this feed: courseAction, quizAttempt, …; default: the eight of every instance.",
)


def since(text: str) -> Decorator:
    """`--since`, and what it means for a command."""
    return click.option("--since", metavar="TIME", help=text)


def kinds_of(given: Sequence[str]) -> Sequence[str]:
    """The feeds that are meant; raises `WrongUse` for one that no instance has."""
    from ..learners.events import FURTHER, KINDS

    known = [*KINDS, *FURTHER]
    for kind in given:
        if kind not in known:
            hint = suggest_near(kind, known) or f"the feeds are {', '.join(known)}"
            raise WrongUse(f"--kind: there is no feed `{kind}`", hint)
    return list(dict.fromkeys(given)) or KINDS


def puller(place: "Workspace") -> "Puller":
    """The index of the environment, to be written; raises `StateError`."""
    from ..learners.events import Puller
    from ..settings import STATE
    from ..state import instance_of, keep_out_of_git

    file = place.learners
    keep_out_of_git(file, place.root)
    inside = None if place.env.get(STATE) else place.root
    instance = instance_of(place.environment.baseUrl)
    return Puller(file, inside, environment=place.name, instance=instance)


@contextmanager
def index_of(place: "Workspace") -> "Iterator[LearnerIndex]":
    """The index of the environment, to be read; raises `WrongUse` where nothing was pulled."""
    from ..learners.events import LearnerIndex
    from ..state import instance_of

    instance = instance_of(place.environment.baseUrl)
    index = LearnerIndex.open_index(place.learners, instance=instance)
    if index is None:
        raise WrongUse(
            f"no feed of courseAction was pulled to its end for the environment `{place.name}`",
            "run `lmssync events pull`; it goes on where it was stopped",
        )
    with index:
        yield index


def telling(progress: "Lines") -> Callable[["FeedPulled", int | None], None]:
    """Shows how far a pull has come."""
    from ..report.events_report import on_the_way

    return lambda pulled, oldest: progress.now(on_the_way(pulled, oldest))


def round_(index: "Puller", reader: "Reader", kinds: Sequence[str]) -> "list[FeedPulled]":
    """One of many pulls: what only this one meets is said, and the next one tries again."""
    from ..errors import StateLocked, Unreachable
    from .exits import say

    try:
        return list(index.pull_newest(reader, kinds))
    except (StateLocked, Unreachable) as error:
        say(error)
        return []
