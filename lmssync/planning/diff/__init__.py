"""diff: compares what is desired, recorded and live, and says what differs.

It knows neither the order of work (see plan) nor how work is done (see apply). Fields that a
manifest leaves out are not managed and never differ.
"""

from .change import Change as Change, Difference as Difference, take_changes as take_changes
from .change_with_live import with_live as with_live
from .field_paths import (
    ABSENT as ABSENT,
    ORDER as ORDER,
    FieldChange as FieldChange,
    are_parts as are_parts,
    compare_forms as compare_forms,
    is_plain_mapping as is_plain_mapping,
    paths_overlap as paths_overlap,
    put_value as put_value,
    top_field as top_field,
    value_at as value_at,
    value_or_none as value_or_none,
    wanted_form as wanted_form,
)
from .live_looks import (
    Observed as Observed,
    View as View,
    leave_seen_conflicts as leave_seen_conflicts,
    observe_changes as observe_changes,
)
from .live_records import (
    Instance as Instance,
    SentChange as SentChange,
    UpdateTrace as UpdateTrace,
    drift_of as drift_of,
    read_live as read_live,
    read_live_or_unchanged as read_live_or_unchanged,
    read_with_own_writes as read_with_own_writes,
    trace_update as trace_update,
    with_fields as with_fields,
    with_trace as with_trace,
)
from .moved_parts import point_to_parts as point_to_parts
from .proof_evidence import (
    ProofBuffer as ProofBuffer,
    count_form_fields as count_form_fields,
    make_proof as make_proof,
    proof_of_new as proof_of_new,
)
from .record_window import TOGETHER as TOGETHER, RecordWindow as RecordWindow
from .referrers import recorded_children as recorded_children
from .resource_status import (
    FieldStatus as FieldStatus,
    ResourceStatus as ResourceStatus,
    drop_missed_people as drop_missed_people,
    find_changes as find_changes,
    find_resource_status as find_resource_status,
)
from .three_way import (
    Drift as Drift,
    Resolution as Resolution,
    as_recorded as as_recorded,
    explain_decision as explain_decision,
    explain_places as explain_places,
    find_drift as find_drift,
    merge_drift as merge_drift,
)
