"""Comments stay with what they are about."""

from textwrap import dedent

import pytest

from .texts import after, stays


def test_a_comment_above_a_key_travels_with_it():
    """All its lines do."""
    text = dedent("""\
        resource: course
        # about the title
        # in two lines
        title: A
        # about the key
        key: a
        """)
    assert """\
resource: course
# about the key
key: a
# about the title
# in two lines
title: A
""" == after(text)


def test_a_comment_at_the_end_of_a_line_travels_with_it():
    """With the blanks before it: it may stand in a column."""
    text = "title: A   # title\nkey: a     # key\nresource: course # resource\n"
    lines = ["resource: course # resource", "key: a     # key", "title: A   # title"]
    assert lines == after(text).splitlines()


def test_the_top_of_a_file_stays_at_the_top():
    """Whatever key was first: editors look there for the schema."""
    text = "# yaml-language-server: $schema=course.json\ntitle: A\nresource: course\n"
    assert "# yaml-language-server: $schema=course.json\nresource: course\ntitle: A\n" == after(
        text
    )


def test_below_a_header_a_comment_is_about_its_key():
    """A blank line tells them apart."""
    text = "# header\n\n# about the title\ntitle: A\nresource: course\n"
    assert "# header\n\nresource: course\n# about the title\ntitle: A\n" == after(text)


def test_each_document_has_a_top():
    """Not only the first."""
    text = "a: 1\n---\n# header\nkey: a\nresource: course\n"
    assert "a: 1\n---\n# header\nresource: course\nkey: a\n" == after(text)


def test_comments_inside_an_entry_travel_with_it():
    """Wherever they stand in it."""
    text = dedent("""\
        resource: course
        sections:
          # about the first
          - title: A
            # below the first
        # about the title
        title: A
        """)
    assert """\
resource: course
# about the title
title: A
sections:
  # about the first
  - title: A
    # below the first
""" == after(text)


def test_a_comment_on_the_first_key_of_an_item_goes_above_the_dash():
    """There is no other place for it."""
    text = "resource: course\ntopics:\n  - title: A\n    # name\n    id: a\n"
    assert "resource: course\ntopics:\n  # name\n  - id: a\n    title: A\n" == after(text)


def test_what_touches_the_key_above_only_is_about_that():
    """And stays apart from what comes below."""
    text = "moved: 1\nresource: course\nsku: A\n# title: not yet\n\ntitle: A\n"
    wanted = "resource: course\n\ntitle: A\n\nsku: A\n# title: not yet\n\nmoved: 1\n"
    assert wanted == after(text)


def test_a_ruler_is_about_a_paragraph():
    """It stays above the first of its keys, whichever that is now."""
    text = dedent("""\
        resource: course
        key: a

        # --- The tile ------
        tags: []
        description: A
        title: A
        """)
    assert """\
resource: course
key: a

# --- The tile ------
title: A
description: A
tags: []
""" == after(text)


def test_blank_lines_go_with_paragraphs():
    """A key that leaves its paragraph takes no blank line along."""
    text = "resource: course\ntitle: A\nsku: A\n\nsections: []\ntags: []\n"
    assert "resource: course\ntitle: A\ntags: []\nsku: A\n\nsections: []\n" == after(text)


def test_the_end_of_a_mapping_stays_at_its_end():
    """Comments below the last key are about none."""
    text = "title: A\nresource: course\n# the end\n"
    assert "resource: course\ntitle: A\n# the end\n" == after(text)


@pytest.mark.parametrize(
    "text",
    [
        "# only a comment\n",
        "a:  # one\n  # two\n  b: 1  # three\n  # four\n# five\n",
        "a:\n  # above a value\n  text\n",
        "a: |  # with a block\n  text\n# after it\nb: 1\n",
        "a: [b, # inside\n  c]  # after\n",
        "a: 1\n  # deeper\nb: 2\n",
        "- a\n  # deeper\n# level\n- b\n",
        "-  # beside a dash\n  a: 1\n",
        "a: 1\n--- # beside a marker\nb: 1\n",
        "a: &x  # beside an anchor\n  b: 1\nc: *x  # beside an alias\n",
        "a:  # of nothing\nb:\n# end\n",
    ],
)
def test_comments_may_stand_anywhere(text: str):
    """In a text that is in order, all stay where they are."""
    assert stays(text)


def test_comments_are_indented_as_what_they_are_about():
    """Also those that stood at the margin."""
    assert "a:\n  # one\n  - b\n  # two\n  - c\n" == after("a:\n# one\n- b\n# two\n- c\n")


def test_a_comment_never_becomes_text():
    """Below a block of text, it is not moved into it."""
    assert "a: |\n  text\n# no text\nb: 1\n" == after("a: |\n   text\n  # no text\nb: 1\n")
