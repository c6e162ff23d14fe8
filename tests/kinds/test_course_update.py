"""How a changed course is changed: entries, waves and steps for a person."""

import subprocess
import sys
from typing import Any

import pytest

from lmssync.kind import UpdatePlan
from lmssync.kinds.course.course_changes import language_step
from tests.making import course, described, lesson, micro, section, topic

COURSE = {"$ref": "course.safety", "id": "course"}
GROUP = {"$ref": "course.safety", "id": "courseGroup"}
LESSON = {"$ref": "course.safety", "id": "lesson"}


def part(path: str) -> dict[str, str]:
    return {"$ref": "course.safety", "id": "id", "part": path}


def sent(found: UpdatePlan) -> list[dict[str, Any]]:
    """The lists of each call, in their order."""
    return [piece.body["courseAttributes"] for piece in found.calls]


def asked(found: UpdatePlan) -> list[str]:
    """Fields that are left to a person."""
    return [step.field for step in found.manual]


def change(before: dict[str, Any], after: dict[str, Any]) -> UpdatePlan:
    """From one set of fields of a course to another."""
    return described(course(**before), course(**after))


def outline(before: list[Any], after: list[Any]) -> UpdatePlan:
    return described(course(sections=before), course(sections=after))


def test_nothing_differs_nothing_is_sent():
    """If nothing differs there is neither a call nor a step."""
    assert UpdatePlan([], []) == change({}, {})


def test_only_what_differs_is_sent():
    """A changed field is sent to the level that has it (O2, O8)."""
    found = change({"isbn": "1", "ribbon": "a"}, {"isbn": "1", "ribbon": "b", "sku": "S"})
    assert [
        {"courseGroups": [{"id": GROUP, "ribbon": "b"}], "courses": [{"id": COURSE, "sku": "S"}]}
    ] == sent(found)


def test_references_are_sent_under_their_own_names():
    """`tags` of the manifest are `tagIds` of the platform; the list is replaced (O8)."""
    (lists,) = sent(change({"tags": ["A"]}, {"tags": ["A", "B"]}))
    nodes = [{"$ref": "tag.A", "id": "id"}, {"$ref": "tag.B", "id": "id"}]
    assert [{"id": GROUP, "tagIds": nodes}] == lists["courseGroups"]


def test_null_clears():
    """An explicit null is sent (O2)."""
    after = course() | {"ribbon": None}
    assert [{"courseGroups": [{"id": GROUP, "ribbon": None}]}] == sent(
        described(course(ribbon="a"), after)
    )


def test_a_field_that_is_left_out_is_left_alone():
    """A field that leaves the manifest is not sent."""
    assert [] == sent(change({"ribbon": "a"}, {}))


def test_custom_fields_are_sent_whole():
    """Merged or replaced, the whole object is right either way (O13)."""
    (lists,) = sent(change({"customFields": {"a": "1"}}, {"customFields": {"a": "1", "b": "2"}}))
    assert {"a": "1", "b": "2"} == lists["courseGroups"][0]["customFields"]


@pytest.mark.parametrize(
    ("field", "before", "after"), [("source", "a", "b"), ("status", "draft", "published")]
)
def test_fields_that_no_route_changes(field: str, before: str, after: str):
    """Fields that no route changes are steps for a person and keep their record (O8, O39)."""
    found = change({field: before, "isbn": "1"}, {field: after, "isbn": "2"})
    assert [field] == asked(found)
    assert [{"courseGroups": [{"id": GROUP, "isbn": "2"}]}] == sent(found)
    assert before == found.calls[-1].after[field]


def test_a_field_that_no_route_sets_is_not_recorded():
    """A field that no route sets is not recorded until a person has set it."""
    found = change({}, {"source": "a", "isbn": "1"})
    assert "source" not in found.calls[-1].after


def test_the_kind_cannot_change():
    """A changed kind is a single step for a person, whatever else differs."""
    found = described(course(), micro())
    assert ([], ["kind"]) == (list(found.calls), asked(found))


@pytest.mark.parametrize(
    ("before", "after", "fields"),
    [
        (
            {"kind": "video", "videoUrl": "https://a"},
            {"videoUrl": "https://b"},
            {"videoUrl": "https://b"},
        ),
        ({"kind": "shareableContentObject", "scormUrl": "https://a"}, {"width": 5}, {"width": 5}),
        (
            {"kind": "article", "articleVariant": {"body": "a"}},
            {"articleVariant": {"body": "b"}},
            {"body": "b"},
        ),
    ],
)
def test_kinds_with_one_topic_change_through_it(
    before: dict[str, Any], after: dict[str, Any], fields: dict[str, Any]
):
    """Content of an article, video or package is sent to its one topic (O9)."""
    found = change({"sections": None} | before, {"sections": None} | before | after)
    assert [{"topics": [{"id": part("main"), **fields}]}] == sent(found)


@pytest.mark.parametrize(
    ("kind", "field"), [("article", "title"), ("article", "languages"), ("video", "body")]
)
def test_what_else_a_variant_holds_is_for_a_person(kind: str, field: str):
    """A text under a player, or languages of an article, are for a person to change (O8)."""
    values = {"title": ("a", "b"), "body": ("a", "b"), "languages": ([], [{"language": "de"}])}
    fixed = {"kind": kind, "sections": None, "videoUrl": "https://x" if kind == "video" else None}
    before, after = ({"articleVariant": {field: value}, **fixed} for value in values[field])
    found = change(before, after)
    assert ([], [f"articleVariant.{field}"]) == (sent(found), asked(found))


def test_a_changed_topic():
    """Of a changed topic, only its id and the changed fields are sent."""
    before, after = (
        [section("s", lesson("l", topic("t", body=text, preTextBlock="x")))] for text in ("a", "b")
    )
    assert [{"topics": [{"id": part("s/l/t"), "body": "b"}]}] == sent(outline(before, after))


def test_changes_of_every_level_go_together():
    """Changes of all levels go in one call."""
    before = [section("s", lesson("l", topic("t", body="a")))]
    changed = lesson("l", topic("t", body="b"), title="L2")
    (lists,) = sent(outline(before, [section("s", changed, title="S2")]))
    assert {"sections", "lessons", "topics"} == lists.keys()


def test_a_topic_cannot_change_its_type():
    """A changed type of a topic is a step for a person, and the record keeps the old one (O9)."""
    before, after = ([section("s", lesson("l", topic("t", kind)))] for kind in ("quiz", "test"))
    found = outline(before, after)
    assert ([], ["topics[s/l/t].type"]) == (sent(found), asked(found))


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ({"de": "a"}, {"de": "a", "fr": "b"}, "add `fr`"),
        ({"de": "a", "es": "b"}, {"de": "c"}, "in `de` change `body` and take `es` away"),
        ({"de": "a", "fr": "b"}, {"fr": "b", "de": "a"}, "into this order, `fr`, `de`"),
        ({}, {}, "edit the languages"),
    ],
)
def test_a_step_names_the_languages(before: dict[str, str], after: dict[str, str], words: str):
    """Whoever edits an article knows which languages to add, to change and to take away."""
    was, now = (
        [{"language": tag, "body": body} for tag, body in texts.items()]
        for texts in (before, after)
    )
    assert words in language_step(was, now)


def test_languages_of_a_topic_are_for_a_person():
    """Changed languages of a topic are a step for a person (O9)."""
    before, after = (
        [section("s", lesson("l", topic("t", "article", languages=[{"language": name}])))]
        for name in ("de", "fr")
    )
    assert ["topics[s/l/t].languages"] == asked(outline(before, after))


def test_an_added_topic():
    """An added topic names its lesson, and its call may not be repeated (O3)."""
    before = [section("s", lesson("l", topic("a")))]
    found = outline(before, [section("s", lesson("l", topic("a"), topic("b")))])
    added = {"lessonId": part("s/l"), "title": "B", "type": "text"}
    assert [{"topics": [added]}] == sent(found)
    assert (True, False) == (found.calls[0].adds, found.calls[0].repeatable)


def test_an_added_section_takes_three_waves():
    """A new section, its lesson and its topic take a call each (O4)."""
    new = section("n", lesson("l", topic("t")))
    found = outline([section("s")], [section("s"), new])
    assert [
        {"sections": [{"courseId": COURSE, "title": "N"}]},
        {"lessons": [{"sectionId": part("n"), "title": "L", "openType": "open"}]},
        {"topics": [{"lessonId": part("n/l"), "title": "T", "type": "text"}]},
    ] == sent(found)


def test_each_call_records_what_is_there_by_then():
    """After each call of an addition the record has the parts that exist by then."""
    found = outline([section("s")], [section("s"), section("n", lesson("l", topic("t")))])
    shown = [
        [
            [topic["id"] for topic in lesson["topics"]]
            for lesson in piece.after["sections"][1]["lessons"]
        ]
        for piece in found.calls
    ]
    assert [[], [[]], [["t"]]] == shown


def test_additions_at_every_depth_share_waves():
    """Three additions of one, two and three levels take three calls, not six."""
    before = [section("s", lesson("l", topic("t")))]
    after = [
        section("s", lesson("l", topic("t"), topic("t2")), lesson("l2", topic("x"))),
        section("n", lesson("m", topic("y"))),
    ]
    levels = [sorted(lists) for lists in sent(outline(before, after))]
    assert [["lessons", "sections", "topics"], ["lessons", "topics"], ["topics"]] == levels


def test_changes_go_before_additions_of_the_same_wave():
    """Changes come before additions in the same call."""
    before = [section("s", lesson("l", topic("a", body="x")))]
    after = [section("s", lesson("l", topic("a", body="y"), topic("b")))]
    (lists,) = sent(outline(before, after))
    assert [part("s/l/a"), None] == [entry.get("id") for entry in lists["topics"]]


def test_what_is_removed_is_for_a_person_and_stays_recorded():
    """A removed topic is a step for a person and stays recorded until it is confirmed (O11)."""
    before = [section("s", lesson("l", topic("a"), topic("b", body="x")))]
    after = [section("s", lesson("l", topic("a", body="new")))]
    found = outline(before, after)
    assert ["topics[s/l/b]"] == asked(found)
    assert ["a", "b"] == [
        t["id"] for t in found.calls[0].after["sections"][0]["lessons"][0]["topics"]
    ]


@pytest.mark.parametrize("removed", ["sections", "lessons"])
def test_removed_parents_are_one_step(removed: str):
    """A removed section is one step, including what is in it."""
    extra = {"sections": [section("x")], "lessons": []}[removed]
    inner = [lesson("y")] if removed == "lessons" else []
    found = outline([section("s", lesson(), *inner), *extra], [section("s", lesson())])
    assert 1 == len(asked(found))


def test_removing_only_needs_no_call():
    """A removal needs no call."""
    assert [] == sent(outline([section("s"), section("x")], [section("s")]))


def test_a_new_order_is_sent_as_positions():
    """A new order is sent as positions of all siblings, since reads return none (O7)."""
    before = [section("a"), section("b"), section("c")]
    (lists,) = sent(outline(before, [section("c"), section("a"), section("b")]))
    assert [(part("c"), 0), (part("a"), 1), (part("b"), 2)] == [
        (entry["id"], entry["position"]) for entry in lists["sections"]
    ]


def test_an_addition_at_the_end_moves_nothing():
    """An addition at the end needs no positions, since new children are appended (O7)."""
    (lists, *_) = sent(outline([section("a")], [section("a"), section("b")]))
    assert [{"courseId": COURSE, "title": "B"}] == lists["sections"]


def test_an_addition_in_the_middle_has_a_position():
    """An addition in the middle is sent with its position and those of the siblings after it."""
    (lists, *_) = sent(outline([section("a"), section("c")], [section(n) for n in "abc"]))
    assert {"A": 0, "B": 1, "C": 2} == {
        entry.get("title") or entry["id"]["part"].upper(): entry["position"]
        for entry in lists["sections"]
    }


def test_positions_count_what_waits_to_be_deleted():
    """What left keeps its place behind the one that it stood behind (O11)."""
    before, after = [section(n) for n in "abc"], [section(n) for n in "anc"]
    (lists, *_) = sent(outline(before, after))
    assert {"A": 0, "N": 2, "C": 3} == {
        entry.get("title") or entry["id"]["part"].upper(): entry["position"]
        for entry in lists["sections"]
    }


def test_topics_of_a_micro_course_stand_in_its_lesson():
    """The platform made one lesson (O19); new topics name it."""
    (lists,) = sent(described(micro("safety", topic("a")), micro("safety", topic("a"), topic("b"))))
    assert [{"lessonId": LESSON, "title": "B", "type": "text"}] == lists["topics"]


@pytest.mark.parametrize(("topics", "calls"), [(100, 1), (101, 2), (250, 3)])
def test_no_call_has_more_than_a_hundred_entries(topics: int, calls: int):
    """Entries of all lists together (O5)."""
    before, after = (
        micro("safety", *(topic(f"t{n}", body=text) for n in range(topics))) for text in "ab"
    )
    found = described(before, after)
    assert calls == len(found.calls)
    assert topics == sum(len(lists["topics"]) for lists in sent(found))


def test_until_the_last_change_the_old_form_is_recorded():
    """A run that stops half-way plans the rest again: changes may be repeated."""
    before, after = (
        micro("safety", *(topic(f"t{n}", body=text) for n in range(101))) for text in "ab"
    )
    first, last = described(before, after).calls
    assert ["a", "b"] == [piece.after["topics"][0]["body"] for piece in (first, last)]


@pytest.mark.parametrize(
    ("fields", "repeatable"),
    [({"isbn": "2"}, True), ({"asset": "https://x"}, False), ({"detailAsset": "https://x"}, False)],
)
def test_calls_that_queue_jobs_are_not_repeated(fields: dict[str, Any], repeatable: bool):
    """Sending a URL again fetches it again (O6)."""
    (piece,) = change({"isbn": "1"}, fields).calls
    assert repeatable == piece.repeatable


def test_restart_progress_is_never_sent():
    """A new package keeps learners' progress unless an author says otherwise (O10)."""
    before, after = (
        course(kind="shareableContentObject", sections=None, scormUrl=url)
        for url in ("https://a", "https://b")
    )
    assert "restartProgress" not in str(sent(described(before, after)))


CODE = """
from tests.making import course, described, section
before = course(source="a", status="draft", sections=[section(n) for n in "abcdefgh"])
after = course(source="b", status="published", sections=[section("a")])
print([step.field for step in described(before, after).manual])
"""


@pytest.mark.slow
def test_steps_for_a_person_come_in_the_order_of_the_course():
    """The same change is told in the same words, run after run."""
    fields = ["source", "status"] + [f"sections[{name}]" for name in "bcdefgh"]
    for seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", CODE],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        )
        assert f"{fields}\n" == done.stdout
