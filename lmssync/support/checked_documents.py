"""Documents as models; those that have passed before are not checked again.

The checks of a model take longer to build than a small catalog takes to read. So the user's cache
folder remembers which documents have passed, where making models of them unchecked gives the same.
"""

import os
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, Union, cast

from .cache_folder import find_cache_file, is_ours
from .declared_values import DeclaredValues, checks_of, has_checks, make_declared
from .remembered_files import recall_content, remember_content

if TYPE_CHECKING:
    from pydantic import BaseModel, ValidationError

M = TypeVar("M", bound=Union[DeclaredValues, "BaseModel"])


def check_documents(
    root: Path, model: type[M], documents: Sequence[Any]
) -> "list[M | ValidationError]":
    """Each document of a catalog as a model, or why it is none.

    Something is remembered of catalogs that have a cache already.
    """
    if _is_built(model) or not documents:
        return [check_document(model, data) for data in documents]
    cache = find_cache_file(root)
    kept = cache is not None and is_ours(cache)
    file = cache.with_name(f"checked-{model.__name__}") if cache and kept else None
    about = f"{_pydantic_identity()} {documents!r}".encode("utf-8", "surrogatepass")
    if recall_content(file, about) is not None:
        return [make_unchecked(model, data) for data in documents]
    checked = [check_document(model, data) for data in documents]
    sound = all(isinstance(one, model) for one in checked)
    if sound and checked == [make_unchecked(model, data) for data in documents]:
        remember_content(file, about)
    return checked


def _is_built(model: type[M]) -> bool:
    """Whether this process has the checks of a model already."""
    if issubclass(model, DeclaredValues):
        return has_checks(model)
    return bool(model.__pydantic_complete__)


def _pydantic_identity() -> str:
    """Which pydantic there is, without loading it."""
    spec = find_spec("pydantic")
    origin = str(spec and spec.origin)
    return f"{origin} {os.stat(origin).st_mtime_ns}"  # noqa: PTH116 - one call in each run


def check_document(model: type[M], data: Any) -> "M | ValidationError":
    """The model of a document, or why it is none."""
    from pydantic import ValidationError

    try:
        if not issubclass(model, DeclaredValues):
            return model.model_validate(data)
        passed = checks_of(model).model_validate(data)
    except ValidationError as error:
        return error
    return make_unchecked(model, passed.model_dump(exclude_unset=True))


def make_unchecked(model: type[M], data: Mapping[str, Any]) -> M:
    """The model of a document that fits it, with the models inside it, and without any check."""
    if issubclass(model, DeclaredValues):
        made: Any = make_declared(model, data)
        return cast("M", made)
    values = {name: _make_value(model, name, value) for name, value in data.items()}
    return model.model_construct(set(data), **values)


def _make_value(model: "type[BaseModel]", name: str, value: Any) -> Any:
    from .annotations import leaf_types

    field = model.model_fields.get(name)
    leaves = leaf_types(field.annotation) if field else ()
    leaf = next((leaf for leaf in leaves if leaf.model), None)
    if leaf is None or leaf.model is None or not isinstance(value, dict):
        return value
    if leaf.keyed:
        return {key: make_unchecked(leaf.model, below) for key, below in value.items()}
    return make_unchecked(leaf.model, value)
