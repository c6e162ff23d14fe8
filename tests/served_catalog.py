"""A served sandbox, a small catalog, and the command line as a user runs it."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import httpx
import orjson
import pytest
from hypothesis import HealthCheck, Phase, settings

from lmssync.applying.apply import platform_work
from lmssync.cli.main import main
from lmssync.learners.operations import row_sending
from lmssync.platform.client.send_deadline import PROMPT
from lmssync.sandbox import run_sandbox

from . import forking, patient_http
from .answer_proxy import AnswerProxy, answer_proxy
from .code_hosts import double as code_host
from .patience import PATIENCE, read_outputs

LANDED = 0.5
"""Seconds after which no run waits any more for what the platform may still be working on.

The sandbox does what it was asked for before it reads the next request.
"""
LAG = 0.3
"""Seconds that reads may be behind; those of the sandbox are so only where a test says it."""
PROJECT = f"""\
version: 1
environments:
  sandbox: {{baseUrl: "http://127.0.0.1:1"}}
platform: {{licenseMarker: ref10, timeout: {PATIENCE}}}
"""
EXTENDED = PROJECT.replace("licenseMarker: ref10", "licenseMarker: ref10, profile: extended")
COURSE = """\
resource: course
key: KEY
kind: courseGroup
title: Title of KEY
sections:
  - id: start
    title: Start
    lessons:
      - id: one
        title: One
        openType: open
        topics:
          - {id: hello, title: Hello, type: text, markdown: Good morning}
          - {id: check, title: Check, type: quiz}
"""


def few(examples: int) -> settings:
    """Settings for examples that each run a catalog: the same ones each time."""
    return settings(
        max_examples=examples,
        derandomize=True,
        phases=(Phase.generate,),
        suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    )


@dataclass
class Platform:
    """The sandbox, with its control plane."""

    base_url: str
    key: str

    @cached_property
    def http(self) -> httpx.Client:
        """One for all tests: making one takes longer than most of its requests.

        Its patience ends a test that hangs; how long an order takes is up to the machine.
        """
        return patient_http.client(base_url=self.base_url)

    def renew(self) -> None:
        """Back to the demo company. Jobs take no time, where no test says otherwise."""
        self.order("reset")
        # What earlier tests have sent in this minute, the platform as new has not counted.
        for note in Path(os.environ["XDG_CACHE_HOME"]).glob("lmssync/program/limits-*"):
            note.unlink()
        self.order("switches", {"jobSeconds": 0})

    def order(self, path: str, body: Any = None) -> Any:
        """Sends an order to the control plane."""
        answer = self.http.post(f"/_sandbox/{path}", json=body or {})
        answer.raise_for_status()
        return answer.json()

    def fault(self, action: str, route: str, **more: Any) -> None:
        """Has the next request of a route fail, unless `more` says which."""
        self.order("faults", {"action": action, "route": route, **more})

    def dump(self, name: str) -> list[Any]:
        """All objects of a list, by wire names."""
        answer = self.http.get("/_sandbox/dump", params={"only": name})
        found: list[Any] = answer.json()[name]
        return found

    def requests(self, **query: str) -> list[Any]:
        """What was requested since the last reset, oldest first."""
        query = {"limit": "1000", "body": "true", **query}
        answer = self.http.get("/_sandbox/requests", params=query)
        found: list[Any] = answer.json()["requests"]
        return found

    def change(self, lists: Any) -> None:
        """Changes something as somebody else would, through the same interface."""
        answer = self.http.put(
            "/incoming/v2/content/course/update",
            json={"courseAttributes": lists},
            headers={"Authorization": f"Bearer {self.key}"},
        )
        answer.raise_for_status()

    def delete(self, name: str, **fields: Any) -> None:
        """Deletes the first of a list that has these values, as in the admin interface."""
        one = next(one for one in self.dump(name) if fields.items() <= one.items())
        self.order("edit", {"list": name, "id": one["id"], "delete": True})

    def topics(self, title: str) -> list[str]:
        """Titles of the topics of a course, in the order in which learners meet them."""
        group = next(g["id"] for g in self.dump("courseGroups") if g["title"] == title)
        course = next(c["id"] for c in self.dump("courses") if c["courseGroupId"] == group)
        headers = {"Authorization": f"Bearer {self.key}"}
        address = f"/incoming/v2/content/course/{course}"
        sections = self.http.get(address, headers=headers).json()["sections"]
        lessons = [lesson for section in sections for lesson in section["lessons"]]
        return [topic["title"] for lesson in lessons for topic in lesson["topics"]]

    def titles(self) -> list[str]:
        return sorted(group["title"] for group in self.dump("courseGroups"))

    def hold(self, route: str, **more: Any) -> None:
        """Has the next request of a route wait, unless `more` says which, until `let_go`.

        The run gives it up after `PATIENCE` seconds, long before the platform does.
        """
        self.fault("delay", route, seconds=600, **more)

    def let_go(self) -> None:
        """Removes all faults; what is held gets its answer."""
        self.order("faults", {"seed": 0})

    def kill(self, process: "subprocess.Popen[bytes]") -> None:
        """Kills a run, and ends the fault that has kept it waiting."""
        process.send_signal(signal.SIGKILL)
        read_outputs(process)
        self.let_go()

    def wait_for(self, route: str, *, worked: bool = True) -> None:
        """Waits for a request of the route to meet its fault and, if `worked`, to do its work."""

        def met(request: Any) -> bool:
            begun = request["method"] == "GET" or request["bodyBytes"] > 0
            return bool(request["fault"]) and (begun or not worked)

        wait_until(lambda: any(map(met, self.requests(route=route))), f"a fault of {route}")


def wait_until(happened: Callable[[], bool], what: str) -> None:
    """Polls until something is true, since a separate process does not report its progress."""
    for _ in range(4_800):
        if happened():
            return
        time.sleep(0.025)
    raise AssertionError(f"{what} did not come")


@contextmanager
def serving(**settings: Any) -> Iterator[Platform]:
    """A sandbox for the length of a block."""
    with run_sandbox(**settings) as where:
        platform = Platform(where["baseUrl"], where["apiKey"])
        with platform.http:
            yield platform


@pytest.fixture(scope="session")
def _served() -> Iterator[Platform]:
    with serving() as platform:
        yield platform


@pytest.fixture
def platform(_served: Platform) -> Platform:
    """A platform as new, with only the demo company."""
    _served.renew()
    return _served


@dataclass
class Done:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return orjson.loads(self.out)


def actions(plan: Any) -> dict[str, str]:
    """What a plan does, by address."""
    return {change["address"]: change["action"] for change in plan["changes"]}


def counted(plan: Any) -> dict[str, int]:
    """How many changes of which action, as the summary has it."""
    return {action: number for action, number in plan["summary"].items() if number}


@dataclass
class Workspace:
    """A catalog in a folder, and lmssync run in it."""

    root: Path
    env: dict[str, str]
    capture: pytest.CaptureFixture[str]

    def write(self, file: str, text: str) -> None:
        path = self.root / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")

    def course(self, key: str, more: str = "", *, edit: tuple[str, str] = ("", "")) -> None:
        """A small course; `more` is put at its end, `edit` replaces one text by another."""
        text = COURSE.replace(*edit) if edit[0] else COURSE
        self.write(f"{key}.yaml", (text + more).replace("KEY", key))

    def run(self, *args: str) -> Done:
        """`lmssync ARGS` in this process."""
        self.capture.readouterr()
        try:
            main([*args])
        except SystemExit as end:
            said = self.capture.readouterr()
            return Done(int(end.code or 0), said.out, said.err)
        raise AssertionError("the command did not end the process")

    def apply(self, *args: str) -> Done:
        return self.run("apply", "--yes", *args)

    def plan(self, *args: str) -> Any:
        """The plan as JSON."""
        done = self.run("plan", "--json", *args)
        assert done.code == 0, done.err
        return done.json

    def start(self, *args: str) -> "subprocess.Popen[bytes]":
        """`lmssync ARGS` in a process of its own, which can be killed."""
        return subprocess.Popen(
            [sys.executable, "-m", "lmssync", *args],
            cwd=self.root,
            env=os.environ | self.env,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )


def kill_apply(
    work: Workspace, platform: Platform, route: str, *, when: str = "after", nth: int = 1
) -> None:
    """Kills an apply while a call is under way: before the platform's work, or after it."""
    platform.hold(route, when=when, nth=nth)
    process = forking.start(["apply", "--yes"], root=work.root, env=os.environ | work.env)
    platform.wait_for(route, worked=when == "after")
    process.kill()
    process.join()
    platform.let_go()


@pytest.fixture
def work(
    platform: Platform,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Iterator[Workspace]:
    """An empty catalog whose environment is the sandbox."""
    env = {"LMSSYNC_BASE_URL": platform.base_url, "LMSSYNC_API_KEY": platform.key}
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path)
    for module in (platform_work, row_sending):
        monkeypatch.setattr(module, "LAG", LAG)
        monkeypatch.setattr(module, "MARGIN", LANDED - PROMPT - PATIENCE - LAG)
    before = signal.getsignal(signal.SIGINT)
    space = Workspace(tmp_path, env, capsys)
    space.write("lmssync.yaml", PROJECT)
    yield space
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def way(
    work: Workspace, platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> Iterator[AnswerProxy]:
    """A catalog whose environment is the sandbox, reached by a way that can change answers."""
    with answer_proxy(platform.base_url) as found:
        monkeypatch.setenv("LMSSYNC_BASE_URL", found.base_url)
        yield found


@pytest.fixture(scope="module")
def _extended() -> Iterator[Platform]:
    with serving(profile="extended") as platform:
        yield platform


@pytest.fixture
def instance(work: Workspace, _extended: Platform, monkeypatch: pytest.MonkeyPatch) -> Platform:
    """An instance with lists of courses, and an empty catalog for it."""
    _extended.renew()
    monkeypatch.setenv("LMSSYNC_BASE_URL", _extended.base_url)
    work.write("lmssync.yaml", EXTENDED)
    return _extended


@pytest.fixture(params=["github", pytest.param("gitlab", marks=pytest.mark.slow)])
def host(
    request: pytest.FixtureRequest, work: Workspace, monkeypatch: pytest.MonkeyPatch
) -> Iterator[code_host.Double]:
    """The code host of a job for pull request 7."""
    with code_host.serving(request.param) as double:
        for name, value in double.env().items():
            monkeypatch.setenv(name, value)
        yield double
