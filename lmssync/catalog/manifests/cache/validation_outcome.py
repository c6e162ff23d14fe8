"""How a validation ended: while no file of the catalog changes, the next one ends the same.

Imports next to nothing: this is what a second `validate` runs.
"""

import functools
import hashlib
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import orjson

from .... import __version__, plugins
from ....problems import Problem
from ..catalog_files import PROJECT, Listing
from .cache_file import FAILURES, find_cache_file, is_ours
from .entry_codec import problems_in, problems_out
from .result_cache import Cache, delete_damaged_cache

_ROOMS = ("catalog", "kind", "kinds", "texts", "vocabulary")
"""Rooms whose code decides what a manifest means."""
EVERY = "*"
"""The scope of all environments together."""


class Validation(NamedTuple):
    """The report of `validate`."""

    files: int
    resources: int
    problems: list[Problem]
    plugins: Mapping[str, str] = {}
    """What it depends on besides the files: the packages whose rules were asked, by name, as
    `plugins.identities` has them."""


def recall_outcome(root: Path, environment: str | None, listing: Listing) -> Validation | None:
    """The last outcome for exactly these files; None if it is not known."""
    path = find_cache_file(root)
    if PROJECT not in listing.files or path is None or not is_ours(path):
        return None
    try:
        with closing(Cache(path)) as cache:
            row = cache.read_outcome(_outcome_scope(environment), _listing_digest(listing))
    except FAILURES as error:
        delete_damaged_cache(path, error)
        return None
    if row is None:
        return None
    files, resources, problems, listed = orjson.loads(row)
    if listed and listed != plugins.plugin_identities(listed):
        return None
    return Validation(files, resources, problems_in(problems.encode()), listed)


def _outcome_scope(environment: str | None) -> str:
    """The name under which it is kept; no database holds half a character."""
    return (environment or EVERY).encode("utf-8", "backslashreplace").decode()


def remember_outcome(
    root: Path, environment: str | None, listing: Listing, outcome: Validation
) -> None:
    """Keeps an outcome, unless a file is so new that it could change once more unnoticed."""
    path = find_cache_file(root)
    if not listing.settled or path is None or not is_ours(path):
        return
    problems = problems_out(outcome.problems).decode()
    row = orjson.dumps([outcome.files, outcome.resources, problems, outcome.plugins])
    try:
        with closing(Cache(path)) as cache:
            cache.keep_outcome(_outcome_scope(environment), _listing_digest(listing), row)
    except FAILURES as error:
        delete_damaged_cache(path, error)  # nothing is lost but the time of the next run


def _listing_digest(listing: Listing) -> str:
    return hashlib.sha256(f"{program_identity()} {listing.digest}".encode()).hexdigest()


@functools.cache
def program_identity() -> str:
    """Version of the program and of Python, and when its code was last changed."""
    package = Path(__file__).parents[3]
    newest = max(max(_change_times(package / room)) for room in _ROOMS)
    return f"{__version__} {sys.version_info[:3]} {newest}"


def _change_times(folder: Path) -> Iterator[int]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(".py"):
                yield entry.stat().st_mtime_ns
            elif entry.is_dir() and entry.name != "__pycache__":
                yield from _change_times(Path(entry.path))
