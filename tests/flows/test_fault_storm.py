"""Where a fifth of all calls fails, everything is made once, and limits are kept.

Time passes by waiting alone: the client has a clock of its own, and that of the sandbox goes along.
"""

from datetime import datetime
from threading import Lock
from time import monotonic, sleep
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest

from lmssync.platform.client.request_pacing import RequestPacer
from lmssync.platform.client.send_deadline import PROMPT
from lmssync.sandbox.sandbox_documents import Clock
from lmssync.vocabulary.routes import ROUTES
from tests.served_catalog import PATIENCE, PROJECT, Platform, Workspace

FAULTS = 0.2
PAUSE = 1
"""Seconds for which an ordered 429 asks to wait."""
_KINDS: list[dict[str, Any]] = [
    {"action": "drop-before"},
    {"action": "drop-after"},
    {"action": "cut"},
    {"action": "garbage"},
    {"action": "status", "status": 500, "when": "after"},
    {"action": "status", "status": 503, "when": "before"},
    {"action": "throttle", "retryAfter": PAUSE},
]
PATHS = ROUTES["path.create"]
PATIENT = 120
"""Seconds for which an answer is waited for, on however busy a machine."""
ROUNDS = 40
"""The most runs until everything is done."""


class VirtualTime:
    """Time that passes by waiting alone, for the client and for the sandbox."""

    def __init__(self, platform: Platform) -> None:
        self.now = 0.0
        self._platform, self._lock = platform, Lock()

    def pace(self) -> RequestPacer:
        return RequestPacer(lambda: self.now, self.nap)

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
    monkeypatch.setattr("lmssync.applying.apply.platform_work.LAG", 0.1)
    monkeypatch.setattr("lmssync.applying.apply.platform_work.MARGIN", -PATIENT - PROMPT)
    monkeypatch.setattr("lmssync.platform.client.request_sender.RequestPacer", virtual.pace)
    begun = Clock().read_time()
    monkeypatch.setattr(Clock, "read_time", lambda self: begun + self.offset)
    clock = SimpleNamespace(time=lambda: begun + virtual.now, monotonic=monotonic, sleep=sleep)
    monkeypatch.setattr("lmssync.platform.client.request_sender.time", clock)
    return virtual


def course(work: Workspace, key: str, paths: int, title: str) -> None:
    target = "{{url: 'https://shop.example.com/{0}', title: Shop}}"
    short = ", ".join(
        f"{{id: p{n}, label: Buy {n}, target: {target.format(n)}}}" for n in range(paths)
    )
    work.course(key, f"purchasePaths: [{short}]\n", edit=("Title of KEY", title))


def storm(platform: Platform, seed: int) -> None:
    """From now on a fifth of all writes fails, in one of seven ways."""
    writes = ("course.create", "course.update", "path.create")
    each = 1 - (1 - FAULTS) ** (1 / len(_KINDS))
    faults = [{**kind, "route": route, "probability": each} for route in writes for kind in _KINDS]
    platform.order("faults", {"seed": seed, "faults": faults})


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


def writes(platform: Platform) -> list[Any]:
    """What was asked of the platform that changes something, oldest first."""
    log = platform.requests(limit="20000", body="false")
    return [request for request in log if request["method"] != "GET"]


def is_counted(request: Any) -> bool:
    """Whether the window of purchase paths has counted it or refused it."""
    stopped = request["fault"] in {"drop-before", "throttle"} or request["status"] == 503
    return request["route"] == PATHS.name and not stopped


def moment(request: Any) -> float:
    """By the clock of the sandbox, in seconds."""
    return datetime.fromisoformat(request["at"]).timestamp()


def most_refused(requests: list[Any]) -> int:
    """The most requests that one window has refused."""
    assert PATHS.limit
    start, refused = 0.0, [0]
    for request in filter(is_counted, requests):
        if moment(request) >= start + PATHS.limit.seconds:
            start = moment(request)
            refused.append(0)
        refused[-1] += request["status"] == 429
    return max(refused)


def least(requests: list[Any]) -> float:
    """Seconds that these requests take in their order, if each is sent as soon as it may.

    One of a full window waits for the next window, one that comes after an ordered 429 of its route
    for the end of that pause. What was under way with the refused one has waited for nothing.
    """
    assert PATHS.limit
    now, start, taken = 0.0, 0.0, 0
    paused: dict[str, tuple[float, float]] = {}  # until when: by the sandbox, and by `now`
    for request in requests:
        route, at = request["route"], moment(request)
        seen, until = paused.get(route, (0.0, 0.0))
        if at >= seen:
            now = max(now, until)
        if is_counted(request) and request["status"] != 429:
            if taken == PATHS.limit.requests:
                now = max(now, start + PATHS.limit.seconds)
            if not taken or now >= start + PATHS.limit.seconds:
                start, taken = now, 0
            taken += 1
        elif request["fault"] == "throttle":
            paused[route] = at + PAUSE, now + PAUSE
    return now


class Size(NamedTuple):
    """Of a storm: each course has so many purchase paths."""

    courses: int
    paths: int = 1
    connections: int = 5
    seed: int = 7


SLOW = [Size(40, paths=3, seed=1), Size(70, connections=1)]
LARGE = [Size(500), Size(150, connections=1), *(Size(120, seed=seed) for seed in (1, 2, 3))]


@pytest.mark.parametrize(
    "size",
    [
        Size(3, paths=4),
        *(pytest.param(one, marks=pytest.mark.slow) for one in SLOW),
        *(pytest.param(one, marks=pytest.mark.exhaustive) for one in LARGE),
    ],
    ids=lambda size: "-".join(map(str, size)),
)
def test_a_fifth_of_all_calls_fails(
    work: Workspace, platform: Platform, time: VirtualTime, size: Size
) -> None:
    """Nothing is made twice or lost; no window refuses more than one call; no time is wasted."""
    options = f"timeout: {PATIENT}, marker: none, connections: {size.connections}"
    work.write("lmssync.yaml", PROJECT.replace(f"timeout: {PATIENCE}", options))
    courses, paths = size.courses, size.paths
    keys = [f"c{number:04}" for number in range(courses)]
    for key in keys:
        course(work, key, paths, f"Title of {key}")
    storm(platform, size.seed)

    work.apply()
    sent = writes(platform)
    assert least(sent) <= time.now <= 1.1 * least(sent)

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
    assert most_refused(writes(platform)) <= 1
