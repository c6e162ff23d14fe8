"""How a license is made, changed, found, read and imported (spec 2.5, 4; O32, O33).

Where an instance has a call that changes a license (O32), that call appends to the lists. Only a
replace flag takes something out of one, and it reaches beyond the license: it ends what the
client's other licenses have assigned (spec 4). So what leaves a list is left to a person, unless
the manifest has the flag and somebody allows it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ...kind import (
    CallPart,
    Effect,
    FormChange,
    Ids,
    ImportedManifest,
    Imports,
    InList,
    Json,
    ManualStep,
    Mention,
    Mentioned,
    NameOf,
    PermanentLoss,
    Reading,
    ReadRequest,
    Removal,
    Search,
    Shown,
    UpdatePlan,
    by_hand,
    word_change,
)
from ...resource import Address, Form
from ..platform_values import as_instant, as_unordered, as_written_date, drop_unset_fields
from ..reference_fields import is_uuid, label_nodes, own_node, rename_references
from ..shared_fields import Managed
from .license_manifest import REFERENCES, REPLACES, LicenseSpec

CREATE = "license.create"
LISTS = dict(zip(("courses", "learningPaths", "courseTags"), REPLACES, strict=True))
"""The lists of a license, and the flag that replaces each."""


def create_license_part(address: Address, form: Form, marker: str | None) -> CallPart:
    """The marker is `refN=value`: the project file names the field."""
    fields = rename_references(REFERENCES, form)
    # Null is what the manifest leaves unset; a create leaves that out.
    body = {key: value for key, value in fields.items() if value is not None}
    if marker:
        field, _, value = marker.partition("=")
        # An author who writes the field has it as they wrote it; the mark then is theirs.
        body.setdefault(field, value)
    return CallPart.describe_part(address, CREATE, body, adds=True, repeatable=False)


def remove_license(_form: Form) -> Removal:
    """A license is never deleted, not even where an instance has a route for it (O33): what its
    holders would lose is not shown."""
    return Removal(Effect.ACCESS, "its holders keep their access, and their seats stay taken")


def match_license(_form: Form, _marker: str | None, live: Json, *_: object) -> Ids | None:
    """The answer of a create is the license itself (spec 4)."""
    return Ids({"id": live["id"]}) if "id" in live else None


def search_license(form: Form, marker: str | None) -> Search:
    """How to find it by its mark among its client's licenses, if they can be listed (O33).

    Without a mark, a person must decide about a license of the same name.
    """
    field, _, value = (marker or "").partition("=")
    request = ReadRequest("license.list", {"id": form["client"]}, {}, "licenses")

    def license_fits(item: Json) -> str | None:
        same = item.get(field) == value if field else item.get("name") == form["name"]
        return str(item["id"]) if same else None

    return Search(request, license_fits)


def find_among_clients(form: Form, marker: str | None, clients: Json) -> Mentioned | None:
    """The license with its mark in the entry of its client, or one of its name where the entry
    shows no marks: the list of clients is said to carry licenses, and their shape is not shown
    (spec 2.6). Whatever carries our mark under an id of its own is ours."""
    mine = [client for client in clients if client["id"] == form["client"]]
    held = mine[0].get("licenses") if mine else None
    # The specification does not show their shape: what does not look like licenses says nothing.
    if not isinstance(held, list) or not all(isinstance(one, dict) for one in held):
        return None
    if not all("id" in one and "name" in one for one in held):
        return None
    field, _, value = (marker or "").partition("=")
    marked = [one["id"] for one in held if field in one and one[field] == value]
    if not all(isinstance(id_, str) and is_uuid(id_) for id_ in marked):
        return None
    # An entry with another mark is another license, whatever its name is.
    named = [one for one in held if field not in one and one["name"] == form["name"]]
    return Mentioned(marked, alike=bool(marked or named))


MENTION = Mention(
    "the list of clients", ReadRequest("client.list", {}, {}, "clients"), find_among_clients
)


def show_live_license(form: Form, _ids: Ids, item: Json) -> Form:
    """Every field that the platform keeps; flags of the call are not kept."""
    names = {declared.wire: field for field, declared in REFERENCES.items()}
    shown = {names.get(name, name): value for name, value in _with_tag_ids(item).items()}
    return shown | {"client": form["client"]}


def _with_tag_ids(item: Json) -> Json:
    """An item of the list with the ids of its tags, which it may show as objects (O62)."""
    rest = {name: value for name, value in item.items() if name != "courseTags"}
    tags = item.get("courseTags")
    return rest if tags is None else rest | {"courseTagIds": [tag["id"] for tag in tags]}


READINGS = (
    Reading(
        route="license.list",
        request=lambda _address, form: ReadRequest(
            "license.list", {"id": form["client"]}, {}, "licenses"
        ),
        listed=InList("id", exact=True),
        shows=show_live_license,
        proves=LicenseSpec.model_fields.keys() - REPLACES.keys(),
        nodes=lambda item: label_nodes("tag", item.get("courseTags")),
    ),
)
ON_WIRE = {
    "expirationDate": as_instant,
    "seatsLimit": lambda seats: seats or None,  # none and 0 are unlimited (O32)
    **dict.fromkeys(LISTS, as_unordered),
}


def license_losses(before: Form, after: Form) -> Iterator[PermanentLoss]:
    """A replace flag ends what other licenses of the client have assigned (spec 4)."""
    for flag in REPLACES:
        if after.get(flag) and not before.get(flag):
            yield PermanentLoss(taken_away(flag), Effect.ACCESS)


def taken_away(flag: str) -> str:
    """Describes what a call with a replace flag takes away from others."""
    return (
        f"`{flag}: true` takes away every other {REPLACES[flag]} assignment of the client, "
        "those of its other licenses too, and they cannot be restored"
    )


UPDATE = "license.update"
_ROUTES_NEEDED = frozenset({UPDATE, "license.list"})
"""Without the list nobody knows what a call would overwrite, or what it has done."""
_BY_HAND = "of the license in the admin interface"
BY_HAND = {name: f"set `{name}` {_BY_HAND}{{change}}" for name in sorted(LicenseSpec.model_fields)}
"""No route of the specification changes a license."""
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
    if not change.routes >= _ROUTES_NEEDED:
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
        # O32 shows that 0 lifts the limit of seats; of no other field it shows how to clear it.
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
            # Without the flag a call appends, so only what is new is sent.
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
            # What a person has yet to do is not recorded as done.
            self.after.pop(name, None)
            if name in self.change.before:
                self.after[name] = self.change.before[name]

    def describe_update(self) -> UpdatePlan:
        if not self.sent:
            return UpdatePlan(manual=self.manual)
        # Every call needs these (O32): an empty list appends nothing, and 0 seats are no limit.
        needed = {name: self.after[name] for name in sorted(ALONG)} | {name: [] for name in LISTS}
        body = rename_references(REFERENCES, needed | self.sent)
        call = CallPart.describe_part(
            self.change.address,
            UPDATE,
            body | {"seatsLimit": body["seatsLimit"] or 0},
            self.after,
            params={"id": own_node(self.change.address)},
        )
        said = [*self.reasons, *self.losses]
        return UpdatePlan([call], self.manual, said, losses=self.losses)


_OWN = frozenset({"resource", "key", "moved", "lifecycle", *REFERENCES})


def license_manifest(shown: Shown, name_of: NameOf) -> ImportedManifest | str:
    item, client = _with_tag_ids(shown["item"]), shown["owner"]
    fields = {name: item.get(name) for name in LicenseSpec.model_fields if name not in _OWN}
    if fields.get("expirationDate"):
        fields["expirationDate"] = as_written_date(fields["expirationDate"])
    data = {"client": name_of("client", client)} | drop_unset_fields(
        {name: value for name, value in fields.items() if value is not False}
    )
    for name in LISTS:
        declared = REFERENCES[name]
        data[name] = [name_of(declared.kind, id_) for id_ in item.get(declared.wire) or ()]
    if item.get("parentLicenseId"):
        data["parentLicense"] = name_of("license", item["parentLicenseId"])
    return ImportedManifest(data, Ids({"id": item["id"]}))


IMPORTS = Imports(
    owner="client",
    listed=ReadRequest("license.list", {"id": ""}, {}, "licenses"),
    ids=lambda item: [item["id"]],
    name=lambda item: item["name"],
    manifest=license_manifest,
    answers=lambda shown: {"license.list": shown["item"]},
)
