"""Values are set in the text of a manifest, and nothing else in it changes."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from lmssync.catalog.manifests.export import Edit, edit_manifest
from lmssync.catalog.manifests.formatter import Unproven
from lmssync.catalog.manifests.yaml import load_yaml

EXAMPLES = sorted(Path("examples/catalog").rglob("*.yaml"))
VALUES = st.none() | st.booleans() | st.integers(-(10**12), 10**12) | st.text(max_size=60)


def changed(text: str, *edits: Edit) -> str:
    return edit_manifest(text.encode(), edits).decode()


def test_a_comment_beside_a_value_stays() -> None:
    assert "title: New   # on the tile\n" == changed(
        "title: Old   # on the tile\n", Edit(0, ("title",), "New")
    )


def test_a_text_that_needs_quotes_gets_them() -> None:
    assert 'title: "One: two"\n' == changed("title: One\n", Edit(0, ("title",), "One: two"))


def test_a_list_between_brackets_stays_between_brackets() -> None:
    assert 'tags: [Safety, "A, b"]\n' == changed(
        "tags: [Safety, Compliance]\n", Edit(0, ("tags",), ["Safety", "A, b"])
    )


def test_items_that_stay_in_a_list_keep_their_comments() -> None:
    text = "authors:\n  - Ada   # first\n  # reviewed\n  - Bob\nsku: a\n"
    assert "authors:\n  # reviewed\n  - Bob\n  - Zoe\nsku: a\n" == changed(
        text, Edit(0, ("authors",), ["Bob", "Zoe"])
    )


def test_a_new_key_stands_where_fmt_would_put_it() -> None:
    text = "resource: course\nkey: a\ntitle: A  # tile\n\n# the rest\npriceInCents: 100\n"
    assert text.replace("tile\n", "tile\ntags:\n  - Safety\n") == changed(
        text, Edit(0, ("tags",), ["Safety"])
    )


def test_a_part_on_one_line_stays_on_one_line() -> None:
    text = "topics:\n  - {id: a, title: A, type: quiz}   # check\n"
    assert 'topics:\n  - {id: a, title: "B, c", type: quiz}   # check\n' == changed(
        text, Edit(0, ("topics", 0, "title"), "B, c")
    )


def test_prose_becomes_a_block_where_prose_stood_and_gets_its_new_name() -> None:
    text = "topics:\n  - id: a\n    markdown: |\n      Hi\n      you\n\n    # below\n    sku: a\n"
    assert text.replace("markdown", "body").replace("Hi", "<p>Hi").replace("you", "you</p>") == (
        changed(text, Edit(0, ("topics", 0, "markdown"), "<p>Hi\nyou</p>\n", name="body"))
    )


def test_a_value_that_was_left_out_gets_one() -> None:
    assert "ribbon: new\nsku: a\n" == changed("ribbon:\nsku: a\n", Edit(0, ("ribbon",), "new"))


def test_the_second_document_is_changed_alone() -> None:
    assert "title: A\n---\ntitle: C\n" == changed(
        "title: A\n---\ntitle: B\n", Edit(1, ("title",), "C")
    )


def test_line_ends_of_a_file_stay_as_they_are() -> None:
    assert b"title: B\r\nsku: a\r\n" == edit_manifest(
        b"title: A\r\nsku: a\r\n", [Edit(0, ("title",), "B")]
    )


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("one: &x {title: A}\ntwo: *x\n", ("two", "title")),
        ("title: A\n", ("sections", 0, "title")),
        ("title: A  # why\nsku: a\n", ("title", "inner")),
    ],
    ids=["an alias", "a part that is not there", "inside a text"],
)
def test_what_cannot_be_proven_is_refused(text: str, path: tuple[Any, ...]) -> None:
    with pytest.raises(Unproven):
        changed(text, Edit(0, path, "B"))


def _leaves(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    if isinstance(value, dict):
        return [leaf for key, item in value.items() for leaf in _leaves(item, (*path, key))]
    if isinstance(value, list) and any(isinstance(item, dict) for item in value):
        return [leaf for n, item in enumerate(value) for leaf in _leaves(item, (*path, n))]
    return [path]


@given(st.sampled_from(EXAMPLES), st.data(), VALUES)
def test_any_value_of_the_example_catalog_can_be_set(
    file: Path, data: st.DataObject, value: Any
) -> None:
    raw = file.read_bytes()
    document = data.draw(st.integers(0, len(load_yaml(raw)) - 1))
    path = data.draw(st.sampled_from(_leaves(load_yaml(raw)[document])))
    documents = load_yaml(edit_manifest(raw, [Edit(document, path, value)]))
    for step in path:
        documents[document] = documents[document][step]
    assert value == documents[document]
