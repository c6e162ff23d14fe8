"""Separates files that are unchanged from files that must be read again, and reads the latter.

If there are many, processes of their own read and check them.
"""

import hashlib
import time
from collections.abc import Iterable, Iterator, Sequence, Set
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

import orjson

from ....kinds import KINDS
from ....problems import grade_problems
from ....resource import Address
from ....support import safe_files
from ... import graph
from .. import processes
from ..cache import CachedFile, CacheEntry, Encoded, addresses_in, encode_entry, json_out
from ..catalog_files import MANIFEST_BYTES, TEMPLATE, CatalogFiles, Listing, settle_stamp, stamp_of
from ..check import Context, Result, check_document, document_addresses
from ..documents import Scope, located_in, read_manifest_file


def make_entry(scope: Scope, file: str) -> CacheEntry:
    """Reads and checks one file; it is parsed here and dropped here."""
    # The clock first, then the stamp, then the content: a file that changes while it is read is too
    # new for its stamp to be kept.
    now = time.time_ns()
    stamp = stamp_of(scope.root / file)
    text = read_manifest_file(scope, file)
    # An escape can spell any word.
    may_include = b"include" in text.yaml or b"\\" in text.yaml
    context = Context(scope, CatalogFiles(scope.root), may_include)
    given = [Address(kind, key) for key in text.keys for kind in KINDS]
    result = Result([], list(text.problems), [])
    for document in text.documents:
        given += document_addresses(document)
        result.add_result(check_document(context, document))
    resources, wrong = graph.settle_references_inside(result.resources)
    problems = result.problems + grade_problems(wrong, scope.project.rules)
    # Only places in this file are kept: lines of an overlay or of the project file may move.
    ours = [problem for problem in problems if problem.origin.file == file]
    others = [problem for problem in problems if problem.origin.file != file]
    return CacheEntry(
        file,
        scope.variant_of_file(template=file.endswith(TEMPLATE), addresses=given),
        settle_stamp(stamp, now),
        text.digest,
        context.files.seen,
        tuple(given),
        resources,
        located_in(scope, text, ours) + others,
        result.refused,
    )


def make_all(scope: Scope, files: Sequence[str]) -> Iterator[Encoded]:
    """Yields the result of each file, in the order of the files."""
    return processes.map_files(partial(_make_encoded, scope), files)


def _make_encoded(scope: Scope, file: str) -> Encoded:
    return encode_entry(make_entry(scope, file))


class Fresh(NamedTuple):
    """The cached results of a catalog."""

    kept: set[int]
    """The ids of the unchanged files."""
    stale: list[str]
    """Files to be read."""
    restamped: list[CachedFile]
    """Files with the same content but new stamps, their own or those of files that they name."""
    gone: list[int]
    """Cached entries of files that no longer exist or have other content now."""


def sort_out(
    scope: Scope, listing: Listing, known: Iterable[CachedFile], settled: Set[str] = frozenset()
) -> Fresh:
    """Looks at each manifest: first its size and times, its bytes only if those have changed.

    `known`: in the order of their paths, without those that are `settled` already.
    """
    look = _Look(scope, listing)
    fresh = Fresh(set(), [], [], [])
    manifests = dict.fromkeys(listing.manifests(settled))
    for path, rows in groupby(known, key=lambda row: row.path):
        entries = list(rows)
        if path not in manifests:
            fresh.gone.extend(row.id for row in entries)
            continue
        same = look.find_same_entry(path, entries, fresh)
        if same is not None:
            fresh.kept.add(same)
            del manifests[path]
    fresh.stale.extend(manifests)
    return fresh


class _Changed(Exception):
    """A file that a manifest names has other content now."""


class _Look:
    """Compares the cache with the files on the disk."""

    def __init__(self, scope: Scope, listing: Listing) -> None:
        self._scope, self._listing = scope, listing
        self._now = time.time_ns()

    def find_same_entry(self, file: str, rows: list[CachedFile], fresh: Fresh) -> int | None:
        """The id of the entry for exactly this content in this scope."""
        digest = ""
        for row in rows:
            stamp = self._listing.files[file]
            if row.stamp != stamp:
                digest = digest or digest_of(self._scope.root, file)
                if not digest or digest != row.digest:
                    fresh.gone.append(row.id)
                    continue
            if not self._of_this_scope(file, row):
                continue
            try:
                watched = self._stamp_watched(row)
            except _Changed:
                return None
            if row.stamp != stamp or watched != row.watched:
                new = settle_stamp(stamp, self._now)
                fresh.restamped.append(row._replace(stamp=new, watched=watched))
            return row.id
        return None

    def _of_this_scope(self, file: str, row: CachedFile) -> bool:
        template = file.endswith(TEMPLATE)
        if not template and not self._scope.patches:
            return row.variant == ""
        addresses = addresses_in(row.addresses)
        return row.variant == self._scope.variant_of_file(template=template, addresses=addresses)

    def _stamp_watched(self, row: CachedFile) -> bytes | None:
        """The files that it names with their stamps as they are now; raises `_Changed`."""
        if row.watched is None:
            return None
        now = {}
        for name, (stamp, digest) in orjson.loads(row.watched).items():
            there = self._listing.files.get(name) or stamp_of(self._scope.root / name)
            if there != stamp and digest_of(self._scope.root, name) != digest:
                raise _Changed
            now[name] = (settle_stamp(there, self._now) if there != stamp else stamp, digest)
        return json_out(now)


def digest_of(root: Path, name: str) -> str:
    """The digest of a file's content; empty if the file cannot be read."""
    try:
        return hashlib.sha256(safe_files.read_inside(root, name, MANIFEST_BYTES)).hexdigest()
    except OSError:
        return ""
