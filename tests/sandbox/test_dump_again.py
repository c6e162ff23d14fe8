"""A dump is a seed: dump, seed and dump again are the same bytes, whatever was done before."""

import json

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from lmssync.sandbox.control.content_edits import GROUP_EDITS, SESSION_EDITS
from lmssync.sandbox.control.object_edits import EDITED, RULES
from lmssync.sandbox.data.object_kinds import KINDS
from lmssync.sandbox.route_bindings import HANDLERS
from lmssync.sandbox.seeds.seed_planting import TREE
from lmssync.sandbox.seeds.seed_rules import SEED_RULES
from lmssync.vocabulary.routes import ROUTES

from .known import filled, ids, of_path
from .school import demo
from .test_openapi_cases import cases_of, described

__all__ = ["described"]

RELAXED = settings(
    deadline=None,
    max_examples=5,
    database=None,
    suppress_health_check=list(HealthCheck),
)
WRITES = sorted(name for name in HANDLERS if not ROUTES[name].reads)
LISTS = [*TREE, *EDITED]
VALUES = st.sampled_from(
    [
        *(None, 0, 5, 1.5, True, False, "", "x", "A b", "ä" * 260, "a" * 260, "2026-01-01"),
        *("2026-01-01T10:00:00+02:00", "published", "archived", "active", "https://x.example/a"),
        *([], ["x"], [{}], {}, {"a": "b"}, "00000000-0000-4000-8000-000000000009"),
    ]
)


def assert_same_again(platform):
    """Fail unless a sandbox of the dump has the same dump, to the byte; what was still to be pushed
    is not pushed again."""
    platform.control("clock", {"advanceSeconds": 10})
    seed, first = platform.control("dump"), dump_without_deliveries(platform)
    platform.control("reset", {"seed": seed})
    again = dump_without_deliveries(platform)
    before, after = json.loads(first), json.loads(again)
    differ = {name: differences(before[name], after[name]) for name in before}
    assert {} == {name: shown for name, shown in differ.items() if shown}
    assert first == again
    assert [] == platform.dump("deliveries")


def dump_without_deliveries(platform):
    lists = ",".join(name for name in (*TREE, *KINDS) if name != "deliveries")
    return platform.http.get("/_sandbox/dump", params={"only": lists}).content


def differences(before, after):
    """The fields that differ, before and after, of the items of a list."""
    if not isinstance(before, list) or len(before) != len(after):
        return [] if before == after else [before, after]
    return [
        [{name: value for name, value in one.items() if other.get(name) != value}, other]
        for one, other in zip(before, after, strict=True)
        if one != other
    ]


@pytest.mark.parametrize("name", WRITES)
def test_after_any_request(platform, described, name):
    """What a route brings about can be planted (spec 1)."""
    path, known, route = of_path(name, platform), ids(platform), ROUTES[name]
    operation = described[route.path][route.method]

    @RELAXED
    @given(case=cases_of(operation))
    def send(case):
        body = filled(case.body, known) if isinstance(case.body, dict) else {}
        platform.call(name, body, **path)

    send()
    assert_same_again(platform)


@pytest.mark.parametrize("list_", LISTS)
def test_after_any_edit(platform, school, list_):
    """So can what an edit brings about: set, add, delete, restore (O11)."""
    fields = sorted({*SEED_RULES[list_], *RULES.get(list_, ()), *GROUP_EDITS, *SESSION_EDITS})
    platform.course(kind="microCourse", topics=[{"type": "quiz", "title": "Q"}])
    docs = platform.dump(list_)
    orders = st.one_of(
        st.fixed_dictionaries({"set": st.dictionaries(st.sampled_from(fields), VALUES)}),
        st.fixed_dictionaries({"add": st.dictionaries(st.sampled_from(fields), VALUES)}),
        st.fixed_dictionaries({"delete": st.sampled_from([True, "restore"])}),
    )

    @RELAXED
    @given(order=orders, number=st.integers(0, 5))
    def send(order, number):
        id_ = {} if "add" in order or not docs else {"id": docs[number % len(docs)]["id"]}
        platform.http.post("/_sandbox/edit", json={"list": list_, **id_, **order})

    send()
    assert_same_again(platform)


def test_after_what_learners_do(platform, school):
    """So can learners, attempts, events of every sort and who is notified (O40)."""
    course = platform.dump("courses")[0]["id"]
    quiz = next(topic["id"] for topic in platform.dump("topics") if topic["type"] == "quiz")
    attempt = {"userId": demo(408), "assessmentId": quiz, "grade": 5, "passed": False}
    platform.control("learners", {"n": 3})
    platform.control("attempts", attempt)
    view = {"userId": demo(408), "courseId": course, "timestamp": "2026-01-01"}
    platform.control("events", {"kind": "courseView", "events": [view]})
    recorded = {"timestamp": "2026-01-01T00:00:00+02:00", "id": None, "x": [{}]}
    platform.control("events", {"kind": "login", "recorded": [recorded]})
    platform.control("notifications", {"url": "http://127.0.0.1:9/"})
    assert_same_again(platform)


def test_after_two_long_titles(platform):
    """The second of two slugs of 255 characters gets a number and is no longer than that."""
    for _ in range(2):
        platform.course(title="a" * 300)
    assert [255, 255] == [len(group["slug"]) for group in platform.dump("courseGroups")]
    assert_same_again(platform)


def test_parts_of_courses_from_elsewhere_are_found_again(platform, school):
    """A part that was added to a course with an id of another form keeps its id (O3)."""
    course = platform.dump("courses")[-1]["id"]
    platform.course(title="In between")
    platform.update(sections=[{"courseId": course, "title": "Added"}])
    section = next(one for one in platform.dump("sections") if one["title"] == "Added")
    assert_same_again(platform)
    assert course == platform.answer("section.read", id=section["id"])["courseId"]
