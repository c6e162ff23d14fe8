"""purchase_path: another way to buy a course, beside its own button (spec 2.6)."""

from ..kind import Authoring, Calls, Effect, Impact, Kind, Reads, Relations
from ..texts import quality
from . import reference_rules
from .calls import create, created, removal, update
from .form import normalise, references, title
from .live import adopted, match, observed, request
from .rules import label, target
from .spec import PurchasePathSpec

KIND = Kind(
    name="path",
    resource="purchasePath",
    noun="purchase path",
    spec=PurchasePathSpec,
    authoring=Authoring(
        normalise=normalise,
        rules=(label, target, quality),
        title=title,
    ),
    relations=Relations(
        references=references,
        facts=reference_rules.facts,
        reference_rules=reference_rules.BETWEEN,
        group_by="course",
        group_rules=reference_rules.AMONG,
    ),
    impact=Impact(
        effects=dict.fromkeys(PurchasePathSpec.model_fields, Effect.COMMERCE),
        creation=Effect.COMMERCE,
    ),
    calls=Calls(
        create=create,
        update=update,
        removal=removal,
        created=created,
    ),
    reads=Reads(
        match=match,
        request=request,
        observed=observed,
        adopted=adopted,
    ),
)
