"""The order of keys."""

from textwrap import dedent
from typing import Any

import pytest

from lmssync.catalog.manifests.formatter import of_document
from lmssync.catalog.manifests.formatter.yaml_order import of_resource
from lmssync.kind import Kind
from lmssync.kinds import KINDS

from .texts import after, stays

EVERY = pytest.mark.parametrize("kind", KINDS.values(), ids=list(KINDS))


def keys(text: str) -> list[str]:
    return [line.split(":")[0] for line in text.splitlines() if line[:1].isalnum()]


@EVERY
def test_every_field_has_a_place(kind: Kind):
    """What an author may write is known, short forms included."""
    shape = of_resource(kind.resource)
    fields = {field.alias or name for name, field in kind.spec.model_fields.items()}
    assert set() == (fields | {nested.field for nested in kind.authoring.nested}) - set(shape.ranks)


@EVERY
def test_identity_comes_first(kind: Kind):
    """And what a manifest says about itself comes last."""
    ranks = list(of_resource(kind.resource).ranks)
    assert (["resource", "key"], ["moved", "lifecycle"]) == (ranks[:2], ranks[-2:])


def test_a_course_reads_from_the_tile_to_the_content():
    """Catalog, then session, then content, then what is beside the course."""
    text = dedent("""\
        purchasePaths: []
        sections: []
        sku: A
        lifecycle: {}
        title: A
        completionCriteria: []
        kind: courseGroup
        key: a
        description: A
        resource: course
        """)
    wanted = "resource key kind title description sku sections completionCriteria purchasePaths"
    assert [*wanted.split(), "lifecycle"] == keys(after(text))


def test_parts_are_sorted_at_every_level():
    """Sections, lessons, topics, languages."""
    text = dedent("""\
        resource: course
        sections:
          - lessons:
              - topics:
                  - languages:
                      - markdown: x
                        language: de
                    type: text
                    id: a
                title: B
            title: A
        """)
    assert """\
resource: course
sections:
  - title: A
    lessons:
      - title: B
        topics:
          - id: a
            type: text
            languages:
              - language: de
                markdown: x
""" == after(text)


def test_short_forms_are_sorted():
    """As the resources that they are, with the id first."""
    text = dedent("""\
        resource: course
        completionCriteria:
          - percent: 80
            type: coursePercentViewed
            id: most
        """)
    assert ["id", "type", "percent"] == [
        line.strip(" -").split(":")[0] for line in after(text).splitlines()[2:]
    ]


def test_policies_have_an_order_of_their_own():
    """Their `resource` says what they look at, not what they are."""
    text = "require: {title: {present: true}}\nresource: course\nmessage: A\npolicy: a\n"
    assert ["policy", "resource", "require", "message"] == keys(after(text))


def test_unknown_keys_come_last_and_keep_their_order():
    """They may be mistakes, or fields of a later version."""
    text = "zebra: 1\nkey: a\napple: 2\nresource: course\n"
    assert ["resource", "key", "zebra", "apple"] == keys(after(text))


@pytest.mark.parametrize(
    "text",
    [
        "resource: course\ncustomFields:\n  zebra: 1\n  title: 2\n  apple: 3\n",
        "resource: other\nzebra: 1\nkey: a\n",
        "zebra: 1\nkey: a\n",
        "resource: [course]\nzebra: 1\nkey: a\n",
        "resource: course\ntopics:\n  - {type: text, id: a}\n",
        "- zebra: 1\n  key: a\n",
        "resource: course\nsections: {lessons: [], title: A}\n",
    ],
)
def test_what_has_no_order_keeps_it(text: str):
    """The author's own keys, kinds that do not exist, flow mappings, lists at the top."""
    assert stays(text)


def test_quoted_keys_are_the_same_keys():
    """Whatever quotes they are in."""
    assert "'resource': course\n\"key\": a\ntitle: A\n" == after(
        "title: A\n\"key\": a\n'resource': course\n"
    )


def test_a_merge_key_follows_the_identity():
    """It says what the rest is like."""
    text = "resource: course\ntopics:\n  - title: A\n    <<: {type: text}\n    id: a\n"
    assert ["    - id: a", "      <<: {type: text}"] == [
        "  " + line for line in after(text).splitlines()[2:4]
    ]


def test_the_word_of_an_overlay_follows_the_identity():
    """What happens to an item is said before what is in it."""
    text = "resource: course\ntopics:\n  - title: A\n    $patch: add\n    id: a\n"
    assert "  - id: a\n    $patch: add\n    title: A\n" in after(text)


@pytest.mark.parametrize("name", [{}, {"is_project": True}])
def test_the_project_file(name: dict[str, bool]):
    """By its name, or by what it holds."""
    data: Any = {"state": "x", "environments": {}, "version": 1}
    shape = of_document(data, **name)
    assert shape is not None
    assert ["version", "environments", "state"] == sorted(data, key=shape.rank_of_key)


def test_environments_have_names_of_the_author():
    """They keep their order; what is in each is sorted."""
    text = dedent("""\
        version: 1
        environments:
          z:
            apiKey: {env: A}
            baseUrl: http://a
          a:
            baseUrl: http://b
        """)
    found = after(text).splitlines()[2:5]
    assert ["  z:", "    baseUrl: http://a", "    apiKey: {env: A}"] == found


@pytest.mark.parametrize(
    "text",
    [
        "moved: &x 1\ntitle: *x\nresource: course\n",
        "moved: &x 1\ntitle: &x 2\nresource: course\nzebra: *x\n",
        "moved: {a: [&x 1]}\ntitle:\n  - *x\nresource: course\n",
    ],
)
def test_a_mapping_that_would_lose_its_meaning_is_not_sorted(text: str):
    """Where an alias, or an anchor of the same name, would change places with an anchor."""
    assert stays(text)


def test_the_others_are_sorted():
    """An anchor that stays before its aliases is no hindrance."""
    text = "title: &x A\nkey: a\ndescription: *x\nresource: course\n"
    assert "resource: course\nkey: a\ntitle: &x A\ndescription: *x\n" == after(text)


def test_what_is_inside_is_sorted_all_the_same():
    """Only the mapping that holds both has to stay."""
    text = "moved: &x 1\ntitle: *x\nresource: course\nsections:\n  - title: A\n    id: a\n"
    assert "  - id: a\n    title: A\n" in after(text)
