"""Reading YAML: two readers, one meaning; any bytes, an answer."""

import os
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, strategies as st
from ruamel.yaml.reader import Reader as Slow

from lmssync.catalog.manifests.yaml import YamlMistake, load_yaml
from lmssync.catalog.manifests.yaml.exact_reader import FastReader, load_exactly, parser_events
from lmssync.catalog.manifests.yaml.libyaml_reader import HAS_C_PARSER, UnsupportedSyntax, load_fast
from lmssync.catalog.manifests.yaml.line_reader import load_by_lines

from .yaml_lines import LINES, manifest_lines
from .yaml_snippets import SNIPPETS
from .yaml_texts import HARD, HOSTILE, TEXTS, hostile

CATALOG = Path(__file__).parents[3] / "examples/catalog"
_TEXTS = st.one_of(TEXTS, HOSTILE, LINES)
MANY = int(os.environ.get("FUZZ_YAML", "15000"))


QUICK = (load_by_lines, load_fast)
"""The readers that leave to the slow one what they do not know."""


def quick_answer(read: Callable[[bytes], Any], data: bytes) -> Any:
    """What a quick reader makes of it; nothing where it leaves that to another."""
    try:
        return read(data)
    except UnsupportedSyntax:
        return None


def agree(text: str) -> bool:
    """What a quick reader accepts, the slow one reads the same, types included."""
    data = text.encode()
    quick = [found for read in QUICK if (found := quick_answer(read, data)) is not None]
    return not quick or {repr(load_exactly(data))} == set(map(repr, quick))


def test_the_readers_agree_on_hard_cases():
    """On every text that readers are known to differ on, there is one meaning."""
    assert [] == [text for text in (*HARD, *SNIPPETS) if not agree(text)]


@given(_TEXTS)
def test_the_readers_agree(text: str):
    """On any text at all, there is one meaning."""
    assert agree(text)


@pytest.mark.slow
@pytest.mark.parametrize("make", [hostile, manifest_lines])
def test_the_readers_agree_at_length(make: Callable[[Random], str]):
    """On many texts that were made to part them, and that are nearly what one reader knows."""
    random = Random(0)
    texts = (make(random) for _ in range(MANY))
    assert [] == [text for text in texts if not agree(text)]


@pytest.mark.parametrize(
    "text",
    [
        "{url: https://example.com/a?b=c#d, title: Shop}",
        "[https://example.com, mailto:a@example.com]",
        "{title: What now?, type: quiz}",
        "{title: Why? Because of this, at: 12:30}",
        "{a: [b?, {c: d:e}], f: é:ü}",
    ],
)
def test_what_people_write_in_braces_needs_no_slow_reader(text: str):
    """Addresses and questions without quotes, at which libyaml stumbles."""
    data = f"- {text}\n".encode()
    assert load_exactly(data) == load_by_lines(data)


def test_what_people_write_is_read_by_lines():
    """Every manifest of the examples, comments and all."""
    files = (file.read_bytes() for file in CATALOG.rglob("*.yaml"))
    assert None not in [quick_answer(load_by_lines, data) for data in files]


@pytest.mark.parametrize(
    "text",
    [
        "a: b\n  c\n",
        "a: |\n    b\n  \n    # c\nd: e\n",
        "a: |2\n  \n",
        "a:\n  - b\n c: d\n",
        "a: b\nb: c\na: d\n",
        "a: b\n  b: c\n",
        "null: a\n",
        "a: 'b' c\n",
        "a: [b: c]\n",
        "a: [b, c\n",
        "---\n---\na: b\n",
        "a: b",
        "",
    ],
)
def test_lines_leaves_the_rest_to_others(text: str):
    """What goes on in the next line, what is a mistake, and what nobody can be sure of."""
    assert quick_answer(load_by_lines, text.encode()) is None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a: b # c\n", {"a": "b"}),
        ("a: b#c:d  \n", {"a": "b#c:d"}),
        ("a:\n- b\n- c: d\ne:\n", {"a": ["b", {"c": "d"}], "e": None}),
        (
            "a: |+ # c\n\n  é\tb\n   c\n\n\nd: >-\n  e\n  f\n\n  g\n",
            {"a": "\né\tb\n c\n\n\n", "d": "e f\ng"},
        ),
        ("a: |2-\n    b\n  c\n", {"a": "  b\nc"}),
        ("a: 'it''s'\r\nb: \"\\u00e9\\n\"\r\n", {"a": "it's", "b": "é\n"}),
        ("a: [b, {c: 1, d: [true, null]}]\n", {"a": ["b", {"c": 1, "d": [True, None]}]}),
    ],
)
def test_lines_reads(text: str, value: Any):
    """What manifests are made of."""
    assert [value] == load_by_lines(text.encode())


def answer(data: bytes) -> list[Any] | YamlMistake:
    """Either documents or a mistake."""
    try:
        return load_yaml(data)
    except YamlMistake as mistake:
        return mistake


def answered(data: bytes) -> bool:
    """True for documents, and for a mistake with words and a place."""
    found = answer(data)
    if isinstance(found, list):
        return True
    return bool(found.rule.id and found.message and found.line >= 1 and found.column >= 1)


@given(st.one_of(st.binary(max_size=60), _TEXTS.map(str.encode), st.text().map(str.encode)))
def test_any_bytes_get_an_answer(data: bytes):
    """Never a traceback, whatever is in the file."""
    assert answered(data)


@given(st.one_of(st.binary(max_size=60), _TEXTS.map(str.encode)))
def test_places_of_any_bytes(data: bytes):
    """Looking for places never fails either: it runs on files that are broken."""
    assert isinstance(parser_events(data), list)


def test_hard_cases_get_an_answer():
    """Nor on the hard cases."""
    assert [] == [text for text in (*HARD, *SNIPPETS) if not answered(text.encode())]


@pytest.mark.parametrize("opened", ["[", "{a: ", "- ", "? "])
@pytest.mark.parametrize("depth", [50, pytest.param(1_200, marks=pytest.mark.slow)])
def test_deep_nesting_gets_an_answer(opened: str, depth: int):
    """However deep a file is nested, it is read or refused."""
    assert answered(opened.encode() * depth)


@pytest.mark.slow
@pytest.mark.parametrize("text", ["- " * 1_200 + "a", "[" * 1_200 + "]" * 1_200])
def test_depth_that_closes_gets_an_answer(text: str):
    """Also where it is well-formed."""
    assert answered(text.encode())


def mistake(data: bytes) -> YamlMistake:
    with pytest.raises(YamlMistake) as caught:
        load_yaml(data)
    return caught.value


@pytest.mark.parametrize(
    ("data", "code", "place"),
    [
        (b"a: 1\nb: 2\na: 3\n", "duplicate-key", (3, 1)),
        (b"a:\n  b: {c: 1, c: 2}\n", "duplicate-key", (2, 13)),
        (b"a:\n\t- 1\n", "yaml-syntax", (2, 1)),
        (b"a: 1\nb: \xff\n", "not-utf-8", (2, 4)),
        ("a: é\nb: \x07\n".encode(), "control-character", (2, 4)),
        (b"\xef\xbb\xbfa: 1\n", "byte-order-mark", (1, 1)),
        (b"a: 1\nb: [1\n", "yaml-syntax", (2, 4)),
        (b"a: *b\n", "yaml-syntax", (1, 4)),
        (b"a: 9223372036854775808\n", "number-size", (1, 4)),
        (b"a: " + b"9" * 5_000 + b"\n", "number-size", (1, 4)),
        (b"a: 0x" + b"f" * 5_000 + b"\n", "number-size", (1, 4)),
        (b'a: "\\ud800"\n', "half-character", (1, 4)),
    ],
)
def test_mistakes_name_their_place(data: bytes, code: str, place: tuple[int, int]):
    """Each mistake of the text has a rule and the line and column to jump to."""
    found = mistake(data)
    assert (code, place) == (found.rule.id, (found.line, found.column))


def test_a_duplicate_key_is_named():
    """The message says which key, and where its mapping starts."""
    said = "the key `a` is given twice in one mapping, which begins on line 1"
    assert said == mistake(b"a: 1\na: 2\n").message


def test_tabs_have_a_remedy():
    """Who indents with tabs is told to use spaces."""
    assert "indent with spaces: YAML does not allow tabs" == mistake(b"a:\n\tb: 1\n").hint


def test_a_control_character_is_named_by_its_number():
    """It cannot be seen, so the message spells it."""
    assert "U+0007" in mistake(b"a: b\x07\n").message


@pytest.mark.parametrize("text", ["no", "NO", "yes", "on", "off", "y"])
def test_old_booleans_are_text(text: str):
    """YAML 1.2: `country: NO` is Norway."""
    assert [{"a": text}] == load_yaml(f"a: {text}\n".encode())


@pytest.mark.parametrize("text", ["2027-01-31", "2027-02-30", "2027-01-31T09:00:00Z"])
def test_dates_stay_text(text: str):
    """Whether a date exists is for the rules to say, so the reader keeps what was written."""
    assert [{"a": text}] == load_yaml(f"a: {text}\n".encode())


@pytest.mark.parametrize(("text", "value"), [("012", 12), ("0o12", 10), ("0x1F", 31), ("-0", 0)])
def test_numbers_are_those_of_yaml_12(text: str, value: int):
    """012 is twelve: octal is written 0o12."""
    assert [{"a": value}] == load_yaml(f"a: {text}\n".encode())


@pytest.mark.parametrize("data", [b"a: 1\r\n", b"--- {a: 1}\n"])
def test_invisible_differences_do_not_matter(data: bytes):
    """Windows line ends, an explicit start: all the same."""
    assert [{"a": 1}] == load_yaml(data)


def test_merge_keys_are_merged():
    """An old habit of authors that YAML 1.2 dropped still does what they mean."""
    data = b"a: &x {b: 1}\nc: {<<: *x, d: 2}\n"
    assert [{"a": {"b": 1}, "c": {"b": 1, "d": 2}}] == load_yaml(data)


def test_uuids_need_no_slow_reader():
    """Ids of the platform stand in many files, half of them begin with a digit."""
    found = quick_answer(load_fast, b"a: 7d1c0000-0000-4000-8000-000000000001\n")
    assert found == [{"a": "7d1c0000-0000-4000-8000-000000000001"}] or not HAS_C_PARSER


@pytest.mark.parametrize(
    "text",
    [
        "a: &a [*a]\n",
        "a: &a {b: *a}\n",
        "a0: &a0 [x, x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 40)),
    ],
    ids=["list", "mapping", "doubling"],
)
def test_aliases_that_never_end_are_refused(text: str):
    """Forty lines can stand for a million million values, one line for endlessly many."""
    assert "endless" == mistake(text.encode()).rule.id


def test_aliases_that_end_are_written_out():
    """Aliases are an honest way to write something once."""
    assert [{"a": [1], "b": [1]}] == load_yaml(b"a: &x [1]\nb: *x\n")


TEXTS = st.text(st.sampled_from("ab \n\r\ufeff\u2028\x85é\t"), min_size=1, max_size=60)


def places(kind: type[Slow], text: str, steps: list[int]) -> list[tuple[int, int, int]]:
    """Index, line and column after each step."""
    reader = kind(text + " " * 80)
    found = []
    for step in steps:
        reader.forward(step)
        found.append((reader.index, reader.line, reader.column))
    return found


@given(TEXTS, st.lists(st.integers(0, 20), max_size=3))
def test_every_step_leads_to_the_same_place(text: str, steps: list[int]):
    """However long it is, and whatever it passes."""
    assert places(Slow, text, steps) == places(FastReader, text, steps)
