"""Forms become manifests again, in the words and the order of their authors."""

import pytest

from lmssync.catalog.manifests.export import choose_addresses, make_manifests
from lmssync.catalog.manifests.export.manifest_files import arrange_keys
from lmssync.catalog.manifests.formatter import of_document
from lmssync.errors import WrongUse
from lmssync.resource import Address
from tests import making


def test_fields_stand_where_people_look_for_them():
    """What it is and how it is called first, parts last: in the order of `lmssync fmt`."""
    data = {"sections": [{"lessons": [], "title": "S", "id": "s"}], "status": "draft", "key": "a"}
    data |= {"title": "A", "kind": "courseGroup", "resource": "course"}
    found = arrange_keys(of_document(data), data)
    assert ["resource", "key", "kind", "title", "status", "sections"] == list(found)
    assert ["id", "title", "lessons"] == list(found["sections"][0])


def test_fields_that_nobody_knows_are_kept():
    """At the end: arranging loses nothing."""
    data = {"later": 1, "resource": "course", "key": "a"}
    assert ["resource", "key", "later"] == list(arrange_keys(of_document(data), data))


def test_markdown_comes_back_as_markdown():
    """And HTML as HTML."""
    topics = [making.topic("a", markdown="*x*"), making.topic("b", body="<i>x</i>")]
    made = making.resource(making.micro("safety", *topics))
    (found,) = make_manifests({made.address: made.form})
    assert topics == found.data["topics"]


def test_references_come_back_as_names():
    """Keys, uuids, labels of tags with dots in them, paths of topics."""
    document_ = making.course(tags=["v1.0 a"], relatedCourses=["b.c", making.UUID])
    made = making.resource(document_)
    (found,) = make_manifests({made.address: made.form})
    assert document_ == found.data


def test_a_short_form_needs_its_course():
    """Where the course is not exported, it says itself which one it belongs to."""
    made = making.resource(making.criterion(topic="a/b/c", type="courseTopicViewed", percent=None))
    (found,) = make_manifests({made.address: made.form})
    assert ("safety", "a/b/c") == (found.data["course"], found.data["topic"])


def test_a_pattern_that_names_nothing_is_told():
    """It may be a slip."""
    made = making.resource(making.course())
    found, unknown = choose_addresses({made.address: made.form}, ["course.*", "license.x"])
    assert ({made.address}, ["license.x"]) == (found, unknown)


def test_short_forms_stand_inside_what_they_belong_to():
    """Where their keys begin with its key; others stay documents of their own."""
    made = [
        making.resource(document)
        for document in (
            making.course("a"),
            making.criterion("a.most", course="a"),
            making.criterion("apart", course="a"),
            making.path("b.shop", course=making.UUID),
        )
    ]
    found = list(make_manifests({one.address: one.form for one in made}))
    assert ["course.a", "criterion.apart", "path.b.shop"] == [str(m.address) for m in found]
    assert ["most"] == [short["id"] for short in found[0].data["completionCriteria"]]
    assert made[0].address == found[1].owner


def test_what_no_manifest_can_say_is_marked():
    """A form that reading would not give: of another version, or a call that is half done."""
    made = making.resource(making.course())
    (found,) = make_manifests({made.address: made.form | {"customFields": {"a": {"$ref": "b.c"}}}})
    assert (made.address,) == found.inexact


def test_a_form_that_means_nothing_is_marked():
    """Whatever an old state holds, it is written and not understood."""
    made = making.resource(making.course())
    (found,) = make_manifests({made.address: {"sections": 1, "body": {}}})
    assert ((made.address,), 1) == (found.inexact, found.data["sections"])


def test_a_kind_of_a_later_version_is_told():
    """It is not left out without a word; what is known can still be named."""
    strange = {Address("webinar", "a"): {"title": "A"}}
    with pytest.raises(WrongUse, match="a kind that this version of lmssync does not know"):
        list(make_manifests(strange))
    assert (set(), ["course.*"]) == choose_addresses(strange, ["course.*"])
