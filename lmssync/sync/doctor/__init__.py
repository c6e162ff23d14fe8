"""doctor: whether a catalog, a key and an instance fit together, and what the instance has.

It reads and judges; it sends no write, and needs no state.
"""

from .capability_probe import (
    Answered as Answered,
    Check as Check,
    Diagnosis as Diagnosis,
    probe_capabilities as probe_capabilities,
)
from .doctor_checks import advise_settings as advise_settings, diagnose_target as diagnose_target
