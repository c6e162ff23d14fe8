"""course: a catalog item with its first session, sections, lessons and topics (spec 2.2)."""

from ...kind import Authoring, Calls, Impact, Kind, Nested, Reads, Relations, Reversal, Undo
from ...vocabulary.enums import CreateStatus
from ..reference_fields import UNLISTED, ids_in, kinds_in, references_in
from ..sibling_names import named_twice
from . import course_form
from .course_calls import (
    BY_HAND,
    FURTHER as FURTHER,
    JOB_FIELDS as JOB_FIELDS,
    PARTS_BY_HAND as PARTS_BY_HAND,
    SESSION_LEVEL as SESSION_LEVEL,
    UNWRITABLE as UNWRITABLE,
    UPDATE as UPDATE,
    create_course_part,
    remove_course,
    update_course as update_course,
)
from .course_content_rules import CONTENT_RULES, OUTLINE_RULES, PART_CONTENT_RULES
from .course_date_rules import DATE_RULES
from .course_field_rules import FIELD_RULES, MEANINGS, TOGETHER, check_topics
from .course_form import REFERENCES as REFERENCES, make_regular as make_regular
from .course_import import IMPORTS, session_manifest as session_manifest
from .course_manifest import (
    SESSION_FIELDS as SESSION_FIELDS,
    CourseSpec,
    Section as Section,
    Session as Session,
)
from .course_pairing import pair_parts as pair_parts, reconcile_parts as reconcile_parts
from .course_part_drift import find_part_drift as find_part_drift
from .course_readings import (
    BY_ID as BY_ID,
    FULL as FULL,
    ON_WIRE as ON_WIRE,
    READINGS,
    WITHOUT_IDS as WITHOUT_IDS,
    adopt_course,
    course_appearance as course_appearance,
    course_request as course_request,
    is_this as is_this,
    match_course,
    observe_course as observe_course,
    pair_course,
    read_session_form as read_session_form,
    search_course,
    shows_part_ids as shows_part_ids,
)
from .course_relations import (
    FETCHED as FETCHED,
    FOLLOWS,
    OPENS as OPENS,
    REFERENCE_RULES as REFERENCE_RULES,
    REMAINS,
    access_end as access_end,
    course_facts as course_facts,
    course_subjects,
    effects_in as effects_in,
    goes_live as goes_live,
)
from .course_sale_rules import SALE_RULES

RULES = (
    *FIELD_RULES,
    *CONTENT_RULES,
    *DATE_RULES,
    *OUTLINE_RULES,
    *SALE_RULES,
    named_twice(
        "tags", "authors", "relatedCourses", "prerequisiteCourses", "prerequisiteLearningPaths"
    ),
)
SESSION_RULES = (
    check_topics,
    *PART_CONTENT_RULES,
    *DATE_RULES,
    *OUTLINE_RULES,
    *SALE_RULES,
    named_twice("prerequisiteCourses", "prerequisiteLearningPaths"),
)
"""Those that hold in a further session as well."""

KIND = Kind(
    name="course",
    resource="course",
    noun="course",
    spec=CourseSpec,
    authoring=Authoring(
        normalise=course_form.normalise_course,
        rules=RULES,
        body_fields=course_form.body_fields,
        body_files=course_form.body_files,
        meanings=MEANINGS,
        together=TOGETHER,
        nested=(
            Nested("sessions", "session", "course"),
            Nested("completionCriteria", "completionCriterion", "course"),
            Nested("purchasePaths", "purchasePath", "course"),
        ),
        part_lists={level: level.removesuffix("s") for level in course_form.BELOW},
        free_form=frozenset({"customFields", "sessionCustomFields"}),
        in_copy={"status": CreateStatus.DRAFT.value, "futurePublishDate": None, "attested": None},
        parts=course_form.part_types,
        field_names={
            "priceInCents": "price",
            "topics": "pages",
            "body": "text",
            "openType": "access",
        },
    ),
    relations=Relations(
        references=references_in(REFERENCES),
        names=kinds_in(REFERENCES),
        ids=ids_in(REFERENCES),
        unlisted=UNLISTED,
        facts=course_facts,
        unique=("sku",),
        reference_rules=REFERENCE_RULES,
    ),
    impact=Impact(
        effects=effects_in(CourseSpec),
        touches=course_subjects,
        follows=FOLLOWS,
        seats=lambda form: form.get("enrollmentLimit"),
        unmaking=Reversal(
            Undo.BY_HAND, "a person archives it in the admin interface: no route deletes a course"
        ),
        remains=REMAINS,
        open_to_learners=goes_live,
        opens_at=lambda form: form.get("futurePublishDate"),
    ),
    calls=Calls(
        create=create_course_part,
        update=update_course,
        removal=remove_course,
        deferrable=frozenset(
            field for field, declared in REFERENCES.items() if declared.deferrable
        ),
        by_hand=BY_HAND,
        further=FURTHER,
        unsent={"*.attested": "never"},
        marker_setting="marker",
        marker_unique=True,
        created=lambda answer: list(answer["courseIds"]),
        readback=True,
        job_fields=JOB_FIELDS,
    ),
    reads=Reads(
        match=match_course,
        request=course_request,
        id_name="course",
        observed=observe_course,
        readings=READINGS,
        on_wire=ON_WIRE,
        reconcile=reconcile_parts,
        part_drift=find_part_drift,
        pair=pair_course,
        search=search_course,
        by_mark=True,
        adopted=adopt_course,
        appearance=course_appearance,
        place=lambda _form: "the list of all content",
        same_ids=frozenset({"session"}),
    ),
    imports=IMPORTS,
)
