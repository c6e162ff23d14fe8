"""When each call is made, and which entries share one."""

import pytest

from lmssync.state import Store
from tests.making import course, criterion, license_, path

from .planning import calls, numbered, planned, topics


@pytest.mark.parametrize(
    ("courses", "sizes"), [(1, [1]), (100, [100]), (101, [100, 1]), (250, [100, 100, 50])]
)
def test_courses_that_wait_for_nothing_travel_together(
    store: Store, courses: int, sizes: list[int]
):
    """Courses that wait for nothing share a call, up to a hundred (spec 8)."""
    made = planned(store, numbered(courses))
    assert sizes == [len(parts) for _, _, parts in calls(made)]


def test_a_chain_of_prerequisites_goes_link_by_link(store: Store):
    """Each course of a chain of prerequisites needs the id of the one before it."""
    chain = [course("a"), course("b", prerequisiteCourses=["a"])]
    chain.append(course("c", prerequisiteCourses=["b"]))
    assert [
        (0, "course.create", ["a"]),
        (1, "course.create", ["b"]),
        (2, "course.create", ["c"]),
    ] == calls(planned(store, chain))


def test_what_belongs_to_a_course_goes_after_it(store: Store):
    """After a course, its criteria share a call, while licenses and paths go alone."""
    made = planned(
        store, [course(), license_(), path(), criterion("safety.a"), criterion("safety.b")]
    )
    assert [
        (0, "course.create", ["safety"]),
        (1, "criteria.update", ["safety.a", "safety.b"]),
        (1, "license.create", ["staff"]),
        (1, "path.create", ["safety.partner"]),
    ] == sorted(calls(made))


def test_criteria_wait_for_each_other(store: Store):
    """Criteria wait for those of a later course, so that one call is enough."""
    late = course("b", prerequisiteCourses=["a"])
    criteria = [criterion("a.c", course="a"), criterion("b.c", course="b")]
    made = planned(store, [course("a"), late, *criteria])
    assert (2, "criteria.update", ["a.c", "b.c"]) == calls(made)[-1]


def test_related_courses_are_set_once_both_exist(store: Store):
    """Related courses are linked by updates that share a call, once both courses exist."""
    made = planned(
        store, [course("a", relatedCourses=["b"]), course("b", title="B", relatedCourses=["a"])]
    )
    assert [
        (0, "course.create", ["a", "b"]),
        (1, "course.update", ["a", "b"]),
    ] == calls(made)


def test_what_is_put_off_is_not_sent_twice(store: Store):
    """The create leaves out a link that is put off, and the update sends only that."""
    made = planned(store, [course("a", relatedCourses=["b"]), course("b", title="B")])
    create, update = made.steps
    assert "relatedCourseGroupIds" not in str(create.body())
    (entry,) = update.body()["courseAttributes"]["courseGroups"]
    assert {"id", "relatedCourseGroupIds"} == entry.keys()


def test_a_course_with_something_put_off_is_not_done_with_its_create(store: Store):
    """The create of a course with a link put off is not its last call."""
    made = planned(store, [course("a", relatedCourses=["b"]), course("b", title="B")])
    parts = {part.address.key: part for part in made.steps[0].parts}
    assert (False, True) == (parts["a"].last, parts["b"].last)


def test_a_related_course_that_exists_is_not_put_off(store: Store):
    """A relation to a course that exists is not put off, since its id is known."""
    made = planned(store, [course("a", relatedCourses=["b"]), course("b")], [course("b")])
    assert [(0, "course.create", ["a"])] == calls(made)


def test_updates_travel_together_up_to_the_limit(store: Store):
    """Updates share a call up to the limit of entries in all lists together (O5)."""
    before, after = numbered(60, isbn="1", sku="A"), numbered(60, isbn="2", sku="B")
    made = planned(store, after, before)
    sizes = [
        sum(len(entries) for entries in step.body()["courseAttributes"].values())
        for step in made.steps
    ]
    assert [100, 20] == sizes


def test_the_waves_of_a_deep_addition(store: Store):
    """The levels of a deep addition follow each other, one call after the other (O4)."""
    before = course("a", sections=topics("x"))
    after = course("a", sections=[*topics("x"), {**topics("y")[0], "id": "n"}])
    phases = [phase for phase, _, _ in calls(planned(store, [after], [before]))]
    assert [0, 1, 2] == phases


def test_a_criterion_about_an_added_topic_waits_for_it(store: Store):
    """A criterion about an added topic waits until the topic has an id."""
    before, after = course("a", sections=topics("x")), course("a", sections=topics("x", "y"))
    about = criterion("a.c", course="a", type="courseTopicViewed", percent=None, topic="s/l/y")
    assert [(0, "course.update", ["a"]), (1, "criteria.update", ["a.c"])] == calls(
        planned(store, [after, about], [before])
    )


def test_a_criterion_about_a_topic_that_is_there_waits_for_nothing(store: Store):
    """A criterion about an existing topic waits for nothing, even if its course changes."""
    before = course("a", sections=topics("x"))
    after = course("a", sections=topics("x"), isbn="2")
    about = criterion("a.c", course="a", type="courseTopicViewed", percent=None, topic="s/l/x")
    assert {0} == {phase for phase, _, _ in calls(planned(store, [after, about], [before]))}


def test_the_same_catalog_gives_the_same_calls(store: Store):
    """The same catalog gives the same calls, whatever the order of its files."""
    documents = [*numbered(5), criterion("c000.x", course="c000"), license_(courses=["c001"])]
    one, two = (planned(store, order) for order in (documents, list(reversed(documents))))
    assert {(phase, route) for phase, route, _ in calls(one)} == {
        (phase, route) for phase, route, _ in calls(two)
    }
    assert [set(keys) for *_, keys in calls(one)] == [set(keys) for *_, keys in calls(two)]


def test_courses_of_one_title_never_share_a_call(store: Store):
    """Without marks in reads, courses of one title never share a call (O16, O18)."""
    made = planned(store, [course("a"), course("b", title=" safety "), course("c", title="C")])
    assert [["a", "c"], ["b"]] == [keys for _, _, keys in calls(made)]


def test_courses_without_a_mark_travel_alone(store: Store):
    """Courses without a mark go alone, or half of a refused batch could be made twice."""
    from lmssync.settings import Platform

    made = planned(store, numbered(3), platform=Platform(marker="none"))
    assert [1, 1, 1] == [len(keys) for *_, keys in calls(made)]


def test_every_share_says_what_recovery_needs(store: Store):
    """The creates of these kinds are marked as adding something and as never to be repeated."""
    made = planned(store, [course(), criterion(), license_(), path()])
    flags = {(part.adds, part.repeatable, part.creates) for s in made.steps for part in s.parts}
    assert {(True, False, True)} == flags
    assert 4 == len({part.address.kind for step in made.steps for part in step.parts})
