"""What an update will send, while it is still being worked out."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ...kind import Json, ManualStep, word_change
from ...resource import Address, Form
from ...vocabulary.limits import ENTRIES_PER_UPDATE
from . import languages


class UpdateEntry(NamedTuple):
    """One entry of an update; `adds` is the path of the part that it makes, if it makes one."""

    level: str
    value: dict[str, Json]
    adds: str | None = None
    depth: int = 0
    """How many new parents stand above it: each costs a call (O4)."""


def by_hand(name: str, text: str, before: Form, after: Form) -> str:
    """What a person does about a field, as exactly as it can be said."""
    if name != "languages":
        return word_change(text, before.get(name), after.get(name))
    return languages.language_step(before.get(name), after.get(name))


@dataclass
class Draft:
    """Entries and manual steps of one course."""

    address: Address
    entries: list[UpdateEntry] = field(default_factory=list)
    manual: list[ManualStep] = field(default_factory=list)

    def settle_fields(
        self, before: Form, after: Form, fixed: Mapping[str, str], path: str = ""
    ) -> tuple[Form, dict[str, Json]]:
        """The form as it will be, and the fields to send; `fixed` ones are left to a person."""
        merged = dict(after)
        changed = {k: v for k, v in after.items() if k not in before or before[k] != v}
        for name in (name for name in fixed if name in changed):
            self.ask_person(f"{path}{name}", by_hand(name, fixed[name], before, after))
            del merged[name], changed[name]
            merged |= {name: before[name]} if name in before else {}
        return merged, changed

    def set_fields_of(self, level: str, id_node: Json, fields: Mapping[str, Any]) -> None:
        """Change fields of something that exists."""
        self.entries.append(UpdateEntry(level, {"id": id_node, **fields}))

    def add_part_entry(
        self, level: str, path: str, fields: Mapping[str, Any], *, depth: int
    ) -> None:
        """Make something under a parent that `fields` name."""
        self.entries.append(UpdateEntry(level, dict(fields), path, depth))

    def ask_person(self, field: str, text: str) -> None:
        """Leave something to a person."""
        self.manual.append(ManualStep(field, text))

    def list_calls(self) -> Iterator[list[UpdateEntry]]:
        """The entries of each call: changes first, then additions, depth by depth (O4, O5)."""
        depths = sorted({entry.depth for entry in self.entries})
        for depth in depths:
            level = [entry for entry in self.entries if entry.depth == depth]
            level.sort(key=lambda entry: entry.adds is not None)
            for start in range(0, len(level), ENTRIES_PER_UPDATE):
                yield level[start : start + ENTRIES_PER_UPDATE]
