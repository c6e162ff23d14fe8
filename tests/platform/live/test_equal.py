"""What was just made and is shown as it was sent: counted in one walk, as the comparison counts."""

from typing import Any

import pytest

from lmssync.kinds import KINDS
from lmssync.platform.live.readable_fields import is_declared, leaf_paths, readable_fields
from lmssync.platform.live.value_equality import Expected, count_equal
from lmssync.state import Counts
from lmssync.vocabulary.routes import CORE_ROUTES
from tests.making import course, form, lesson, section, topic

from .test_merge import bind, live

EXPECTED = Expected(KINDS["course"].reads, bind, readable_fields("course", CORE_ROUTES))
COURSE = course(
    sections=[section("start", lesson("one", topic("a"), topic("b")), lesson("two", topic("c")))],
    tags=["Safety"],
)


def as_shown(**changed: Any) -> dict[str, Any]:
    """What a read shows of the course, with some of it changed."""
    before = form(COURSE)
    return {"title": before["title"], "sections": before["sections"]} | changed


@pytest.mark.parametrize(
    "shown",
    [
        {},
        as_shown(),
        as_shown(tags=["1"]),
        as_shown(sections=[{**form(COURSE)["sections"][0], "releaseDate": None}]),
    ],
)
def test_it_counts_the_same_fields_as_the_comparison(shown: dict[str, Any]):
    """Fields that are shown are proven; of the rest, some can be read and some never."""
    before, fields = form(COURSE), leaf_paths(form(COURSE))
    _, proven = live(before, shown)
    rest = [path for path in fields if path not in proven]
    never = [path for path in rest if not is_declared(EXPECTED.readable, path)]
    counts = Counts(len(fields), len(fields) - len(rest), unverifiable=len(never))
    assert counts == count_equal(EXPECTED, before, shown)


@pytest.mark.parametrize(
    "shown",
    [
        as_shown(title="Theirs"),
        as_shown(sections=[]),
        as_shown(sections=[{**form(COURSE)["sections"][0], "lessons": []}]),
        as_shown(sections=[{**form(COURSE)["sections"][0], "title": "Theirs"}]),
        as_shown(
            sections=[{**one, "lessons": one["lessons"][::-1]} for one in form(COURSE)["sections"]]
        ),
        as_shown(tags=["9"]),
    ],
)
def test_what_differs_is_left_to_the_comparison(shown: dict[str, Any]):
    """A title, a part that is gone, another order, another tag."""
    assert count_equal(EXPECTED, form(COURSE), shown) is None
