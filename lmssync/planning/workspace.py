"""Where a run works: a catalog on disk, and the one environment that it is about."""

import glob
import hashlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

from ..catalog.manifests.documents import read_project_file
from ..errors import StateError, WrongUse
from ..settings import DEFAULT_STATE, SQLITE, STATE, Environment, Platform, Project
from ..state import (
    OtherStates,
    Store,
    check_instance,
    file_beside,
    instance_of,
    open_note,
    open_store,
    state_at_moment,
)
from ..support.decisions import NONE, Decisions, Limits, Refresh
from ..support.invisible_characters import escape_invisible
from ..support.redaction import without_user

if TYPE_CHECKING:
    from ..learners.events import LearnerIndex
    from ..platform.client import OAuthClient, Reader, Urgency, Writer
    from .base_revision import BaseRevision
    from .plan import ApprovalFindings, Plan


class Workspace(NamedTuple):
    """A catalog on disk, and the one environment that a run is about."""

    root: Path
    project: Project
    name: str
    environment: Environment
    decided: Decisions = NONE
    env: Mapping[str, str] = {}
    """The variables of the run: where keys are, and which hosts they belong to."""
    tell: Callable[[str], None] = lambda _text: None
    """Called with what somebody should know of the state before anything is done with it."""
    patience: float = 0.0
    """Seconds to wait for another run that has locked the state."""
    on_connect: Callable[["Reader"], object] = lambda _reader: None
    """Called with each way to the platform that is opened, before anything is asked there."""
    as_of: datetime | int | None = None
    """A time or a serial: what was recorded then is read in place of what is recorded now."""

    receipt: bool = False
    """Whether it is wanted what becomes of each person in the lists of the catalog."""
    base: "BaseRevision | None" = None
    """The base of a pull request: what guarded the catalog there guards it in this run as well."""

    slice: str = ""
    """The slice of the catalog that the run is about; empty if none was chosen."""
    find_approvals: Callable[["Plan", Store], "ApprovalFindings"] | None = None
    """Asks which changes the approvals of a pull request release; None where nobody asks."""

    @property
    def platform(self) -> Platform:
        """What the instance of the environment has, and how it is asked."""
        return self.project.platform_of(self.environment)

    @property
    def strict_project(self) -> Project:
        """The project with the stronger grade of each rule, where there is a base."""
        return self.base.take_stricter_rules(self.project) if self.base else self.project

    @property
    def label(self) -> str:
        """What issues and messages call the environment, with the slice where a run is about one:
        those of two slices must not take the place of each other."""
        return f"{self.name}, slice {self.slice}" if self.slice else self.name

    @property
    def state(self) -> str:
        """Where the state of the run is; raises `WrongUse` where a slice has to be chosen."""
        self.project.require_slice(self.slice)
        return self._place_state(self.slice)

    def _place_state(self, name: str) -> str:
        return self.project.place_state(name, self.environment, self.env.get(STATE, ""))

    def open_reader(self, *, plans: bool = False) -> "Reader":
        """A way to read the platform; a run that `plans` goes before those that look."""
        from ..platform.client import Reader, Urgency  # what only looks at the state sends nothing

        reader = Reader(*self._instance_settings())
        self._share_limits(reader, Urgency.PLAN if plans else Urgency.LOOK)
        self.on_connect(reader)
        return reader

    def open_writer(self) -> "Writer":
        """A way to write; a run that has one goes before all that only read."""
        from ..platform.client import Urgency, Writer

        writer = Writer(*self._instance_settings())
        self._share_limits(writer, Urgency.APPLY)
        self.on_connect(writer)
        return writer

    def _share_limits(self, reader: "Reader", urgency: "Urgency") -> None:
        instance = instance_of(self.environment.baseUrl)
        name = f"limits-{hashlib.sha256(instance.encode()).hexdigest()[:12]}"
        # Without a slice it is where all slices have it: only their states are apart.
        note = open_note(name, self._place_state(self.slice), self.root, self.name, self.env)
        if note:
            reader.share_limits(note, urgency)

    def require_credential(self) -> None:
        """Raises `WrongUse` where a run that asks the platform would have no key."""
        if self.decided.refresh is not Refresh.OFFLINE:
            self._instance_settings()

    def _instance_settings(self) -> "tuple[str, str | OAuthClient, float, int]":
        from ..platform import credentials

        key = credentials.find_credential(self.environment, self.name, env=self.env, root=self.root)
        return self.environment.site.url, key, self.platform.timeout, self.platform.connections

    @contextmanager
    def store(self, *, read_only: bool = False) -> Iterator[Store]:
        """The state of the environment, wherever its instance is now.

        Where it is only read, none is made. Raises `StateError`.
        """
        anywhere = bool(self.env.get(STATE))  # a catalog may only put it inside itself
        opened = open_store(
            self.state,
            self.root,
            self.name,
            read_only=read_only,
            anywhere=anywhere,
            env=self.env,
            tell=self.tell,
        )
        opened.patience = self.patience
        # The ids of the others count as taken, so that nothing is managed by two slices.
        names = [one for one in self.project.slices if one != self.slice]
        others = OtherStates(names, self._open_other_slice)
        try:
            shown = opened if self.as_of is None else state_at_moment(opened, self.as_of)
            shown.others = others
            yield shown
        finally:
            others.close_states()
            opened.close()

    def _open_other_slice(self, name: str) -> Store:
        return self._open_other(self._place_state(name))

    def _open_other(self, url: str) -> Store:
        """A state that is not that of the run, only to be read; raises `StateError`."""
        anywhere = bool(self.env.get(STATE))
        store = open_store(
            url, self.root, self.name, read_only=True, anywhere=anywhere, env=self.env
        )
        try:
            check_instance(store, self.environment.baseUrl)
        except BaseException:
            store.close()
            raise
        return store

    def open_former_states(self) -> Iterator[tuple[str, Store]]:
        """Files in the catalog that are the states of no slice of the project: of slices that had
        other names, and of a catalog that had no slices."""
        pattern = self.env.get(STATE) or self.environment.state or self.project.state
        known = {*map(self._file_name, map(self._place_state, self.project.slices))}
        for url in (pattern, DEFAULT_STATE):
            file = PurePosixPath(self._file_name(url))
            if url.startswith(SQLITE) and not file.is_absolute() and ".." not in file.parts:
                found = self.root.glob(glob.escape(f"{file}").replace("{slice}", "*"))
                for name in sorted(one.relative_to(self.root).as_posix() for one in found):
                    if name not in known:
                        with (
                            suppress(StateError),
                            closing(self._open_other(SQLITE + name)) as store,
                        ):
                            yield SQLITE + name, store

    def _file_name(self, url: str) -> str:
        return url.replace("{environment}", self.name).removeprefix(SQLITE)

    @contextmanager
    def existing_store(self, *, read_only: bool = False) -> Iterator[Store]:
        """The state to write in, which is there already; raises `WrongUse` where there is none."""
        with self.store(read_only=True) as store:  # opened to write, it would begin a log
            if not store.lineage:
                where = without_user(self.state)
                raise WrongUse(
                    f"there is no state in {escape_invisible(where)} yet",
                    f"`lmssync apply` makes one; {STATE}, or `state:` of lmssync.yaml, says where "
                    "the state is",
                )
        with self.store(read_only=read_only) as store:
            yield store

    @property
    def learners(self) -> Path:
        """The index of learners: one file beside the state. There may be none yet."""
        from ..learners.events import ENDING

        anywhere = bool(self.env.get(STATE))
        return file_beside(self.state, self.root, self.name, ENDING, anywhere=anywhere)

    @contextmanager
    def learner_index(self) -> "Iterator[LearnerIndex | None]":
        """Yields the index of this instance's learners; None where no events were pulled."""
        from ..learners.events import LearnerIndex

        instance = instance_of(self.environment.baseUrl)
        opened = LearnerIndex.open_index(self.learners, instance=instance)
        try:
            yield opened
        finally:
            if opened:
                opened.close()

    def make_store(self) -> None:
        """Makes a state where there is none of this format; raises `StateError`."""
        with self.store(read_only=True) as store:
            made = store.on_disk
        if not made:
            with self.store():
                pass

    def check_state(self, store: Store) -> None:
        """Raises `StateError` for the state of another instance, or one that is out of date."""
        check_instance(store, self.environment.baseUrl)
        if self.decided.new_state:
            store.accept_age()
        else:
            store.check_age()


def open_workspace(root: Path, environment: str | None, env: Mapping[str, str]) -> Workspace:
    """Reads `lmssync.yaml` and chooses the environment; raises `WrongUse`, `InvalidCatalog`."""
    project = read_project_file(root)
    name, chosen = project.choose_environment(environment, env)
    return Workspace(root, project, name, chosen, env=env, slice=project.choose_slice(env))


def choose_limits(
    target: tuple[str, ...], exclude: tuple[str, ...], changed_since: str, release: str
) -> Limits:
    """The limits that somebody names; raises `WrongUse` for a release together with others."""
    if release and (target or exclude or changed_since):
        raise WrongUse(
            f"the release {release} says itself what it changes, and --target, --exclude or "
            "--changed-since would leave out some of that",
            "leave out these options, or change what the release names",
        )
    return Limits(target, exclude, changed_since, release)
