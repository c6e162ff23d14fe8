"""Finds every rule that a catalog is held to.

A rule is written in the module that checks it. The reference, `explain` and the settings under
`rules:` ask for it here, and what nobody has needed until then is imported. Rules whose id is made
of the name of a field, such as `title-length` and `percent-range`, come in families.
"""

import re
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import NamedTuple

from ..problems import Rule

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


class Family(NamedTuple):
    """Rules that each field has a version of; their ids have the same ending, and all are fixed."""

    ending: str
    means: str
    remedy: str
    field: str
    """One that has such a rule, as an example."""

    def rule_of_field(self, field: str) -> Rule:
        """The rule of a field: of `priceInCents` it is `price-in-cents-range`."""
        return Rule(f"{kebab_case(field)}{self.ending}", self.means, self.remedy)


TYPE = Family(
    "-type",
    "The value is of the wrong type: a number where text belongs, text where true or false "
    "belongs.",
    "Put text that looks like a number in quotes; write true and false without quotes.",
    "title",
)
RANGE = Family(
    "-range", "The number is outside what the platform allows.", "Stay within it.", "width"
)
LENGTH = Family(
    "-length", "The text or list is longer than the platform allows.", "Shorten it.", "id"
)
VALUE = Family(
    "-value",
    "The value is not one that the field allows, or does not have the form that the field needs.",
    "Use one that the hint lists.",
    "id",
)


def kebab_case(name: str) -> str:
    """A name in the spelling of rules: `priceInCents` becomes `price-in-cents`."""
    return _HUMP.sub("-", name).lower()


_MODULES: Mapping[str, str] = {
    "Files": (
        "catalog.manifests.catalog catalog.manifests.question_files "
        "catalog.translations.translation_ledger "
        "catalog.manifests.documents.manifest_documents "
        "catalog.manifests.yaml catalog.manifests.yaml.yaml_mistakes"
    ),
    "Fields": (
        "catalog.manifests.validation_errors catalog.manifests.check.document_check "
        "catalog.manifests.check.short_forms catalog.manifests.check.included_parts "
        "kinds.field_types "
        "texts.values.standard_formats texts.values.web_addresses"
    ),
    "Texts": "texts.values.text_characters texts.values.text_checks",
    "Bodies": (
        "kinds.shared_fields catalog.manifests.catalog_files "
        "texts.values.body_markup texts.values.dialect_marks texts.values.html_elements"
    ),
    "Courses": (
        "kinds.course.course_field_rules kinds.course.course_date_rules "
        "kinds.course.course_content_rules kinds.session.session_manifest"
    ),
    "Criteria, licenses, clients, purchase paths": (
        "kinds.completion_criterion.criterion_manifest kinds.license.license_manifest "
        "kinds.purchase_path.path_manifest"
    ),
    "Clients and license assignments": (
        "kinds.client.client_manifest kinds.license_assignment.assigned_people "
        "kinds.license_assignment.assignment_manifest catalog.manifests.check.attached_texts"
    ),
    "Finishing a course": (
        "kinds.course.course_relations kinds.completion_criterion.criterion_relations"
    ),
    "Prices, purchase paths, licenses together": (
        "kinds.course.course_sale_rules kinds.purchase_path.path_relations "
        "kinds.license.license_relations"
    ),
    "References and names": (
        "catalog.graph catalog.graph.creation_order kinds.platform_lookups kinds.sibling_names"
    ),
    "Files at addresses (`validate --media`)": "sync.media_files",
    "Moves and lifecycle": "catalog.graph.lifecycle_checks",
    "Overlays, templates, defaults, settings": (
        "catalog.manifests.overlays catalog.manifests.templates.template_rendering "
        "catalog.manifests.documents.project_file catalog.manifests.documents.secret_settings "
        "catalog.manifests.documents.slice_settings"
    ),
    "Lists of what is done to learners": "learners.operations.row_rules",
    "Policies": (
        "catalog.manifests.policies.policy_reading catalog.manifests.policies.policy_compiler"
    ),
    "Releases": "catalog.manifests.release_documents",
    "Stories": (
        "catalog.manifests.story_documents learners.stories.story_catalog "
        "learners.stories.story_judge"
    ),
}
"""The modules that define rules, by the chapter of the reference."""

FAMILIES: Mapping[str, Family] = {one.ending: one for one in (TYPE, RANGE, LENGTH, VALUE)}


def find_rule(name: str) -> Rule | None:
    """The rule of this id; each field's own rules are those of their family."""
    every = (rule for modules in _MODULES.values() for rule in _rules_of(modules))
    rule = next((rule for rule in every if rule.id == name), None)
    ending = next((ending for ending in FAMILIES if name.endswith(ending)), "")
    return rule or (FAMILIES[ending].rule_of_field(name.removesuffix(ending)) if ending else None)


@cache
def all_rules() -> Mapping[str, Rule]:
    """Every rule by its id, but for those of families."""
    return {rule.id: rule for chapter in rules_by_chapter().values() for rule in chapter}


@cache
def rules_by_chapter() -> Mapping[str, tuple[Rule, ...]]:
    """The rules of each chapter by their ids; a rule that modules share is in the first of them."""
    met: set[Rule] = set()
    by_title = {}
    for title, modules in _MODULES.items():
        here = set(_rules_of(modules)) - met
        by_title[title] = tuple(sorted(here))
        met |= here
    return by_title


@cache
def _rules_of(modules: str) -> tuple[Rule, ...]:
    imported = (import_module(f"..{name}", __package__) for name in modules.split())
    return tuple(r for module in imported for r in vars(module).values() if isinstance(r, Rule))
