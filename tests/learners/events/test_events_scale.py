"""Many events: pulled by runs that are killed, counted, and small on disk."""

import os
import re
import sqlite3
import subprocess
import sys
from random import Random
from time import sleep
from typing import Any, NamedTuple

import pytest

from lmssync.learners.events import LearnerIndex
from lmssync.vocabulary.limits import TIERS, Tier, Window
from tests.served_catalog import Platform, Workspace

from .test_events import INDEX, held_at_topics, held_in_courses

RAISED = Window(10**9, 60)
"""The tier of an account with a limit of its own (spec 8): with the usual one it takes an hour."""
_RAISED = f"""
import sys
from lmssync.vocabulary.limits import TIERS, Tier, Window
TIERS[Tier.EVENT] = Window{tuple(RAISED)[:2]}
from lmssync.cli.main import main
main(sys.argv[1:])
"""


def pull(work: Workspace) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [sys.executable, "-c", _RAISED, "events", "pull", "--json"],
        cwd=work.root,
        env=os.environ | work.env,
        stdout=subprocess.PIPE,
    )


class Size(NamedTuple):
    """Of a test: how often learners are simulated, how many each time, and how many events those
    have at least."""

    seeds: int
    learners: int
    events: int
    kills: int


@pytest.mark.parametrize(
    "size",
    [
        pytest.param(Size(1, 1_000, 12_000, kills=4), marks=pytest.mark.slow),
        pytest.param(Size(8, 2_000, 200_000, kills=12), marks=pytest.mark.exhaustive),
    ],
    ids=lambda size: f"{size.events} events",
)
def test_many_events_survive_kills(
    work: Workspace, platform: Platform, monkeypatch: pytest.MonkeyPatch, size: Size
):
    """None is missing, none is counted twice, in at most 10 MB (of 200,000), and without a name."""
    monkeypatch.setitem(TIERS, Tier.EVENT, RAISED)
    platform.order("school")
    for seed in range(size.seeds):
        platform.order("learners", {"n": size.learners, "seed": seed})
    random = Random(7)
    for _ in range(size.kills):
        platform.hold("event.list", nth=random.randint(2, size.events // size.kills // 100))
        with pull(work) as run:
            platform.wait_for("event.list", worked=False)
            platform.let_go()
            sleep(random.uniform(0, 0.1))
            run.kill()
    with pull(work) as run:
        assert 0 == run.wait()
    with sqlite3.connect(work.root / INDEX) as db:
        (kept,) = db.execute("SELECT count(*) FROM event").fetchone()
        words = set(re.findall(r"[\w.@+-]+", "\n".join(db.iterdump())))
    assert kept == len(platform.dump("events")) > size.events
    assert (work.root / INDEX).stat().st_size <= 200_000 + 49 * size.events
    assert_counts(work, platform)
    users = platform.dump("users")
    fields = ("id", "email", "firstName", "lastName", "externalCustomerId", "address1", "city")
    assert set() == words & {user[field] for user in users for field in fields}


def assert_counts(work: Workspace, platform: Platform) -> None:
    index: Any = LearnerIndex.open_index(work.root / INDEX)
    for held, counted in (
        (held_in_courses(platform), lambda id_: index.course_audience(id_)[:3]),
        (held_at_topics(platform), lambda id_: index.topic_audience(id_).finished),
    ):
        assert held == {id_: counted(id_) for id_ in held}
