"""A program that is measured, with a catalog, a cache and a platform of its own."""

import shutil
from collections.abc import Mapping
from copy import copy
from pathlib import Path

import workload
from measure import LMSSYNC, Cost, run
from served import Sandbox

CHANGED_EVERY = 100
"""1 % of the courses: every hundredth."""


class Side:
    """One catalog of W, and the program that is run in it."""

    platform: Sandbox

    def __init__(self, name: str, root: Path, courses: int, program: Mapping[str, str]) -> None:
        """`program`: the environment in which Python finds it."""
        self.name, self.root, self.courses, self.program = name, root, courses, program
        self.cache = root.with_name(f"{root.name}-cache")
        self._revision = 0

    def call(self, *args: str, limit: float) -> Cost:
        """One run of a command in the catalog, on its platform if there is one."""
        env = {**self.program, "XDG_CACHE_HOME": str(self.cache)}
        if hasattr(self, "platform"):
            env |= self.platform.env
        return run([*LMSSYNC, *args, "-C", str(self.root)], env=env, limit=limit)

    def requests(self) -> int:
        """How many requests have reached its platform."""
        return self.platform.requests()

    def make(self) -> int:
        """The catalog as it is generated; returns its bytes."""
        workload.write_project(self.root)
        return workload.write(self.root, range(self.courses))

    def remove(self) -> None:
        for folder in self.root.parent.glob(f"{self.root.name}*"):
            shutil.rmtree(folder)

    def beside(self) -> "Side":
        """The same program and platform with another catalog, which has nothing in it."""
        other = copy(self)
        other.root = self.root.with_name(f"{self.root.name}-beside")
        return other

    def begin(self) -> None:
        """Nothing but a project file, for an instance with further routes."""
        shutil.rmtree(self.root, ignore_errors=True)
        self.project("profile: extended")

    def project(self, settings: str) -> None:
        """The project file with some settings of the instance: `profile: extended`."""
        workload.write_project(self.root)
        with (self.root / "lmssync.yaml").open("a", encoding="utf-8") as project:
            project.write(f"platform: {{{settings}}}\n")

    def forget(self) -> None:
        """No state, no cache: as after a fresh checkout."""
        shutil.rmtree(self.root / ".lmssync", ignore_errors=True)
        self.forget_cache()

    def forget_cache(self) -> None:
        shutil.rmtree(self.cache, ignore_errors=True)

    def edit(self) -> None:
        """An edit of one topic in 1 % of the courses, a new one each time."""
        self._revision += 1
        changed = range(0, self.courses, CHANGED_EVERY)
        workload.write(self.root, changed, revision=self._revision)
