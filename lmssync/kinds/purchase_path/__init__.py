"""purchase_path: another way to buy a course, beside its own button (spec 2.6)."""

from ..kind import Effect, Kind
from ..texts import quality
from . import reference_rules
from .calls import BY_HAND, create, created, departure, update
from .combinations import TOGETHER
from .form import normalise, references, title
from .live import adopted, match, reading, seen
from .rules import label, target
from .spec import PurchasePathSpec

KIND = Kind(
    name="path",
    resource="purchasePath",
    noun="purchase path",
    spec=PurchasePathSpec,
    normalise=normalise,
    title=title,
    references=references,
    rules=(label, target, quality),
    together=TOGETHER,
    facts=reference_rules.facts,
    between=reference_rules.BETWEEN,
    family="course",
    among=reference_rules.AMONG,
    effects=dict.fromkeys(PurchasePathSpec.model_fields, Effect.COMMERCE),
    creation=Effect.COMMERCE,
    create=create,
    departure=departure,
    update=update,
    by_hand=BY_HAND,
    unsent={"id": "never"},
    created=created,
    reading=reading,
    match=match,
    seen=seen,
    adopted=adopted,
)
