"""rulebook: every rule that a catalog is held to, in words.

The rules themselves stand where what they look at is known (kinds, manifests, graph); here is
what the reference, `explain` and the settings under `rules:` need to know of them. A test
keeps this book and the source in step.
"""

from collections.abc import Mapping

from . import bodies, courses, families, fields, files, others, references
from .rule import Family as Family
from .rule import Rule as Rule

CHAPTERS: Mapping[str, tuple[Rule, ...]] = {
    chapter.TITLE: chapter.RULES for chapter in (files, fields, bodies, courses, others, references)
}

RULES: Mapping[str, Rule] = {rule.id: rule for rules in CHAPTERS.values() for rule in rules}

FAMILIES: Mapping[str, Family] = {family.ending: family for family in families.FAMILIES}
