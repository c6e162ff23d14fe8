"""Every field of every kind of resource and of file, by its path, found in the schemas."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from pydantic import BaseModel

from ....kind import Kind
from ....kinds import BY_RESOURCE, KINDS
from ....resource import PROJECT_FILE
from ....settings import Project
from ..policies import PolicyFile
from .builders import Schema, short_form, short_list, short_name
from .in_words import references_in
from .model_schema import model_definitions

FILES: Mapping[str, type[BaseModel]] = {
    PROJECT_FILE.removesuffix(".yaml"): Project,
    "policy": PolicyFile,
}
"""Files that hold no resources, by the first word of their paths."""
_POSITION = re.compile(r"\[[^\]]*\]")
_NESTED = {short_name(one): one for kind in KINDS.values() for one in kind.authoring.nested}


class Field(NamedTuple):
    """A field and the way to it from the top of a manifest, without positions in lists."""

    path: tuple[str, ...]
    """Begins with the word of the kind."""
    way: tuple[Schema, ...]
    """The schema of each step after that word; the last is that of the field itself."""
    model: str
    """Declares the field, or inherits it."""
    kind: Kind | None
    """The innermost on the way; nothing for a file that holds no resources."""
    own: tuple[str, ...] = ()
    """The end of the path that is inside that kind."""
    required: bool = False
    parts: int = 0
    """How many steps of `own` lead to the innermost part that the field is in."""

    @property
    def name(self) -> str:
        return self.path[-1]

    @property
    def schema(self) -> Schema:
        return self.way[-1]

    def __str__(self) -> str:
        return ".".join(self.path)


@cache
def model_schemas() -> Mapping[str, Schema]:
    """The schemas of all models by name, each with every field among its properties."""
    known = [*(kind.spec for kind in KINDS.values()), *FILES.values()]
    schemas = model_definitions(known)
    for kind in KINDS.values():
        top = schemas[kind.spec.__name__]
        lists = {nested.field: short_list(nested) for nested in kind.authoring.nested}
        schemas[kind.spec.__name__] = top | {"properties": top["properties"] | lists}
    for name, nested in _NESTED.items():
        spec = BY_RESOURCE[nested.resource].spec
        schemas[name] = short_form(nested, schemas[spec.__name__])
    return schemas


@cache
def all_fields() -> Sequence[Field]:
    """All of them, outermost first within each kind."""
    tops = {word: (kind.spec, kind) for word, kind in BY_RESOURCE.items()}
    files = {word: (model, None) for word, model in FILES.items()}
    return [
        field
        for word, (model, kind) in (tops | files).items()
        for field in _fields_below(Field((word,), (), "", kind), model.__name__)
    ]


def _fields_below(above: Field, name: str) -> Iterator[Field]:
    """The fields of a model and of those inside it; `above` is where the model stands."""
    model = model_schemas()[name]
    if name in _NESTED:
        kind = BY_RESOURCE[_NESTED[name].resource]
        above, name = above._replace(kind=kind, own=(), parts=0), kind.spec.__name__
    elif above.own and "id" in model["properties"]:
        above = above._replace(parts=len(above.own))
    for field, schema in model["properties"].items():
        here = above._replace(
            path=(*above.path, field),
            way=(*above.way, schema),
            model=name,
            required=field in model.get("required", ()),
            own=(*above.own, field),
        )
        yield here
        for inside in references_in(schema):
            yield from _fields_below(here, inside)


def find_fields(name: str) -> list[Field]:
    """The fields that a name means, each once: a whole path, or the end of one.

    Positions may stand in it, and names that the author made, as in `environments.live.baseUrl`.
    """
    steps = tuple(_POSITION.sub("", name).split("."))
    head = KINDS[steps[0]].resource if steps[0] in KINDS else steps[0]
    if not all(steps):
        return []
    whole = (head, *steps[1:])
    exact = [field for field in all_fields() if field.path == whole]
    ends = [field for field in all_fields() if field.path[-len(steps) :] == steps]
    return (
        exact
        or without_longer_ways(ends)
        or [field for field in all_fields() if _leads_to(whole, field.path)]
    )


def without_longer_ways(several: Sequence[Field]) -> list[Field]:
    """Without longer ways that lead to the same field of the same model again."""
    known: dict[tuple[Any, ...], Field] = {}
    for field in sorted(several, key=lambda field: len(field.path)):
        known.setdefault((field.kind and field.kind.name, field.model, field.name), field)
    return [field for field in several if field in known.values()]


def _leads_to(steps: tuple[str, ...], path: tuple[str, ...]) -> bool:
    """True if `steps` is `path` with names of the author's own between."""
    start = path.index(steps[0]) if steps[0] in path else len(path)
    wanted, rest = path[start:], iter(steps)
    longer = len(steps) > len(wanted) > 1 and steps[-1] == path[-1]
    return longer and all(step in rest for step in wanted)
