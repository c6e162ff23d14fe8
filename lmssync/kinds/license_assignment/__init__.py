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
from ..references import ids_in, kinds_in, references_in
from .answer import (
    account_identifiers,
    assignment_jobs,
    assignment_result,
    held_by,
    match_assignment,
    roster_entries,
)
from .calls import create_assignment_part, list_holders, remove_assignment, update_assignment
from .combinations import TOGETHER
from .conceal import CONCEALED
from .form import REFERENCES, assignment_facts, normalise_assignment, people_tables
from .group_rules import GROUP_RULES
from .losses import assignment_losses
from .rules import RULES
from .spec import Email as Email, LicenseAssignmentSpec

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
        open_to_learners=lambda _form: True,
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
        ),
        place=lambda _form: "the people who hold these licenses",
    ),
    concealed=CONCEALED,
)
