"""Checks whether an answer has the shape that its route declares, and where it differs."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from pydantic import TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from ...support.invisible_characters import escape_invisible
from .answer_bodies import Misfit, find_items, page_info
from .answer_shapes import SHAPES, PageInfo


@cache
def shape_adapter(route: str) -> TypeAdapter[Any]:
    """The check of an answer of the route, or of the items of its list."""
    answer = SHAPES[route]
    return TypeAdapter(list[answer.shape] if answer.list else answer.shape)  # type: ignore[name-defined]


PAGE_INFO = TypeAdapter(PageInfo)
_SHOWN = 60


def fit_shape(route: str, answer: Any) -> Any:
    """The answer as it came, a bare list under its key (O44), a whole course nested (O28); raises
    `Misfit`."""
    declared = SHAPES.get(route)
    if declared is None or (answer is None and declared.empty):
        return answer
    if answer is None:
        raise Misfit(
            f"the answer is empty, but {'a list' if declared.list else 'an object'} is expected"
        )
    if not declared.list:
        regular = declared.regular(answer) if isinstance(answer, dict) else answer
        _check_shape(shape_adapter(route), regular)
        return regular
    return _items_under_key(route, declared.list, answer)


def _items_under_key(route: str, key: str, answer: Any) -> Any:
    items = find_items(answer, key)
    if items is None:
        raise Misfit(f"the answer has no list `{key}`")
    _check_shape(shape_adapter(route), items, key)
    if (info := page_info(answer)) is not None:
        _check_shape(PAGE_INFO, info, "pageInfo")
    return {key: answer} if isinstance(answer, list) else answer


def _check_shape(shape: TypeAdapter[Any], value: Any, key: str = "") -> None:
    try:
        shape.validate_python(value)
    except ValidationError as error:
        raise Misfit(_in_words(error.errors(include_url=False), key)) from None


def _in_words(errors: Sequence[ErrorDetails], key: str) -> str:
    """The first difference in words, and how many more there are."""
    first, more = errors[0], len(errors) - 1
    place = _describe_path(first["loc"], key)
    if first["type"] == "missing":
        text = f"{place} is missing"
    else:
        found, wanted = _describe_kind(first["input"]), _describe_wanted(first)
        text = f"{place} is {found}, but {wanted} is expected"
    return f"{text} ({more} more)" if more else text


def _describe_path(path: Sequence[int | str], key: str) -> str:
    """`sections[0].title`, with the key of the list before the position in it."""
    steps = [f"[{step}]" if isinstance(step, int) else f".{step}" for step in path]
    place = (key + "".join(steps)).removeprefix(".")
    return f"`{escape_invisible(place)}`" if place else "the answer"


_WANTED: Mapping[str, str] = {
    "string_type": "a text",
    "list_type": "a list",
    "dict_type": "an object",
    "model_type": "an object",
    "bool_type": "true or false",
    "int_type": "a whole number",
    "float_type": "a number",
    "string_pattern_mismatch": "a uuid",
    "string_too_short": "an id",
}


def _describe_wanted(error: ErrorDetails) -> str:
    if error["type"] == "enum":
        return f"one of {error['ctx']['expected']}"
    return _WANTED.get(error["type"], f"something else ({error['msg']})")


def _describe_kind(value: Any) -> str:
    """The received value in words: its kind, or its text if it is short."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        return f"`{escape_invisible(value[:_SHOWN])}`" if value.strip() else "an empty text"
    if isinstance(value, int | float):
        return f"the number {value}"
    return "a list" if isinstance(value, list) else "an object"
