"""lmssync: keep a learning catalog in git and the platform in step with it."""

__version__ = "0.1.0"
