"""What the reading of a file depends on, besides the file itself."""

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from ....problems import Finding, Rule
from ....resource import Address, Origin
from ....settings import Project


class PolicyCheck(Protocol):
    """A policy: it sees a document with overlays and defaults applied."""

    @property
    def rule(self) -> Rule: ...

    def judge_document(self, resource: str, data: Mapping[str, Any]) -> Iterator[Finding]: ...


class Patch(NamedTuple):
    """What an overlay says about one resource."""

    origin: Origin
    data: dict[str, Any]


class Scope(NamedTuple):
    """One catalog as one environment wants it; `environment` is empty where there is none."""

    root: Path
    project: Project
    environment: str = ""
    patches: Mapping[Address, tuple[Patch, ...]] = {}
    policies: tuple[PolicyCheck, ...] = ()

    @property
    def variables(self) -> dict[str, Any]:
        """The values that a template may use."""
        environment = self.project.environments.get(self.environment)
        return {"environment": self.environment, "vars": environment.vars if environment else {}}

    def variant_of_file(self, *, template: bool, addresses: "list[Address]") -> str:
        """What makes a file of this scope differ from the same file elsewhere; empty: nothing.

        A template depends on the variables, a file with patched resources on their patches.
        """
        patches = [
            (patch.origin.file, patch.origin.document, patch.data)
            for address in addresses
            for patch in self.patches.get(address, ())
        ]
        if not template and not patches:
            return ""
        # Not JSON: a patch holds whatever its author wrote, keys that are numbers among it.
        parts = repr((self.variables if template else None, patches))
        return hashlib.sha256(parts.encode("utf-8", "surrogatepass")).hexdigest()
