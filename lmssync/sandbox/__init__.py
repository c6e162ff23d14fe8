"""sandbox: the platform of the specification, served on the loopback interface.

It imports `lmssync.vocabulary` and third parties, nothing else of ours: its checks are its
own, so that a mistake of the client cannot excuse itself here.
"""

from .errors import SandboxError
from .server import Ready, running, serve

__all__ = ["Ready", "SandboxError", "running", "serve"]
