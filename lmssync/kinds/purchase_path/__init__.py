"""purchase_path: another way to buy a course, beside its own button (spec 2.6)."""

from ...kind import Authoring, Calls, Effect, Impact, Kind, Reads, Relations, by_hand
from ..reference_fields import of_its
from .path_calls import (
    BY_HAND,
    IMPORTS,
    ON_WIRE,
    READINGS,
    adopt_path,
    create_path_part,
    match_path,
    observe_path,
    path_request,
    remove_path,
)
from .path_manifest import (
    TOGETHER,
    PurchasePathSpec,
    check_path_label,
    check_path_target,
    normalise_path,
    path_facts,
    path_ids,
    path_references,
    path_subjects,
    path_title,
)
from .path_relations import GROUP_RULES, REFERENCE_RULES

KIND = Kind(
    name="path",
    resource="purchasePath",
    noun="purchase path",
    spec=PurchasePathSpec,
    authoring=Authoring(
        normalise=normalise_path,
        rules=(check_path_label, check_path_target),
        title=path_title,
        field_names={
            "target.item": "leads to",
            "target.url": "leads to",
            "target.title": "link text",
        },
        together=TOGETHER,
    ),
    relations=Relations(
        references=path_references,
        names={"course": "course", "target.item": "course"},
        ids=path_ids,
        facts=path_facts,
        reference_rules=REFERENCE_RULES,
        group_by="course",
        group_rules=GROUP_RULES,
    ),
    impact=Impact(
        effects=dict.fromkeys(PurchasePathSpec.model_fields, Effect.COMMERCE),
        creation=Effect.COMMERCE,
        for_customers=True,
        touches=path_subjects,
        follows={Effect.COMMERCE: "new buyers may buy through it"},
        remains={Effect.COMMERCE: "what is bought through it meanwhile stays bought"},
    ),
    calls=Calls(
        create=create_path_part,
        update=by_hand(BY_HAND),
        removal=remove_path,
        by_hand=BY_HAND,
        unsent={"id": "never"},
        created=lambda answer: [answer["data"]["id"]],
    ),
    reads=Reads(
        match=match_path,
        request=path_request,
        observed=observe_path,
        adopted=adopt_path,
        readings=READINGS,
        on_wire=ON_WIRE,
        place=of_its("course", "purchase paths"),
    ),
    imports=IMPORTS,
)
