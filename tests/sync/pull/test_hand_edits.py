"""Whatever people do to the parts of a course: after a pull, nothing differs."""

import os
from random import Random
from typing import Any

import pytest
from hypothesis import given, strategies as st

from tests.flows.test_nothing_left import COURSE, catalog, lay_out
from tests.platform.live.conftest import _sandboxes, platform, profile
from tests.served_catalog import Platform, Workspace, few

__all__ = ["_sandboxes", "catalog", "platform", "profile"]  # fixtures
QUICK, MANY = 2, int(os.environ.get("HAND_EDITS", "8"))
EDITS = 6
"""Of one course, between an apply and a pull."""
PARENTS = {"lessons": "sectionId", "topics": "lessonId"}


class Person:
    """Somebody who edits a course in the admin interface, in ways that chance decides."""

    def __init__(self, platform: Platform, seed: int, *, sees_bodies: bool) -> None:
        self._platform, self._random, self._all = platform, Random(seed), sees_bodies
        self._course = platform.dump("courses")[-1]["id"]

    def edit(self) -> None:
        todo = [self._add, self._delete, self._retitle]
        kind = self._random.choice(["sections", "lessons", *["topics"] * self._all])
        chosen = self._random.choice([*todo, self._move, self._reorder])
        chosen(kind)

    def _some(self, kind: str) -> list[Any]:
        return [dict(one) for one in self._platform.dump(kind)]

    def _order(self, kind: str, **order: Any) -> None:
        self._platform.order("edit", {"list": kind, **order})

    def _add(self, kind: str) -> None:
        title = self._random.choice(["New", "Start", "Über uns", "new"])
        if kind == "sections":
            self._order(kind, add={"courseId": self._course, "title": title})
            return
        parents = self._some("sections" if kind == "lessons" else "lessons")
        if parents:
            parent = {PARENTS[kind]: self._random.choice(parents)["id"]}
            fields = {"openType": "open"} if kind == "lessons" else {"type": "text"}
            self._order(kind, add={**parent, "title": title, **fields})

    def _change(self, kind: str, **fields: Any) -> None:
        some = self._some(kind)
        if some:
            self._order(kind, id=self._random.choice(some)["id"], set=fields)

    def _delete(self, kind: str) -> None:
        some = self._some(kind)
        if len(some) > 1:
            self._order(kind, id=self._random.choice(some)["id"], delete=True)

    def _retitle(self, kind: str) -> None:
        self._change(kind, title=self._random.choice(["Other", "Start", "100 %"]))

    def _reorder(self, kind: str) -> None:
        self._change(kind, position=self._random.randrange(3))

    def _move(self, kind: str) -> None:
        parents = self._some("sections" if kind == "lessons" else "lessons")
        if kind in PARENTS and parents:
            self._change(kind, **{PARENTS[kind]: self._random.choice(parents)["id"]})


def without_ids(value: Any) -> Any:
    """Parts whose ids follow from their titles."""
    if isinstance(value, list):
        return [without_ids(item) for item in value]
    if isinstance(value, dict):
        return {key: without_ids(item) for key, item in value.items() if key != "id"}
    return value


def pulled(
    catalog: Workspace, platform: Platform, profile: str, courses: list[Any], seed: int
) -> None:
    """Edits the parts of a course by hand, pulls, and compares; ids are written in every second."""
    platform.order("reset")
    written = (lambda parts: parts) if seed % 2 else without_ids
    lay_out(catalog, [(title, fields, written(parts), None) for title, fields, parts, _ in courses])
    assert 0 == catalog.apply().code
    person = Person(platform, seed, sees_bodies=profile == "extended")
    for _ in range(EDITS):
        person.edit()

    done = catalog.run("pull", "course.c0")

    assert 0 == done.code, done.out + done.err
    assert 0 == catalog.run("validate").code
    assert [] == catalog.plan("--refresh", "all")["changes"]
    assert 0 == catalog.run("drift").code
    for file in (*catalog.root.glob("*.md"), *catalog.root.glob("*.html")):
        file.unlink()


@few(QUICK)
@given(course=COURSE, seed=st.integers(0, 1_000_000))
def test_a_plan_after_a_pull_is_empty(
    catalog: Workspace, platform: Platform, profile: str, course: Any, seed: int
) -> None:
    """Parts that came, went, moved or have other titles stand in the manifest as they are there."""
    pulled(catalog, platform, profile, [course], seed)


@pytest.mark.slow
@few(MANY)
@given(course=COURSE, seed=st.integers(0, 1_000_000))
def test_a_plan_after_many_pulls_is_empty(
    catalog: Workspace, platform: Platform, profile: str, course: Any, seed: int
) -> None:
    """The same for many courses."""
    pulled(catalog, platform, profile, [course], seed)
