"""doctor: whether a catalog, a key and an instance fit together, and what the instance has.

It reads and judges; it sends no write, and needs no state.
"""

from .check import Check as Check, Diagnosis as Diagnosis
from .checks import advise_settings as advise_settings, diagnose_target as diagnose_target
from .probe import Answered as Answered, probe_capabilities as probe_capabilities
