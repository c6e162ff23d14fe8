"""Kills runs, goes on after each, and compares with what an undisturbed run leaves."""

import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import pytest

from tests.served_catalog import Platform, Workspace

from . import killing
from .killing import Killed
from .person import Outcome, outcome, settle
from .scenarios import Files, Scenario

LATER = {"advanceSeconds": 300}
"""Nobody applies right after the run before, so what a killed run has done looks like an edit."""
Lay = Callable[[Path], str]
"""Makes the folder of a catalog, and gives the URL of a new state; empty for the usual file."""


@dataclass
class Crashes:
    """Catalogs in new folders, each with a new state and for a platform as new."""

    platform: Platform
    folder: Path
    project: str
    capture: pytest.CaptureFixture[str]
    set: pytest.MonkeyPatch
    lay: Lay
    shared: bool

    def wrong(self, scenario: Scenario, first: int = 1, step: int = 1) -> list[str]:
        """Kills at each step, or at some: after which of them something else came out, and what.

        It ends with the first run that has no step of such a number.
        """
        found: list[str] = []
        expected = self._undisturbed(scenario)
        for number in count(first, step):
            work = self._prepared(scenario, f"{number}")
            killed = self._run(number, work)
            if killed.whole:
                assert (0, True) == (killed.code, number > first)
                break
            try:
                for came in self._recovered(work):
                    assert expected == came
            except AssertionError as error:
                found.append(f"step {number}, {killed.steps[-1]}: {error}")
        return found

    def announced(self, scenario: Scenario) -> list[str]:
        """What waits for a decision, wherever one goes on, if the first call was not sent."""
        work = self._prepared(scenario, "unsent")
        assert killing.SENDING == self._run(killing.SENDING, work).steps[-1]
        machine = self._elsewhere(work) if self.shared else work
        self._move_to(machine)
        waiting = machine.run("resolve", "--json").json["undecided"]
        return [one["address"] for one in waiting]

    def _prepared(self, scenario: Scenario, name: str) -> Workspace:
        """What the scenario begins with, applied; then the catalog that is to be applied."""
        self.platform.renew()
        work = Workspace(self.folder / name, {}, self.capture)
        url = self.lay(work.root)
        self._move_to(work)
        if url:
            self.set.setenv("LMSSYNC_STATE", url)
        if scenario.before:
            self._write(work, scenario.before)
            done = work.apply()
            assert 0 == done.code, done.err + done.out
            self.platform.order("clock", LATER)
        self._write(work, scenario.files)
        return work

    def _run(self, at: int | str, work: Workspace) -> Killed:
        return killing.run(work.root, at, "apply", "--yes")

    def _undisturbed(self, scenario: Scenario) -> Outcome:
        work = self._prepared(scenario, "undisturbed")
        settle(work, self.platform)
        expected = outcome(work, self.platform)
        assert {"manual"} >= {action for _, action in expected.plan}
        assert 0 == expected.verified
        return expected

    def _recovered(self, work: Workspace) -> Iterator[Outcome]:
        """What comes of going on: on another machine, if the state is shared, and back there."""
        self.platform.order("clock", LATER)
        for machine in (self._elsewhere(work), work) if self.shared else (work,):
            self._move_to(machine)
            settle(machine, self.platform)
            yield outcome(machine, self.platform)

    def _elsewhere(self, work: Workspace) -> Workspace:
        """Another clone of the catalog, which has nothing of what was recorded but the register of
        people: without it nobody could take a license from somebody who has left the list."""
        root = self.folder / f"{work.root.name}-other"
        shutil.copytree(work.root, root, ignore=shutil.ignore_patterns(".lmssync"))
        if (register := work.root / ".lmssync/people").exists():
            shutil.copytree(register, root / ".lmssync/people")
        return Workspace(root, {}, self.capture)

    def _move_to(self, work: Workspace) -> None:
        os.chdir(work.root)
        self.set.setenv("XDG_CACHE_HOME", f"{work.root}.cache")

    def _write(self, work: Workspace, files: Files) -> None:
        for file in work.root.glob("*.yaml"):
            file.unlink()
        for name, text in ({"lmssync.yaml": self.project} | dict(files)).items():
            work.write(name, text)
