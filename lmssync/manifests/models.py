"""Which model, and which of its fields, a path through a document leads to."""

from typing import Any

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from ..source import Path


def fields_of(model: type[BaseModel]) -> dict[str, FieldInfo]:
    """The fields of a model by the names that an author writes."""
    return {field.alias or name: field for name, field in model.model_fields.items()}


def model_in(annotation: Any) -> type[BaseModel] | None:
    """The model that stands in a type, if one does."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    for inner in getattr(annotation, "__args__", ()):
        if found := model_in(inner):
            return found
    return None


def model_at(model: type[BaseModel], path: Path) -> type[BaseModel] | None:
    """The model that the value at `path` has to fit; nothing among keys of the author's own."""
    here: type[BaseModel] | None = model
    keyed = False  # a mapping of models: the next step is a key of the author's
    for step in path:
        if isinstance(step, int) or keyed:
            keyed = False
            continue
        declared = fields_of(here).get(step) if here else None
        here = model_in(declared.annotation) if declared else None
        keyed = "dict[" in str(declared.annotation) if here and declared else False
    return here


def field_at(model: type[BaseModel], path: Path) -> str:
    """The innermost field of a model on the way to `path`: the rest are keys of the author's."""
    for end in range(len(path), 0, -1):
        step = path[end - 1]
        holder = model_at(model, path[: end - 1])
        if holder and isinstance(step, str) and step in fields_of(holder):
            return step
    return "document"
