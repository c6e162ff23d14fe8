"""Ids: what they hold, and that ids of other origin are recognised."""

import uuid

import pytest
from hypothesis import given, strategies as st

from lmssync.sandbox.data.object_documents import Ids, Level

IDS = Ids(7)


@given(st.sampled_from(Level), st.integers(0, 2**36 - 1), st.integers(0, 2**24 - 1))
def test_ids_say_what_they_stand_for(level, serial, number):
    """An id is a version 4 uuid and is read back."""
    text = IDS.make_id(level, serial, number)
    assert (uuid.UUID(text).version, uuid.UUID(text).variant) == (4, uuid.RFC_4122)
    assert (level, serial, number) == IDS.read_id(text)


@given(st.uuids())
def test_an_id_that_was_not_given_out_is_not_read(unknown):
    """A uuid that was not given out stands for nothing."""
    assert IDS.read_id(str(unknown)) is None


@pytest.mark.parametrize("text", ["", "x" * 36, " " * 36, "1_2" * 12, "-" * 36])
def test_nonsense_is_not_read(text):
    """A text that is not a uuid stands for nothing."""
    assert IDS.read_id(text) is None


def test_other_seeds_give_other_ids():
    """An id of one sandbox means nothing to another."""
    assert Ids(8).read_id(IDS.make_id(Level.COURSE, 1)) is None
