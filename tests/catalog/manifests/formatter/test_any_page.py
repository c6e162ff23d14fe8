"""Whatever is put in order says the same afterwards, and is in order."""

import re
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings, strategies as st

from lmssync.catalog.manifests.file_choice import choose_catalog_files
from lmssync.catalog.manifests.formatter import canonical_form as canonical, format_manifest
from lmssync.catalog.manifests.formatter.canonical_form import same_values
from lmssync.catalog.manifests.formatter.line_ends import unify_line_ends
from lmssync.catalog.manifests.yaml import YamlMistake, load_yaml
from lmssync.catalog.manifests.yaml.value_places import list_scanners

from ..yaml_texts import HARD, TEXTS
from .pages import pages

COMMENT = re.compile(r"# c\d+")
MANY = settings(suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])


def loaded(text: str) -> list:
    """What a text says; a text that is no YAML is none of our business."""
    try:
        return load_yaml(text.encode())
    except YamlMistake:
        assume(False)
        raise


@MANY
@given(pages())
def test_values_stay(text: str):
    """Every document, every value, every type."""
    values = loaded(text)
    assert same_values(values, load_yaml(format_manifest(text.encode())))


@MANY
@given(pages())
def test_comments_stay(text: str):
    """None is lost, none is doubled."""
    loaded(text)
    result = format_manifest(text.encode()).decode()
    assert sorted(COMMENT.findall(text)) == sorted(COMMENT.findall(result))


@MANY
@given(pages())
def test_once_is_enough(text: str):
    """A second time changes nothing."""
    loaded(text)
    once = format_manifest(text.encode())
    assert once == format_manifest(once)


@MANY
@given(pages())
def test_lines_are_in_order(text: str):
    """Line feeds only, one of them at the end; no two blank lines but in scalars."""
    loaded(text)
    result = format_manifest(text.encode())
    assert b"\r" not in result
    assert result == b"" or result.endswith(b"\n")


@MANY
@given(pages())
def test_both_scanners_lead_to_the_same(text: str):
    """The quick one is used where it is right."""
    values = loaded(text)
    plain = unify_line_ends(text.encode())
    texts = {
        canonical._arrange_text(*canonical._settle_line_ends(plain, s), values, is_project=False)
        for s in list_scanners(plain)
    }
    assert 1 == len(texts)


@pytest.mark.slow
def test_hard_cases():
    """What YAML readers are known to differ on is answered, and stays what it is."""
    assert [] == [text for text in HARD if not stays_what_it_is(text)]


def stays_what_it_is(text: str) -> bool:
    """Read, it says the same afterwards; refused, it is refused by both."""
    try:
        values = load_yaml(text.encode())
    except YamlMistake:
        with pytest.raises(YamlMistake):
            format_manifest(text.encode())
        return True
    once = format_manifest(text.encode())
    return once == format_manifest(once) and same_values(values, load_yaml(once))


@given(st.one_of(TEXTS.map(str.encode), st.binary(max_size=60)))
def test_any_bytes(raw: bytes):
    """What cannot be read is refused as a mistake of the author; the rest is put in order."""
    with suppress(YamlMistake):
        once = format_manifest(raw)
        assert once == format_manifest(once)


ROOT = Path(__file__).parents[4] / "examples" / "catalog"
FILES = [target.root / target.path for target in choose_catalog_files(ROOT)]
EVERY = pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ROOT)))


def remarks(raw: bytes) -> list[str]:
    """What follows a `#`, wherever: sorted, comments and Markdown headings alike."""
    return sorted(line.partition("#")[2] for line in raw.decode().splitlines() if "#" in line)


@EVERY
def test_examples_say_the_same(file: Path):
    """Values and comments."""
    raw = file.read_bytes()
    result = format_manifest(raw)
    assert same_values(load_yaml(raw), load_yaml(result))
    assert remarks(raw) == remarks(result)


@EVERY
def test_examples_are_in_order_after_once(file: Path):
    """A second time changes nothing."""
    once = format_manifest(file.read_bytes())
    assert once == format_manifest(once)
