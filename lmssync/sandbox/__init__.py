"""sandbox: the platform of the specification, served on the loopback interface.

It imports `lmssync.vocabulary` and third parties, nothing else of ours: it has checks of
its own, so that they show mistakes of the client.
"""

from .data.durable_store import SandboxError as SandboxError
from .sandbox_server import (
    Ready as Ready,
    run_sandbox as run_sandbox,
    serve_sandbox as serve_sandbox,
)
