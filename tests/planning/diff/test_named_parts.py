"""Parts that have been given ids since they were recorded."""

from typing import Any

import pytest

from lmssync.planning.diff.moved_parts import find_named_parts
from tests import making
from tests.making import course, lesson, section, topic

HELLO = {"title": "Hello to everybody who is new here", "type": "quiz"}
BYE = {"title": "Good bye to everybody who leaves us", "type": "quiz"}
LONG = "s/l/hello-to-everybody-who-is-new-here"


def called(before: dict[str, Any], **ids: str) -> dict[str, Any]:
    """The part with an id, and perhaps with something else."""
    return {**before, **ids}


def paths(old: list[dict[str, Any]], new: list[dict[str, Any]]) -> dict[str, str]:
    """Of topics of one lesson: the paths that have changed."""
    pair = (course(sections=[section("s", lesson("l", *one))]) for one in (old, new))
    return dict(find_named_parts(*map(making.form, pair), {}))


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ([HELLO], [called(HELLO, id="h")], {LONG: "s/l/h"}),
        ([HELLO, BYE], [BYE, called(HELLO, id="h")], {LONG: "s/l/h"}),
        ([HELLO, HELLO], [called(HELLO, id="a"), called(HELLO, id="b")],
         {LONG: "s/l/a", f"{LONG}-2": "s/l/b"}),
        ([HELLO], [called(HELLO, id="h"), topic("new")], {LONG: "s/l/h"}),
    ],
)  # fmt: skip
def test_they_are_the_same(
    old: list[dict[str, Any]], new: list[dict[str, Any]], told: dict[str, str]
):
    """Title and type say which is which, and the order where several are alike."""
    assert told == paths(old, new)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ([{"title": "Hello", "type": "quiz"}], [{"id": "h", "title": "Hello", "type": "quiz"}]),
        ([HELLO], [HELLO, called(HELLO, id="h")]),
        ([HELLO], [called(HELLO, id="h", type="test")]),
        ([HELLO], [called(HELLO, id="h", title="Hi")]),
        ([HELLO], [called(HELLO, id="a"), called(HELLO, id="b")]),
        ([HELLO, HELLO], [called(HELLO, id="a")]),
        ([called(HELLO, id="a")], [called(HELLO, id="b")]),
        ([called(HELLO, id="a")], [HELLO]),
    ],
)
def test_they_are_not_known_to_be_the_same(old: list[dict[str, Any]], new: list[dict[str, Any]]):
    """Another title, another type, other numbers of them, or an id that is the author's own."""
    assert {} == paths(old, new)


def test_a_short_id_shows_what_it_was():
    """A part with the short form of its id is the same, even under another title."""
    short = "hello-to-everybody-who"
    new = [called(HELLO, id=short, title="Hi"), called(HELLO, id=f"{short}-2", title="Ho")]
    assert {LONG: f"s/l/{short}", f"{LONG}-2": f"s/l/{short}-2"} == paths([HELLO, HELLO], new)
    assert {} == paths([HELLO], [called(HELLO, id=short, type="test")])


def test_what_stands_in_them_goes_along():
    """A lesson has another path once its section has an id."""
    inner = lesson("l", topic("t"))
    old = course(sections=[{"title": "x" * 25, "lessons": [inner]}])
    new = course(sections=[{"id": "s", "title": "x" * 25, "lessons": [inner]}])
    paths = find_named_parts(making.form(old), making.form(new), {})
    assert ["s", "s/l", "s/l/t"] == list(paths.values())
