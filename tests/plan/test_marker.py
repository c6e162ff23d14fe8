"""The mark by which something is found again."""

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lmssync.address import KEY, Address
from lmssync.kinds import KINDS
from lmssync.plan.marker import derived, marker
from lmssync.settings import Platform

KEYS = st.from_regex(KEY, fullmatch=True).filter(lambda key: len(key) <= 200)


@given(KEYS)
def test_a_mark_fits_into_a_sku(key: str):
    """At most 36 characters, of which none needs care (O18)."""
    assert re.fullmatch(r"ls-[a-z0-9-]{1,33}", derived(Address("course", key)))


@given(KEYS, KEYS)
def test_two_addresses_have_two_marks(one: str, two: str):
    """However alike their keys are."""
    marks = {derived(Address("course", one)), derived(Address("course", two))}
    assert len({one, two}) == len(marks)


@pytest.mark.parametrize(
    ("key", "mark"),
    [
        ("safety-101", "ls-safety-101-8883cb2ccb"),
        ("A.b_c", "ls-a-b-c-ec3ccee090"),
        ("x" * 200, "ls-xxxxxxxxxxxxxxxxxxxxxx-af98be1698"),
    ],
)
def test_marks_never_change(key: str, mark: str):
    """A mark of this release must be the mark of the next: else things are made twice."""
    assert mark == derived(Address("course", key))


def test_kinds_do_not_share_marks():
    """A course and a license of one key are two things."""
    assert derived(Address("course", "a")) != derived(Address("license", "a"))


@pytest.mark.parametrize(
    ("kind", "platform", "form", "expected"),
    [
        ("course", {}, {"sku": "OWN"}, "sku=OWN"),
        ("course", {}, {}, "sku=ls-"),
        ("course", {"marker": "none"}, {"sku": "OWN"}, None),
        ("license", {}, {}, None),
        ("license", {"licenseMarker": "ref3"}, {}, "ref3=ls-"),
        ("license", {"licenseMarker": "ref3"}, {"ref3": "OWN"}, "ref3=OWN"),
        ("criterion", {}, {}, None),
        ("path", {}, {}, None),
    ],
)
def test_where_the_mark_stands(
    kind: str, platform: dict[str, Any], form: dict[str, Any], expected: str | None
):
    """The author's own first, a derived one where a field is named for it, else none."""
    found = marker(Address(kind, "a"), KINDS[kind], Platform(**platform), form)
    assert found == expected or (expected and found and found.startswith(expected))
