"""The manifest reference: a part for each kind, and the tables that its rules need."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial

from pydantic import BaseModel

from lmssync.catalog.manifests.schemas import explanations
from lmssync.catalog.manifests.schemas.field_descriptions import all_fields
from lmssync.kind import Effect, Kind
from lmssync.kinds import BY_RESOURCE
from lmssync.kinds.completion_criterion.criterion_manifest import FITS, NEEDS
from lmssync.kinds.course.course_field_rules import KIND_FIELDS, TOPIC_FIELDS
from lmssync.settings import Project
from lmssync.support.declared_values import checks_of
from lmssync.vocabulary.enums import (
    FILLED_TOPICS,
    SHELL_TOPICS,
    CourseKind,
    CriterionType,
    TopicType,
)

from . import models
from .tables import table, words

Parts = Mapping[str, Callable[[], str]]
HEAD = ("Field", "Type", "Rule", "Description", "A change is", "It is made by")
NOBODY: Mapping[str, str] = {}
NAMES = {"resource", "key", "id"}
"""Who something is: another name makes it another thing."""
MADE_BY = {"update": "a call", "person": "a person"}


def parts() -> Parts:
    """The generated parts of `manifests.md` by name."""
    kinds = {kind.resource: partial(_kind, kind) for kind in BY_RESOURCE.values()}
    return kinds | {
        "lmssync.yaml": _project,
        "course kinds": _course_kinds,
        "topic types": _topic_types,
        "rules of completion": _completion,
    }


def _kind(kind: Kind) -> str:
    effects = _effects(kind)
    groups = list(models.groups(kind.spec))
    made_by = _made_by(kind, kind.spec)
    shown = [
        (f"{models.summary(model)}\n\n" if len(groups) > 1 else "")
        + _fields(rows, effects, made_by)
        for model, rows in groups
    ]
    shown[0] += "".join(
        f"| `{nested.field}` | list of [{nested.resource}](#{nested.resource.lower()}) "
        f"in short form |  | Resources of their own, without `{nested.owner}` and `key`. |  |\n"
        for nested in kind.authoring.nested
    )
    return "\n".join([*shown, *(_inner(model, kind) for model in models.inner(kind.spec))])


def _effects(kind: Kind) -> Mapping[str, str]:
    return {
        field: "" if field in NAMES else kind.impact.effects.get(field, Effect.EDITORIAL)
        for field in kind.spec.model_fields
    }


def _made_by(kind: Kind, model: type[BaseModel]) -> Mapping[str, str]:
    """Who or what makes a change of each field of a model, once the resource exists."""
    changes = {
        field.name: explanations.change_of(field, "")
        for field in all_fields()
        if field.kind is kind and field.model == model.__name__ and field.name not in NAMES
    }
    return {
        name: MADE_BY.get(change.by, "") + (f", or `{change.route}`" if change.route else "")
        for name, change in changes.items()
    }


def _fields(
    rows: Iterable[models.Row], effects: Mapping[str, str], made_by: Mapping[str, str] = NOBODY
) -> str:
    lines = [
        (
            f"`{row.name}`",
            row.type,
            row.rule,
            row.text,
            effects.get(row.name, ""),
            made_by.get(row.name, ""),
        )
        for row in rows
    ]
    return table(HEAD, lines)


def _inner(model: type[BaseModel], kind: Kind | None = None) -> str:
    """A model inside another; a kind names the effects of fields of its parts as `*.field`."""
    named = kind.impact.effects if kind else {}
    effects = {name: named.get(f"*.{name}", "") for name in model.model_fields}
    told, rows = models.summary(model), models.rows(model)
    made_by = _made_by(kind, model) if kind else {}
    return f"#### {model.__name__}\n\n{told}\n\n{_fields(rows, effects, made_by)}"


def _project() -> str:
    project = checks_of(Project)
    inside = [_inner(model) for model in models.inner(project)]
    return "\n".join([_fields(models.rows(project), {}), *inside])


def _course_kinds() -> str:
    lines = [(f"`{kind}`", _in_order(KIND_FIELDS[kind])) for kind in CourseKind]
    return table(("`kind`", "Fields that only it takes, beside those of every kind"), lines)


def _topic_types() -> str:
    lines = [
        (f"`{kind}`", _filled(kind), _in_order(TOPIC_FIELDS.get(kind, frozenset())))
        for kind in TopicType
    ]
    return table(("`type`", "Its content", "Fields beside `id`, `title`, text blocks"), lines)


def _filled(kind: TopicType) -> str:
    if kind in FILLED_TOPICS:
        return "from the manifest" if kind != TopicType.DISCUSSION_BOARD else "works as it is"
    return "an empty shell: a person fills it" if kind in SHELL_TOPICS else "a placeholder page"


def _in_order(names: Iterable[str]) -> str:
    return words(sorted(names)) or "none"


def _completion() -> str:
    lines = [(f"`{kind}`", _in_order(NEEDS[kind]), _fits(kind)) for kind in CriterionType]
    return table(("`type`", "Needs", "Types of topic that can meet it"), lines)


def _fits(kind: CriterionType) -> str:
    fits = FITS.get(kind, frozenset())
    return "any" if fits == frozenset(TopicType) else words(sorted(fits))
