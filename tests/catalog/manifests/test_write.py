"""Writing YAML: what is written is read as the same values, by every reader, and looks well."""

from typing import Any

import pytest
from hypothesis import given, strategies as st

from lmssync.catalog.manifests.yaml import load_yaml
from lmssync.catalog.manifests.yaml.exact_reader import load_exactly
from lmssync.catalog.manifests.yaml.libyaml_reader import UnsupportedSyntax, load_fast
from lmssync.catalog.manifests.yaml.yaml_writer import write_stream, write_yaml_document

_CHARS = st.one_of(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0"),
    st.sampled_from(
        "\n\r\t \x85\u2028\u2029\ufeff\x08\x0c\x1b\x7f\xa0\u200b\u200d\u202e'\"\\:#-?|>&*!"
    ),
)
_LINES = st.one_of(
    st.text(_CHARS, max_size=12),
    st.sampled_from(["", "  ", " a", "a ", "\ta", "---", "...", "# x", "a: b", "- a", "%A"]),
)
_TEXTS = st.one_of(
    st.text(_CHARS, max_size=30),
    st.lists(_LINES, max_size=6).map("\n".join),
    st.text(_CHARS, min_size=81, max_size=130),
    st.from_regex(r"[-+.0-9eExob_:~<=TtFfNn]{1,8}", fullmatch=True),
    st.sampled_from(["no", "012", "1:30", "2018-10-90", "<<", "=", "~", "...", "0x1", ".inf"]),
)
_LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(1 - 2**63, 2**63 - 1),
    st.floats(allow_nan=False),
    _TEXTS,
)
_VALUES = st.recursive(
    _LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(_TEXTS, inner, max_size=4)
    ),
    max_leaves=12,
)


def same(expected: list[Any], text: str) -> None:
    """Both readers give the values back, types and order included; the fast one may pass."""
    data = text.encode()
    assert repr(expected) == repr(load_exactly(data))
    try:
        assert repr(expected) == repr(load_fast(data))
    except UnsupportedSyntax:
        assert repr(expected) == repr(load_yaml(data))


@given(_VALUES)
def test_what_is_written_is_read(value: Any):
    """Any value that JSON can hold, any characters."""
    same([value], write_yaml_document(value))


@given(st.lists(st.dictionaries(_TEXTS, _VALUES, min_size=1, max_size=3), min_size=2, max_size=3))
def test_a_stream_keeps_its_documents_apart(values: list[Any]):
    """Whatever one of them ends with."""
    same(values, "".join(write_stream(values)))


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "x" * 4_000_000,
        "a: b " * 800_000,
        "\x08" + "é" * 4_000_000,
        "one line\n" * 400_000,
    ],
    ids=["bare", "prose", "escaped", "lines"],
)
def test_four_megabytes_come_back(text: str):
    """In one line or in many."""
    assert [{"a": [{"b": text}]}] == load_yaml(write_yaml_document({"a": [{"b": text}]}).encode())


@pytest.mark.parametrize("key", ["k" * 2_000, "\n" * 1_500, "", " ", "?", "a: b", "<<", "null"])
def test_any_text_is_a_key(key: str):
    """Also one that no parser would take before a colon."""
    same([{"a": [{key: 1, "b": 2}]}], write_yaml_document({"a": [{key: 1, "b": 2}]}))


OTHERWISE = """
    no Yes ON off y N null ~ True 012 0x1F 0o7 1_000 1:30 1e3 .5 -.inf +1 2027-01-31 2018-10-90
    << 1,000 12. ... =
"""


@pytest.mark.parametrize("text", OTHERWISE.split())
def test_what_some_reader_takes_for_another_value_stands_in_quotes(text: str):
    """YAML 1.1 is still everywhere."""
    assert f'a: "{text}"\n' == write_yaml_document({"a": text})


BARE = """
Safety 101
it's
Say "hi"
a#b
https://example.com/x?y=z#top
<p>Hi</p>
Größe
7d1c0000-0000-4000-8000-000000000001
SAF-101
3 of 4
漢字
مرحبا
👩‍🚒
“a”, b
"""


@pytest.mark.parametrize("text", BARE.strip().split("\n"))
def test_plain_words_stand_bare(text: str):
    """Quotes are for what needs them."""
    assert f"a: {text}\n" == write_yaml_document({"a": text})


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("", '""'),
        (" a", '" a"'),
        ("a: b", '"a: b"'),
        ("a #b", '"a #b"'),
        ('a: "b"', "'a: \"b\"'"),
        ("a\tb", '"a\\tb"'),
        ("a\xa0b", '"a\\_b"'),
        ("a\u200bb", '"a\\u200bb"'),
        ("a\u202eb", '"a\\u202eb"'),
        ("\ufeffa", '"\\ufeffa"'),
        ("a\r\nb", '"a\\r\\nb"'),
        ("a\u2028b\nc", '"a\\Lb\\nc"'),
        ("\U000e0001", '"\\U000e0001"'),
    ],
)
def test_what_cannot_be_seen_is_spelled(text: str, written: str):
    """A reviewer sees every character that is there."""
    assert f"a: {written}\n" == write_yaml_document({"a": text})


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("a\nb\n", "|\n  a\n  b"),
        ("a\nb", "|-\n  a\n  b"),
        ("a\n\nb\n\n", "|+\n  a\n\n  b\n"),
        ("  a\nb\n", "|2\n    a\n  b"),
        ("# a\n---\n\tb: c\n", "|\n  # a\n  ---\n  \tb: c"),
        ("It says: " + "word " * 20 + "end", "|-\n  It says: " + "word " * 20 + "end"),
    ],
)
def test_prose_stands_in_a_block(text: str, written: str):
    """As its author wrote it, without a character between."""
    assert f"a: {written}\nb: 1\n" == write_yaml_document({"a": text, "b": 1})


def test_a_document_looks_like_one_that_somebody_wrote():
    """Block style throughout."""
    value = {"a": {"b": [1, True, None, 1.5]}, "c": [{"d": "x", "e": [["f"]]}], "g": [], "h": {}}
    assert (
        "a:\n  b:\n    - 1\n    - true\n    - null\n    - 1.5\n"
        "c:\n  - d: x\n    e:\n      - - f\n"
        "g: []\nh: {}\n"
    ) == write_yaml_document(value)
