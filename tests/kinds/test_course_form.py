"""From the manifest of a course to its form, and to the call that makes it."""

from typing import Any

import pytest

from lmssync.kinds import KINDS
from lmssync.kinds.course.course_form import part_types
from lmssync.kinds.sibling_names import part_names
from lmssync.resource import Reference
from tests import making
from tests.making import UUID, course, lesson, micro, section, topic


def titled(*titles: str) -> list[str]:
    return part_names([{"title": title} for title in titles])


@pytest.mark.parametrize(
    ("titles", "ids"),
    [
        (["Start here"], ["start-here"]),
        (["A", "A", "A"], ["a", "a-2", "a-3"]),
        (["A", "A 2", "A"], ["a", "a-2", "a-3"]),
        (["漢字", "漢字"], ["untitled", "untitled-2"]),
        (["Über uns / FAQ_1"], ["ber-uns-faq-1"]),
        ([], []),
    ],
)
def test_ids_come_from_titles(titles: list[str], ids: list[str]):
    """Ids are slugs of the titles, numbered if they repeat."""
    assert ids == titled(*titles)


def test_written_ids_are_kept_and_avoided():
    """A derived id never takes one that an author has written, before or after."""
    items = [{"title": "A"}, {"title": "B", "id": "a"}]
    assert ["a-2", "a"] == part_names(items)


def test_derived_ids_do_not_change_the_fingerprint():
    """Writing out the id that was derived anyway changes nothing."""
    derived = course(sections=[{k: v for k, v in section().items() if k != "id"}])
    assert making.resource(course()).fingerprint == making.resource(derived).fingerprint


def test_the_order_of_fields_does_not_matter():
    """The order of fields does not change the fingerprint."""
    backwards = dict(reversed(course().items()))
    assert making.resource(course()).fingerprint == making.resource(backwards).fingerprint


def test_parts_of_a_standard_course():
    """Each part has a path and a type."""
    form = making.form(course(sections=[section("s", lesson("l", topic("t", "quiz")))]))
    assert {"s": "section", "s/l": "lesson", "s/l/t": "quiz"} == part_types(form)


def test_parts_of_a_micro_course():
    """In a microCourse the paths start with the topics."""
    assert {"t": "quiz"} == part_types(making.form(micro("a", topic("t", "quiz"))))


@pytest.mark.parametrize(
    ("kind", "fields"),
    [("article", {"articleVariant": {"body": "x"}}), ("video", {"videoUrl": "https://x"})],
)
def test_the_one_topic_of_other_kinds_is_called_main(kind: str, fields: dict[str, Any]):
    """The topic that the platform makes (O19) is called `main`, so that criteria can name it."""
    form = making.form(course(kind=kind, sections=None, **fields))
    assert {"main": kind} == part_types(form)


def test_references_become_nodes():
    """A key becomes a reference to an id, and a uuid stays as it is."""
    form = making.form(course(tags=["Safety"], prerequisiteCourses=["first", UUID]))
    assert [{"$ref": "tag.Safety", "id": "id"}] == form["tags"]
    assert [{"$ref": "course.first", "id": "course"}, UUID] == form["prerequisiteCourses"]


def test_references_have_paths():
    """A reference has the path of its name, for problems; a uuid is no reference."""
    data = course(tags=["A"], relatedCourses=[UUID, "b"])
    assert (
        Reference(("tags", 0), "tag", "A"),
        Reference(("relatedCourses", 1), "course", "b", deferrable=True),
    ) == making.resource(data).references


def test_markdown_is_rendered_when_it_is_sent():
    """The form keeps Markdown as written."""
    form = making.form(micro("a", topic(markdown="*x*")))
    assert {"$markdown": "*x*"} == form["topics"][0]["body"]


def test_languages_keep_markdown_too():
    """Languages keep Markdown as well, in topics and in articles."""
    languages = [{"language": "de", "markdown": "*x*"}]
    node = [{"language": "de", "body": {"$markdown": "*x*"}}]
    data = micro("a", topic("t", "article", languages=languages))
    assert node == making.form(data)["topics"][0]["languages"]
    article = course(kind="article", sections=None, articleVariant={"languages": languages})
    assert node == making.form(article)["articleVariant"]["languages"]


def test_slots_are_every_place_for_a_body():
    """A body can stand in a topic, in a variant and in its languages."""
    languages = [{"language": "de"}]
    data = course(sections=[section("s", lesson("l", topic("t", "article", languages=languages)))])
    where = ("sections", 0, "lessons", 0, "topics", 0)
    found = [slot.path for slot in KINDS["course"].authoring.body_fields(data)]
    assert [where, (*where, "languages", 0)] == found


def test_body_files_are_the_slots_that_name_a_file():
    """A file can be named in a topic and in a language; other slots are left out."""
    languages = [{"language": "de", "bodyFile": "b.md"}, {"language": "fr", "markdown": "Oui."}]
    topics = [topic("t", "text", bodyFile="a.md"), topic("u", "article", languages=languages)]
    data = course(sections=[section("s", lesson("l", *topics))])
    named = [slot.holder["bodyFile"] for slot in KINDS["course"].authoring.body_files(data)]
    assert ["a.md", "b.md"] == named


def test_the_entry_of_a_create():
    """A create has the specification's names, without keys, ids of parts or nulls (spec 2.2)."""
    data = course(tags=["A"], ribbon=None, sku="S", authors=[], description=None)
    data["metaTitle"] = None
    assert {
        "courseAttributes": [
            {
                "kind": "courseGroup",
                "title": "Safety",
                "sku": "S",
                "authors": [],
                "tagIds": [{"$ref": "tag.A", "id": "id"}],
                "sections": [
                    {
                        "title": "Start",
                        "lessons": [
                            {
                                "title": "Welcome",
                                "openType": "open",
                                "topics": [{"title": "Hello", "type": "text"}],
                            }
                        ],
                    }
                ],
            }
        ]
    } == making.created(data)


@pytest.mark.parametrize(("sku", "sent"), [(None, "ls-x"), ("OWN", "OWN")])
def test_the_marker_goes_where_the_author_set_none(sku: str | None, sent: str):
    """The mark never replaces the author's own sku."""
    (entry,) = making.created(course(sku=sku), "sku=ls-x")["courseAttributes"]
    assert sent == entry["sku"]


def test_custom_fields_are_sent_whole():
    """In custom fields a null clears a field, and an `id` is an ordinary field."""
    fields = {"id": "x", "gone": None}
    (entry,) = making.created(course(customFields=fields))["courseAttributes"]
    assert fields == entry["customFields"]
