"""Whatever a platform answers, a run ends in words, and the next one goes on from there."""

import os
from pathlib import Path
from random import Random

import pytest

from lmssync.applying.apply import platform_work
from lmssync.platform.client import request_sender as sending
from tests.answer_proxy import answer_proxy
from tests.platform.client.conftest import Clock
from tests.served_catalog import Platform

from .answers import Bending
from .wholly import Ran, check, run

SEEDS = range(int(os.environ.get("FUZZ_ANSWERS", "6")))
COMMANDS = (
    ("plan",),
    ("plan", "--json"),
    ("apply", "--yes"),
    ("apply", "--yes", "--json"),
    ("plan", "--full"),
    ("apply", "--yes", "--full"),
)
PROJECT = "version: 1\nplatform: {licenseMarker: ref10, timeout: 1, profile: extended}\n"
COURSE = """\
resource: course
key: a
kind: courseGroup
title: Title TIMES
tags: [Safety]
asset: https://images.example.com/TIMES.png
sections:
  - id: start
    title: Start
    lessons:
      - id: one
        title: One
        openType: open
        topics:
          - {id: hello, title: Hello TIMES, type: text, markdown: Good morning TIMES}
          - {id: check, title: Check, type: quiz}
completionCriteria: [{id: most, type: coursePercentViewed, percent: 8TIMES}]
purchasePaths: [{id: p, label: Buy, target: {url: 'https://example.com', title: Shop}}]
"""
OTHERS = """\
resource: license
key: all
client: acme
name: All
courses: [a]
learningPaths: []
courseTags: [Safety]
---
resource: client
key: new
cloneOf: acme
name: New
---
resource: licenseAssignment
key: staff
licenses: [all]
users: [{email: paula.reyes@hillside.example}]
enrollmentOptions: {preserveEnrollments: true, preserveProgress: true}
"""

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for what is told to be slow."""
    monkeypatch.setattr(sending, "RequestPacer", lambda: Clock().pace)
    monkeypatch.setattr(platform_work, "LAG", 0.1)
    monkeypatch.setattr(platform_work, "MARGIN", 0.1)


def write(root: Path, times: int) -> None:
    (root / "lmssync.yaml").write_text(PROJECT)
    (root / "a.yaml").write_text(COURSE.replace("TIMES", str(times)))
    (root / "others.yaml").write_text(OTHERS)


def states(root: Path, env: dict[str, str]) -> list[Ran]:
    """What is recorded can be looked at, whatever has come into it."""
    listed = ("list",), ("list", "--json"), ("show", "course.a"), ("show", "license.all")
    return [run("state", *args, "-C", str(root), env=env) for args in listed]


@pytest.mark.parametrize("seed", SEEDS)
def test_any_answer_is_met_with_words(_served: Platform, tmp_path: Path, seed: int) -> None:  # noqa: PT019
    """A few runs against a platform that is bent, and one against the same as it should be."""
    random = Random(seed)
    _served.order("reset")
    with answer_proxy(_served.base_url) as way:
        bending = Bending(way.pass_on, random, most=random.choice([1, 3, 100]))
        way._server.answer = bending
        env = {"LMSSYNC_BASE_URL": way.base_url, "LMSSYNC_API_KEY": _served.key}
        for times in range(3):
            write(tmp_path, times)
            check(run(*random.choice(COMMANDS), "-C", str(tmp_path), env=env))
            for done in states(tmp_path, env):
                check(done)
        bending.bends = False
        check(run("apply", "--yes", "-C", str(tmp_path), env=env))
