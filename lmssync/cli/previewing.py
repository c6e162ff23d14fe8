"""Reads what a preview shows: the catalog, its problems, and what is recorded."""

import os
import secrets
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..catalog import checking
from ..errors import WrongUse
from ..planning.workspace import Workspace, open_workspace
from ..problems import only_errors
from ..report.preview import Courses, Documents, PreviewSite
from ..report.value_words import count_noun
from ..resource import Address
from ..support.visible import escape_invisible

if TYPE_CHECKING:
    from ..catalog.manifests.files import Listing
    from ..problems import Problem
    from ..resource import Resource
    from ..state import Record

_PROBLEMS = 20
"""Problems on a page, at most."""
_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; "
    "base-uri 'none'"
)
"""Nothing that a body names is loaded, and nothing in it runs."""


class Source:
    """A catalog that may be read again and again while somebody writes it."""

    def __init__(self, root: Path, environment: str | None) -> None:
        self._root, self._name = root.absolute(), environment
        self._place = _place(self._root, environment)
        self._seen: Listing | None = None
        self._number = 0
        self._run = secrets.token_urlsafe(8)
        self._known: dict[Address, Resource] = {}

    def version(self) -> str:
        """Changes when a file of the catalog does."""
        from ..catalog.manifests.files import walk_catalog

        listing = walk_catalog(self._root)
        if listing != self._seen:
            self._seen, self._number = listing, self._number + 1
        return f"{self._run}{self._number}"

    def site(self, version: str = "") -> PreviewSite:
        """The pages as the catalog is now; with a `version` they ask for a newer one."""
        return PreviewSite(*self.shown(version))

    def shown(self, version: str = "") -> tuple[dict[str, Any], Courses]:
        """What stands on every page, and the courses."""
        catalog, problems = checking.readable(self._root, self._name, os.environ)
        refused = {a: self._known[a] for a in catalog.refused if a in self._known}
        self._known = {**refused, **catalog.resources} if version else {}
        held = self._known or catalog.resources
        records = self._records()
        frame = self._frame(only_errors(problems), version, compared=bool(records))
        recorded = Documents(records) if records else None
        return frame, Courses(Documents(held), recorded, lambda a: _empty(held.get(a)))

    def _records(self) -> Mapping[Address, "Record"]:
        if self._place is None:
            return {}
        with self._place.store(read_only=True) as store:
            return {record.address: record for record in store.list_records()}

    def _frame(self, wrong: Sequence["Problem"], version: str, *, compared: bool) -> dict[str, Any]:
        """What stands on every page."""
        name = self._place.name if self._place else ""
        against = f"compared with what is recorded for {name}" if compared else "nothing recorded"
        nonce = secrets.token_urlsafe(16)
        served = f"; script-src 'nonce-{nonce}'; connect-src 'self'" if version else ""
        return {
            "company": escape_invisible(self._root.resolve().name or "Catalog"),
            "note": f"Preview · {against}",
            "now": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "policy": _POLICY + served,
            "wrong": count_noun(len(wrong), "error"),
            "problems": [escape_invisible(f"{p.where}: {p.message}") for p in wrong[:_PROBLEMS]],
            "version": version,
            "nonce": nonce,
        }


def _place(root: Path, environment: str | None) -> Workspace | None:
    """Where the state is; None in a catalog that has no environment, or several to choose from."""
    try:
        return open_workspace(root, environment, os.environ)
    except WrongUse:
        if environment:
            raise
        return None


def _empty(resource: "Resource | None") -> Any:
    """The paths of topics that a person must fill, and that nobody has."""
    return resource.facts.get("hollow", {}) if resource else {}
