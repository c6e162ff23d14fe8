"""Checks whether an answer has the shape that its route declares, and where it differs."""

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from ...visible import visible
from .. import answers
from .table import SHAPES, adapter
from .words import PageInfo

PAGE_INFO = TypeAdapter(PageInfo)
_SHOWN = 60


class Misfit(ValueError):
    """An answer of the wrong shape; the message says what was expected and where."""


def fit(route: str, answer: Any) -> Any:
    """The answer as it came, a bare list under its key (O44); raises `Misfit`."""
    declared = SHAPES.get(route)
    if declared is None or (answer is None and declared.empty):
        return answer
    if answer is None:
        raise Misfit(
            f"the answer is empty, but {'a list' if declared.list else 'an object'} is expected"
        )
    if not declared.list:
        _check(adapter(route), answer)
        return answer
    return _listed(route, declared.list, answer)


def _listed(route: str, key: str, answer: Any) -> Any:
    items = answers.items(answer, key)
    if items is None:
        raise Misfit(f"the answer has no list `{key}`")
    _check(adapter(route), items, key)
    if (info := answers.page_info(answer)) is not None:
        _check(PAGE_INFO, info, "pageInfo")
    return {key: answer} if isinstance(answer, list) else answer


def _check(shape: TypeAdapter[Any], value: Any, key: str = "") -> None:
    try:
        shape.validate_python(value)
    except ValidationError as error:
        raise Misfit(_in_words(error.errors(include_url=False), key)) from None


def _in_words(errors: Sequence[ErrorDetails], key: str) -> str:
    """The first difference in words, and how many more there are."""
    first, more = errors[0], len(errors) - 1
    place = _place(first["loc"], key)
    if first["type"] == "missing":
        text = f"{place} is missing"
    else:
        text = f"{place} is {_kind(first['input'])}, but {_wanted(first)} is expected"
    return f"{text} ({more} more)" if more else text


def _place(path: Sequence[int | str], key: str) -> str:
    """`sections[0].title`, with the key of the list before the position in it."""
    steps = [f"[{step}]" if isinstance(step, int) else f".{step}" for step in path]
    place = (key + "".join(steps)).removeprefix(".")
    return f"`{visible(place)}`" if place else "the answer"


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


def _wanted(error: ErrorDetails) -> str:
    if error["type"] == "enum":
        return f"one of {error['ctx']['expected']}"
    return _WANTED.get(error["type"], f"something else ({error['msg']})")


def _kind(value: Any) -> str:
    """The received value in words: its kind, or its text if it is short."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        return f"`{visible(value[:_SHOWN])}`" if value.strip() else "an empty text"
    if isinstance(value, int | float):
        return f"the number {value}"
    return "a list" if isinstance(value, list) else "an object"
