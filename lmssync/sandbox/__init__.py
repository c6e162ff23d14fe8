"""sandbox: the platform of the specification, served on the loopback interface.

It imports `lmssync.vocabulary` and third parties, nothing else of ours: it has checks of
its own, so that they show mistakes of the client.
"""

from .errors import SandboxError
from .server import Ready, running, serve

__all__ = ["Ready", "SandboxError", "running", "serve"]
