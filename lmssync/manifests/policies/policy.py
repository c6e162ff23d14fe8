"""A rule of the house, ready to judge documents."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from ...problems import Finding, Rule
from .condition import All, Miss, Scene
from .way import Way


class Part(NamedTuple):
    """What is required, and of what."""

    each: Way | None
    """Leads to the items that it is about; the document itself where there is none."""
    where: All
    require: All

    def misses(self, document: Mapping[str, Any]) -> Iterator[Miss]:
        """What does not hold; places are looked for only where something does not."""
        if self.each is None:
            yield from self._of(Scene(document, document))
            return
        if all(self._holds(Scene(item, document)) for item in self.each.values(document)):
            return
        for path, item, _ in self.each.spots(document):
            yield from self._of(Scene(item, document, path))

    def _holds(self, scene: Scene) -> bool:
        return scene.item is None or not self.where.holds(scene) or self.require.holds(scene)

    def _of(self, scene: Scene) -> Iterator[Miss]:
        if not self._holds(scene):
            yield from self.require.misses(scene)


class Ruling(NamedTuple):
    """A policy as one kind of manifest is judged by it: where its paths lead there."""

    when: All
    parts: tuple[Part, ...]


class Policy(NamedTuple):
    """One document of `policies/*.yaml`."""

    rule: Rule
    rulings: Mapping[str, Ruling]
    """By word of the resource."""

    def judge(self, resource: str, data: Mapping[str, Any]) -> Iterator[Finding]:
        """What does not hold in a document that its model has accepted.

        A path leads to the value, or to its nearest parent.
        """
        ruling = self.rulings.get(resource)
        if ruling is None or not ruling.when.holds(Scene(data, data)):
            return
        for part in ruling.parts:
            for miss in part.misses(data):
                said = f"{self.rule.means}: {miss.text}"
                yield self.rule.at(miss.path, said, self.rule.remedy)
