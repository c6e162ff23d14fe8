"""What a check says, and where it looks."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple, Protocol

from ...platform.client import Reader
from ...settings import Environment, Project
from ...state import Store
from .probe import Answered


class CheckTarget(Protocol):
    """A catalog and the environment that a run is about."""

    @property
    def root(self) -> Path: ...

    @property
    def project(self) -> Project: ...

    @property
    def name(self) -> str: ...

    @property
    def environment(self) -> Environment: ...

    def reader(self) -> Reader: ...

    def store(self, *, read_only: bool = False) -> AbstractContextManager[Store]: ...

    def check_state(self, store: Store) -> None: ...


class Check(NamedTuple):
    """One thing that was looked at."""

    name: str
    message: str
    remedy: str = ""
    """What to do; also of something that is fine but could be better."""
    fine: bool = True
    here: bool = False
    """It is about this machine and the catalog, not about the platform or the key."""


class Diagnosis(NamedTuple):
    """Everything that was looked at, and what the instance has if it was asked."""

    checks: Sequence[Check]
    capabilities: Mapping[str, Answered] = MappingProxyType({})
    lines: str = ""
    """Lines for the project file that say what the instance has."""

    @property
    def fine(self) -> bool:
        return all(check.fine for check in self.checks)

    @property
    def reached(self) -> bool:
        """Whether everything that is wrong is wrong here, and the platform and the key are fine."""
        return all(check.fine or check.here for check in self.checks)
