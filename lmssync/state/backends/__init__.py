"""backends: where the log of a state is kept, so that a team and its pipelines share one state.

It keeps bytes under numbers and knows nothing of what is in them: see state.
"""

from .backend_urls import open_backend as open_backend
from .encrypted_backend import make_state_key as make_state_key
from .state_backend import Snapshot as Snapshot, StateBackend as StateBackend
