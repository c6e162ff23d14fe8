"""What a receipt says of each address is what the platform shows, whatever fails meanwhile."""

import os
import shutil
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

import pytest
from hypothesis import given, strategies as st

from tests.served_catalog import Platform, Workspace, few

QUICK, MANY = 4, int(os.environ.get("RECEIPTS", "12"))
KEYS = ("a", "b", "c")
ROUTES = ["course.create", "course.update", "criteria.update", "license.create"]
COURSE = """\
resource: course
key: KEY
kind: courseGroup
title: TITLE
sections:
  - id: start
    title: Start
    lessons:
      - id: one
        title: One
        openType: open
        topics:
          - {id: hello, title: Hello, type: text, markdown: Good morning}
"""
CRITERION = """\
---
resource: completionCriterion
key: KEY.most
course: KEY
type: coursePercentViewed
percent: PERCENT
"""
LICENSE = """\
---
resource: license
key: KEY
client: brightwater
name: License KEY
courses: [KEY]
learningPaths: []
courseTags: []
ref1: REF
"""
QUIZ = "          - {id: check, title: Check, type: quiz}\n"
REMOVED = "sections[start].lessons[one].topics[check]"
NO = {"status": 400, "body": {"errors": ["not today"]}, "when": "before"}
FAULTS: list[dict[str, Any]] = [
    {"action": "answer", **NO},
    {"action": "answer", **NO, "status": 401},
    {"action": "drop-before"},
    {"action": "drop-after"},
    {"action": "cut"},
    {"action": "garbage"},
    {"action": "status", "status": 500, "when": "after"},
    {"action": "status", "status": 503, "when": "before"},
]
DONE_ALL_THE_SAME = {"action": "answer", **NO, "when": "after"}
"""Of an update: a mark keeps what is made from being made twice, and nobody looks for it."""
Shown = Mapping[str, Mapping[str, Any]]
"""The fields of each resource, by its address."""


class Author:
    """Somebody who writes and changes courses in ways that chance decides."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.wanted: dict[str, dict[str, Any]] = {}

    def write(self, work: Workspace) -> None:
        """Changes some courses, and adds some."""
        for key in self.random.sample(KEYS, self.random.randint(1, len(KEYS))):
            quiz = self.wanted.get(f"course.{key}", {REMOVED: True})[REMOVED]
            self.wanted[f"course.{key}"] = {
                "title": f"{key}{self.random.randint(1, 3)}",
                "description": self._one("Short.", "Long."),
                "ribbon": self._one("new", "popular"),
                "priceInCents": self._one(0, 400, 500),
                REMOVED: quiz and self._one(True, True, False),
            }
            self.wanted[f"criterion.{key}.most"] = {"percent": self._one(50, 60, 70)}
            self.wanted[f"license.{key}"] = {"ref1": self._one("A", "B")}
        keys = [address.split(".")[1] for address in self.wanted if "course." in address]
        for key in keys:
            self.wanted[f"course.{key}"]["relatedCourses"] = self._one([], [self._one(*keys)])
            work.write(f"{key}.yaml", _manifest(key, self.wanted))

    def _one(self, *choices: Any) -> Any:
        return self.random.choice(choices)


def _manifest(key: str, wanted: Shown) -> str:
    fields = wanted[f"course.{key}"]
    names = ("description", "ribbon", "priceInCents", "relatedCourses")
    course = COURSE.replace("TITLE", fields["title"]) + QUIZ * fields[REMOVED]
    course += "".join(f"{one}: {fields[one]}\n" for one in names)
    criterion = CRITERION.replace("PERCENT", str(wanted[f"criterion.{key}.most"]["percent"]))
    license_ = LICENSE.replace("REF", wanted[f"license.{key}"]["ref1"])
    return (course + criterion + license_).replace("KEY", key)


def shown(platform: Platform) -> Shown:
    """What the platform has of the courses, their criteria and licenses."""
    groups = {one["id"]: one for one in platform.dump("courseGroups")}
    courses = [one for one in platform.dump("courses") if one["sku"].startswith("ls-")]
    keys = {one["courseGroupId"]: one["sku"].split("-")[1] for one in courses}
    quizzes = _courses_with_a_quiz(platform)
    found = {}
    for course in courses:
        group = groups[course["courseGroupId"]]
        related = [keys[one] for one in group.get("relatedCourseGroupIds", [])]
        found[f"course.{keys[group['id']]}"] = {
            **{name: group.get(name) for name in ("title", "description", "ribbon")},
            "priceInCents": course.get("priceInCents"),
            "relatedCourses": related,
            REMOVED: course["id"] in quizzes,
        }
    of_course = {course["id"]: keys[course["courseGroupId"]] for course in courses}
    for one in platform.dump("completionCriteria"):
        if key := of_course.get(one["courseId"]):
            found[f"criterion.{key}.most"] = {"percent": one["coursePercentViewed"]}
    for one in platform.dump("licenses"):
        if one["name"].startswith("License "):
            found[f"license.{one['name'].removeprefix('License ')}"] = {"ref1": one["ref1"]}
    return found


def _courses_with_a_quiz(platform: Platform) -> set[str]:
    sections = {one["id"]: one["courseId"] for one in platform.dump("sections")}
    lessons = {one["id"]: sections[one["sectionId"]] for one in platform.dump("lessons")}
    topics = platform.dump("topics")
    return {lessons[one["lessonId"]] for one in topics if one["title"] == "Check"}


def untrue(line: Any, wanted: Any, was: Any, now: Any) -> Iterator[str]:
    """What a line says of a course that the platform does not show."""
    named = set(line["fields"]) & wanted.keys()
    changed = {name for name in wanted if now.get(name) != was.get(name)}
    reached = {name for name in wanted if now.get(name) == wanted[name]}
    match line["status"], line["waitsFor"]:
        case "done", _:
            yield from (f"{name} is not done" for name in named - reached)
            yield from ["it is not there"] * (not now)
        case "not done", _:
            rest = named if line["fields"] else set(wanted)
            yield from (f"{name} is done" for name in rest & changed & reached)
        case "waiting", "a person" if REMOVED in named:
            yield from ["nobody has to delete it"] * (not now[REMOVED])
        case "waiting", "a person":
            yield from (f"{name} is done" for name in named & changed & reached)
        case "waiting", "a decision":
            rest = named if line["fields"] else set(wanted)
            yield from (f"{name} is done" for name in rest & changed & reached)


def unmentioned(lines: Any, wanted: Any, was: Any, now: Any) -> Iterator[str]:
    """What has changed, and no line says so."""
    done = [line["fields"] for line in lines if line["status"] == "done"]
    if any(line["waitsFor"] == "the next look" for line in lines):
        return
    if not was:
        yield from ["it was made"] * bool(now and not done)
        return
    for name in wanted:
        if now[name] != was[name] and not any(name in fields for fields in done):
            yield f"{name} has changed"


def try_receipt(work: Workspace, platform: Platform, seed: int, *, reads_all: bool = False) -> None:
    """Applies a catalog, changes it, has a call fail, and compares the receipt.

    Where reads show every field, a refusal may do its work as well.
    """
    platform.renew()
    platform.order("faults", {"seed": seed, "faults": []})
    shutil.rmtree(work.root / ".lmssync", ignore_errors=True)
    for file in work.root.glob("?.yaml"):
        file.unlink()
    author = Author(seed)
    author.write(work)
    assert work.apply().code == 0
    author.write(work)
    before, random = shown(platform), author.random
    if random.random() < 0.3:
        group = platform.dump("courseGroups")[-1]["id"]
        platform.order(
            "edit", {"list": "courseGroups", "id": group, "set": {"description": "By hand."}}
        )
        before = shown(platform)
    route = random.choice(ROUTES)
    when = {"nth": random.randint(1, 2), "times": random.randint(1, 4)}
    liar = [DONE_ALL_THE_SAME] if reads_all and route == "course.update" else []
    fault = random.choice([*FAULTS, *liar])
    platform.fault(route=route, **fault, **when)

    receipt = work.apply("--json")

    after, lines = shown(platform), receipt.json["lines"]
    for address, wanted in author.wanted.items():
        own = [line for line in lines if line["address"] == address]
        was, now = before.get(address, {}), after.get(address, {})
        wrong = [*unmentioned(own, wanted, was, now)]
        wrong += [one for line in own for one in untrue(line, wanted, was, now)]
        assert not wrong, (
            f"seed {seed}, {address}: {wrong}\n{fault} {route} {when}\n{own}\n{was}\n{now}"
        )


@given(seed=st.integers(0, 2**32))
@few(QUICK)
def test_a_receipt_says_what_is(work: Workspace, platform: Platform, seed: int) -> None:
    """Each line of a receipt is done, not done or waiting, as the platform shows it."""
    try_receipt(work, platform, seed)


@given(seed=st.integers(0, 2**32))
@few(QUICK)
def test_a_receipt_says_what_lists_show(work: Workspace, instance: Platform, seed: int) -> None:
    """It does so where reads show every field."""
    try_receipt(work, instance, seed, reads_all=True)


@pytest.mark.slow
@given(seed=st.integers(0, 2**32))
@few(MANY)
def test_many_receipts_say_what_is(work: Workspace, platform: Platform, seed: int) -> None:
    """It does so over many catalogs, edits and faults."""
    try_receipt(work, platform, seed)


@pytest.mark.slow
@given(seed=st.integers(0, 2**32))
@few(MANY)
def test_many_receipts_say_what_lists_show(work: Workspace, instance: Platform, seed: int) -> None:
    """It does so over many catalogs, edits and faults, where reads show every field."""
    try_receipt(work, instance, seed, reads_all=True)
