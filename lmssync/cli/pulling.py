"""What the commands that pull events share."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from ..errors import WrongUse
from ..problems import near

if TYPE_CHECKING:
    from ..events import Puller
    from ..workspace import Workspace

kinds = click.option(
    "--kind",
    multiple=True,
    metavar="KIND",
    help="Only this feed: courseAction, quizAttempt, …; default: the eight of every instance.",
)


def kinds_of(given: Sequence[str]) -> Sequence[str]:
    """The feeds that are meant; raises `WrongUse` for one that no instance has."""
    from ..events import FURTHER, KINDS

    known = [*KINDS, *FURTHER]
    for kind in given:
        if kind not in known:
            hint = near(kind, known) or f"the feeds are {', '.join(known)}"
            raise WrongUse(f"--kind: there is no feed `{kind}`", hint)
    return list(dict.fromkeys(given)) or KINDS


def puller(place: "Workspace") -> "Puller":
    """The index of the environment, to be written; raises `StateError`."""
    from ..events import Puller
    from ..settings import STATE
    from ..state import instance_of, keep_out_of_git

    file = place.learners
    keep_out_of_git(file, place.root)
    inside = None if place.env.get(STATE) else place.root
    instance = instance_of(place.environment.baseUrl)
    return Puller(file, inside, environment=place.name, instance=instance)
