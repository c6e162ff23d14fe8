"""Values that a field may have: as it is marked, as an example has it, or as its type allows."""

from collections.abc import Iterator
from typing import Any, Literal, get_args, get_origin

from ..yaml import load
from . import examples, fields, hints
from .fields import Field
from .spots import Spot


def of(spot: Spot) -> Any:
    """A value of the field."""
    marked = spot.field.shown.examples or fields.samples(spot.field.hint)
    return marked[0] if marked else next(_in_examples(spot), None) or of_field(spot.field)


def _in_examples(spot: Spot) -> Iterator[Any]:
    word = spot.path[0]
    known = examples.documents().get(word) or load(examples.OF_FILES[word].encode())
    for data in known:
        here: Any = data
        for place, field in enumerate(spot.way):
            here = here.get(field.name) if isinstance(here, dict) else None
            if here and place < len(spot.way) - 1:
                here = _first(here, field)
        if here is not None:
            yield here


def _first(value: Any, field: Field) -> Any:
    """The first of several, where a field holds several."""
    if isinstance(value, list):
        return value[0]
    named = get_origin(hints.bare_of(field.hint)) is dict
    return next(iter(value.values())) if named else value


def of_field(field: Field) -> Any:
    """A value by the marks and the type of a field alone."""
    marked = field.shown.examples or fields.samples(field.hint)
    return marked[0] if marked else _of_type(field.hint)


def _of_type(hint: Any) -> Any:
    bare = hints.bare_of(hints.without_none(hint))
    arguments = get_args(bare)
    if get_origin(bare) is Literal:
        return arguments[0]
    if get_origin(bare) is list:
        return [_of_type(arguments[0])]
    if get_origin(bare) is dict:
        return {"NAME": _of_type(arguments[1])}
    words = hints.words_of(hint)
    return words[0] if words else _PLAIN[bare] if bare in _PLAIN else _of_model(bare)


_PLAIN = {str: "...", int: 1, bool: True, float: 1.5, Any: "..."}


def _of_model(model: Any) -> dict[str, Any]:
    """The fields that it needs, or the first where it needs none."""
    inside = list(fields.fields(model).values())
    needed = [field for field in inside if field.required] or inside[:1]
    return {field.name: of_field(field) for field in needed}
