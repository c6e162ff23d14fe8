"""The single types that the annotations of fields are made of."""

from enum import StrEnum
from typing import Annotated

from pydantic import BaseModel, Field
from pydantic.fields import FieldInfo

from lmssync.support.annotations import Leaf, item_of, leaf_types, leaves_of


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


class Part(BaseModel):
    many: Annotated[list[Annotated[str, "inner"]] | None, "outer"] = None
    least: Annotated[int, Field(ge=3)] | None = None


def declared(name: str) -> FieldInfo:
    return Part.model_fields[name]


def test_a_union_has_the_types_of_its_branches():
    """None aside, each branch gives its own, in their order."""
    assert [Leaf(str), Leaf(Part, listed=True)] == list(leaf_types(str | list[Part] | None))


def test_values_of_a_mapping_stand_under_keys():
    """Only what stands under a key counts, not the key itself."""
    assert [Leaf(str, keyed=True)] == list(leaf_types(dict[Colour, str]))


def test_marks_begin_with_the_innermost():
    """Those of a list and of the field itself come after those of its items."""
    assert ("inner", "outer") == leaves_of(declared("many"))[0].marks


def test_bounds_are_marks():
    """What `Field` says in an annotation is taken apart."""
    assert [3] == [mark.ge for mark in leaves_of(declared("least"))[0].marks]


def test_a_leaf_knows_its_words_and_its_model():
    """Words are those of an enum; a model is a class of pydantic."""
    colour, part = leaf_types(Colour | Part)
    assert (("red", "blue"), None) == (colour.allowed_words, colour.model)
    assert ((), Part) == (part.allowed_words, part.model)


def test_the_first_list_gives_the_items():
    """A list among several types is found, one inside a mapping is not."""
    assert int is item_of(str | list[int] | None)
    assert item_of(dict[str, list[int]]) is None
