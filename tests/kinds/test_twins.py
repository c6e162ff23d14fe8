"""Siblings that a read cannot tell apart do not share a call."""

import pytest

from lmssync.kinds.course.course_form import drop_part_ids
from lmssync.kinds.course.course_pairing import first_ones
from lmssync.resource import Form


def with_topics(*titles: str) -> Form:
    """A course whose topics differ in their texts."""
    topics = [{"id": f"t{n}", "title": t, "body": str(n)} for n, t in enumerate(titles)]
    lesson = {"id": "l", "title": "Lesson", "topics": [one | {"type": "text"} for one in topics]}
    return {"sections": [{"id": "s", "title": "Section", "lessons": [lesson]}]}


@pytest.mark.parametrize(
    "titles",
    [("Hello all", "Hello all"), ("Hello all", "Hello  all"), ("Hi", " Hi"), ("a b", "a\u00a0b")],
)
def test_a_title_is_the_same_with_other_blanks(titles: tuple[str, str]):
    """The second one waits until the first one has its id."""
    assert with_topics(titles[0]) == first_ones(with_topics(*titles))


def test_other_titles_share_a_call():
    """Nothing waits where a read tells all of them apart."""
    form = with_topics("Hello", "Hello all", "All")
    assert form is first_ones(form)


def test_a_part_is_sent_without_its_id_and_without_nulls():
    """At every level; a body that is a node stays as it is."""
    node = {"$markdown": "Hi"}
    topic = {"id": "t", "title": "Hi", "body": node, "languages": [{"id": 1, "title": None}]}
    sent = {"title": "Hi", "body": node, "languages": [{}]}
    assert [{"topics": [sent]}] == drop_part_ids([{"id": "l", "topics": [topic], "openType": None}])
