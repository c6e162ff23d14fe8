"""Whatever one answer of a command was, two further runs make everything as it should be."""

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import orjson
import pytest

from lmssync.applying.apply import platform_work
from lmssync.platform.client import platform_writer as jobs, request_sender as sending
from lmssync.vocabulary.routes import ROUTES
from tests.answer_proxy import AnswerProxy, answer_proxy
from tests.forking import Ran
from tests.patience import PATIENCE, PausedTime
from tests.platform.client.conftest import Clock
from tests.served_catalog import LANDED, Platform, serving

from .bends import Bend, list_bends
from .wholly import check, run

BENDS = int(os.environ.get("FUZZ_BENDS", "6"))
"""How many bends of the answers to each command are tried."""
ACME, HILL, PAULA, BOB = (f"55555555-0000-4000-8000-00000000000{n}" for n in range(4))
COMPANY = {
    "tags": [{"label": "Safety"}, {"label": "Other"}],
    "clients": [
        {"id": ACME, "name": "Acme", "slug": "acme"},
        {"id": HILL, "name": "Hill", "slug": "hill"},
    ],
    "users": [
        {"id": PAULA, "name": "Paula", "email": "paula@acme.example", "clientId": ACME},
        {"id": BOB, "name": "Bob", "email": "bob@acme.example", "clientId": ACME},
    ],
}
PROJECT = f"""\
version: 1
platform: {{licenseMarker: ref10, connections: 1, timeout: {PATIENCE}, profile: PROFILE}}
"""
COURSE = """\
resource: course
key: KEY
kind: courseGroup
title: KEY TIMES
tags: [Safety]
relatedCourses: [RELATED]
asset: https://images.example.com/TIMES.png
priceInCents: 40TIMES
sections:
  - id: start
    title: Start
    lessons:
      - id: one
        title: One
        openType: open
        topics:
          - {id: hello, title: Hello, type: text, markdown: Good morning TIMES}
          - {id: check, title: Check, type: quiz}
completionCriteria: [{id: most, type: coursePercentViewed, percent: 8TIMES}]
purchasePaths: [{id: p, label: Buy, target: {url: 'https://example.com', title: Shop}}]
"""
TOPIC = "          - {id: new, title: New, type: text, markdown: New}\n"
SECTION = """\
  - id: second
    title: Second
    lessons:
      - id: two
        title: Two
        openType: open
        topics: [{id: last, title: Last, type: text, markdown: Last}]
"""
PATH = ", {id: q, label: Other, target: {url: 'https://example.com/q', title: Q}}]\n"
OTHERS = """\
resource: license
key: all
client: acme
name: All
courses: [first]
learningPaths: []
courseTags: [Safety]
---
resource: client
key: new
cloneOf: hill
name: New
---
resource: licenseAssignment
key: staff
licenses: [all]
users: [{email: paula@acme.example}]
enrollmentOptions: {preserveEnrollments: true, preserveProgress: true}
"""
COMMANDS = {
    "create": ("apply", "--yes"),
    "edit": ("apply", "--yes"),
    "drift": ("drift",),
    "pull": ("pull", "course.first"),
}
LISTS = (
    *("courseGroups", "courses", "sections", "lessons", "topics", "completionCriteria"),
    *("licenses", "clients", "users", "purchasePaths"),
)
ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
OWN = {"id", "createdAt", "updatedAt", "lastNumber"}
"""Fields that say when or in how many steps something was made."""


def write(root: Path, profile: str, times: int) -> None:
    """The catalog; `times` tells an edited one from the first."""
    (root / "lmssync.yaml").write_text(PROJECT.replace("PROFILE", profile))
    for key, related in ("first", "second"), ("second", ""):
        text = COURSE.replace("KEY", key).replace("RELATED", related).replace("TIMES", str(times))
        if times:
            text = text.replace("completionC", TOPIC + SECTION + "completionC")
            text = text.replace("[Safety]", "[Other]").replace(
                "title: Shop}}]\n", "title: Shop}}" + PATH
            )
        (root / f"{key}.yaml").write_text(text)
    more = ", {email: bob@acme.example}]" if times else "]"
    (root / "others.yaml").write_text(OTHERS.replace("example}]", f"example}}{more}"))


def describe(dump: Any) -> dict[str, list[str]]:
    """What the platform holds, with names in the place of ids, and without times and defaults."""
    named = {
        one["id"]: str(one.get("title") or one.get("name") or one.get("label") or one.get("type"))
        for items in dump.values()
        if isinstance(items, list)
        for one in items
        if isinstance(one, dict) and "id" in one
    }

    def plain(value: Any) -> Any:
        if isinstance(value, dict):
            shown = {key: plain(one) for key, one in value.items() if key not in OWN}
            return {key: one for key, one in shown.items() if one not in (None, False, "", [], {})}
        if isinstance(value, list):
            return [plain(one) for one in value]
        if isinstance(value, str):
            text = ID.sub(lambda found: named.get(found[0], found[0]), value)
            return "" if re.match(r"\d{4}-\d\d-\d\dT", text) else text
        return value

    return {name: sorted(repr(sorted(plain(one).items())) for one in dump[name]) for name in LISTS}


class BentPlatform:
    """A platform whose answers can be bent, and a catalog that was applied to it or not yet."""

    def __init__(self, platform: Platform, way: AnswerProxy, profile: str, root: Path) -> None:
        self.platform, self.way, self.profile = platform, way, profile
        self.root, self._applied = root / "catalog", root / "applied"
        self.env = {"LMSSYNC_BASE_URL": way.base_url, "LMSSYNC_API_KEY": platform.key}
        self._begin_with(COMPANY)
        self.root.mkdir()
        write(self.root, profile, 0)
        self.run("apply", "--yes")
        self._seed = self.dump()
        shutil.copytree(self.root, self._applied)

    def _begin_with(self, seed: Any) -> None:
        self.platform.order("reset", {"seed": seed})
        self.platform.order("switches", {"jobSeconds": 0})
        shutil.rmtree(self.root, ignore_errors=True)

    def begin(self, command: str) -> None:
        """Everything as it is before the command."""
        if command == "create":
            self._begin_with(COMPANY)
            self.root.mkdir()
            write(self.root, self.profile, 0)
            return
        self._begin_with(self._seed)
        shutil.copytree(self._applied, self.root)
        if command == "edit":
            write(self.root, self.profile, 1)
        else:
            topic = next(one["id"] for one in self.platform.dump("topics"))
            edit = {"list": "topics", "id": topic, "set": {"title": "By hand"}}
            self.platform.order("edit", edit)

    def dump(self) -> Any:
        return self.platform.http.get("/_sandbox/dump").json()

    def run(self, *args: str, bend: Bend | None = None) -> Ran:
        """`lmssync ARGS` with one answer bent; afterwards `bends` are all that were possible."""
        number = 0
        self.bends: list[Bend] = []

        def answer(asked: Any) -> Any:
            nonlocal number
            said, route = self.way.pass_on(asked), _find_route(asked.method, asked.path)
            self.bends += list_bends(number, route, said) if bend is None else ()
            said = bend.apply_to(said) if bend and bend.number == number else said
            number += 1
            return said

        self.way.answer_by(answer)
        done = run(*args, "-C", str(self.root), env=self.env)
        check(done)
        return done

    def is_settled(self) -> bool:
        """Whether a run has nothing to do."""
        done = self.run("apply", "--yes", "--json")
        summary = orjson.loads(done.out)["summary"]
        return done.code == 0 and not any(summary[key] for key in summary if key != "manual")

    def decide(self, said: str) -> None:
        """Answers what waits for a person as somebody who looks into the admin interface, and
        does what a run has `said` of what may be there, and of what is gone."""
        waiting = orjson.loads(self.run("resolve", "--json").out)["undecided"]
        named = dict.fromkeys(re.findall(r"adopt (\S+)=ID", said))
        gone = dict.fromkeys(re.findall(r"`--recreate (\S+)`", said))
        assert waiting or named or gone, f"nobody is asked about anything: {said}"
        for one in waiting:
            id_ = self._find_id(one["address"])
            answer = one["answers"][0 if id_ else 1].replace(" ID", f" {id_}")
            assert self.run(*answer.split()[1:]).code in {0, 4}, answer
        for address in named:
            id_ = self._find_id(address)
            args = ("adopt", f"{address}={id_}") if id_ else ("apply", "--yes", "--allow", address)
            assert self.run(*args).code == 0
        for address in gone:
            self.run("apply", "--yes", "--recreate", address)

    def _find_id(self, address: str) -> str:
        """The id of what is there for an address: titles begin with keys."""
        kind, key, *part = address.split(".")
        dump = self.dump()
        groups = [one["id"] for one in dump["courseGroups"] if one["title"].startswith(f"{key} ")]
        courses = [one["id"] for one in dump["courses"] if one["courseGroupId"] in groups]
        label = "Other" if part == ["q"] else "Buy"
        found = {
            "course": courses,
            "license": [one["id"] for one in dump["licenses"]],
            "client": [one["id"] for one in dump["clients"] if one["name"] == "New"],
            "criterion": [o["id"] for o in dump["completionCriteria"] if o["courseId"] in courses],
            "path": [
                one["id"]
                for one in dump["purchasePaths"]
                if one["courseId"] in courses and one["label"] == label
            ],
            "assignment": [one for one in dump["users"] if one.get("allocatedLicenses")],
        }[kind]
        return str(found[0]) if found else ""


def _find_route(method: str, path: str) -> str:
    parts = path.partition("?")[0].split("/")
    for route in ROUTES.values():
        wanted = route.path.split("/")
        alike = [w == p or w[:1] == "{" for w, p in zip(wanted, parts, strict=False)]
        if route.method == method and len(wanted) == len(parts) and all(alike):
            return route.name
    raise AssertionError(f"no route for {method} {path}")


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for what does not come."""
    clock = PausedTime()
    for module in (jobs, sending):
        monkeypatch.setattr(module, "time", clock)
    monkeypatch.setattr(sending, "RequestPacer", lambda: Clock().pace)
    monkeypatch.setattr(platform_work, "MARGIN", LANDED - PATIENCE - platform_work.LAG)


@pytest.fixture(scope="module", params=["core", "extended"])
def bending(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[BentPlatform]:
    """An instance with some of the routes, or with all."""
    with serving(profile=request.param) as platform, answer_proxy(platform.base_url) as way:
        yield BentPlatform(platform, way, request.param, tmp_path_factory.mktemp(request.param))


def _settle(bending: BentPlatform) -> dict[str, list[str]]:
    """What the platform holds after two further runs, and what a person was asked to decide."""
    second = bending.run("apply", "--yes")
    if not bending.is_settled():
        bending.decide(second.out + second.err)
        bending.run("apply", "--yes")
        assert bending.is_settled(), second
    return describe(bending.dump())


def _find_unsettled(bending: BentPlatform, command: str) -> list[str]:
    """Runs a command with one answer bent, again and again; returns after which bends two further
    runs are not enough. Which bends it tries is the same each time."""
    bending.begin(command)
    bending.run(*COMMANDS[command])
    bends = list(filter(_can_be_noticed, bending.bends))
    assert bends, f"{command} has asked nothing"
    wanted, random = _settle(bending), Random(command)
    alike: dict[Any, list[Bend]] = {}
    for bend in bends:
        alike.setdefault(bend.pattern, []).append(bend)
    tried = [
        random.choice(same) for same in random.sample([*alike.values()], min(BENDS, len(alike)))
    ]
    return [
        f"{bend}: {wrong}" for bend in tried if (wrong := _try_bend(bending, command, bend, wanted))
    ]


def _can_be_noticed(bend: Bend) -> bool:
    """False for the id of something else as that of what was made: not everything is read back."""
    return ROUTES[bend.route].reads or bend.change != "other id"


def _try_bend(bending: BentPlatform, command: str, bend: Bend, wanted: Any) -> str:
    """Says what is wrong in the end."""
    bending.begin(command)
    try:
        bending.run(*COMMANDS[command], bend=bend)
        found = _settle(bending)
    except Exception as bug:
        bug.add_note(f"after {bend}")
        raise
    return "" if found == wanted else f"{found} in the place of {wanted}"


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_two_runs_settle_an_altered_answer(bending: BentPlatform, command: str) -> None:
    """No run ends as a bug, nothing stays open that nobody is asked about, and what the platform
    holds in the end is what it would hold if all answers had been right."""
    assert [] == _find_unsettled(bending, command)
