"""The promises of docs/trust.md, on every kind of instance: both profiles, ids in any order."""

import zlib
from collections.abc import Iterator, Mapping
from contextlib import ExitStack

import pytest

from lmssync.sandbox.sandbox_server import Profile
from tests.served_catalog import PROJECT, Platform, Workspace, serving

ORDERS = ("request", "reversed", "shuffled")
PROFILES: tuple[Profile, ...] = ("core", "extended")
COVERS = (
    "core-reversed-minute extended-shuffled-minute core-request-minute extended-request-needed",
    "extended-shuffled-minute core-reversed-minute core-shuffled-needed extended-request-needed",
    "core-request-needed extended-reversed-minute core-shuffled-minute extended-request-minute",
    "extended-request-needed core-reversed-minute core-shuffled-needed extended-request-minute",
)
"""Kinds of instances: profile, order of ids, and what is read back. In each of these sets is each
profile, each order and each way of reading back.

A row of a table takes one of the sets, the next row the next one. Each test runs on the first
instance of its first row's set every time, and on the rest of the sets in the slow run. The
exhaustive run has each row on all other instances.
"""
INSTANCES = (
    *(f"{profile}-{order}-minute" for profile in PROFILES for order in ORDERS),
    *(f"{profile}-request-needed" for profile in PROFILES),
    "core-shuffled-needed",  # another order is noticed, and then all is read back at once
)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "platform" in metafunc.fixturenames:
        first = covers_from(metafunc.function.__name__)[0].split()[0]
        others = [one for one in INSTANCES if one != first]
        metafunc.parametrize("platform", [first, *others], indirect=True)


def pytest_itemcollected(item: pytest.Function) -> None:
    """Leaves to the exhaustive run what is not in the set of a row."""
    places = {**item.callspec.indices}
    place = places.pop("platform")
    covers = covers_from(item.originalname)
    if item.callspec.params["platform"] not in covers[sum(places.values()) % len(covers)].split():
        item.add_marker(pytest.mark.exhaustive)
    elif place:
        item.add_marker(pytest.mark.slow)


def covers_from(name: str) -> tuple[str, ...]:
    """The sets in the order in which the rows of a test take them."""
    first = zlib.crc32(name.encode()) % len(COVERS)
    return COVERS[first:] + COVERS[:first]


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
