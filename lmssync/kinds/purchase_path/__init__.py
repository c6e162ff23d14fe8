"""purchase_path: another way to buy a course, beside its own button (spec 2.6)."""

from ...kind import (
    Authoring,
    Calls,
    Effect,
    Impact,
    Kind,
    Reads,
    Relations,
    by_hand,
)
from ..references import of_its
from .calls import (
    BY_HAND,
    ON_WIRE,
    READINGS,
    adopted,
    create,
    match,
    observed,
    removal,
    request,
)
from .combinations import TOGETHER
from .group_rules import GROUP_RULES
from .imported import IMPORTS
from .reference_rules import REFERENCE_RULES
from .rules import label, target
from .spec import PurchasePathSpec, facts, ids, normalise, references, title, touches

KIND = Kind(
    name="path",
    resource="purchasePath",
    noun="purchase path",
    spec=PurchasePathSpec,
    authoring=Authoring(normalise=normalise, rules=(label, target), title=title, together=TOGETHER),
    relations=Relations(
        references=references,
        ids=ids,
        facts=facts,
        reference_rules=REFERENCE_RULES,
        group_by="course",
        group_rules=GROUP_RULES,
    ),
    impact=Impact(
        effects=dict.fromkeys(PurchasePathSpec.model_fields, Effect.COMMERCE),
        creation=Effect.COMMERCE,
        for_customers=True,
        touches=touches,
        remains={Effect.COMMERCE: "what is bought through it meanwhile stays bought"},
    ),
    calls=Calls(
        create=create,
        update=by_hand(BY_HAND),
        removal=removal,
        by_hand=BY_HAND,
        unsent={"id": "never"},
        created=lambda answer: [answer["data"]["id"]],
    ),
    reads=Reads(
        match=match,
        request=request,
        observed=observed,
        adopted=adopted,
        readings=READINGS,
        on_wire=ON_WIRE,
        place=of_its("course", "purchase paths"),
    ),
    imports=IMPORTS,
)
