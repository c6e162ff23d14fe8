"""The promises of docs/trust.md, on every kind of instance: both profiles, ids in any order."""

import zlib
from collections.abc import Iterator, Mapping
from contextlib import ExitStack

import pytest

from lmssync.sandbox import Profile
from tests.served_catalog import PROJECT, Platform, Workspace, serving

ORDERS = ("request", "reversed", "shuffled")
PROFILES: tuple[Profile, ...] = ("core", "extended")
PAIRS = (
    ("core-reversed-minute", "extended-shuffled-minute"),
    ("core-request-minute", "extended-request-needed"),
    ("extended-shuffled-minute", "core-reversed-minute"),
    ("core-shuffled-needed", "extended-request-needed"),
    ("core-request-needed", "extended-reversed-minute"),
    ("core-shuffled-minute", "extended-request-minute"),
    ("extended-request-needed", "core-reversed-minute"),
    ("core-shuffled-needed", "extended-request-minute"),
)
"""Kinds of instances: profile, order of ids, and what is read back. A pair has both profiles; a
first, third, fifth or seventh one and the next have each order and each way of reading back.

The first row of a test takes two of them, and each further row the next one. Each test runs on the
first of these instances every time, and on the others in the slow run. The exhaustive run has each
row on all that are left.
"""
INSTANCES = (
    *(f"{profile}-{order}-minute" for profile in PROFILES for order in ORDERS),
    *(f"{profile}-request-needed" for profile in PROFILES),
    "core-shuffled-needed",  # another order is noticed, and then all is read back at once
)
ROWS: dict[str, list[str]] = {}
"""The rows of each test, in the order in which they were collected."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "platform" in metafunc.fixturenames:
        first = tried(metafunc.function.__name__, 0)[0]
        others = [one for one in INSTANCES if one != first]
        metafunc.parametrize("platform", [first, *others], indirect=True)


def pytest_itemcollected(item: pytest.Function) -> None:
    """Leaves to the exhaustive run what a row of a table is not tried on."""
    instance = item.callspec.params["platform"]
    rows = ROWS.setdefault(item.nodeid.partition("[")[0], [])
    row = item.callspec.id.removeprefix(instance)
    place = item.callspec.indices["platform"]
    if row not in rows:
        rows.append(row)
    if instance not in tried(item.originalname, rows.index(row)):
        item.add_marker(pytest.mark.exhaustive)
    elif place:
        item.add_marker(pytest.mark.slow)


def tried(name: str, row: int) -> tuple[str, ...]:
    """The instances on which a row of a test is tried without the exhaustive run."""
    first = 2 * zlib.crc32(name.encode())
    own, following = (PAIRS[(first + number) % len(PAIRS)] for number in (row, row + 1))
    return following if row else own + following


@pytest.fixture(scope="session")
def _sandboxes() -> Iterator[Mapping[Profile, Platform]]:
    with ExitStack() as stack:
        yield {name: stack.enter_context(serving(profile=name)) for name in PROFILES}


@pytest.fixture
def platform(request: pytest.FixtureRequest, _sandboxes: Mapping[Profile, Platform]) -> Platform:
    """A platform as new, of one profile, whose creates name their ids in one order."""
    profile, order, _ = request.param.split("-")
    sandbox = _sandboxes[profile]
    sandbox.renew()
    sandbox.order("switches", {"idOrder": order})
    return sandbox


@pytest.fixture(autouse=True)
def _profile(request: pytest.FixtureRequest, work: Workspace) -> None:
    """The catalog says what the instance is."""
    profile, _, verify = request.node.callspec.params["platform"].split("-")
    settings = f"{{profile: {profile}, verify: {verify}, license"
    work.write("lmssync.yaml", PROJECT.replace("{license", settings))


def extended(request: pytest.FixtureRequest) -> bool:
    """True where the instance has routes beyond the specification."""
    return profile_of(request) == "extended"


def profile_of(request: pytest.FixtureRequest) -> Profile:
    """That of the platform of a test."""
    named = request.node.callspec.params["platform"]
    return next(profile for profile in PROFILES if named.startswith(profile))
