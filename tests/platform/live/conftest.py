"""A served sandbox of either profile, and what is live of what was applied to it."""

import shutil
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import pytest

from lmssync.platform import live
from lmssync.platform.client import Reader
from lmssync.platform.live import LiveState
from lmssync.resource import Address
from lmssync.settings import Platform as Settings
from lmssync.state import Record, open_store
from lmssync.support.checked_documents import make_unchecked
from tests.served_catalog import PROJECT, Platform, Workspace, serving

EXAMPLES = Path(__file__).parents[3] / "examples" / "catalog"


@pytest.fixture(scope="session")
def _sandboxes() -> Iterator[dict[str, Platform]]:
    with ExitStack() as stack:
        yield {name: stack.enter_context(serving(profile=name)) for name in ("core", "extended")}


@pytest.fixture(params=["core", "extended"])
def profile(request: pytest.FixtureRequest) -> str:
    """Which routes the instance has."""
    return str(request.param)


@pytest.fixture
def platform(profile: str, _sandboxes: dict[str, Platform]) -> Platform:
    """A platform as new."""
    _sandboxes[profile].renew()
    return _sandboxes[profile]


@dataclass
class Seen:
    """What was applied, and what is live of it."""

    platform: Platform
    work: Workspace
    profile: str

    def project(self, **settings: Any) -> None:
        """Says in the project file what the instance has."""
        told = f"profile: {self.profile}" + "".join(f", {k}: {v}" for k, v in settings.items())
        self.work.write("lmssync.yaml", PROJECT.replace("{license", f"{{{told}, license"))

    def apply_examples(self) -> None:
        """Applies the example catalog."""
        shutil.copytree(EXAMPLES, self.work.root, dirs_exist_ok=True)
        assert self.work.run("apply", "--yes", "-e", "sandbox").code == 0

    @cached_property
    def records(self) -> dict[Address, Record]:
        """What is recorded."""
        with closing(open_store("sqlite:///.lmssync/state.db", self.work.root, "sandbox")) as store:
            return {a: record for a in store.fingerprints() if (record := store.find_record(a))}

    def look(self, *only: Address, **settings: Any) -> dict[Address, LiveState]:
        """What is live of everything, or of some; `settings` are those under `platform`."""
        settings = {"profile": self.profile, **settings}
        records, routes = self.records, make_unchecked(Settings, settings).routes
        with Reader(self.platform.base_url, self.platform.key) as reader:
            id_of_name = partial(live.id_of_name, live.IdsByName(reader))
            binder = live.Binder(lambda a: records[a].ids, id_of_name, records.__contains__)
            seen = live.read_live_states(
                reader, binder, [records[a] for a in only or records], routes
            )
            return {record.address: state for record, state in seen}

    def one(self, address: str, **settings: Any) -> tuple[Record, LiveState]:
        """What is recorded and what is live of one resource."""
        found = Address.parse(address)
        record = self.records[found]
        unread = LiveState(present=True, form=record.form)
        return record, self.look(found, **settings).get(found, unread)

    def edit(self, list_: str, id_: str, **fields: Any) -> None:
        """Changes fields by hand."""
        body = {"list": list_, "id": id_, "set": fields}
        answer = self.platform.http.post("/_sandbox/edit", json=body)
        assert answer.is_success, (fields, answer.text)

    def asked(self, *, names: bool = False) -> dict[str, int]:
        """Requests since the last reset, by route, without those that look up names."""
        left_out = set() if names else {"ping", "tag.list"}
        routes = [request["route"] for request in self.platform.requests()]
        return dict(Counter(route for route in routes if route not in left_out))


@pytest.fixture
def seen(platform: Platform, work: Workspace, profile: str) -> Seen:
    """An empty catalog for an instance of one profile."""
    made = Seen(platform, work, profile)
    made.project()
    return made
