"""A course as it is read: whether it is the one that is meant, its ids, and what is proven."""

from typing import Any

import pytest

from lmssync.kind import Ids
from lmssync.kinds import KINDS
from lmssync.kinds.course.course_readings import shape_as_read
from tests import making
from tests.making import course, lesson, micro, section, topic

KIND = KINDS["course"]


def live(*sections: Any, **fields: Any) -> dict[str, Any]:
    """A course as it is read (O22)."""
    return {"id": "C", "courseGroupId": "G", "title": "Safety", "sections": list(sections)} | fields


def part(id_: str, title: str, **fields: Any) -> dict[str, Any]:
    return {"id": id_, "title": title, **fields}


def one_section(*topics: tuple[str, str, str]) -> dict[str, Any]:
    """A section with one lesson, and topics by id, title and type."""
    listed = [part(id_, title, type=type_) for id_, title, type_ in topics]
    return part("S", "Start", lessons=[part("L", "Welcome", topics=listed)])


HELLO = ("T", "Hello", "text")


def match(data: Any, read: Any, marker: str | None = None) -> Ids | None:
    return KIND.reads.match(making.form(data), marker, read, frozenset())


def test_the_ids_of_a_course_and_its_parts():
    """The ids of a course are found, and those of its parts by path."""
    assert Ids(
        {"course": "C", "courseGroup": "G"},
        {"start": "S", "start/welcome": "L", "start/welcome/hello": "T"},
    ) == match(course(), live(one_section(HELLO)))


@pytest.mark.parametrize(
    ("fields", "marker", "same"),
    [
        ({"sku": "ls-1"}, "sku=ls-1", True),
        ({"sku": "ls-1", "title": "Renamed"}, "sku=ls-1", True),
        ({"sku": "ls-2"}, "sku=ls-1", False),
        ({}, "sku=ls-1", True),
        ({"title": "Other"}, "sku=ls-1", False),
        ({}, None, True),
        ({"title": "Other"}, None, False),
    ],
)
def test_the_marker_decides_before_the_title(
    fields: dict[str, str], marker: str | None, same: bool
):
    """A mark decides whether a course is the one; without a mark the title does (O16, O18)."""
    assert same == (match(course(), live(one_section(HELLO), **fields), marker) is not None)


@pytest.mark.parametrize(
    "topics",
    [(), (("T", "Hello", "quiz"),), (("T", "Hallo", "text"),)],
    ids=["missing", "another type", "another title"],
)
def test_a_course_with_another_structure_is_another_course(topics: Any):
    """A course that lacks a part of the form does not match."""
    assert None is match(course(), live(one_section(*topics)))


def test_what_others_added_does_not_matter():
    """A course with additional parts matches."""
    more = one_section(("X", "Extra", "quiz"), HELLO)
    found = match(course(), live(part("Y", "Theirs", lessons=[]), more))
    assert found
    assert "T" == found.parts["start/welcome/hello"]


def test_the_nth_of_a_title_is_the_nth():
    """Topics with equal titles are matched by their order (O18)."""
    data = micro("a", topic("x", title="Same"), topic("y", title="Same"))
    twins = one_section(("1", "Same", "text"), ("2", "Same", "text"))
    found = match(data, live(twins))
    assert found
    assert {"x": "1", "y": "2"} == found.parts


def test_a_micro_course_knows_its_lesson():
    """A match of a microCourse has the id of its lesson, which new topics need (O19)."""
    found = match(micro("a"), live(one_section(HELLO)))
    assert Ids({"course": "C", "courseGroup": "G", "lesson": "L"}, {"hello": "T"}) == found


def test_the_one_topic_of_an_article_is_main():
    """The topic of an article is `main`, whatever its title is (O19)."""
    data = course(kind="article", sections=None, articleVariant={"body": "x"})
    found = match(data, live(one_section(("T", "Safety", "article"))))
    assert found
    assert {"main": "T"} == found.parts


def test_an_article_without_its_topic_is_not_there_yet():
    """An article does not match until the platform has made its topic."""
    data = course(kind="article", sections=None, articleVariant={"body": "x"})
    assert None is match(data, live())


IDS = Ids({"course": "C"}, {"start": "S", "start/welcome": "L", "start/welcome/hello": "T"})


def seen(data: Any, read: Any) -> Any:
    return KIND.reads.observed(making.form(data), IDS, read)


def test_what_a_read_proves():
    """A read shows titles, types and order, and the status and sku if they are managed."""
    read = live(one_section(("T", "Changed", "text")), title="New", status="published", sku="S")
    topics = [{"id": "hello", "title": "Changed", "type": "text"}]
    lessons = [{"id": "welcome", "title": "Welcome", "topics": topics}]
    sections = [{"id": "start", "title": "Start", "lessons": lessons}]
    expected = {"title": "New", "status": "published", "sections": sections}
    assert expected == seen(course(status="draft"), read)


def test_a_read_proves_nothing_about_the_parts_of_others():
    """A read says nothing about parts that are not managed."""
    read = live(part("Y", "Theirs", lessons=[]), one_section(HELLO, ("X", "Extra", "quiz")))
    found = seen(course(), read)["sections"]
    assert ["start"] == [section["id"] for section in found]
    assert ["hello"] == [topic["id"] for topic in found[0]["lessons"][0]["topics"]]


def test_a_read_shows_a_new_order():
    """The order of parts is that of the arrays in a read (O7)."""
    ids = Ids({}, {"a": "A", "b": "B"})
    form = making.form(course(sections=[section("a", lesson()), section("b", lesson())]))
    read = live(part("B", "B", lessons=[]), part("A", "A", lessons=[]))
    assert ["b", "a"] == [item["id"] for item in KIND.reads.observed(form, ids, read)["sections"]]


def test_the_ids_of_a_create():
    """The ids of a create are its course ids, in any order (O15, O16)."""
    assert ["1", "2"] == list(
        KIND.calls.created({"courseIds": ["1", "2"], "courseGroupIds": ["3", "4"]})
    )


def test_a_whole_course_without_ids_of_parts_cannot_stand_in_for_the_plain_read():
    """What was made is recognised by ids of parts."""
    whole = live(one_section(HELLO))
    assert whole == shape_as_read(whole)
    del whole["sections"][0]["id"]
    assert None is shape_as_read(whole)
