"""The checks that need no request: the state and its home, the cache, the repository."""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from .. import git
from ..errors import LmssyncError, StateError
from ..manifests.cache import find_cache_file
from ..settings import SQLITE
from ..source import PROJECT_FILE
from .check import Check, CheckTarget

_FOLDER = ".lmssync"
"""Where states are unless somebody says otherwise; nothing in it belongs into git."""


def check_surroundings(place: CheckTarget) -> Iterator[Check]:
    """State, home, cache and git."""
    yield _check_state(place)
    yield from _check_home(place)
    yield _check_cache(place.root)
    yield _check_git(place.root)


def _check_state(place: CheckTarget) -> Check:
    try:
        with place.store(read_only=True) as store:
            if not store.on_disk:
                return Check("state", "there is none yet: the first `apply` makes it")
            place.check_state(store)
            number, waiting = len(store.fingerprints()), len(store.waiting())
            steps = len(store.steps())
    except StateError as error:
        return Check("state", error.message, error.hint, fine=False, here=True)
    counted = "1 resource is" if number == 1 else f"{number:,} resources are"
    text = f"{counted} recorded for this instance"
    if waiting:
        text += f"; calls about {waiting:,} wait for a decision"
        return Check("state", text, "`lmssync resolve` shows what to look for, and the answers")
    if steps:
        text += f"; {steps:,} manual {'step is' if steps == 1 else 'steps are'} open"
        return Check("state", text, "`lmssync status` lists them")
    return Check("state", text)


def _check_home(place: CheckTarget) -> Iterator[Check]:
    """Where the state is kept, without the secrets that an address may hold."""
    url = place.project.state.replace("{environment}", place.name)
    if url.startswith(SQLITE):
        yield _check_file(place, place.root / url.removeprefix(SQLITE))
        return
    with suppress(StateError), place.store(read_only=True) as store:  # told of the state already
        if store.shared:
            yield Check("home", f"the log of the state is kept in {store.shared.home.place}")


def _check_file(place: CheckTarget, file: Path) -> Check:
    shown = os.path.relpath(file, place.root) if file.is_relative_to(place.root) else str(file)
    folder = next(one for one in file.absolute().parents if one.exists())
    if not os.access(folder, os.W_OK) or (file.exists() and not os.access(file, os.W_OK)):
        remedy = "let this user write it, or plan and show only: they read it"
        text = f"the state file {shown} cannot be written"
        return Check("home", text, remedy, fine=False, here=True)
    return Check("home", f"the state is kept in the file {shown} on this machine")


def _check_cache(root: Path) -> Check:
    """A run without a cache does the same and takes longer."""
    file = find_cache_file(root)
    if file is None:
        remedy = "set XDG_CACHE_HOME to a folder of yours outside the repository"
        return Check("cache", "there is no cache folder, so every run reads all files", remedy)
    there = next(one for one in (file, *file.parents) if one.exists())
    if not os.access(there, os.W_OK):
        remedy = f"let this user write {there}, or set XDG_CACHE_HOME"
        return Check("cache", f"{there} cannot be written, so every run reads all files", remedy)
    return Check("cache", f"what was validated is remembered in {file.parent}")


def _check_git(root: Path) -> Check:
    repository = git.top(root)
    if repository is None:
        text = "the catalog is in no git repository: plans cannot say which commit they are from"
        return Check("git", text, "`git init` makes one")
    try:
        kept = git.tracked(root, _FOLDER)
        listed, commit = git.tracked(root, PROJECT_FILE), git.commit(root)
    except LmssyncError as error:
        return Check("git", error.message, error.hint, fine=False, here=True)
    if kept:
        remedy = f"`git rm -r --cached {_FOLDER}`: git merges no state, and others get an old one"
        return Check("git", f"git keeps files of {_FOLDER}", remedy, fine=False, here=True)
    if not listed:
        return Check("git", f"git does not have {PROJECT_FILE} yet", f"`git add {PROJECT_FILE}`")
    if (repository / ".git" / "shallow").exists():
        remedy = "`git fetch --unshallow`, for `--changed-since` and for approvals"
        return Check("git", f"the clone at {commit[:12]} has no history", remedy)
    return Check("git", f"the catalog is at commit {commit[:12]}" if commit else "no commit yet")
