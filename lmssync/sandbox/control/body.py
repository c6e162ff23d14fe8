"""What a command takes in its body and in its query."""

from collections.abc import Iterable, Mapping
from typing import Any

from ..checks import Rule, at, json_object, new_fields
from ..sandbox_documents import Doc

Query = Mapping[str, list[str]]


def body_fields(body: Doc, rules: Mapping[str, Rule], needed: Iterable[str] = ()) -> Doc:
    """The checked fields of a body, without those that are null."""
    with at("body"):
        return new_fields(body, rules, needed)


def check_document(value: Any) -> Doc:
    """A rule: an object in a body."""
    with at("it"):
        return json_object(value)
