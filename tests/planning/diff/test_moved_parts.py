"""Parts that go to another parent are recognised."""

from typing import Any

import pytest

from lmssync.planning.diff.moved_parts import describe_undecided_moves, move_hints, moved_parts
from tests import making
from tests.making import course, lesson, section, topic

HELLO = topic("hello", body="<p>Hello</p>")
CHECK = topic("check", type="quiz")
STAYS = topic("stays")
Moves = list[tuple[str, str, str]]


def moves(before: list[Any], after: list[Any]) -> Moves:
    """What moves between two lists of sections: what it is, and both paths."""
    forms = [making.form(course(sections=sections)) for sections in (before, after)]
    return [(part.noun, part.was, part.now) for part in moved_parts(*forms)]


def lessons(*topics: list[Any]) -> list[Any]:
    """One section with a lesson for each list of topics."""
    return [section("s", *(lesson(f"l{n}", *one) for n, one in enumerate(topics)))]


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        (([STAYS, HELLO], [CHECK]), ([STAYS], [CHECK, HELLO]),
         [("topic", "s/l0/hello", "s/l1/hello")]),
        (([STAYS, HELLO], [CHECK]), ([STAYS], [CHECK, HELLO | {"title": "Hi", "body": "new"}]),
         [("topic", "s/l0/hello", "s/l1/hello")]),
        (([STAYS, HELLO], [CHECK]), ([STAYS], [CHECK, HELLO | {"id": "other"}]),
         [("topic", "s/l0/hello", "s/l1/other")]),
        (([STAYS, HELLO], [CHECK]), ([STAYS, CHECK], [HELLO]),
         [("topic", "s/l1/check", "s/l0/check"), ("topic", "s/l0/hello", "s/l1/hello")]),
    ],
)  # fmt: skip
def test_a_topic_that_goes_to_another_lesson(before: Any, after: Any, told: Moves):
    """It is known by its id, or by title, type and content."""
    assert told == moves(lessons(*before), lessons(*after))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (([STAYS, HELLO], [CHECK]), ([HELLO, STAYS], [CHECK])),
        (([STAYS, HELLO], [CHECK]), ([STAYS], [CHECK, topic("hello", type="quiz")])),
        (([STAYS, HELLO], [CHECK]), ([STAYS], [CHECK, topic("new", body="<p>New</p>")])),
        (([STAYS, CHECK], [HELLO, CHECK], []), ([STAYS], [HELLO], [CHECK])),
        (([STAYS], [CHECK]), ([STAYS, CHECK], [CHECK])),
    ],
)
def test_what_is_no_move(before: Any, after: Any):
    """Another order, another type, other content, two that it may have been, one more of it."""
    assert [] == moves(lessons(*before), lessons(*after))


def test_a_lesson_takes_its_topics_along():
    """A lesson that goes to another section is one move, whatever stands in it."""
    one, two = lesson("one", HELLO, CHECK), lesson("two", STAYS)
    before = [section("a", one, two), section("b")]
    assert [("lesson", "a/one", "b/one")] == moves(before, [section("a", two), section("b", one)])


def test_a_section_under_another_title_moves_nothing():
    """What stands in a part that only has another title stays where it is."""
    before, after = (
        making.form(course(sections=[{"title": title, "lessons": [lesson("l", HELLO)]}]))
        for title in ("Old", "New")
    )
    assert [] == moved_parts(before, after, {"old"})


def test_what_is_said():
    """Where from, where to, what the platform cannot do, and how to go on."""
    forms = [
        making.form(course(sections=lessons(*topics)))
        for topics in (([STAYS, HELLO], [CHECK]), ([STAYS], [CHECK, HELLO]))
    ]
    moved = moved_parts(*forms)
    text = "“Hello” moves from `s/l0` to `s/l1`: the platform cannot move a topic"
    assert move_hints(moved)[0].startswith(text)
    assert describe_undecided_moves(making.Address("course", "x"), moved).endswith(
        "`--allow course.x`"
    )
    assert "" == describe_undecided_moves(making.Address("course", "x"), [])
