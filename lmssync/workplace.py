"""Where a run works: a catalog on disk, and the one environment that it is about."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from .address import Address
from .client import Reader, Writer
from .manifests.project import project as read_project
from .settings import Environment, Project
from .state import Store, open_store


class Workplace(NamedTuple):
    """A catalog on disk, and the one environment that a run is about."""

    root: Path
    project: Project
    name: str
    environment: Environment
    allow: frozenset[Address] = frozenset()
    """Protected resources that this run may change."""

    def reader(self) -> Reader:
        return Reader(self.environment.baseUrl, self.environment.apiKey.read())

    def writer(self) -> Writer:
        return Writer(self.environment.baseUrl, self.environment.apiKey.read())

    @contextmanager
    def store(self) -> Iterator[Store]:
        opened = open_store(self.project.state, self.root, self.name)
        try:
            yield opened
        finally:
            opened.close()


def workplace(root: Path, environment: str | None, env: Mapping[str, str]) -> Workplace:
    """Reads `lmssync.yaml` and chooses the environment; raises `WrongUse`, `InvalidCatalog`."""
    project = read_project(root)
    name, chosen = project.choose(environment, env)
    if env.get("LMSSYNC_STATE"):
        project = project.model_copy(update={"state": env["LMSSYNC_STATE"]})
    return Workplace(root, project, name, chosen)
