"""Resources that look as if they had only got another key."""

from typing import Any

import pytest

from lmssync.state import Store
from tests.making import course, criterion, lesson, license_, micro, path, section, topic

from .test_moves import changes


def twins(store: Store, recorded: list[Any], desired: list[Any]) -> dict[str, str]:
    """Address of what waits for a word to the address that the word is about."""
    found = changes(store, recorded, desired)
    return {name: str(change.twin) for name, change in found.items() if change.undecided}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (course("a"), course("b")),
        (course("a"), course("b", ribbon="new")),
        (course("a", sku="X"), course("b", sku="X", title="Other", kind="video", sections=None,
                                      videoUrl="https://x.example/v")),
        (license_("a"), license_("b")),
        (path("a"), path("b")),
        (criterion("a"), criterion("b")),
    ],
)  # fmt: skip
def test_the_same_under_another_key(store: Store, old: dict[str, Any], new: dict[str, Any]):
    """The same content, the same sku, or the same title and outline: both wait."""
    kind = next(iter(changes(store, [], [new]))).partition(".")[0]
    assert {f"{kind}.a": f"{kind}.b", f"{kind}.b": f"{kind}.a"} == twins(store, [old], [new])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (course("a"), course("b", title="Other")),
        (course("a"), micro("b", topic("other"))),
        (course("a", sku="X"), course("b", sku="Y", title="Other")),
        (license_("a"), license_("b", seatsLimit=5)),
        (criterion("a"), criterion("b", percent=5)),
        (criterion("a"), license_("b")),
    ],
)
def test_another_thing(store: Store, old: dict[str, Any], new: dict[str, Any]):
    """What is only similar is made, and what left is forgotten."""
    assert {} == twins(store, [old], [new])


def test_each_is_one_other_at_most(store: Store):
    """Of two that are alike, one is left to be made; what is alike in more is meant first."""
    found = twins(store, [course("a")], [course("b", ribbon="x"), course("c")])
    assert {"course.a": "course.c", "course.c": "course.a"} == found


def test_what_is_there_all_along_is_no_twin(store: Store):
    """A copy of what stays is a copy."""
    assert {} == twins(store, [course("a")], [course("a"), course("b")])


def test_another_key_and_another_lesson(store: Store):
    """A course with the same title is still known where one of its lessons is another one."""
    kept, old, new = lesson("kept"), lesson("old"), lesson("brand-new", title="Today")
    before, after = course("a", sections=[section("s", kept, old)]), [section("s", kept, new)]
    found = twins(store, [before], [course("b", sections=after)])
    assert {"course.a": "course.b", "course.b": "course.a"} == found


def test_short_forms_wait_with_their_course(store: Store):
    """Else they would be forgotten before somebody says that they have moved."""
    most = {"id": "most", "type": "coursePercentViewed", "percent": 80}
    found = twins(
        store,
        [course("a"), criterion("a.most", course="a")],
        [course("b", completionCriteria=[most])],
    )
    assert "course.b" == found["criterion.a.most"]


def test_the_same_below_a_course_that_moves(store: Store):
    """The record still has the course by its old key; the other button would stay for good."""
    found = twins(
        store,
        [course("a"), path("a.shop", course="a")],
        [course("b", moved=[{"from": "course.a"}]), path("b.shop", course="b")],
    )
    assert {"path.a.shop": "path.b.shop", "path.b.shop": "path.a.shop"} == found


def test_who_says_moved_has_decided(store: Store):
    """Nothing waits."""
    assert {} == twins(store, [course("a")], [course("b", moved=[{"from": "course.a"}])])
