"""Two readers, one place: libyaml's marks are ruamel.yaml's."""

import pytest
from hypothesis import given

from lmssync.catalog.manifests.yaml import BlockPlaces, YamlMistake, load_yaml, read_yaml
from lmssync.catalog.manifests.yaml.exact_reader import parser_events
from lmssync.catalog.manifests.yaml.libyaml_reader import UnsupportedSyntax, load_fast, map_events
from lmssync.catalog.manifests.yaml.value_places import find_marks

from .yaml_texts import HARD, TEXTS


def agree(text: str) -> bool:
    """Where the fast reader can be believed, its places are those of the slow one.

    Aliases apart: what they stand for has two places, and either is right.
    """
    data = text.encode()
    if "*" in text:
        return True
    try:
        documents = load_fast(data)
    except UnsupportedSyntax:
        return True
    places = find_marks(data)
    by_events = map_events(parser_events(data), lambda m, _: (m.line + 1, m.column + 1))
    return len(documents) == len(places) and places == by_events


def test_places_agree_on_hard_cases():
    """On every text that readers are known to differ on."""
    assert [] == [text for text in HARD if not agree(text)]


@given(TEXTS)
def test_places_agree(text: str):
    """On any text at all."""
    assert agree(text)


def test_a_key_and_its_value_share_a_place():
    """An editor lands at the key; an item of a list stands at itself."""
    (found,) = find_marks(b"a:\n  b: 1\n  c:\n    - x\n    - {d: 2}\n")
    assert {
        (): (1, 1),
        ("a",): (1, 1),
        ("a", "b"): (2, 3),
        ("a", "c"): (3, 3),
        ("a", "c", 0): (4, 7),
        ("a", "c", 1): (5, 7),
        ("a", "c", 1, "d"): (5, 8),
    } == found


def test_an_alias_stands_at_itself():
    """What it stands for is where the anchor is."""
    (found,) = find_marks(b"a: &x {b: 1}\nc:\n  - *x\n")
    assert ((1, 8), (3, 5)) == (found["a", "b"], found["c", 0])
    assert ("c", 0, "b") not in found


def test_a_key_that_is_an_alias_has_the_name_of_its_anchor():
    """What belongs to a key that is a mapping has no place of its own."""
    (found,) = find_marks(b"&x a: &y b\n*y : {c: 1}\n? {d: 1}\n: {e: 1}\n")
    assert ((2, 1), (2, 7)) == (found["b",], found["b", "c"])
    assert {("d",), ("e",)}.isdisjoint(found)


def test_what_the_fast_reader_leaves_has_places_too():
    """A merge key, a tag, a tab: the slow reader finds the places."""
    (found,) = find_marks(b"x: &x {a: 1}\ny:\n  <<: *x\n  b: 2\n")
    assert (4, 3) == found["y", "b"]


@pytest.mark.parametrize("data", [b"", b"# nothing\n", b"a: [\n", b"\xff"])
def test_a_file_without_structure_has_no_places(data: bytes):
    """And that is no error here: the mistake has been told."""
    assert not any(find_marks(data))


def wrong_places(text: str) -> list[object]:
    """What is found by its path and does not stand where the parser says."""
    data = text.encode()
    try:
        values, by_lines = read_yaml(data)
    except YamlMistake:
        return []
    documents = dict(enumerate(values))
    ways = [BlockPlaces(data, documents, by_lines=way) for way in {False, by_lines}]
    return [
        (path, found, place)
        for blocks in ways
        for number, places in enumerate(find_marks(data))
        for path, place in places.items()
        if (found := blocks.find_spot(number, path)) and found != place
    ]


def test_places_in_blocks_agree_on_hard_cases():
    """Or are left to the parser."""
    texts = [*HARD, "# a\n---\n---\na: 1\n---\na: 2\n"]
    assert [] == [text for text in texts if wrong_places(text)]


@given(TEXTS)
def test_places_in_blocks_agree(text: str):
    """On any text at all."""
    assert [] == wrong_places(text)


def test_a_place_in_a_block_is_found_by_its_path():
    """Or that of the value around it, where nothing stands at the path."""
    data = b"a:  # here\n\n  - b: 1\n    c:\n    - |\n      c: x\n    - y\n"
    (blocks, other) = (
        BlockPlaces(data, dict(enumerate(load_yaml(data))), by_lines=way) for way in (False, True)
    )
    paths = (("a",), ("a", 0), ("a", 0, "c", 1), ("a", 0, "none"), ("a", 1))
    spots = [(1, 1), (3, 5), (7, 7), (3, 5), (1, 1)]
    assert spots == [blocks.find_spot(0, path) for path in paths]
    assert spots == [other.find_spot(0, path) for path in paths]


@pytest.mark.parametrize("value", ["{b: 1}", "*a", "!!map\n  b: 1"])
def test_what_is_not_certain_has_no_place_in_a_block(value: str):
    """A collection on one line, an alias, a tag."""
    data = f"x: &a {{b: 1}}\nz: {value}\n".encode()
    values, by_lines = read_yaml(data)
    blocks = BlockPlaces(data, dict(enumerate(values)), by_lines=by_lines)
    assert blocks.find_spot(0, ("z", "b")) is None


def test_what_a_file_does_not_have_has_no_place_in_it():
    """The text of a body file is put into the document after the file was read."""
    data = b"a:\n  b: 1\n"
    (document,), by_lines = read_yaml(data)
    document["a"]["text"] = "from another file"
    assert BlockPlaces(data, {0: document}, by_lines=by_lines).find_spot(0, ("a", "text")) is None


def test_a_line_of_a_text_is_no_key_in_a_block():
    """Then nothing is certain in the mapping around it."""
    data = b'a: "x\nb: y"\nc: 1\n'
    values, by_lines = read_yaml(data)
    assert (
        BlockPlaces(data, dict(enumerate(values)), by_lines=by_lines).find_spot(0, ("c",)) is None
    )
