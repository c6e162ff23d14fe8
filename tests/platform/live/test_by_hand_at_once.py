"""Whatever people and git change of one course, and in whatever mixture: nothing is lost untold."""

import os
from collections.abc import Collection, Mapping
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, strategies as st

from lmssync.catalog.manifests.yaml.yaml_writer import write_yaml_document
from lmssync.platform.live import Certainty
from lmssync.resource import is_within
from tests.served_catalog import few

from .by_hand import CASES, Case
from .conftest import Seen
from .test_by_hand import LATER, planned, readable
from .values_by_hand import ALONE, DOCUMENTS, HELPERS

COURSE = "course.all"
_LEFT_OUT = {"status", "futurePublishDate", "contentType"}
"""Fields of which not every value goes with every other, as with the dates of a session; and one
that the platform derives where nobody has set it, which nobody can tell from what a person sets."""
FIELDS = [
    one
    for one in CASES
    if one.resource == "course" and not one.values.of
    if one.label not in _LEFT_OUT | ALONE and not one.label.endswith(("StartDate", "EndDate"))
]
SOME = st.sets(st.sampled_from(range(len(FIELDS))), max_size=8)


def write(seen: Seen, ours: Collection[Case], git: Collection[Case]) -> None:
    """One course with all of these fields."""
    document = deepcopy(DOCUMENTS["course"]) | {"resource": "course", "key": "all"}
    for case in ours:
        case.put(document, git=False)
    for case in git:
        case.put(document, git=True)
    seen.work.write("all.yaml", write_yaml_document(document))


def held(seen: Seen, cases: Collection[Case]) -> Mapping[str, Any]:
    """What the platform has of each field."""
    found = {}
    for case in cases:
        order = case.edit(seen.records, COURSE)
        one = next(one for one in seen.platform.dump(order["list"]) if one["id"] == order["id"])
        found[case.label] = {name: one.get(name) for name in order["set"]}
    return found


def begin(seen: Seen, ours: Collection[Case], hand: Collection[Case]) -> Mapping[str, Any]:
    """Applies a course as if nothing had been before, and has a person change it."""
    seen.platform.order("reset")
    seen.__dict__.pop("records", None)
    for file in (seen.work.root / ".lmssync").glob("*"):
        file.unlink()
    for one in HELPERS:
        if one["resource"] == "course":
            seen.work.write(f"{one['key']}.yaml", write_yaml_document(one))
    write(seen, ours, ())
    assert 0 == seen.work.apply().code
    seen.platform.order("clock", LATER)
    for case in hand:
        seen.platform.order("edit", case.edit(seen.records, COURSE))
    return held(seen, hand)


def told(change: Mapping[str, Any], case: Case) -> bool:
    """Whether a plan says that the platform has another value."""
    drift = [one["path"] for one in change.get("drift", ())]
    shown = [one["path"] for one in change["fields"] if one["before"] is not None]
    return any(is_within(path, case.path) for path in (*drift, *shown))


@pytest.mark.slow
@few(int(os.environ.get("CATALOGS", "6")))
@given(ours=SOME, by_hand=SOME, in_git=SOME)
def test_every_overwritten_value_is_reported(
    seen: Seen, ours: set[int], by_hand: set[int], in_git: set[int]
) -> None:
    """What an apply overwrites was in its plan, and what it leaves is told by the next one."""
    applied, hand, git = ([FIELDS[n] for n in sorted(some)] for some in (ours, by_hand, in_git))
    before = begin(seen, applied, hand)
    write(seen, applied, git)
    # Git may have what the person has set, as with a switch: that overwrites nothing.
    alike = {one.label for one in git if one.values.git == one.values.hand}
    first = {one.label for one in git} - {one.label for one in applied}
    shows = [one for one in hand if readable(seen, one) is not Certainty.UNVERIFIABLE]

    change = planned(seen, "--refresh", "all").get(COURSE, {"fields": []})

    managed = {one.label for one in (*applied, *git)}
    due = [one for one in shows if one.label in managed - (alike & first)]
    assert [] == [one.label for one in due if not told(change, one)]
    assert seen.work.apply("--refresh", "all").code in {0, 7}
    now = held(seen, hand)
    lost = [one for one in shows if now[one.label] != before[one.label]]
    assert {one.label for one in lost} <= first
    after = planned(seen, "--refresh", "all").get(COURSE, {"fields": []})
    left = [one for one in shows if one.label in managed - first - alike]
    assert [] == [one.label for one in left if not told(after, one)]


@pytest.mark.slow
@pytest.mark.parametrize("profile", ["extended"], indirect=True)
@few(int(os.environ.get("CATALOGS", "6")))
@given(ours=SOME, by_hand=SOME)
def test_a_plan_after_a_pull_is_empty(seen: Seen, ours: set[int], by_hand: set[int]) -> None:
    """Whatever people have changed of what is managed: it stands in the manifest then."""
    applied, hand = ([FIELDS[n] for n in sorted(some)] for some in (ours, by_hand))
    begin(seen, applied, [one for one in hand if one.label != "title"])

    assert 0 == seen.work.run("pull", COURSE).code
    assert {} == planned(seen, "--refresh", "all")
