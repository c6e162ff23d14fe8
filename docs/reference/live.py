"""What can be read back: every field of every kind, by the readings that kinds declare."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from pydantic import BaseModel

from lmssync.kind import Kind
from lmssync.kinds import BY_RESOURCE
from lmssync.kinds.course.course_manifest import Lesson, Section, Topic
from lmssync.kinds.shared_fields import BODY_FILE, OWN_FIELDS
from lmssync.platform.live import Certainty, evidence_of_field
from lmssync.settings import Platform
from lmssync.vocabulary.routes import FURTHER_ROUTES, ROUTES

from . import models
from .tables import table, words

PROFILES = ("core", "extended")
_NOT_SENT = {"markdown", BODY_FILE, "attested", "usersFile"}
"""Fields that only concern lmssync, and other ways to write a field that is sent."""


def parts() -> Mapping[str, Callable[[], str]]:
    """The generated parts of `live.md` by name."""
    kinds = {f"read back: {kind.resource}": partial(_kind, kind) for kind in BY_RESOURCE.values()}
    return kinds | {"capabilities": _capabilities}


def fields(kind: Kind) -> Iterator[tuple[str, str]]:
    """Every field of a kind that is sent: as a page names it, and its path as a pattern."""
    left_out = OWN_FIELDS | {"id", *(nested.field for nested in kind.authoring.nested)}
    for name in _named(kind.spec):
        if name not in left_out:
            yield from _inside(kind.spec, name) or [(name, name)]
    for part in filter(_is_part, models.inner(kind.spec)):
        noun = part.__name__.lower()
        yield from ((f"{noun}.{name}", f"*.{name}") for name in _named(part) if name != "id")


def _inside(model: type[BaseModel], field: str) -> list[tuple[str, str]]:
    """The fields of a mapping that is a field."""
    hint = model.model_fields[field].annotation
    inner = next((one for one in models.models_in(hint) if hint in (one, one | None)), None)
    return [(f"{field}.{name}",) * 2 for name in _named(inner)] if inner else []


def _named(model: type[BaseModel]) -> Iterator[str]:
    """The fields of a model that are sent; lists of parts have fields of their own."""
    for name, field in model.model_fields.items():
        if name not in _NOT_SENT and not any(map(_is_part, models.models_in(field.annotation))):
            yield name


def _is_part(model: type[BaseModel]) -> bool:
    return issubclass(model, Section | Lesson | Topic)


def _kind(kind: Kind) -> str:
    """Fields that are alike in both profiles share a line."""
    lines: dict[tuple[str, ...], list[str]] = {}
    for label, path in fields(kind):
        told = tuple(_told(kind, path, profile) for profile in PROFILES)
        lines.setdefault(told, []).append(label)
    return table(
        ("Fields", *(f"`profile: {profile}`" for profile in PROFILES)),
        [(words(labels), *told) for told, labels in lines.items()],
    )


def _told(kind: Kind, path: str, profile: str) -> str:
    evidence, route = evidence_of_field(kind, path, Platform(profile=profile).routes)
    return evidence.value if evidence is Certainty.UNVERIFIABLE else f"{evidence} by `{route}`"


def _capabilities() -> str:
    lines = [
        (f"`{name}`", f"`{ROUTES[name].method} {ROUTES[name].path}`", _used(name))
        for name in ROUTES
        if name in FURTHER_ROUTES
    ]
    return table(("Capability", "Route", "Used for"), lines)


def _searched(kind: Kind) -> str:
    """The list in which one is looked for whose id is not known; empty if there is none."""
    search = kind.reads.search({"course": "", "client": "", "title": ""}, "sku=x")
    return search.request.route if search else ""


def _used(name: str) -> str:
    """What it is for, with the kinds that use it."""
    uses: Mapping[str, Callable[[Kind], bool]] = {
        "reading": lambda kind: (
            any(one.is_available({name}) for one in kind.reads.readings)
            or kind.reads.roster_on({name}) is not None
        ),
        "finding": lambda kind: name == _searched(kind),
        "importing": lambda kind: kind.imports is not None and name in kind.imports.routes,
        "updating": lambda kind: name in kind.calls.further.values(),
    }
    used = {use: [k.resource for k in BY_RESOURCE.values() if by(k)] for use, by in uses.items()}
    return "; ".join(f"{use} {words(kinds)}" for use, kinds in used.items() if kinds)
