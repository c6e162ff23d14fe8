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
from .answer import entries, held_by, identifiers, jobs, match, result
from .calls import create, holders, removal, update
from .combinations import TOGETHER
from .conceal import CONCEALED
from .form import REFERENCES, facts, normalise, tables
from .group_rules import GROUP_RULES
from .losses import losses
from .rules import RULES
from .spec import Email as Email, LicenseAssignmentSpec

KIND = Kind(
    name="assignment",
    resource="licenseAssignment",
    noun="license assignment",
    spec=LicenseAssignmentSpec,
    authoring=Authoring(
        normalise=normalise,
        rules=RULES,
        tables=tables,
        rows={"users": ("person", "people")},
        together=TOGETHER,
    ),
    relations=Relations(
        references=references_in(REFERENCES),
        names=kinds_in(REFERENCES),
        ids=ids_in(REFERENCES),
        unlisted={"users": "person"},
        facts=facts,
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
        holders=holders,
        unmaking=Reversal(
            Undo.REVERSIBLE,
            "write `users: []` and `enrollmentOptions` into it and apply: who is in it loses the "
            "licenses again",
        ),
        losses=losses,
        open_to_learners=lambda _form: True,
    ),
    calls=Calls(
        create=create,
        update=update,
        removal=removal,
        unsent={"enrollmentOptions": "nothing"},
        unbatched=True,
        result=result,
        jobs=jobs,
    ),
    reads=Reads(
        match=match,
        roster=Roster(
            "user.list", "users", identifiers, held_by, entries, frozenset({"licenses", "users"})
        ),
        place=lambda _form: "the people who hold these licenses",
    ),
    concealed=CONCEALED,
)
