"""Whatever bytes a catalog is made of, `lmssync validate` answers and never breaks down."""

from random import Random

from hypothesis import given, strategies as st

from .whole import ANSWERS, PROJECT, changed, slip, validate

_SLIPS = st.randoms(use_true_random=False)


@given(st.binary(max_size=200))
def test_any_bytes_are_answered(data: bytes):
    """As a manifest."""
    assert validate(a__yaml=data) in ANSWERS


@given(st.binary(max_size=200))
def test_any_bytes_as_the_project_file_are_answered(data: bytes):
    """Where everything else begins."""
    assert validate(lmssync__yaml=data) in ANSWERS


@given(st.binary(max_size=200))
def test_any_bytes_as_a_body_are_answered(data: bytes):
    """In a file that a manifest names."""
    manifest = b"resource: course\nkey: a\nkind: microCourse\ntitle: A\ntopics:\n"
    manifest += b"  - {id: b, title: B, type: text, bodyFile: b.md}\n"
    assert validate(a__yaml=manifest, b__md=data) in ANSWERS


@given(_SLIPS)
def test_slips_in_a_manifest_are_answered(random: Random):
    """Real manifests with a few slips: what authors really write."""
    assert validate(a__yaml=slip(random), b__yaml=slip(random)) in ANSWERS


@given(_SLIPS)
def test_slips_in_the_project_file_are_answered(random: Random):
    """The same for the project file."""
    assert validate(lmssync__yaml=changed(PROJECT, random)) in ANSWERS
