"""The rule reference: a table for each chapter, and one for the families of codes."""

from collections.abc import Callable, Iterator, Mapping

from pydantic import BaseModel

from lmssync.kinds import KINDS
from lmssync.problems import Rule
from lmssync.settings import Project
from lmssync.support.declared_values import checks_of
from lmssync.support.rulebook import FAMILIES, all_rules, kebab_case, rules_by_chapter

from . import models
from .tables import table, words

MARKS: Mapping[str, tuple[str, ...]] = {
    "-range": ("or more", " to "),
    "-length": ("at most",),
    "-value": ("matches",),
}
"""Words in a field's rule by which it belongs to a family."""

BESIDES: frozenset[str] = frozenset({"label-length"})
"""Raised by a rule of its own as well, because the length counts after cleaning."""


def parts() -> Mapping[str, Callable[[], str]]:
    """The generated parts of `rules.md` by name."""
    return {"codes": _codes, "families": _families}


def _codes() -> str:
    return "\n".join(
        f"### {title}\n\n"
        + table(
            ("Code", "Means", "Do", "Severity", "From"),
            [
                (f"`{rule.id}`", rule.means, rule.remedy, _severity(rule), rule.source)
                for rule in chapter
            ],
        )
        for title, chapter in rules_by_chapter().items()
    )


def _severity(rule: Rule) -> str:
    return str(rule.severity) if rule.fixed else f"{rule.severity}, may be changed"


def _families() -> str:
    lines = [
        (f"`...{ending}`", told.means, told.remedy, _members(ending))
        for ending, told in FAMILIES.items()
    ]
    return table(("Ending", "Means", "Do", "Codes"), lines) + _shared()


def _shared() -> str:
    """Codes that a rule of its own and a family have in common."""
    of_fields = {f"{kebab_case(row.name)}{ending}" for row in _rows() for ending in FAMILIES}
    both = sorted(of_fields & (all_rules().keys() | BESIDES))
    return f"\nRaised by a rule of its own, and for a value as above: {words(both)}.\n"


def _members(ending: str) -> str:
    """The codes of a family; of `-type` there is one for each field."""
    if ending == "-type":
        return "one for each field, such as `title-type`"
    return words(sorted({f"{kebab_case(row.name)}{ending}" for row in _rows() if _in(ending, row)}))


def _in(ending: str, row: models.Row) -> bool:
    if ending == "-value" and (row.type.startswith(("`", "a [")) or row.type in {"key", "id"}):
        return True
    return any(mark in row.rule for mark in MARKS[ending])


def _rows() -> Iterator[models.Row]:
    tops: list[type[BaseModel]] = [*(kind.spec for kind in KINDS.values()), checks_of(Project)]
    for top in tops:
        for model in (top, *models.inner(top)):
            yield from models.rows(model)
