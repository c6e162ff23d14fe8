"""A catalog's own rule, ready to judge documents."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from ....problems import Finding, Rule
from .condition import ConditionGroup, EvalContext, Violation
from .path import FieldPath, Location


class Requirement(NamedTuple):
    """What is required, and of what."""

    each: FieldPath | None
    """Leads to the items that it is about; the document itself where there is none."""
    where: ConditionGroup
    require: ConditionGroup

    def find_violations(self, document: Mapping[str, Any]) -> Iterator[Violation]:
        """What does not hold; places are looked for only where something does not."""
        items = self.each.values_from(document) if self.each else [document]
        if all(self._is_true(EvalContext(item, document)) for item in items):
            return
        locations = self.each.locations_from(document) if self.each else [Location((), document)]
        for path, item, _ in locations:
            context = EvalContext(item, document, path)
            if not self._is_true(context):
                yield from self.require.find_violations(context)

    def _is_true(self, context: EvalContext) -> bool:
        return (
            context.item is None or not self.where.is_true(context) or self.require.is_true(context)
        )


class CompiledPolicy(NamedTuple):
    """A policy compiled for one kind of manifest: its paths lead to fields of that kind."""

    when: ConditionGroup
    parts: tuple[Requirement, ...]


class Policy(NamedTuple):
    """One document of `policies/*.yaml`."""

    rule: Rule
    compiled: Mapping[str, CompiledPolicy]
    """By word of the resource."""

    def judge_document(self, resource: str, data: Mapping[str, Any]) -> Iterator[Finding]:
        """What does not hold in a document that its model has accepted.

        A path leads to the value, or to its nearest parent.
        """
        compiled = self.compiled.get(resource)
        if compiled is None or not compiled.when.is_true(EvalContext(data, data)):
            return
        for part in compiled.parts:
            for violation in part.find_violations(data):
                message = f"{self.rule.means}: {violation.text}"
                yield self.rule.at(violation.path, message, self.rule.remedy)
