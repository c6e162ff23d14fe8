"""Where a fifth of all calls fails, everything is made once, and limits are kept.

Time is the client's own: it passes by waiting alone, and the clock of the sandbox goes along.
"""

from datetime import datetime
from threading import Lock
from typing import Any

import pytest

from lmssync.client.pace import Pace
from lmssync.vocabulary.routes import ROUTES

from .conftest import PROJECT, Platform, Workspace

SEED, FAULTS = 7, 0.2
_KINDS: list[dict[str, Any]] = [
    {"action": "drop-before"},
    {"action": "drop-after"},
    {"action": "cut"},
    {"action": "garbage"},
    {"action": "status", "status": 500, "when": "after"},
    {"action": "status", "status": 503, "when": "before"},
    {"action": "throttle", "retryAfter": 1},
]
PATHS = ROUTES["path.create"]
HELD = 30
"""Seconds for which ordered 429s and pauses may hold everything, each a second."""
PATIENT = 120
"""Seconds for which an answer is waited for, on however busy a machine."""
ROUNDS = 40
"""The most runs until everything is done."""


class VirtualTime:
    """Time that passes by waiting alone, for the client and for the sandbox."""

    def __init__(self, platform: Platform) -> None:
        self.now = 0.0
        self._platform, self._lock = platform, Lock()

    def pace(self) -> Pace:
        return Pace(lambda: self.now, self.nap)

    def nap(self, seconds: float) -> None:
        until = self.now + seconds
        with self._lock:
            ahead = until - self.now
            if ahead > 0:  # else another thread has waited for as long
                self._platform.order("clock", {"advanceSeconds": ahead})
                self.now = until


@pytest.fixture
def time(platform: Platform, monkeypatch: pytest.MonkeyPatch) -> VirtualTime:
    virtual = VirtualTime(platform)
    # Nothing is given up before it is answered, so nothing lands late; and reads do not lag.
    monkeypatch.setattr("lmssync.apply.landing.LAG", 0.1)
    monkeypatch.setattr("lmssync.apply.landing.MARGIN", -PATIENT)
    monkeypatch.setattr("lmssync.client.platform.Pace", virtual.pace)
    return virtual


def course(work: Workspace, key: str, paths: int, title: str) -> None:
    target = "{{url: 'https://shop.example.com/{0}', title: Shop}}"
    short = ", ".join(
        f"{{id: p{n}, label: Buy {n}, target: {target.format(n)}}}" for n in range(paths)
    )
    work.course(key, f"purchasePaths: [{short}]\n", edit=("Title of KEY", title))


def storm(platform: Platform) -> None:
    """From now on a fifth of all writes fails, in one of seven ways."""
    writes = ("course.create", "course.update", "path.create")
    each = 1 - (1 - FAULTS) ** (1 / len(_KINDS))
    faults = [{**kind, "route": route, "probability": each} for route in writes for kind in _KINDS]
    platform.order("faults", {"seed": SEED, "faults": faults})


def settle(work: Workspace, platform: Platform, title: str) -> None:
    """Looks in the admin interface for what waits for a decision, and says what is there."""
    groups = {group["title"]: group["id"] for group in platform.dump("courseGroups")}
    courses = {one["courseGroupId"]: one["id"] for one in platform.dump("courses")}
    for change in work.plan()["changes"]:
        if change["action"] == "blocked" and change["address"].startswith("course."):
            key = change["address"].partition(".")[2]
            there = groups.get(f"{title} of {key}")
            answer = ("--adopt", courses[there]) if there else ("--not-created",)
            work.run("resolve", change["address"], *answer)


def converge(work: Workspace, platform: Platform, title: str) -> None:
    """Applies until every course has the title, with an honest person at hand."""
    for _ in range(ROUNDS):
        done = work.apply()
        if done.code == 0 and not work.plan()["changes"]:
            return
        settle(work, platform, title)
    raise AssertionError(done.out + done.err)


def creates(platform: Platform) -> list[Any]:
    """The requests that the window of purchase paths has counted or refused, oldest first."""
    uncounted = ("drop-before", "throttle")
    return [
        request
        for request in platform.requests(route=PATHS.name, limit="20000", body="false")
        if request["fault"] not in uncounted and request["status"] != 503
    ]


def most_refused(requests: list[Any]) -> int:
    """The most requests that one window has refused, by the clock of the sandbox."""
    assert PATHS.limit
    start, refused = 0.0, [0]
    for request in requests:
        moment = datetime.fromisoformat(request["at"]).timestamp()
        if moment >= start + PATHS.limit.seconds:
            start = moment
            refused.append(0)
        refused[-1] += request["status"] == 429
    return max(refused)


def least(requests: list[Any]) -> float:
    """Seconds that the window makes so many requests take."""
    assert PATHS.limit
    return (len(requests) - 1) // PATHS.limit.requests * PATHS.limit.seconds


@pytest.mark.parametrize(
    ("courses", "paths"), [(3, 4), pytest.param(1_000, 1, marks=pytest.mark.slow)]
)
def test_a_fifth_of_all_calls_fails(
    work: Workspace, platform: Platform, time: VirtualTime, courses: int, paths: int
) -> None:
    """Nothing is made twice or lost; no window refuses more than one call; no time is wasted."""
    patient = PROJECT.replace("timeout: 2", f"timeout: {PATIENT}")
    work.write("lmssync.yaml", patient.replace("{licenseMarker", "{marker: none, licenseMarker"))
    keys = [f"c{number:04}" for number in range(courses)]
    for key in keys:
        course(work, key, paths, f"Title of {key}")
    storm(platform)

    work.apply()
    assert time.now <= 1.1 * least(creates(platform)) + HELD

    converge(work, platform, "Title")
    assert [f"Title of {key}" for key in keys] == platform.titles()
    assert courses * paths == len(platform.dump("purchasePaths"))
    for title in ("Other title", "Last title"):
        for key in keys:
            course(work, key, paths, f"{title} of {key}")
        converge(work, platform, title)
        assert [f"{title} of {key}" for key in keys] == platform.titles()
    assert courses * paths == len(platform.dump("purchasePaths"))
    assert courses * (1 + paths) == work.plan()["summary"]["unchanged"]
    assert most_refused(creates(platform)) <= 1
