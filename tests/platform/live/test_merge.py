"""The live form: what is recorded, with what differs on the platform in its place."""

from typing import Any

import pytest

from lmssync.kind import Ids
from lmssync.kinds import KINDS
from lmssync.platform.live.readable_fields import leaf_paths
from lmssync.platform.live.value_equality import Comparison
from tests.making import course, form, lesson, micro, path, section, topic

IDS = {"tag.Safety": "1", "course.other": "2"}
PARTS = Ids({"course": "C"}, {"start": "S", "start/welcome": "L", "start/welcome/hello": "T"})


def bind(value: Any) -> Any:
    """Ids in the place of references, and HTML in that of Markdown."""
    if isinstance(value, list):
        return [bind(item) for item in value]
    if isinstance(value, dict) and "$ref" in value:
        return IDS[value["$ref"]]
    if isinstance(value, dict):
        return value.get("$markdown", {key: bind(item) for key, item in value.items()})
    return value


def live(recorded: Any, shown: Any, kind: str = "course") -> tuple[Any, set[str]]:
    """The live form, and what was proven."""
    comparison = Comparison(KINDS[kind].reads, bind)
    return comparison.merge_shown(recorded, recorded, shown), comparison.proven


@pytest.mark.parametrize(
    ("field", "recorded", "shown"),
    [
        ("enrollmentEndDate", "2027-01-31", "2027-01-31T00:00:00.000Z"),
        ("courseEndDate", "2027-01-31T12:00:00+02:00", "2027-01-31T10:00:00.000Z"),
        ("tags", ["Safety"], ["1"]),
        ("metaTitle", "A < B &amp; C", "A < B & C"),
        ("description", None, None),
        ("detailAssetAltText", None, ""),
        ("customFields", {"owner": "x", "room": None}, {"owner": "x"}),
    ],
)
def test_a_value_that_means_the_same_stays_as_it_is_recorded(
    field: str, recorded: Any, shown: Any
) -> None:
    """Dates, names, cleaned texts and cleared fields are compared as the platform keeps them."""
    data = course(**{field: recorded}) if recorded is not None else course() | {field: None}
    before = form(data)
    found, proven = live(before, {field: shown})
    assert before == found
    assert field in proven


def test_another_value_is_put_in_its_place():
    """A field that differs has the value of the platform, the others stay."""
    before = form(course(description="Ours", isbn="1"))
    assert before | {"description": "Theirs"} == live(before, {"description": "Theirs"})[0]


def test_a_list_keeps_the_names_of_what_stayed_in_it():
    """An id that the record knows by name is not shown as an id."""
    before = form(course(tags=["Safety"]))
    assert [before["tags"][0], "9"] == live(before, {"tags": ["1", "9"]})[0]["tags"]


def test_a_field_that_git_does_not_manage_is_left_out():
    """What the manifest does not say is not compared."""
    before = form(course())
    assert (before, set()) == live(before, {"ribbon": "new"})


def test_what_cannot_be_bound_is_not_proven():
    """Markdown is compared as HTML; a change shows as HTML."""
    before = form(micro("a", topic("x", markdown="Hi")))
    same = {"topics": [{"id": "x", "title": "X", "body": "Hi"}]}
    other = {"topics": [{"id": "x", "title": "X", "body": "<p>Ho</p>"}]}
    assert before == live(before, same)[0]
    assert "<p>Ho</p>" == live(before, other)[0]["topics"][0]["body"]


def test_fields_of_parts_are_proven_by_their_paths():
    """The path of a proven field is that of a difference."""
    read = {"id": "C", "title": "Safety", "sections": [tree(accessLevel="open")]}
    before = form(course())
    _, proven = live(before, KINDS["course"].reads.readings[-1].shows(before, PARTS, read))
    lesson_ = "sections[start].lessons[welcome]"
    fields = {f"{lesson_}.{name}" for name in ("title", "openType", "topics.order")}
    assert fields <= proven


def test_an_access_level_that_is_not_known_proves_nothing():
    """A null is not a change (O23)."""
    read = {"id": "C", "title": "Safety", "sections": [tree(accessLevel=None)]}
    before = form(course())
    live_form, proven = live(before, KINDS["course"].reads.readings[-1].shows(before, PARTS, read))
    assert before == live_form
    assert "sections[start].lessons[welcome].openType" not in proven


def tree(**of_lesson: Any) -> Any:
    topic_ = {"id": "T", "title": "Hello", "type": "text"}
    lesson_ = {"id": "L", "title": "Welcome", "topics": [topic_], **of_lesson}
    return {"id": "S", "title": "Start", "releaseAt": None, "lessons": [lesson_]}


def test_parts_that_are_gone_are_left_out():
    """Parts stand in the order of the read, without those that it does not show."""
    before = form(course(sections=[section(name, lesson()) for name in ("a", "b", "c")]))
    shown = {"sections": [{"id": "c", "title": "C"}, {"id": "a", "title": "A"}]}
    assert ["c", "a"] == [item["id"] for item in live(before, shown)[0]["sections"]]


def test_a_label_is_compared_as_the_platform_keeps_it():
    """A purchase path with markup that the platform removes is the same."""
    before = form(
        path(label="Buy <script>x</script><b>now</b>", course=f"{1:08}-0000-4000-8000-{2:012}")
    )
    shown = {"label": "Buy x<b>now</b>", "target": {"url": "https://other.example.com"}}
    found, _ = live(before, shown, "path")
    assert before["label"] == found["label"]
    assert {"url": "https://other.example.com"} == found["target"]


def test_a_list_of_people_is_one_field():
    """Nobody's id stands in the path of a field."""
    people = {"licenses": ["1"], "users": [{"id": "7d1c", "email": "ann@example.com"}]}
    assert ["licenses", "users"] == list(leaf_paths(people))
