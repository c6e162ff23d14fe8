"""session: a further session of a course, beside the one that a create makes (spec 2.1; O3)."""

from ...kind import Authoring, Calls, Kind, Reads, Relations, Reversal, Undo
from ..course import (
    FURTHER,
    JOB_FIELDS,
    KIND as COURSE,
    ON_WIRE,
    SESSION_RULES,
    course_request,
    effects_in,
    find_part_drift,
    observe_course,
    reconcile_parts,
)
from ..reference_fields import UNLISTED, ids_in, kinds_in, of_its, references_in
from .session_calls import (
    BY_HAND,
    IMPORTS,
    READINGS,
    adopt_session,
    create_session_part,
    match_session,
    remove_session,
    search_session,
    session_appearance,
    update_session,
)
from .session_manifest import (
    GROUP_RULES,
    REFERENCE_RULES,
    REFERENCES,
    SessionSpec,
    check_session_content,
    normalise_session,
    session_facts,
)

KIND = Kind(
    name="session",
    resource="session",
    noun="session",
    spec=SessionSpec,
    authoring=Authoring(
        normalise=normalise_session,
        rules=(*SESSION_RULES, check_session_content),
        body_fields=COURSE.authoring.body_fields,
        body_files=COURSE.authoring.body_files,
        meanings=COURSE.authoring.meanings,
        together=COURSE.authoring.together,
        part_lists=COURSE.authoring.part_lists,
        free_form=frozenset({"sessionCustomFields"}),
        in_copy=COURSE.authoring.in_copy,
        parts=COURSE.authoring.parts,
    ),
    relations=Relations(
        references=references_in(REFERENCES),
        names=kinds_in(REFERENCES),
        ids=ids_in(REFERENCES),
        unlisted=UNLISTED,
        facts=session_facts,
        unique=("sku",),
        reference_rules=REFERENCE_RULES,
        group_by="course",
        group_rules=GROUP_RULES,
    ),
    impact=COURSE.impact._replace(
        effects=effects_in(SessionSpec),
        unmaking=Reversal(
            Undo.BY_HAND, "a person archives it in the admin interface: no route deletes a session"
        ),
    ),
    calls=Calls(
        create=create_session_part,
        update=update_session,
        removal=remove_session,
        by_hand=BY_HAND,
        further=FURTHER,
        unsent={"id": "never", "*.attested": "never"},
        marker_setting="marker",
        marker_unique=True,
        readback=True,
        job_fields=JOB_FIELDS,
    ),
    reads=Reads(
        match=match_session,
        request=course_request,
        id_name="course",
        observed=observe_course,
        readings=READINGS,
        on_wire=ON_WIRE,
        reconcile=reconcile_parts,
        part_drift=find_part_drift,
        search=search_session,
        adopted=adopt_session,
        appearance=session_appearance,
        place=of_its("course", "sessions"),
        same_ids=frozenset({"course"}),
    ),
    imports=IMPORTS,
)
