"""What is said of a text that is no YAML."""

import pytest

from lmssync.catalog.manifests.yaml import load_yaml

from .test_yaml import mistake


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a:\n\tb: 1\n", "there is a tab where spaces belong"),
        ("a: b: c\n", "there is a second `: ` in this value"),
        ("a: 1\n  b: 2\n", "the line is indented further than the key that it belongs next to"),
        ("a: 'open\nb: 2\n", "a quote is opened here but never closed"),
        ("a: @x\n", "a text cannot begin with `@`"),
        ("a: %x\n", "a text cannot begin with `%`"),
        ("a: *x\n", "`*x` refers to a value named `&x` above, but there is none"),
        ("a: & x\n", "`&` and `*` begin the name of a value"),
        ("a: !x y\n", "`!x` is a tag, which manifests cannot have"),
        (
            "a: !!python/name:os.system y\n",
            "`python/name:os.system` is a tag, which manifests cannot have",
        ),
        ("a: !!binary aGk=\n", "`binary` is a tag, which manifests cannot have"),
        ("a: !!set {b, c}\n", "`set` is a tag, which manifests cannot have"),
        ("a: !!int x\n", "a tag such as `!!int` does not fit the value after it"),
        ("a: {{ b }}\n", "there is a mapping or a list where the name of a field belongs"),
        ("a: [1, 2\nb: 3\n", "a `[` is not closed, or a comma is missing"),
        ("a: {b: 1\nc: 2\n", "a `{` is not closed, or a comma is missing"),
        ("a: 1\n}\n", "there is a `}` where a value or a field belongs"),
        ("a: ,b\n", "there is a `,` where a value or a field belongs"),
        ("- a\nb: 1\n", "a line among the items of a list is not an item"),
        ("a: 'it's'\n", "something follows a closing quote"),
        ("a:\n  b: 1\n c: 2\n", "the line is not indented like the ones above it"),
        ("  a: 1\nb: 2\n", "the line is not indented like the ones above it"),
        ('a: "\\q"\n', "`\\q` means nothing in double quotes"),
        (
            'a: "\\x"\n',
            "a backslash in double quotes begins a character number here, but none follows",
        ),
        ("a: > b\n", "after `|` or `>` the text begins on the next line"),
        ("a: - b\n", "a list cannot begin on the line of its key"),
        ("a: b\nc\nd: e\n", "the line is neither `key: value` nor part of a text"),
        ("<<: 5\n", "`<<` takes a mapping, or a list of mappings"),
        ("%YAML 1.3\n---\na: 1\n", "the `%YAML` line names a version that does not exist"),
        ("a: ? b\n", "mapping keys are not allowed here"),
    ],
)
def test_the_parsers_words_in_ours(text: str, words: str):
    """Each has a remedy too; what has no words of ours keeps the parser's."""
    found = mistake(text.encode())
    assert ("yaml-syntax", f"not YAML: {words}") == (found.rule.id, found.message)
    assert found.hint


def test_an_open_quote_is_shown_where_it_opens():
    """The end of the file, where it was missed, helps nobody."""
    found = mistake(b"a: 1\nb: 'open\nc: 2\nd: 3\n")
    assert (2, 4) == (found.line, found.column)


def test_placeholders_in_a_plain_file():
    """Only a template has them filled in."""
    hint = "put text with `{{` in quotes; placeholders are filled in `.yaml.j2` files only"
    assert hint == mistake(b"a: {{ b }}\n").hint


def test_a_byte_order_mark_is_refused():
    """It is a letter of the first key to whoever reads the file next; inside a text it is kept."""
    found = mistake("\ufeffa: 1\n".encode())
    assert ("byte-order-mark", 1, 1) == (found.rule.id, found.line, found.column)
    assert [{"a": "\ufeff"}] == load_yaml(b'a: "\\uFEFF"\n')


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_a_file_of_another_encoding_is_named(encoding: str):
    """With a mark at its beginning or without."""
    found = mistake("a: 1\n".encode(encoding))
    assert ("not-utf-8", "the file is UTF-16") == (found.rule.id, found.message)


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("a: 1\ntitle:The desk\nb: 2\n", (2, 6), "there is no blank after the colon"),
        ("a:\n  -id: x\n   title: y\n", (2, 3), "there is no blank after the dash"),
        ("a: 1\nprice 0\nb: 2\n", (2, 1), "the line is neither `key: value` nor part of a text"),
        ("a: [x, y\nb:\n", (1, 4), "a `[` is not closed, or a comma is missing"),
        ("a: {x: 1\nb:\n", (1, 4), "a `{` is not closed, or a comma is missing"),
        ("a: {New} desk\n", (1, 10), "something follows the bracket that ends this value"),
    ],
)
def test_a_mistake_is_shown_where_it_was_made(text: str, place: tuple[int, int], words: str):
    """The parser notices many mistakes some lines below."""
    found = mistake(text.encode())
    assert (place, f"not YAML: {words}") == ((found.line, found.column), found.message)


def test_a_missing_dash_is_no_repeated_field():
    """The first key of an item comes again: the hint says how to begin another item."""
    found = mistake(b"topics:\n  - id: a\n    title: A\n    id: b\n    title: B\n")
    assert "the key `id` is given twice in one item, which begins on line 2" == found.message
    assert (4, 5) == (found.line, found.column)
    assert found.hint.startswith("write `- id:` if another item of the list begins here")


def test_a_list_without_dashes_is_no_repeated_field():
    """Where no item has its dash, the hint names both."""
    found = mistake(b"sections:\n  id: a\n  title: A\n  id: b\n  title: B\n")
    assert found.hint.startswith("write `- id:` at both if these are items of a list")
