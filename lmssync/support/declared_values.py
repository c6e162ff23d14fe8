"""Values of declared fields; pydantic builds their checks once a document has to be checked.

Loading pydantic and making models of it takes longer than a look at a state does, and most runs
read settings that have passed before.
"""

from collections.abc import Iterator, Mapping, Set
from copy import copy
from types import UnionType, new_class
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    ClassVar,
    Self,
    Union,
    dataclass_transform,
    get_args,
    get_origin,
)

if TYPE_CHECKING:
    from pydantic import BaseModel


class FieldRules:
    """A mark of a type with what `pydantic.Field` is to get once checks are built."""

    def __init__(self, **rules: Any) -> None:
        self.rules = rules


@dataclass_transform(kw_only_default=True, frozen_default=True)
class DeclaredValues:
    """Fields by name, frozen; a class of them declares fields as a model of pydantic does.

    Nothing is checked by making one: `checks_of` has the model that checks documents.
    """

    model_config: ClassVar[dict[str, Any]] = {"defer_build": True}
    """What the model is configured with."""

    _types: ClassVar[dict[str, Any]] = {}
    _defaults: ClassVar[dict[str, Any]] = {}

    def __init_subclass__(cls) -> None:
        own = _own_fields(cls)
        cls._types = cls._types | own
        cls._defaults = cls._defaults | {name: vars(cls)[name] for name in own if name in vars(cls)}

    def __init__(self, **values: Any) -> None:
        missing = self._types.keys() - self._defaults.keys() - values.keys()
        if wrong := (values.keys() - self._types.keys()) | missing:
            raise TypeError(f"{type(self).__name__} takes other fields: {', '.join(sorted(wrong))}")
        own = {
            name: copy(default) for name, default in self._defaults.items() if name not in values
        }
        vars(self).update({**own, **values, "_given": frozenset(values)})

    def __setattr__(self, name: str, _value: Any) -> None:
        raise AttributeError(f"{type(self).__name__}.{name} is frozen")

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and dict(self) == dict(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __iter__(self) -> Iterator[tuple[str, Any]]:
        return ((name, getattr(self, name)) for name in self._types)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self)})"

    @property
    def given_names(self) -> Set[str]:
        """The names of the fields that were given, rather than left to their defaults."""
        given: Set[str] = vars(self)["_given"]
        return given

    @property
    def set_fields(self) -> dict[str, Any]:
        """The fields that were given, with their values."""
        return {name: getattr(self, name) for name in self.given_names}

    def with_values(self, values: Mapping[str, Any]) -> Self:
        """The same with other values in some fields."""
        return type(self)(**{**self.set_fields, **values})


def declared_fields(model: type[DeclaredValues]) -> Mapping[str, Any]:
    """The types of the fields by their names, those of the bases first."""
    return model._types  # noqa: SLF001 - of this module


def _own_fields(model: type) -> dict[str, Any]:
    kinds: dict[str, Any] = vars(model).get("__annotations__", {})
    return {name: kind for name, kind in kinds.items() if get_origin(kind) is not ClassVar}


def make_declared(model: type[DeclaredValues], data: Mapping[str, Any]) -> DeclaredValues:
    """The values of a document that fits, with those inside it, and without any check."""
    fields = declared_fields(model)
    return model(**{name: _make_value(fields[name], value) for name, value in data.items()})


def _make_value(kind: Any, value: Any) -> Any:
    for member in _members_of(kind):
        if isinstance(value, dict) and _is_declared(member):
            return make_declared(member, value)
        if isinstance(value, dict) and get_origin(member) is dict:
            return {key: _make_value(get_args(member)[1], below) for key, below in value.items()}
        if isinstance(value, list) and get_origin(member) is list:
            return [_make_value(get_args(member)[0], below) for below in value]
    return value


def _members_of(kind: Any) -> Iterator[Any]:
    """The types that a value may have, without marks."""
    origin = get_origin(kind)
    if origin is Annotated:
        yield from _members_of(get_args(kind)[0])
    elif origin in {Union, UnionType}:
        for member in get_args(kind):
            yield from _members_of(member)
    else:
        yield kind


def _is_declared(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, DeclaredValues)


_CHECKS: dict[type[DeclaredValues], "type[BaseModel]"] = {}


def has_checks(model: type[DeclaredValues]) -> bool:
    """Whether this process has checked a document of the model already."""
    return model in _CHECKS and bool(_CHECKS[model].__pydantic_complete__)


def checks_of(model: type[DeclaredValues]) -> "type[BaseModel]":
    """The model of pydantic that checks documents, with the same name, fields and bases."""
    if model not in _CHECKS:
        _CHECKS[model] = _build_checks(model)
    return _CHECKS[model]


def _build_checks(model: type[DeclaredValues]) -> "type[BaseModel]":
    from pydantic import BaseModel

    bases = [checks_of(one) for one in model.__bases__ if issubclass(one, DeclaredValues)]
    own = _own_fields(model)
    kinds = {name: _with_checks(kind) for name, kind in own.items()}
    body = {name: _default_of(vars(model)[name]) for name in own if name in vars(model)}
    about = {name: getattr(model, name) for name in ("__module__", "__qualname__", "__doc__")}
    config = {"model_config": dict(vars(model).get("model_config", {}))}
    fields = {**about, **config, "__annotations__": kinds, **body}
    return new_class(model.__name__, tuple(bases) or (BaseModel,), {}, lambda it: it.update(fields))


def _with_checks(kind: Any) -> Any:
    """A type with models of pydantic in the place of declared ones, and its marks."""
    from pydantic import Field

    if _is_declared(kind):
        return checks_of(kind)
    origin, inside = get_origin(kind), get_args(kind)
    if origin is Annotated:
        marks = [Field(**one.rules) if isinstance(one, FieldRules) else one for one in inside[1:]]
        return Annotated[(_with_checks(inside[0]), *marks)]
    if origin in {Union, UnionType}:
        return Union[tuple(map(_with_checks, inside))]  # noqa: UP007 - of a list of types
    return origin[tuple(map(_with_checks, inside))] if origin in {list, dict} else kind


def _default_of(value: Any) -> Any:
    """A default as the model has it."""
    if not isinstance(value, DeclaredValues):
        return value
    return checks_of(type(value)).model_construct(**value.set_fields)
