"""license_assignment: which people hold which licenses, assigned in bulk (spec 2.7, 4)."""

from ...kind import (
    Authoring,
    Calls,
    Effect,
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
from .assigned_people import CONCEALED, MISSED, Email as Email
from .assignment_calls import (
    account_identifiers,
    assignment_jobs,
    assignment_losses,
    assignment_result,
    create_assignment_part,
    held_by,
    list_holders,
    match_assignment,
    remove_assignment,
    roster_entries,
    update_assignment,
)
from .assignment_manifest import (
    REFERENCES,
    RULES,
    TOGETHER,
    LicenseAssignmentSpec,
    assignment_facts,
    normalise_assignment,
    people_tables,
)
from .assignment_relations import GROUP_RULES

KIND = Kind(
    name="assignment",
    resource="licenseAssignment",
    noun="license assignment",
    spec=LicenseAssignmentSpec,
    authoring=Authoring(
        normalise=normalise_assignment,
        rules=RULES,
        tables=people_tables,
        rows={"users": ("person", "people")},
        together=TOGETHER,
    ),
    relations=Relations(
        references=references_in(REFERENCES),
        names=kinds_in(REFERENCES),
        ids=ids_in(REFERENCES),
        facts=assignment_facts,
        group_by="catalog",
        group_rules=GROUP_RULES,
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
        holders=list_holders,
        unmaking=Reversal(
            Undo.REVERSIBLE,
            "write `users: []` and `enrollmentOptions` into it and apply: who is in it loses the "
            "licenses again",
        ),
        losses=assignment_losses,
        open_to_learners=lambda form: any(list_holders(form)),
    ),
    calls=Calls(
        create=create_assignment_part,
        update=update_assignment,
        removal=remove_assignment,
        unsent={"enrollmentOptions": "nothing"},
        unbatched=True,
        result=assignment_result,
        jobs=assignment_jobs,
    ),
    reads=Reads(
        match=match_assignment,
        roster=Roster(
            "user.list",
            "users",
            account_identifiers,
            held_by,
            roster_entries,
            frozenset({"licenses", "users"}),
            single="user.read",
            missed=MISSED,
        ),
        place=lambda _form: "the people who hold these licenses",
    ),
    concealed=CONCEALED,
)
