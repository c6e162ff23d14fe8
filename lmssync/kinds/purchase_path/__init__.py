"""purchase_path: another way to buy a course, beside its own button (spec 2.6)."""

from ...kind import Authoring, Calls, Effect, Impact, Kind, Reads, Relations, by_hand
from ..reference_fields import of_its
from . import path_calls as calls, path_manifest as manifest
from .path_relations import GROUP_RULES, REFERENCE_RULES

KIND = Kind(
    name="path",
    resource="purchasePath",
    noun="purchase path",
    spec=manifest.PurchasePathSpec,
    authoring=Authoring(
        normalise=manifest.normalise_path,
        rules=(manifest.check_path_label, manifest.check_path_target),
        title=manifest.path_title,
        field_names={
            "target.item": "leads to",
            "target.url": "leads to",
            "target.title": "link text",
        },
        together=manifest.TOGETHER,
    ),
    relations=Relations(
        references=manifest.path_references,
        names={"course": "course", "target.item": "course"},
        ids=manifest.path_ids,
        facts=manifest.path_facts,
        reference_rules=REFERENCE_RULES,
        group_by="course",
        group_rules=GROUP_RULES,
    ),
    impact=Impact(
        effects=dict.fromkeys(manifest.PurchasePathSpec.model_fields, Effect.COMMERCE),
        creation=Effect.COMMERCE,
        for_customers=True,
        touches=manifest.path_subjects,
        follows={Effect.COMMERCE: "new buyers may buy through it"},
        remains={Effect.COMMERCE: "what is bought through it meanwhile stays bought"},
    ),
    calls=Calls(
        create=calls.create_path_part,
        update=by_hand(calls.BY_HAND),
        removal=calls.remove_path,
        by_hand=calls.BY_HAND,
        unsent={"id": "never"},
        created=lambda answer: [answer["data"]["id"]],
    ),
    reads=Reads(
        match=calls.match_path,
        request=calls.path_request,
        observed=calls.observe_path,
        adopted=calls.adopt_path,
        readings=calls.READINGS,
        on_wire=calls.ON_WIRE,
        place=of_its("course", "purchase paths"),
    ),
    imports=calls.IMPORTS,
)
