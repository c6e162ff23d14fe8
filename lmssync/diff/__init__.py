"""diff: compares what is desired, recorded and live, and says what differs.

It knows neither the order of work (see plan) nor how work is done (see apply). Fields that a
manifest leaves out are not managed and never differ.
"""

from .begun import with_fields as with_fields
from .change import Change as Change, Difference as Difference
from .compare import changes as changes
from .fields import FieldChange as FieldChange, are_parts as are_parts, compare as compare
from .ignored import wanted as wanted
from .look import (
    Instance as Instance,
    drift_of as drift_of,
    look as look,
    look_closely as look_closely,
    one_by_one as one_by_one,
)
from .named_parts import pointing as pointing
from .observe import Observed as Observed, View as View, observe as observe
from .observed import with_live as with_live
from .own_writes import (
    SentChange as SentChange,
    UpdateTrace as UpdateTrace,
    managed_by as managed_by,
    trace_update as trace_update,
    with_trace as with_trace,
)
from .paths import (
    ABSENT as ABSENT,
    ORDER as ORDER,
    overlap as overlap,
    put as put,
    top as top,
    value_at as value_at,
)
from .proving import (
    counted as counted,
    proof as proof,
    proof_of_new as proof_of_new,
)
from .referrers import children as children
from .spilled import SpilledProofs as SpilledProofs
from .standing import Standing as Standing, StandingField as StandingField, standing as standing
from .three_way import (
    Drift as Drift,
    Resolution as Resolution,
    as_recorded as as_recorded,
    drifts as drifts,
    merged as merged,
)
