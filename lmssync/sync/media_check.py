"""Looks at the files that manifests name by address, as the platform will when it fetches them.

What was found is kept by the ETag of a file, in the cache folder of the catalog.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from functools import cache, partial
from hashlib import sha256
from typing import Any, NamedTuple

from pydantic import BaseModel, TypeAdapter

from ..catalog.manifests.catalog import Catalog
from ..catalog.manifests.documents import locate_problems_in_files
from ..kinds import KINDS
from ..problems import Finding, Problem, grade_problems, in_order
from ..resource import Path, Resource
from ..support.annotations import leaves_of
from ..support.cache_folder import find_cache_file
from ..support.remembered_files import recall_content, remember_content
from ..texts.values import FETCHED_ROLES, PictureSize, ReadAs, Role
from .media_files import (
    NOT_FETCHED,
    MediaAddress,
    MediaLook,
    find_signature_end,
    look_at_file,
)

_FORMAT = b"media 2"
_LOOKS = TypeAdapter(dict[str, MediaLook])
AT_ONCE = 5
"""Files that are looked at side by side."""


class MediaReport(NamedTuple):
    """What was found about the files of a catalog."""

    problems: Sequence[Problem]
    files: int
    """How many the manifests name."""
    unfetched: int
    """How many of those no server gave, so nobody has looked at them."""
    unread: Mapping[str, int]
    """Why files could not be looked into, and how many."""

    @property
    def document(self) -> dict[str, Any]:
        """For programs."""
        return {"files": self.files, "unfetched": self.unfetched, "unread": dict(self.unread)}


def check_media(catalog: Catalog, apply_by: datetime, *, private_hosts: bool) -> MediaReport:
    """Looks at every file that the manifests name by address, each once."""
    # A mistake elsewhere in a manifest is no reason to leave out its files.
    partly = [one.read_as(0) for one in catalog.unsure]
    named = [
        (resource, path, address)
        for resource in (*catalog.resources.values(), *partly)
        for path, address in _list_addresses(resource)
    ]
    addresses = list(dict.fromkeys(address for _, _, address in named))
    file = find_cache_file(catalog.root)
    kept_in = file and file.with_name("media.json")
    kept = _LOOKS.validate_json(recall_content(kept_in, _FORMAT) or b"{}")
    pool = ThreadPoolExecutor(AT_ONCE)
    # Not as a context: that would wait for all files when somebody interrupts the run.
    try:
        look = partial(look_at_file, private_hosts=private_hosts)
        known = [kept.get(_cache_key(address), MediaLook()) for address in addresses]
        looks = dict(zip(addresses, pool.map(look, addresses, known), strict=True))
    finally:
        pool.shutdown(cancel_futures=True)
    # Hashes stand for the addresses, which may have a signature in them.
    tagged = {_cache_key(address): look for address, look in looks.items() if look.tag}
    remember_content(kept_in, _FORMAT, _LOOKS.dump_json(tagged))
    problems = [
        _make_problem(resource, path, flaw)
        for resource, path, address in named
        for flaw in (*looks[address].flaws, *find_signature_end(address.url, apply_by))
    ]
    if scope := catalog.scope:
        problems = grade_problems(problems, scope.project.rules)
        problems = locate_problems_in_files(scope, problems)
    unfetched = sum(any(f.code in NOT_FETCHED for f in look.flaws) for look in looks.values())
    unread = Counter(look.unread for look in looks.values() if look.unread)
    return MediaReport(in_order(problems), len(looks), unfetched, unread)


def _make_problem(resource: Resource, path: Path, flaw: Finding) -> Problem:
    message = flaw.message.replace("{field}", f"`{path[-1]}`")
    return flaw._replace(path=path, message=message).at(resource.origin, resource.address)


@cache
def _fetched_fields(model: type[BaseModel]) -> Mapping[str, tuple[Role, PictureSize | None]]:
    """The fields of a manifest whose files the platform fetches, wherever they are in it."""
    fields: dict[str, tuple[Role, PictureSize | None]] = {}
    for name, field in model.model_fields.items():
        for leaf in leaves_of(field):
            if leaf.model:
                fields |= _fetched_fields(leaf.model)
            size = next((mark for mark in leaf.marks if isinstance(mark, PictureSize)), None)
            roles = [mark.role for mark in leaf.marks if isinstance(mark, ReadAs)]
            if roles and roles[-1] in FETCHED_ROLES:
                fields[name] = roles[-1], size
    return fields


def _list_addresses(resource: Resource) -> Iterator[tuple[Path, MediaAddress]]:
    fields = _fetched_fields(KINDS[resource.address.kind].spec)
    return _walk_addresses(resource.form, (), fields) if fields else iter(())


def _walk_addresses(
    value: object, path: Path, fields: Mapping[str, tuple[Role, PictureSize | None]]
) -> Iterator[tuple[Path, MediaAddress]]:
    items: Iterable[tuple[Any, Any]] = ()
    if isinstance(value, dict):
        items = value.items()
    elif isinstance(value, list):
        items = enumerate(value)
    for step, held in items:
        if step in fields and isinstance(held, str):
            yield (*path, step), MediaAddress(held, *fields[step])
        else:
            yield from _walk_addresses(held, (*path, step), fields)


def _cache_key(address: MediaAddress) -> str:
    return sha256(f"{address.role.name} {address.size} {address.url}".encode()).hexdigest()
