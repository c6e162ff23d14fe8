"""session: a further session of a course, beside the one that a create makes (spec 2.1; O3)."""

from ...kind import Authoring, Calls, Kind, Reads, Relations, Reversal, Undo
from .. import course
from ..reference_fields import UNLISTED, ids_in, kinds_in, of_its, references_in
from . import session_calls as calls, session_manifest as manifest

KIND = Kind(
    name="session",
    resource="session",
    noun="session",
    spec=manifest.SessionSpec,
    authoring=Authoring(
        normalise=manifest.normalise_session,
        rules=(*course.SESSION_RULES, manifest.check_session_content),
        body_fields=course.KIND.authoring.body_fields,
        body_files=course.KIND.authoring.body_files,
        meanings=course.KIND.authoring.meanings,
        together=course.KIND.authoring.together,
        part_lists=course.KIND.authoring.part_lists,
        free_form=frozenset({"sessionCustomFields"}),
        in_copy=course.KIND.authoring.in_copy,
        parts=course.KIND.authoring.parts,
    ),
    relations=Relations(
        references=references_in(manifest.REFERENCES),
        names=kinds_in(manifest.REFERENCES),
        ids=ids_in(manifest.REFERENCES),
        unlisted=UNLISTED,
        facts=manifest.session_facts,
        unique=("sku",),
        reference_rules=manifest.REFERENCE_RULES,
        group_by="course",
        group_rules=manifest.GROUP_RULES,
    ),
    impact=course.KIND.impact._replace(
        effects=course.effects_in(manifest.SessionSpec),
        unmaking=Reversal(
            Undo.BY_HAND, "a person archives it in the admin interface: no route deletes a session"
        ),
    ),
    calls=Calls(
        create=calls.create_session_part,
        update=calls.update_session,
        removal=calls.remove_session,
        by_hand=calls.BY_HAND,
        further=course.FURTHER,
        unsent={"id": "never", "*.attested": "never"},
        marker_setting="marker",
        marker_unique=True,
        readback=True,
        job_fields=course.JOB_FIELDS,
    ),
    reads=Reads(
        match=calls.match_session,
        request=course.course_request,
        id_name="course",
        observed=course.observe_course,
        readings=calls.READINGS,
        on_wire=course.ON_WIRE,
        reconcile=course.reconcile_parts,
        part_drift=course.find_part_drift,
        search=calls.search_session,
        adopted=calls.adopt_session,
        appearance=calls.session_appearance,
        place=of_its("course", "sessions"),
        same_ids=frozenset({"course"}),
    ),
    imports=calls.IMPORTS,
)
