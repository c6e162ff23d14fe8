"""session: a further session of a course, beside the one that a create makes (spec 2.1; O3)."""

from ...kind import Authoring, Calls, Impact, Kind, Reads, Relations, Reversal, Undo
from ...vocabulary.enums import CreateStatus
from ..course import (
    FOLLOWS,
    FURTHER,
    JOB_FIELDS,
    MEANINGS,
    ON_WIRE,
    REMAINS,
    SESSION_RULES,
    TOGETHER,
    body_fields,
    body_files,
    effects_in,
    goes_live,
    observed,
    part_drift,
    parts,
    reconcile,
    request,
    touches,
)
from ..references import UNLISTED, ids_in, kinds_in, of_its, references_in
from .calls import BY_HAND, create, removal, update
from .imported import IMPORTS
from .live import READINGS, adopted, appearance, match, search
from .reference_rules import GROUP_RULES, REFERENCE_RULES
from .rules import has_content
from .spec import REFERENCES, SessionSpec, facts, normalise

KIND = Kind(
    name="session",
    resource="session",
    noun="session",
    spec=SessionSpec,
    authoring=Authoring(
        normalise=normalise,
        rules=(*SESSION_RULES, has_content),
        body_fields=body_fields,
        body_files=body_files,
        meanings=MEANINGS,
        together=TOGETHER,
        free_form=frozenset({"sessionCustomFields"}),
        in_copy={"status": CreateStatus.DRAFT.value, "futurePublishDate": None, "attested": None},
        parts=parts,
    ),
    relations=Relations(
        references=references_in(REFERENCES),
        names=kinds_in(REFERENCES),
        ids=ids_in(REFERENCES),
        unlisted=UNLISTED,
        facts=facts,
        unique=("sku",),
        reference_rules=REFERENCE_RULES,
        group_by="course",
        group_rules=GROUP_RULES,
    ),
    impact=Impact(
        effects=effects_in(SessionSpec),
        touches=touches,
        follows=FOLLOWS,
        seats=lambda form: form.get("enrollmentLimit"),
        unmaking=Reversal(
            Undo.BY_HAND, "a person archives it in the admin interface: no route deletes a session"
        ),
        remains=REMAINS,
        open_to_learners=goes_live,
    ),
    calls=Calls(
        create=create,
        update=update,
        removal=removal,
        by_hand=BY_HAND,
        further=FURTHER,
        unsent={"id": "never", "*.attested": "never"},
        marker_setting="marker",
        marker_unique=True,
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
        place=of_its("course", "sessions"),
        same_ids=frozenset({"course"}),
    ),
    imports=IMPORTS,
)
