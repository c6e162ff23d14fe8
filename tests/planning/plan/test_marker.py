"""The mark by which something is found again."""

import re
from typing import Any

import pytest
from hypothesis import given, strategies as st

from lmssync.planning.plan.build import derive_marker, marker_of
from lmssync.resource import KEY, Address
from lmssync.settings import Platform
from tests.making import course, criterion, license_, path, resource, session

KEYS = st.from_regex(KEY, fullmatch=True).filter(lambda key: len(key) <= 200)


@given(KEYS)
def test_a_mark_fits_into_a_sku(key: str):
    """A mark has at most 36 characters, none of which needs escaping (O18)."""
    assert re.fullmatch(r"ls-[a-z0-9-]{1,33}", derive_marker(Address("course", key)))


@given(KEYS, KEYS)
def test_two_addresses_have_two_marks(one: str, two: str):
    """Different addresses have different marks, however similar their keys are."""
    marks = {derive_marker(Address("course", one)), derive_marker(Address("course", two))}
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
    """Marks stay the same in every release, or things would be made twice."""
    assert mark == derive_marker(Address("course", key))


def test_kinds_do_not_share_marks():
    """A course and a license with the same key have different marks."""
    assert derive_marker(Address("course", "a")) != derive_marker(Address("license", "a"))


@pytest.mark.parametrize(
    ("data", "platform", "expected"),
    [
        (course("a", sku="OWN"), {}, "sku=OWN"),
        (course("a"), {}, "sku=ls-"),
        (course("a", sku="OWN"), {"marker": "none"}, None),
        (session("a", sku="OWN"), {}, "sku=OWN"),
        (license_("a"), {}, None),
        (license_("a"), {"licenseMarker": "ref3"}, "ref3=ls-"),
        (license_("a", ref3="OWN"), {"licenseMarker": "ref3"}, "ref3=OWN"),
        (license_("a", ref10="OWN"), {"licenseMarker": "ref10"}, "ref10=OWN"),
        (criterion("a"), {}, None),
        (path("a"), {}, None),
    ],
)
def test_where_the_mark_stands(
    data: dict[str, Any], platform: dict[str, Any], expected: str | None
):
    """The author's own mark is used, else a derived one if the kind has a field for it."""
    found = marker_of(resource(data), Platform(**platform))
    assert found == expected or (expected and found and found.startswith(expected))
