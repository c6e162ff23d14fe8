"""How a changed license is changed on the platform: by a call where the instance has one (O32).

The call appends to the lists. Only a replace flag takes something out of one, and it reaches beyond
the license: it ends what the client's other licenses have assigned (spec 4). So what leaves a list
is left to a person, unless the manifest has the flag and somebody allows it.
"""

from dataclasses import dataclass, field
from typing import Any

from ...kind import CallPart, FormChange, Json, ManualStep, UpdatePlan, by_hand, word_change
from ...resource import Form
from ..managed import Managed
from ..references import own_node, rename_references
from .calls import REPLACES, taken_away
from .spec import REFERENCES, LicenseSpec

UPDATE = "license.update"
_NEEDED = frozenset({UPDATE, "license.list"})
"""Without the list nobody knows what a call would overwrite, or what it has done."""
_BY_HAND = "of the license in the admin interface"
BY_HAND = {name: f"set `{name}` {_BY_HAND}{{change}}" for name in sorted(LicenseSpec.model_fields)}
"""No route of the specification changes a license."""
LISTS = dict(zip(("courses", "learningPaths", "courseTags"), REPLACES, strict=True))
"""The lists of a license, and the flag that replaces each."""
FURTHER = dict.fromkeys(
    sorted(LicenseSpec.model_fields.keys() - Managed.model_fields.keys() - {"client"}), UPDATE
)
ALONG = frozenset({"name", "seatsLimit"})
_SEATS = (
    "or write `seatsLimit` into the manifest (null for no limit), and lmssync can do it: "
    "a call without it would lift the limit"
)
_DEFAULT = "another default license of the client is no longer its default"
_APPENDS = (
    "; a call only adds to it: {how} has a call replace it, which takes the other assignments of "
    "the client away as well, those of its other licenses too"
)

_left_to_people = by_hand(BY_HAND)


def update_license_by_call(change: FormChange) -> UpdatePlan:
    """One call with everything that it can change, and steps for the rest."""
    if not change.routes >= _NEEDED:
        return _left_to_people(change)
    unknown = _unknown_values(change)
    if unknown:
        steps = _left_to_people(change).manual
        return UpdatePlan(manual=[step._replace(text=f"{step.text}; {unknown}") for step in steps])
    draft = _Draft(change, dict(change.after))
    for name in sorted(BY_HAND.keys() & change.after.keys() - {*LISTS, *REPLACES}):
        if change.before.get(name) != change.after[name]:
            draft.draft_value(name)
    for name, flag in LISTS.items():
        draft.draft_assignments(name, flag)
    return draft.describe_update()


def _unknown_values(change: FormChange) -> str:
    """Why a call could overwrite what somebody has set by hand: it must send what is not known."""
    left = " and ".join(f"`{name}`" for name in sorted(ALONG & set(change.others)))
    if left:
        return f"a call would overwrite {left}, which `lifecycle.ignore` leaves to others"
    return "" if "seatsLimit" in change.after else _SEATS


@dataclass
class _Draft:
    """An update that is still being worked out."""

    change: FormChange
    after: dict[str, Json]
    """The form that holds once the call is done."""
    sent: dict[str, Any] = field(default_factory=dict)
    """By field of the manifest."""
    manual: list[ManualStep] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)
    losses: list[str] = field(default_factory=list)

    def draft_value(self, name: str) -> None:
        """Sends a value that differs; that null clears one is only known of seats (O32)."""
        value = self.change.after[name]
        text = word_change(BY_HAND[name], self.change.before.get(name), value)
        if name == "client":
            self._ask_person(text, name)
        elif value is None and name != "seatsLimit":
            self._ask_person(f"{text}: no call is known to clear it", name)
        else:
            self.sent[name] = value
            self.reasons += [_DEFAULT] * (name == "isDefault" and bool(value))

    def draft_assignments(self, name: str, flag: str) -> None:
        """Sends what a list gains; what it loses only where the manifest and somebody say so."""
        before, after = self.change.before.get(name) or [], self.change.after[name]
        gained = [item for item in after if item not in before]
        lost = any(item not in after for item in before)
        replaces = bool(self.change.after.get(flag))
        begins = replaces and not self.change.before.get(flag)
        if not lost and not begins:
            self.sent |= {name: gained} if gained else {}
        elif replaces and self.change.allowed and name not in self.change.others:
            self.sent |= {name: after, flag: True}
            self.losses += [taken_away(flag)] * (not begins)  # else it is a loss of the change
        else:
            how = f"`--allow {self.change.address}`"
            if not replaces:
                how = f"`{flag}: true` in the manifest, and {how},"
            text = word_change(BY_HAND[name], before, after)
            self._ask_person(f"{text}{_APPENDS.format(how=how)}", name, flag)

    def _ask_person(self, text: str, *names: str) -> None:
        """Leaves fields to a person: until then they are as they were."""
        self.manual.append(ManualStep(names[0], text))
        for name in names:
            self.after.pop(name, None)
            if name in self.change.before:
                self.after[name] = self.change.before[name]

    def describe_update(self) -> UpdatePlan:
        if not self.sent:
            return UpdatePlan(manual=self.manual)
        call = CallPart.describe_part(
            self.change.address,
            UPDATE,
            _update_body(self.after, self.sent),
            self.after,
            params={"id": own_node(self.change.address)},
        )
        said = [*self.reasons, *self.losses]
        return UpdatePlan([call], self.manual, said, losses=self.losses)


def _update_body(after: Form, sent: Form) -> Json:
    """What is sent, with what every call needs (O32): an empty list appends nothing."""
    plain = {name: after[name] for name in sorted(ALONG)}
    needed = plain | {name: [] for name in LISTS}
    body = rename_references(REFERENCES, needed | sent)
    return body | {"seatsLimit": body["seatsLimit"] or 0}  # 0 is no limit (O32)
