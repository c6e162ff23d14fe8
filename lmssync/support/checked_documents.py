"""Documents as models; those that have passed before are not checked again.

The checks of a model take longer to build than a small catalog takes to read. So the user's cache
folder remembers which documents have passed, where making models of them unchecked gives the same.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import pydantic
from pydantic import BaseModel, ValidationError

from .annotations import leaf_types
from .cache_folder import find_cache_file, is_ours
from .remembered_files import recall_content, remember_content

M = TypeVar("M", bound=BaseModel)


def check_documents(
    root: Path, model: type[M], documents: Sequence[Any]
) -> list[M | ValidationError]:
    """Each document of a catalog as a model, or why it is none.

    Something is remembered of catalogs that have a cache already.
    """
    if model.__pydantic_complete__ or not documents:  # its checks are built already
        return [_check_document(model, data) for data in documents]
    cache = find_cache_file(root)
    kept = cache is not None and is_ours(cache)
    file = cache.with_name(f"checked-{model.__name__}") if cache and kept else None
    about = f"{pydantic.VERSION} {documents!r}".encode("utf-8", "surrogatepass")
    if recall_content(file, about) is not None:
        return [make_unchecked(model, data) for data in documents]
    checked = [_check_document(model, data) for data in documents]
    sound = not any(isinstance(one, ValidationError) for one in checked)
    if sound and checked == [make_unchecked(model, data) for data in documents]:
        remember_content(file, about)
    return checked


def _check_document(model: type[M], data: Any) -> M | ValidationError:
    try:
        return model.model_validate(data)
    except ValidationError as error:
        return error


def make_unchecked(model: type[M], data: Mapping[str, Any]) -> M:
    """The model of a document that fits it, with the models inside it, and without any check."""
    values = {name: _make_value(model, name, value) for name, value in data.items()}
    return model.model_construct(set(data), **values)


def _make_value(model: type[BaseModel], name: str, value: Any) -> Any:
    field = model.model_fields.get(name)
    leaves = leaf_types(field.annotation) if field else ()
    leaf = next((leaf for leaf in leaves if leaf.model), None)
    if leaf is None or leaf.model is None or not isinstance(value, dict):
        return value
    if leaf.keyed:
        return {key: make_unchecked(leaf.model, below) for key, below in value.items()}
    return make_unchecked(leaf.model, value)
