"""doctor: whether a catalog, a key and an instance fit together, and what the instance has.

It reads and judges; it sends no write, and needs no state.
"""

from .capability_probe import (
    Answered as Answered,
    Diagnosis as Diagnosis,
)
from .doctor_checks import diagnose_target as diagnose_target
