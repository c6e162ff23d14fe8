"""What can keep a sandbox from starting: one family, worded for the person who started it.

SandboxError
├── DataHeld       another sandbox uses the data folder
├── DataUnusable   the data folder cannot be read or written
├── PortTaken      the address is in use or may not be bound
└── SeedRefused    the seed file is not valid
"""


class SandboxError(Exception):
    """The sandbox cannot start; the message says why and what to do."""


class DataHeld(SandboxError):
    """Another sandbox holds the data folder."""


class DataUnusable(SandboxError):
    """The data folder cannot be read or written, or holds something else."""


class PortTaken(SandboxError):
    """The address cannot be bound."""


class SeedRefused(SandboxError):
    """The seed is not JSON in the shape of a dump."""
