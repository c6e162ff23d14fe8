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
    Removal,
    Reversal,
    Undo,
)
from ..reference_fields import ids_in, kinds_in, references_in
from . import client_calls as calls, client_manifest as manifest

KIND = Kind(
    name="client",
    resource="client",
    noun="client",
    spec=manifest.ClientSpec,
    authoring=Authoring(
        normalise=manifest.normalise_client, rules=(manifest.has_slug, manifest.not_itself)
    ),
    relations=Relations(
        references=references_in(manifest.REFERENCES),
        names=kinds_in(manifest.REFERENCES),
        ids=ids_in(manifest.REFERENCES),
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
        create=calls.create_client_part,
        update=calls.update_client,
        removal=lambda _form: Removal(
            Effect.ACCESS, "its learners keep their access, and its licenses stay valid"
        ),
        after_create=(
            ManualStep(
                "notCopied",
                "set up what the clone lacks and the manifest leaves out: "
                f"{', '.join(calls.NOT_COPIED)}",
            ),
        ),
        by_hand=calls.BY_HAND,
        further=calls.FURTHER,
        readback=True,
        jobs=lambda answer: [answer["data"]["APICloneClient"]["id"]],
    ),
    reads=Reads(
        match=calls.match_client,
        request=calls.client_request,
        observed=calls.observe_client,
        readings=calls.READINGS,
        on_wire=calls.ON_WIRE,
    ),
)
