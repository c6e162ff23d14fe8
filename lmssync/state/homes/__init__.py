"""homes: where the log of a state is kept, so that a whole team and its pipelines share one state.

It keeps bytes under numbers and knows nothing of what is in them: see state.
"""

from .home import StateBackend as StateBackend, Snapshot as Snapshot
from .opening import open_backend as open_backend
