"""rulebook: every rule that a catalog is held to, in words.

The rules themselves stand where what they look at is known (kinds, manifests, graph); here is
what the reference, `explain` and the settings under `rules:` need to know of them. A test
keeps this book and the source in step.
"""

from collections.abc import Mapping

from . import (
    bodies,
    clients,
    commerce,
    courses,
    families,
    fields,
    files,
    finish,
    layers,
    moves,
    others,
    policies,
    references,
    texts,
)
from .rule import Family as Family
from .rule import Rule as Rule

CHAPTERS: Mapping[str, tuple[Rule, ...]] = {
    chapter.TITLE: chapter.RULES
    for chapter in (
        files,
        fields,
        texts,
        bodies,
        courses,
        others,
        clients,
        finish,
        commerce,
        references,
        moves,
        layers,
        policies,
    )
}

RULES: Mapping[str, Rule] = {rule.id: rule for rules in CHAPTERS.values() for rule in rules}

FAMILIES: Mapping[str, Family] = {family.ending: family for family in families.FAMILIES}


def named(name: str) -> Rule | None:
    """The rule of this id; each field's own rules are those of their family."""
    if name in RULES:
        return RULES[name]
    ending = next((ending for ending in FAMILIES if name.endswith(ending)), None)
    return Rule(name, *FAMILIES[ending][1:]) if ending else None
