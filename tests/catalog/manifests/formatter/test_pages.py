"""Indentation, blank lines, ends of lines, and the marks between documents."""

import pytest

from lmssync.catalog.manifests.formatter import format_manifest
from lmssync.catalog.manifests.yaml import YamlMistake, load_yaml

from .texts import after, stays


@pytest.mark.parametrize(
    ("before", "wanted"),
    [
        ("a:\n- b\n- c\n", "a:\n  - b\n  - c\n"),
        ("a:\n    b:\n         - c\n", "a:\n  b:\n    - c\n"),
        ("-   a: 1\n    b: 2\n", "- a: 1\n  b: 2\n"),
        ("-\n    a: 1\n", "- a: 1\n"),
        ("-   -   a\n    -   b\n", "- - a\n  - b\n"),
        ("  a: 1\n  b: 2\n", "a: 1\nb: 2\n"),
        ("a:\n\n\n  b: 1\n", "a:\n  b: 1\n"),
    ],
)
def test_indentation(before: str, wanted: str):
    """Two columns a level; items stand below their key, and begin beside their dash."""
    assert wanted == after(before)


@pytest.mark.parametrize(
    ("before", "wanted"),
    [
        ("a: 1  \nb: 2 # c\t\n", "a: 1\nb: 2 # c\n"),
        ("a: 1\r\nb: 'x\r\n  y'\r\n", "a: 1\nb: 'x\n  y'\n"),
        ("a: 1\rb: 2\r", "a: 1\nb: 2\n"),
        ("a: 1", "a: 1\n"),
        ("\n\na: 1\n\n\n\n\nb: 2\n\n\n", "a: 1\n\nb: 2\n"),
        ("a: [1,  \n\n\n  2]\n", "a: [1,\n\n  2]\n"),
        ("a: x  \n  y\n", "a: x\n  y\n"),
        ("\n\n", ""),
        ("# c  \n\n\n# d", "# c\n\n# d\n"),
    ],
)
def test_lines(before: str, wanted: str):
    """No blanks at the end, one blank line at most, one line feed after the last."""
    assert wanted == after(before)


@pytest.mark.parametrize(
    ("before", "wanted"),
    [
        ("---\na: 1\n", "a: 1\n"),
        ("# c\n---\n# d\na: 1\n", "# c\n\n# d\na: 1\n"),
        ("--- # c\na: 1\n", "# c\na: 1\n"),
        ("a: 1\n...\n", "a: 1\n"),
        ("a: 1\n...\n# c\n---\nb: 2\n", "a: 1\n---\n# c\nb: 2\n"),
        ("a: 1\n...\nb: 2\n", "a: 1\n---\nb: 2\n"),
        ("a: 1\n\n---\n\nb: 2\n", "a: 1\n---\nb: 2\n"),
        ("--- &x\na: 1\n", "&x\na: 1\n"),
        ("--- text\n--- more\n", "text\n--- more\n"),
        ("--- |\n  text\n\n\n", "|\n  text\n"),
        ("a: 1\n... # c\n", "a: 1\n# c\n"),
    ],
)
def test_documents(before: str, wanted: str):
    """`---` stands between them, and before none else."""
    assert wanted == after(before)


@pytest.mark.parametrize("text", ["---\n", "# c\n---\n# d\n---\na: 1\n", "a: 1\n---\n", ""])
def test_empty_documents_stay(text: str):
    """They count: places in the file are told by their number."""
    assert stays(text)


@pytest.mark.parametrize(
    "text", ["text\n", "42\n", "- a\n- b\n", "{a: 1}\n", '"a"  # c\n', "|\n x\n"]
)
def test_a_file_may_hold_anything(text: str):
    """One value, a list: whatever the rules will say of it."""
    assert stays(text)


@pytest.mark.parametrize(
    "raw", [b"a: 1\na: 2\n", b"\ta: 1\n", b"a: \xff\n", b"a: [\n", b"a: \x00\n", b"a: *x\n"]
)
def test_what_is_no_yaml_is_refused(raw: bytes):
    """With the words that validating has for it."""
    with pytest.raises(YamlMistake) as expected:
        load_yaml(raw)
    with pytest.raises(YamlMistake, match=r".") as refused:
        format_manifest(raw)
    assert expected.value.message == refused.value.message


def test_what_is_nested_without_end():
    """Deeper than anybody writes, it is left as it is."""
    text = "- " * 400 + "a\n"
    assert text.encode() == format_manifest(text.encode())
