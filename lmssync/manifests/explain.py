"""What the models refuse, in words for an author."""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from operator import itemgetter
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from ..problems import Finding, near
from ..source import Path

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_SPELLINGS = {
    "baseUrl": "write it with its scheme: https://learning.example.com",
    "env": "name an environment variable, such as LMSSYNC_API_KEY",
    "licenseMarker": "name one of ref1 to ref10",
}
"""How a field with a pattern of its own is written; the others are keys and ids."""
_WANTED = {
    "string_type": "text",
    "int_type": "a whole number",
    "bool_type": "true or false",
    "list_type": "a list",
    "dict_type": "a mapping",
    "model_type": "a mapping",
    "model_attributes_type": "a mapping",
    "float_type": "a number",
}


def findings(error: ValidationError, model: type[BaseModel], data: Any) -> Iterator[Finding]:
    """One finding a mistake, each with the path of the value it is about."""
    details = [(_path(detail["loc"], data), detail) for detail in error.errors(include_url=False)]
    paths = {path for path, _ in details}
    for path, group in groupby(details, key=itemgetter(0)):
        branches = [detail for _, detail in group]
        wanted = [_WANTED[detail["type"]] for detail in branches if detail["type"] in _WANTED]
        if not wanted:
            yield _finding(branches[0], model, path)
        elif not any(other[: len(path)] == path != other for other in paths):
            # Branches of a union that fit better say what is wrong further inside.
            yield _type(path, _field_at(model, path), " or ".join(wanted), branches[0]["input"])


def _path(loc: Path, data: Any) -> Path:
    """`loc` without the names of union branches, which are not in the document."""
    path: list[str | int] = []
    here = data
    for step in loc:
        try:
            here = here[step]
        except (KeyError, IndexError, TypeError):
            if step == loc[-1] and isinstance(here, Mapping):
                path.append(step)
            continue
        path.append(step)
    return tuple(path)


def _finding(detail: ErrorDetails, model: type[BaseModel], path: Path) -> Finding:
    kind = detail["type"]
    context: Mapping[str, Any] = detail.get("ctx", {})
    name = str(next((step for step in reversed(path) if isinstance(step, str)), "document"))
    if kind == "missing":
        return Finding("missing-field", path[:-1], f"`{name}` is missing", f"add `{name}`")
    if kind == "extra_forbidden":
        return _unknown(path, name, model)
    if kind == "lmssync":
        return Finding(context["code"], path, f"`{name}` {detail['msg']}", context["hint"])
    if kind in {"greater_than_equal", "less_than_equal"}:
        return _range(path, name, detail["input"], _bounds_of(model, path))
    return _size_or_word(kind, path, name, detail["input"], context) or Finding(
        f"{_kebab(name)}-value", path, f"`{name}`: {detail['msg']}"
    )


def _unknown(path: Path, name: str, model: type[BaseModel]) -> Finding:
    known = _fields_at(model, path[:-1])
    guess = near(name, known) or f"known here: {', '.join(sorted(known))}"
    return Finding("unknown-field", path, f"there is no field `{name}` here", guess)


def _fields_at(model: type[BaseModel], path: Path) -> set[str]:
    """Names of the fields of the model that stands at `path`."""
    here = _model_at(model, path)
    if not here:
        return set()
    return {field.alias or name for name, field in here.model_fields.items()}


def _model_at(model: type[BaseModel], path: Path) -> Any:
    here: Any = model
    for step in path:
        if isinstance(step, str) and here and step in here.model_fields:
            here = _model_in(here.model_fields[step].annotation)
    return here


def _model_in(annotation: Any) -> Any:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    for inner in getattr(annotation, "__args__", ()):
        if found := _model_in(inner):
            return found
    return None


def _field_at(model: type[BaseModel], path: Path) -> str:
    """The innermost field of a model on the way to `path`: the rest are keys of the author's."""
    for end in range(len(path), 0, -1):
        step = path[end - 1]
        if isinstance(step, str) and step in _fields_at(model, path[: end - 1]):
            return step
    return "document"


def _type(path: Path, field: str, wanted: str, value: Any) -> Finding:
    hint = ""
    name = str(next((step for step in reversed(path) if isinstance(step, str)), field))
    if wanted == "text" and isinstance(value, (int, float, bool)):
        hint = f'put it in quotes ("{value}"): YAML reads it as {kind_of(value)}'
    elif wanted == "true or false" and isinstance(value, str):
        hint = "write true or false, without quotes"
    elif wanted == "a list":
        hint = f"write `{name}: [...]`, or one item a line after a dash"
    return Finding(
        f"{_kebab(field)}-type", path, f"`{name}` is {kind_of(value)}; it must be {wanted}", hint
    )


def kind_of(value: Any) -> str:
    if value is None:
        return "empty"
    if isinstance(value, bool):
        return f"the boolean {str(value).lower()}"
    if isinstance(value, (int, float)):
        return f"the number {value}"
    if isinstance(value, str):
        return f"the text {_short(value)}"
    return "a list" if isinstance(value, list) else "a mapping"


def _range(path: Path, name: str, value: Any, bounds: tuple[Any, Any]) -> Finding:
    least, most = bounds
    allowed = f"{least} to {most}" if most is not None else f"{least} and more"
    return Finding(
        f"{_kebab(name)}-range", path, f"{name} is {value}; the platform allows {allowed}"
    )


def _bounds_of(model: type[BaseModel], path: Path) -> tuple[Any, Any]:
    """The least and the most that the field at `path` may be."""
    holder = _model_at(model, path[:-1])
    field = holder.model_fields[str(path[-1])] if holder else None
    marks = list(_marks((field.annotation, *field.metadata))) if field else []
    least = next((mark.ge for mark in marks if hasattr(mark, "ge")), None)
    return least, next((mark.le for mark in marks if hasattr(mark, "le")), None)


def _marks(found: Iterable[Any]) -> Iterator[Any]:
    for item in found:
        yield item
        yield from _marks(getattr(item, "__metadata__", ()) or getattr(item, "metadata", ()))
        yield from _marks(getattr(item, "__args__", ()))


def _size_or_word(
    kind: str, path: Path, name: str, value: Any, context: Mapping[str, Any]
) -> Finding | None:
    kebab = _kebab(name)
    if kind in {"string_too_long", "too_long"}:
        unit = "characters" if isinstance(value, str) else "items"
        most = context["max_length"]
        return Finding(
            f"{kebab}-length",
            path,
            f"`{name}` has {len(value)} {unit}; the platform allows {most}",
            "shorten it",
        )
    if kind == "string_pattern_mismatch":
        return Finding(
            f"{kebab}-value",
            path,
            f"`{name}` is {_short(value)}, which has characters that do not belong there",
            _SPELLINGS.get(name, "use letters, digits, and single hyphens, dots or underscores"),
        )
    if kind in {"enum", "literal_error"}:
        allowed = [word.strip("'") for word in re.split(r", | or ", str(context["expected"]))]
        return Finding(
            f"{kebab}-value",
            path,
            f"`{name}` is {_short(value)}, which is not one of the words it may be",
            near(str(value), allowed) or f"allowed: {', '.join(allowed)}",
        )
    return None


def _short(value: Any) -> str:
    text = str(value).replace("\n", " ")
    return f"`{text}`" if len(text) <= 60 else f"`{text[:57]}...`"  # noqa: PLR2004


def _kebab(name: str) -> str:
    return _HUMP.sub("-", name).lower()
