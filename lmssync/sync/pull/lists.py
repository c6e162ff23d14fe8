"""What becomes of a list of parts: some leave it, some come, and the rest gets another order."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass
class ListChange:
    """What a pull does to one list of parts, by their ids."""

    order: Sequence[str] = ()
    """The ids that both sides know, in the order of the platform, if that is to be taken."""
    gone: set[str] = field(default_factory=set)
    came: dict[str, Sequence[str]] = field(default_factory=dict)
    """Ids of parts that come, each with those of the parts in front of it, the nearest first."""

    def arrange_names(self, names: Sequence[str]) -> list[str]:
        """The ids of a list after it; parts that only git has stay where they are."""
        turn = iter([name for name in self.order if name in names])
        result = [next(turn) if name in self.order else name for name in names]
        result = [name for name in result if name not in self.gone]
        for name, ahead in self.came.items():
            if name in result:
                continue  # git has it there as well
            near = next((other for other in ahead if other in result), None)
            result.insert(0 if near is None else result.index(near) + 1, name)
        return result


ListChanges = Mapping[str, ListChange]
"""By path of the list: `sections[start].lessons`."""


def nested_first(changes: ListChanges) -> list[str]:
    """Their paths, those of inner lists first."""
    return sorted(changes, key=lambda path: -path.count("["))


def split(path: str) -> tuple[str, str]:
    """The path of the list that a part stands in, and its id."""
    lists, _, name = path.removesuffix("]").rpartition("[")
    return lists, name


def wrap_part(path: str, part: Any) -> dict[str, Any]:
    """A document that holds nothing but a part, at its path."""
    level, _ = split(path)
    outer, _, field_ = level.rpartition("].")
    below = {field_: [part]}
    return wrap_part(f"{outer}]", {"id": split(f"{outer}]")[1], **below}) if outer else below
