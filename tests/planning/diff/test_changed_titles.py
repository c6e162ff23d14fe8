"""Parts that look as if they had only got another title."""

from typing import Any

import pytest

from lmssync.planning.diff.retitled_parts import (
    describe_undecided_titles,
    find_retitled,
    title_hints,
)
from tests import making
from tests.making import course, lesson, section, topic

Parts = list[tuple[str, bool]]


def unnamed(title: str, type: str = "text", **fields: Any) -> dict[str, Any]:  # noqa: A002 - as in the manifest
    """A topic without an id of its own."""
    return {"title": title, "type": type, **fields}


def found(old: list[dict[str, Any]], new: list[dict[str, Any]]) -> Parts:
    """Paths of the topics that seem to have a new title, and whether that is sure."""
    return _parts(*(course(sections=[section("s", lesson("l", *one))]) for one in (old, new)))


def _parts(before: dict[str, Any], after: dict[str, Any]) -> Parts:
    pair = making.form(before), making.form(after)
    return [(part.path, part.sure) for part in find_retitled(*pair)]


A, B = unnamed("A", body="<p>Hello</p>"), unnamed("B", body="<p>Hello</p>")
QUIZ, TEST = unnamed("Check", "quiz"), unnamed("Final check", "quiz")
KEPT = topic("kept")


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ([A], [B], [("s/l/a", True)]),
        ([A, KEPT], [KEPT, B], [("s/l/a", True)]),
        ([KEPT, QUIZ], [KEPT, TEST], [("s/l/check", True)]),
        ([topic("a", body="<p>Hello</p>")], [unnamed("A new name", body="<p>Hello</p>")],
         [("s/l/a", True)]),
        ([A], [topic("b", body="<p>Hello</p>", title="Another")], [("s/l/a", True)]),
        ([topic("old", title="A", body="<p>Hello</p>")], [A], [("s/l/old", True)]),
        ([A], [unnamed("B", body="<p>Good bye</p>")], [("s/l/a", False)]),
        ([QUIZ], [topic("check-2", "quiz", title="Check")], [("s/l/check", False)]),
        ([QUIZ], [topic("exam", "quiz", title="Check")], [("s/l/check", False)]),
        ([A, QUIZ], [B, TEST], [("s/l/a", True), ("s/l/check", True)]),
    ],
)  # fmt: skip
def test_a_topic_under_another_title(
    old: list[dict[str, Any]], new: list[dict[str, Any]], told: Parts
):
    """Its content is the same; or it stands at the place of one that left."""
    assert told == found(old, new)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ([A], [A, B]),
        ([A, B], [B]),
        ([A], [topic("b", body="<p>Bye</p>", title="Another")]),
        ([A], [unnamed("B", "quiz")]),
        ([QUIZ, KEPT], [KEPT, TEST]),
        ([topic("a", title="One")], [topic("a", title="Two")]),
    ],
)
def test_what_is_no_other_title(old: list[dict[str, Any]], new: list[dict[str, Any]]):
    """One more, one less, one that its author has named, one of another type or place."""
    assert [] == found(old, new)


def test_sections_and_lessons():
    """What stands below tells which one it is."""
    inside = lesson("l", topic("x"), topic("y"))
    before = course(sections=[{"title": "Old", "lessons": [inside]}])
    assert [("old", True)] == _parts(
        before, course(sections=[{"title": "New", "lessons": [inside]}])
    )
    named = section("s", {**inside, "id": "l"})
    other = {key: value for key, value in inside.items() if key != "id"} | {"title": "New"}
    assert [("s/l", True)] == _parts(
        course(sections=[named]), course(sections=[section("s", other)])
    )


def test_a_section_and_what_stands_in_it():
    """A section is recognised although its lesson has another title as well."""
    page = unnamed("Page", body="<p>Hello</p>")
    before, after = (
        course(
            sections=[
                {
                    "title": title,
                    "lessons": [{"title": title, "openType": "open", "topics": [page]}],
                }
            ]
        )
        for title in ("Old", "New")
    )
    assert [("old", True)] == _parts(before, after)


def test_a_lesson_with_another_id_and_another_title():
    """What it holds shows that it is the old one, and the question says why it would be new."""
    topics = topic("x", body="<p>Hello</p>"), topic("y", "quiz")
    before, after = (
        making.form(course(sections=[section("s", lesson(name, *topics, title=title))]))
        for name, title in (("old", "Old"), ("fresh", "New"))
    )
    parts = list(find_retitled(before, after))
    assert [("s/old", True)] == [(part.path, part.sure) for part in parts]
    asked = describe_undecided_titles(making.Address("course", "safety"), parts)
    assert "with another id" in asked
    assert "write `moved: [{from: s/old, to: s/fresh}]`" in asked


def test_topics_of_a_micro_course():
    """Which stand in nothing."""
    assert [("a", True)] == _parts(making.micro("x", A), making.micro("x", B))


def test_what_is_said():
    """How to keep the part, and how to go on without it; what is not sure is only a hint."""
    before, after = (
        making.form(making.micro("x", *topics))
        for topics in ((A, QUIZ), (B, unnamed("Read", body="<p>More</p>")))
    )
    parts = list(find_retitled(before, after))
    said = describe_undecided_titles(making.Address("course", "x"), parts)
    assert ("`id: a`" in said, "`--allow course.x`" in said, []) == (True, True, title_hints(parts))
