"""Which model, and which of its fields, a path through a document leads to."""

from typing import Any

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from ...resource import Path
from ...support.annotations import leaf_types


def fields_of(model: type[BaseModel]) -> dict[str, FieldInfo]:
    """The fields of a model by the names that an author writes."""
    return {field.alias or name: field for name, field in model.model_fields.items()}


def model_in(annotation: Any) -> type[BaseModel] | None:
    """The model that stands in a type, if one does."""
    return next((leaf.model for leaf in leaf_types(annotation) if leaf.model), None)


def model_at(model: type[BaseModel], path: Path) -> type[BaseModel] | None:
    """The model that the value at `path` has to fit; nothing among keys of the author's own."""
    here: type[BaseModel] | None = model
    keyed = False  # a mapping of models: the next step is a key of the author's
    for step in path:
        if isinstance(step, int) or keyed:
            keyed = False
            continue
        declared = fields_of(here).get(step) if here else None
        inside = leaf_types(declared.annotation) if declared else ()
        leaf = next((leaf for leaf in inside if leaf.model), None)
        here, keyed = (leaf.model, leaf.keyed) if leaf else (None, False)
    return here


def fields_at(model: type[BaseModel], path: Path) -> dict[str, FieldInfo]:
    """The fields of the mapping at `path`; none where no model says which."""
    here = model_at(model, path)
    return fields_of(here) if here else {}


def declared_at(model: type[BaseModel], path: Path) -> tuple[str, FieldInfo | None]:
    """The innermost field of a model on the way to `path`: the rest are keys of the author's."""
    for end in range(len(path), 0, -1):
        name = path[end - 1]
        declared = fields_at(model, path[: end - 1]).get(str(name))
        if declared is not None:
            return str(name), declared
    return "document", None


def field_at(model: type[BaseModel], path: Path) -> str:
    """The name of that field; `document` where there is none."""
    return declared_at(model, path)[0]
