"""Whatever is put in order says the same afterwards, and is in order."""

import re
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, assume, given, settings, strategies as st

from lmssync.manifests.formatter import canonical, formatted
from lmssync.manifests.formatter.canonical import same
from lmssync.manifests.formatter.line_ends import unified
from lmssync.manifests.yaml import YamlMistake, load
from lmssync.manifests.yaml.tokens import scanners

from ..yaml_texts import HARD, TEXTS
from .pages import pages

COMMENT = re.compile(r"# c\d+")
MANY = settings(suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])


def loaded(text: str) -> list:
    """What a text says; a text that is no YAML is none of our business."""
    try:
        return load(text.encode())
    except YamlMistake:
        assume(False)
        raise


@MANY
@given(pages())
def test_values_stay(text: str):
    """Every document, every value, every type."""
    values = loaded(text)
    assert same(values, load(formatted(text.encode())))


@MANY
@given(pages())
def test_comments_stay(text: str):
    """None is lost, none is doubled."""
    loaded(text)
    result = formatted(text.encode()).decode()
    assert sorted(COMMENT.findall(text)) == sorted(COMMENT.findall(result))


@MANY
@given(pages())
def test_once_is_enough(text: str):
    """A second time changes nothing."""
    loaded(text)
    once = formatted(text.encode())
    assert once == formatted(once)


@MANY
@given(pages())
def test_lines_are_in_order(text: str):
    """Line feeds only, one of them at the end; no two blank lines but in scalars."""
    loaded(text)
    result = formatted(text.encode())
    assert b"\r" not in result
    assert result == b"" or result.endswith(b"\n")


@MANY
@given(pages())
def test_both_scanners_lead_to_the_same(text: str):
    """The quick one is used where it is right."""
    values = canonical.FileValues(loaded(text), of_project=False)
    plain = unified(text.encode())
    texts = {canonical._arranged(*canonical._settled(plain, s), values) for s in scanners(plain)}
    assert 1 == len(texts)


def test_hard_cases():
    """What YAML readers are known to differ on is answered, and stays what it is."""
    assert [] == [text for text in HARD if not stays_what_it_is(text)]


def stays_what_it_is(text: str) -> bool:
    """Read, it says the same afterwards; refused, it is refused by both."""
    try:
        values = load(text.encode())
    except YamlMistake:
        with pytest.raises(YamlMistake):
            formatted(text.encode())
        return True
    once = formatted(text.encode())
    return once == formatted(once) and same(values, load(once))


@given(st.one_of(TEXTS.map(str.encode), st.binary(max_size=60)))
def test_any_bytes(raw: bytes):
    """What cannot be read is refused as a mistake of the author; the rest is put in order."""
    with suppress(YamlMistake):
        once = formatted(raw)
        assert once == formatted(once)
