"""`fmt --ids`: parts get the ids that they have by their titles, and nothing else changes."""

from pathlib import Path
from textwrap import dedent

import pytest

from lmssync.catalog.manifests.file_choice import ChosenFile
from lmssync.catalog.manifests.format_files import look_at_files
from lmssync.catalog.manifests.formatter import Unproven, format_manifest, with_ids
from lmssync.resource import compute_fingerprints
from tests import making

COURSE = """\
# A course, as somebody writes it at first.
resource: course
key: a
kind: courseGroup
title: A
sections:
  # the beginning
  - title: Start here   # remark
    lessons:
      - openType: studentsOnly
        title: "Welcome: all of you"
        topics:
          - {title: Hello, type: text, markdown: "a"}
          - { type: text, title: Hello, markdown: b}   # the same title
          - id: own
            title: Own
            type: quiz
      - title: "2027"
        openType: studentsOnly
        topics: [{title: "Yes", type: quiz}]
  - title: 始める
    lessons: []
"""
IDS = [
    "start-here",
    "welcome-all-of-you",
    "hello",
    "hello-2",
    "own",
    "2027",
    "yes",
]


def forms(root: Path, text: bytes) -> dict[str, str]:
    """What a catalog of this one file wants."""
    making.put(root, "a.yaml", text)
    found = compute_fingerprints(making.loaded(root).resources)
    return {str(address): fingerprint for address, fingerprint in found.items()}


def test_every_part_gets_the_id_that_it_has_by_its_title():
    """In their order, whatever the style; ids that are there stay."""
    lines = with_ids(COURSE.encode()).decode().replace("{", "\n").split("\n")
    found = [line.split("id: ")[1].split(",")[0] for line in lines if "id: " in line]
    assert IDS == [name.strip('"') for name in found[: len(IDS)]]


def test_ids_may_be_short():
    """They are cut after a word, and numbered where that makes two alike."""
    long = "A start with a title of many words"
    text = f"resource: course\nkey: a\ntopics: [{{title: {long}}}, {{title: {long} more}}]\n"
    assert b"{id: a-start-with-a-title-of, title" in with_ids(text.encode(), 25)
    assert b"{id: a-start-with-a-title-of-2, title" in with_ids(text.encode(), 25)
    assert b"{id: aaaa, title" in with_ids(text.replace(long, "a" * 9).encode(), 4)


def test_the_catalog_means_the_same(tmp_path: Path):
    """To the letter: what is recorded of it is what it wants, so nobody loses anything."""
    root = making.write(tmp_path)
    before = forms(root, COURSE.encode())
    assert ["course.a"] == list(before)
    assert before == forms(root, format_manifest(with_ids(COURSE.encode())))


def test_comments_stay():
    """Each of them, beside what it was about."""
    text = format_manifest(with_ids(COURSE.encode())).decode()
    assert "  # the beginning\n  - id: start-here\n    title: Start here   # remark\n" in text
    assert "# the same title" in text


def test_a_second_time_nothing_changes():
    """The ids are there."""
    once = format_manifest(with_ids(COURSE.encode()))
    assert once == with_ids(once)


@pytest.mark.parametrize(
    "text",
    [
        "resource: license\nkey: a\nsections: [{title: A}]\n",
        "resource: course\nkey: a\ntopics: none\n",
        "resource: course\nkey: a\ntopics: [1, {title: A}]\n",
        "- title: A\n",
        "",
    ],
)
def test_what_is_no_part_is_left(text: str):
    """Other kinds, and what is wrong anyway."""
    assert text.encode() == with_ids(text.encode())


def test_what_cannot_be_proven_is_left():
    """An alias stands for a part, whose id would be there twice."""
    text = "resource: course\nkey: a\ntopics:\n  - &x {title: A, type: quiz}\n  - *x\n"
    with pytest.raises(Unproven):
        with_ids(text.encode())


def test_merged_keys_are_no_hindrance():
    """The id goes into the part itself, not into what it takes over."""
    text = "resource: course\nkey: a\nx: &x {title: A}\ntopics:\n  - <<: *x\n    type: quiz\n"
    assert b"  - id: a\n    <<: *x\n" in with_ids(text.encode())


def test_an_overlay_is_left(tmp_path: Path):
    """Its parts are those of a manifest, which it names by their ids."""
    making.put(tmp_path, "overlays/test/a.yaml", COURSE)
    overlay = ChosenFile("overlays/test/a.yaml", tmp_path, "overlays/test/a.yaml")
    assert list(look_at_files([overlay])) == list(look_at_files([overlay], longest_id=200))


@pytest.mark.parametrize("text", ["\r\n", "\n"])
def test_ends_of_lines(text: str):
    """A file of Windows gets its ids as any other."""
    raw = dedent(COURSE).replace("\n", text).encode()
    assert b"- id: start-here\n" in format_manifest(with_ids(raw))
