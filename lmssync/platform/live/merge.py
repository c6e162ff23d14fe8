"""Puts what a reading shows in the place of what is recorded, where the two differ on the wire."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...kind import Reads
from ...resource import Form
from .binding import Nameless, Unbound
from .fields import HOLDERS, is_mapping, is_parts, leaf_paths, pattern_of

Normal = Callable[[Any], Any]
"""Returns a value as the platform stores it."""


@dataclass
class Comparison:
    """Compares one recorded form with what readings show of it; keeps what was proven."""

    reads: Reads
    bind: Callable[[Any], Any]
    proven: set[str] = field(default_factory=set)
    """Paths of fields that were read and compared."""

    nodes: dict[str, Any] = field(default_factory=dict)
    """What a form says in the place of ids, as far as the readings tell."""

    def merge_shown(self, recorded: Form, live: Form, shown: Form) -> Form:
        """`live`, an earlier result or the recorded form, with what differs in `shown`."""
        return self._merge_mapping("", recorded, live, shown)

    def _merge_mapping(
        self, above: str, recorded: Mapping[str, Any], live: Mapping[str, Any], shown: Form
    ) -> Form:
        """`above` is what the paths of its fields begin with."""
        merged, named = dict(live), pattern_of(above)
        for key, value in recorded.items():
            if key not in shown or key == "id":
                continue
            path, normal = above + key, self.reads.on_wire.get(named + key)
            if normal or isinstance(value, HOLDERS) or value != shown[key]:
                merged[key] = self._merge_value(path, normal, value, live.get(key), shown[key])
            else:
                self.proven.add(path)
        return merged

    def _merge_value(
        self, path: str, normal: Normal | None, recorded: Any, live: Any, shown: Any
    ) -> Any:
        holds = isinstance(recorded, HOLDERS)
        if holds and is_parts(recorded) and isinstance(shown, list):
            return self._merge_parts(path, recorded, live, shown)
        inside = holds and is_mapping(recorded)
        if inside and not normal and is_mapping(shown) and is_mapping(live):
            return self._merge_mapping(f"{path}.", recorded, live, shown)
        try:
            sent = self.bind(recorded) if holds else recorded
        except (Unbound, Nameless):
            return live
        self.proven.add(path)
        if inside:
            self.proven.update(leaf_paths(recorded, path))
        same = sent == shown or bool(normal and normal(sent) == normal(shown))
        if same or (recorded is None and not shown):
            return live
        if normal and isinstance(recorded, list) and isinstance(shown, list):
            shown = _keep_recorded(recorded, sent, shown, normal)
        return _name_ids(shown, self.nodes | dict(_sent_ids(recorded, sent)))

    def _merge_parts(
        self, path: str, recorded: Sequence[Form], live: Sequence[Form], shown: Sequence[Form]
    ) -> list[Form]:
        """Parts in the order in which they are shown; those that are not shown are gone."""
        self.proven.add(f"{path}.order")
        was, now = ({item["id"]: item for item in items} for items in (recorded, live))
        return [
            self._merge_mapping(f"{path}[{name}].", was[name], now[name], item)
            for item in shown
            if (name := item["id"]) in was and name in now
        ]


def _keep_recorded(
    recorded: Sequence[Any], sent: Sequence[Any], shown: Sequence[Any], normal: Normal
) -> list[Any]:
    """The live value, with recorded mappings in place of those that mean the same."""
    pairs = [
        (normal([mine]), known)
        for known, mine in zip(recorded, sent, strict=True)
        if isinstance(mine, Mapping)
    ]
    return [next((k for mine, k in pairs if mine == normal([one])), one) for one in shown]


def _name_ids(shown: Any, known: Mapping[str, Any]) -> Any:
    """The live value, with nodes in place of ids."""
    if isinstance(shown, list):
        return [known.get(one, one) if isinstance(one, str) else one for one in shown]
    return known.get(shown, shown) if isinstance(shown, str) else shown


def _sent_ids(recorded: Any, sent: Any) -> Iterator[tuple[str, Any]]:
    pairs = zip(recorded, sent, strict=True) if isinstance(recorded, list) else [(recorded, sent)]
    for node, id_ in pairs:
        if isinstance(node, Mapping) and "$ref" in node and isinstance(id_, str):
            yield id_, node
