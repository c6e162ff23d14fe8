"""Where fields stand: every field of every kind of resource and of file, by its path."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from pydantic import BaseModel

from ...kinds import BY_RESOURCE, KINDS
from ...kinds.kind import Kind, Nested
from ...kinds.types import Shown
from ...settings import PROJECT_FILE, Project
from ..policies import PolicyFile
from . import fields
from .fields import Field

FILES: Mapping[str, type[BaseModel]] = {
    PROJECT_FILE.removesuffix(".yaml"): Project,
    "policy": PolicyFile,
}
"""Files that hold no resources, by the first word of their paths."""
_POSITION = re.compile(r"\[[^\]]*\]")


class Spot(NamedTuple):
    """A field and the way to it from the top of a manifest, without positions in lists."""

    path: tuple[str, ...]
    """Begins with the word of the kind."""
    way: tuple[Field, ...]
    """The field of each step after that word; the last is the field itself."""
    model: type[BaseModel]
    """Declares the field, or inherits it."""
    kind: Kind | None
    """Nothing for a file that holds no resources."""

    @property
    def field(self) -> Field:
        return self.way[-1]

    def __str__(self) -> str:
        return ".".join(self.path)


@cache
def spots() -> Sequence[Spot]:
    """All of them, outermost first within each kind."""
    found: list[Spot] = []
    for kind in BY_RESOURCE.values():
        found += _below(Spot((kind.resource,), (), kind.spec, kind), kind.spec)
    for word, model in FILES.items():
        found += _below(Spot((word,), (), model, None), model)
    return found


def _below(above: Spot, model: type[BaseModel]) -> Iterator[Spot]:
    implied = _implied(above, model)
    for field in [*fields.fields(model).values(), *_short_forms(above, model)]:
        if field.name in implied:
            continue
        spot = Spot((*above.path, field.name), (*above.way, field), model, above.kind)
        yield spot
        for inside in field.models:
            yield from _below(spot._replace(kind=_kind_of(inside, above.kind)), inside)


def _implied(above: Spot, model: type[BaseModel]) -> set[str]:
    """Fields that a short form does without: its place says them."""
    outer = BY_RESOURCE.get(above.path[0])
    for nested in outer.authoring.nested if outer else ():
        if above.path[1:] == (nested.field,) and BY_RESOURCE[nested.resource].spec is model:
            return {"resource", "key", nested.owner}
    return set()


def _short_forms(above: Spot, model: type[BaseModel]) -> Iterator[Field]:
    if above.kind and above.kind.spec is model:
        yield from (_short_form(nested) for nested in above.kind.authoring.nested)


def _short_form(nested: Nested) -> Field:
    kind = BY_RESOURCE[nested.resource]
    hint: Any = list[kind.spec]  # type: ignore[name-defined]
    text = f"Each {kind.noun} in short form, without `{nested.owner}` and `key`."
    return Field(nested.field, hint, required=False, default=None, shown=Shown(), text=text)


def _kind_of(model: type[BaseModel], otherwise: Kind | None) -> Kind | None:
    return next((kind for kind in KINDS.values() if kind.spec is model), otherwise)


def find(name: str) -> list[Spot]:
    """The fields that a name means, each once: a whole path, or the end of one.

    Positions may stand in it, and names that the author made, as in `environments.live.baseUrl`.
    """
    steps = tuple(_POSITION.sub("", name).split("."))
    head = KINDS[steps[0]].resource if steps[0] in KINDS else steps[0]
    if not all(steps):
        return []
    whole = (head, *steps[1:])
    exact = [spot for spot in spots() if spot.path == whole]
    ends = [spot for spot in spots() if spot.path[-len(steps) :] == steps]
    return exact or once(ends) or [spot for spot in spots() if _leads_to(whole, spot.path)]


def once(found: Sequence[Spot]) -> list[Spot]:
    """Without longer ways that lead to the same field of the same model again."""
    known: dict[tuple[Any, ...], Spot] = {}
    for spot in sorted(found, key=lambda spot: len(spot.path)):
        known.setdefault((spot.kind and spot.kind.name, spot.model, spot.path[-1]), spot)
    return [spot for spot in found if spot in known.values()]


def _leads_to(steps: tuple[str, ...], path: tuple[str, ...]) -> bool:
    """True if `steps` is `path` with names of the author's own between."""
    start = path.index(steps[0]) if steps[0] in path else len(path)
    wanted, rest = path[start:], iter(steps)
    longer = len(steps) > len(wanted) > 1 and steps[-1] == path[-1]
    return longer and all(step in rest for step in wanted)
