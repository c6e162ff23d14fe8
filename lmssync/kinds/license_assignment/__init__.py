"""license_assignment: which people hold which licenses, assigned in bulk (spec 2.7, 4)."""

from ...kind import (
    Authoring,
    Calls,
    Effect,
    Ids,
    Impact,
    Kind,
    Reads,
    Relations,
    Reversal,
    Roster,
    Subject,
    SubjectKind,
    Undo,
)
from ..reference_fields import ids_in, kinds_in, references_in
from . import assignment_calls as calls, assignment_manifest as manifest
from .assigned_people import CONCEALED, MISSED, Email as Email

KIND = Kind(
    name="assignment",
    resource="licenseAssignment",
    noun="license assignment",
    spec=manifest.LicenseAssignmentSpec,
    authoring=Authoring(
        normalise=manifest.normalise_assignment,
        rules=manifest.RULES,
        tables=manifest.people_tables,
        rows={"users": ("person", "people")},
        together=manifest.TOGETHER,
    ),
    relations=Relations(
        references=references_in(manifest.REFERENCES),
        names=kinds_in(manifest.REFERENCES),
        ids=ids_in(manifest.REFERENCES),
        facts=manifest.assignment_facts,
        group_by="catalog",
        group_rules=manifest.GROUP_RULES,
    ),
    impact=Impact(
        effects={
            "licenses": Effect.ACCESS,
            "users": Effect.ACCESS,
            "usersFile": Effect.ACCESS,
            "enrollmentOptions": Effect.COSMETIC,
        },
        creation=Effect.ACCESS,
        for_customers=True,
        touches=lambda _address, before, after: [
            Subject(SubjectKind.LICENSE, license_) for license_ in (after or before)["licenses"]
        ],
        holders=calls.list_holders,
        unmaking=Reversal(
            Undo.REVERSIBLE,
            "write `users: []` and `enrollmentOptions` into it and apply: who is in it loses the "
            "licenses again",
        ),
        losses=calls.assignment_losses,
        open_to_learners=lambda form: any(calls.list_holders(form)),
    ),
    calls=Calls(
        create=calls.create_assignment_part,
        update=calls.update_assignment,
        removal=calls.remove_assignment,
        unsent={"enrollmentOptions": "nothing"},
        unbatched=True,
        result=calls.assignment_result,
        jobs=lambda answer: [answer["data"]["jobId"]],
    ),
    reads=Reads(
        # The platform has no id for one; it counts as made once its job has ended.
        match=lambda *_: Ids({}),
        roster=Roster(
            "user.list",
            "users",
            calls.account_identifiers,
            calls.held_by,
            calls.roster_entries,
            frozenset({"licenses", "users"}),
            single="user.read",
            missed=MISSED,
        ),
        place=lambda _form: "the people who hold these licenses",
    ),
    concealed=CONCEALED,
)
