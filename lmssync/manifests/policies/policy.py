"""A catalog's own rule, ready to judge documents."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from ...problems import Finding, Rule
from .condition import EvalContext, Group, Violation
from .path import FieldPath


class Requirement(NamedTuple):
    """What is required, and of what."""

    each: FieldPath | None
    """Leads to the items that it is about; the document itself where there is none."""
    where: Group
    require: Group

    def violations(self, document: Mapping[str, Any]) -> Iterator[Violation]:
        """What does not hold; places are looked for only where something does not."""
        if self.each is None:
            yield from self._of(EvalContext(document, document))
            return
        if all(self._holds(EvalContext(item, document)) for item in self.each.values(document)):
            return
        for path, item, _ in self.each.locations(document):
            yield from self._of(EvalContext(item, document, path))

    def _holds(self, context: EvalContext) -> bool:
        return context.item is None or not self.where.holds(context) or self.require.holds(context)

    def _of(self, context: EvalContext) -> Iterator[Violation]:
        if not self._holds(context):
            yield from self.require.violations(context)


class CompiledPolicy(NamedTuple):
    """A policy compiled for one kind of manifest: its paths lead to fields of that kind."""

    when: Group
    parts: tuple[Requirement, ...]


class Policy(NamedTuple):
    """One document of `policies/*.yaml`."""

    rule: Rule
    compiled: Mapping[str, CompiledPolicy]
    """By word of the resource."""

    def judge(self, resource: str, data: Mapping[str, Any]) -> Iterator[Finding]:
        """What does not hold in a document that its model has accepted.

        A path leads to the value, or to its nearest parent.
        """
        compiled = self.compiled.get(resource)
        if compiled is None or not compiled.when.holds(EvalContext(data, data)):
            return
        for part in compiled.parts:
            for violation in part.violations(data):
                message = f"{self.rule.means}: {violation.text}"
                yield self.rule.at(violation.path, message, self.rule.remedy)
