"""course: a catalog item with its session, sections, lessons and topics (spec 2.2)."""

from ...kind import (
    Authoring,
    Calls,
    Effect,
    Impact,
    Kind,
    Nested,
    Reads,
    Relations,
    Reversal,
    Undo,
)
from ...texts import quality
from ...vocabulary.enums import CreateStatus
from ..references import ids_in, kinds_in, references_in
from .calls import create, created, removal
from .combinations import TOGETHER
from .facts import FETCHED as FETCHED, access_end as access_end, facts, goes_live as goes_live
from .form import REFERENCES, body_fields, normalise, parts
from .imported import IMPORTS
from .live import adopted, appearance, match, observed, request, search
from .meanings import MEANINGS
from .pairing import reconcile
from .part_drift import part_drift
from .readings import ON_WIRE, READINGS
from .reference_rules import OPENS as OPENS, REFERENCE_RULES
from .rules import RULES
from .spec import CourseSpec
from .touched import touches
from .update import BY_HAND, FURTHER, JOB_FIELDS, update

_IN_PARTS = {
    "title": Effect.EDITORIAL,
    "body": Effect.EDITORIAL,
    "preTextBlock": Effect.EDITORIAL,
    "postTextBlock": Effect.EDITORIAL,
    "openType": Effect.ACCESS,
    "releaseDate": Effect.ACCESS,
    "scormUrl": Effect.PROGRESS,
}
"""Anything else that changes inside a section is structural."""
EFFECTS = {
    name: mark
    for name, field in CourseSpec.model_fields.items()
    for mark in field.metadata
    if isinstance(mark, Effect)
} | {f"*.{field}": effect for field, effect in _IN_PARTS.items()}

KIND = Kind(
    name="course",
    resource="course",
    noun="course",
    spec=CourseSpec,
    authoring=Authoring(
        normalise=normalise,
        rules=(*RULES, quality),
        body_fields=body_fields,
        meanings=MEANINGS,
        together=TOGETHER,
        nested=(
            Nested("completionCriteria", "completionCriterion", "course"),
            Nested("purchasePaths", "purchasePath", "course"),
        ),
        free_form=frozenset({"customFields", "sessionCustomFields"}),
        in_copy={"status": CreateStatus.DRAFT.value, "futurePublishDate": None, "attested": None},
        parts=parts,
    ),
    relations=Relations(
        references=references_in(REFERENCES),
        names=kinds_in(REFERENCES),
        ids=ids_in(REFERENCES),
        facts=facts,
        unique=("sku",),
        reference_rules=REFERENCE_RULES,
    ),
    impact=Impact(
        effects=EFFECTS,
        touches=touches,
        follows={
            Effect.EDITORIAL: "they read the new text at once",
            Effect.STRUCTURAL: "they find the changed parts at once",
            Effect.PROGRESS: "their way through the course changes",
            Effect.ACCESS: "who may enter, and when, changes for them too",
        },
        seats=lambda form: form.get("enrollmentLimit"),
        unmaking=Reversal(
            Undo.BY_HAND, "a person archives it in the admin interface: no route deletes a course"
        ),
        remains={Effect.COMMERCE: "what is bought meanwhile stays bought at that price"},
        open_to_learners=goes_live,
    ),
    calls=Calls(
        create=create,
        update=update,
        removal=removal,
        deferrable=frozenset(
            field for field, declared in REFERENCES.items() if declared.deferrable
        ),
        by_hand=BY_HAND,
        further=FURTHER,
        unsent={"*.attested": "never"},
        marker_setting="marker",
        marker_unique=True,
        created=created,
        readback=True,
        job_fields=JOB_FIELDS,
    ),
    reads=Reads(
        match=match,
        request=request,
        id_name="course",
        observed=observed,
        readings=READINGS,
        on_wire=ON_WIRE,
        reconcile=reconcile,
        part_drift=part_drift,
        search=search,
        adopted=adopted,
        appearance=appearance,
        place=lambda _form: "the list of all content",
    ),
    imports=IMPORTS,
)
