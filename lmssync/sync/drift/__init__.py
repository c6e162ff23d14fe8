"""drift: compares what is recorded with the platform, and lists what nobody manages.

It needs no manifest but to know which fields are left to others, and it sends no write.
"""

from .drift_findings import (
    Drifted as Drifted,
    DriftResult as DriftResult,
    LostHolding as LostHolding,
    Others as Others,
)
from .drift_look import DriftScope as DriftScope, look_for_drift as look_for_drift
from .unmanaged_items import (
    Survey as Survey,
    Unmanaged as Unmanaged,
    list_unmanaged as list_unmanaged,
)
