"""client: a tenant with licenses and learners of its own, made by cloning another (spec 4)."""

from ...kind import (
    Authoring,
    Calls,
    Effect,
    Impact,
    Kind,
    ManualStep,
    Reads,
    Relations,
    Reversal,
    Undo,
)
from ..references import ids_in, kinds_in, references_in
from .calls import (
    BY_HAND,
    FURTHER,
    NOT_COPIED,
    READINGS,
    create,
    jobs,
    match,
    observed,
    removal,
    request,
    update,
)
from .rules import has_slug, not_itself
from .spec import REFERENCES, ClientSpec, normalise

KIND = Kind(
    name="client",
    resource="client",
    noun="client",
    spec=ClientSpec,
    authoring=Authoring(normalise=normalise, rules=(has_slug, not_itself)),
    relations=Relations(
        references=references_in(REFERENCES),
        names=kinds_in(REFERENCES),
        ids=ids_in(REFERENCES),
        facts=lambda _data, form: {"slug": form["slug"]},
        unique=("slug",),
    ),
    impact=Impact(
        effects={
            "name": Effect.EDITORIAL,
            "slug": Effect.ACCESS,
            "cloneOf": Effect.STRUCTURAL,
            "disabled": Effect.ACCESS,
            "seatsLimit": Effect.ACCESS,
            "licenseEndDate": Effect.ACCESS,
            "customHost": Effect.ACCESS,
        },
        for_customers=True,
        unmaking=Reversal(
            Undo.BY_HAND, "a person disables it in the admin interface: no route deletes a client"
        ),
    ),
    calls=Calls(
        create=create,
        update=update,
        removal=removal,
        after_create=(
            ManualStep(
                "notCopied",
                f"not cloned, so take care of what the manifest does not say of: "
                f"{', '.join(NOT_COPIED)}",
            ),
        ),
        by_hand=BY_HAND,
        further=FURTHER,
        readback=True,
        jobs=jobs,
    ),
    reads=Reads(match=match, request=request, observed=observed, readings=READINGS),
)
