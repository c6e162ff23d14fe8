"""Declared fields hold what a document says, and pydantic checks it as it checks its own models."""

import pickle
from typing import Annotated, Any

import pytest
from pydantic import ValidationError

from lmssync.support.checked_documents import check_document, make_unchecked
from lmssync.support.declared_values import DeclaredValues, FieldRules, checks_of


class Inner(DeclaredValues):
    model_config = {"extra": "forbid", "strict": True}  # noqa: RUF012 - as settings have it
    size: Annotated[int, FieldRules(ge=1)]
    """How large it is."""


class Outer(Inner):
    name: Annotated[str, FieldRules(pattern="^[a-z]+$")] | None = None
    several: dict[str, Inner] = {}  # noqa: RUF012 - the same
    listed: list[Inner] = []  # noqa: RUF012 - the same
    first: Inner = Inner(size=7)


WHOLE = {"size": 1, "name": "a", "several": {"x": {"size": 2}}, "listed": [{"size": 3}]}


def test_a_document_that_passes_becomes_the_same_values_as_one_that_is_not_checked():
    """Models inside it are made of mappings and of lists, and defaults fill what is left out."""
    checked = check_document(Outer, WHOLE)
    assert isinstance(checked, Outer)
    assert checked == make_unchecked(Outer, WHOLE)
    assert (Inner(size=2), Inner(size=3)) == (checked.several["x"], checked.listed[0])
    assert ({*WHOLE}, 7) == (checked.given_names, checked.first.size)


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"size": 0},
        {"size": "1"},
        {"size": 1, "other": 1},
        {"size": 1, "name": "A"},
        {"size": 1, "several": {"x": {}}},
        {"size": 1, "listed": [{"size": 0}]},
        [],
        None,
    ],
)
def test_what_does_not_fit_is_refused(wrong: Any):
    """Bounds, patterns, types and unknown fields are judged at every depth."""
    assert isinstance(check_document(Outer, wrong), ValidationError)


def test_values_are_frozen_and_their_defaults_are_their_own():
    """Nobody can write a field, and what a default has is copied for each value."""
    one, other = Outer(size=1), Outer(size=1)
    one.several["x"] = Inner(size=1)
    assert {} == other.several
    with pytest.raises(AttributeError, match="frozen"):
        one.size = 2  # type: ignore[misc]


def test_only_declared_fields_are_taken():
    """A misspelled name is no value, and a field without a default has to be given."""
    with pytest.raises(TypeError, match="sise"):
        Outer(size=1, sise=2)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="size"):
        Outer(name="a")  # type: ignore[call-arg]


def test_other_values_in_some_fields_leave_the_rest():
    """What was given stays given, and what is new is given too."""
    changed = Outer(size=1).with_values({"name": "b"})
    assert (1, "b", {"size", "name"}) == (changed.size, changed.name, changed.given_names)


def test_values_go_to_other_processes():
    """A pool of processes gets the settings of a run."""
    value = make_unchecked(Outer, WHOLE)
    assert value == pickle.loads(pickle.dumps(value))
    assert {*WHOLE} == pickle.loads(pickle.dumps(value)).given_names


def test_the_model_of_the_checks_has_the_names_of_the_declaration():
    """Schemas and sentences find the class that declares a field by its name and its bases."""
    made = checks_of(Outer)
    assert (Outer.__name__, Outer.__module__) == (made.__name__, made.__module__)
    assert checks_of(Inner) in made.__mro__
    assert 7 == made.model_fields["first"].default.size
