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
from ..reference_fields import ids_in, kinds_in, references_in
from .client_calls import (
    BY_HAND,
    FURTHER,
    NOT_COPIED,
    ON_WIRE,
    READINGS,
    client_request,
    clone_jobs,
    create_client_part,
    match_client,
    observe_client,
    remove_client,
    update_client,
)
from .client_manifest import REFERENCES, ClientSpec, has_slug, normalise_client, not_itself

KIND = Kind(
    name="client",
    resource="client",
    noun="client",
    spec=ClientSpec,
    authoring=Authoring(normalise=normalise_client, rules=(has_slug, not_itself)),
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
        create=create_client_part,
        update=update_client,
        removal=remove_client,
        after_create=(
            ManualStep(
                "notCopied",
                f"set up what the clone lacks and the manifest leaves out: {', '.join(NOT_COPIED)}",
            ),
        ),
        by_hand=BY_HAND,
        further=FURTHER,
        readback=True,
        jobs=clone_jobs,
    ),
    reads=Reads(
        match=match_client,
        request=client_request,
        observed=observe_client,
        readings=READINGS,
        on_wire=ON_WIRE,
    ),
)
