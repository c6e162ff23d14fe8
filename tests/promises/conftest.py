"""The promises of docs/trust.md, on every kind of instance: both profiles, ids in any order."""

import zlib
from collections.abc import Iterator, Mapping
from contextlib import ExitStack

import pytest

from lmssync.sandbox.sandbox_server import Profile
from tests.served_catalog import PROJECT, Platform, Workspace, serving

ORDERS = ("request", "reversed", "shuffled")
PROFILES: tuple[Profile, ...] = ("core", "extended")
EACH_RUN = (
    ("core", "reversed", "minute"),
    ("extended", "shuffled", "minute"),
    ("core", "request", "needed"),
    ("extended", "request", "needed"),
)
"""Each test runs on one of these every time, as the first row of its table, and on all instances in
the slow run."""
INSTANCES = (
    *((profile, order, "minute") for profile in PROFILES for order in ORDERS),
    *((profile, "request", "needed") for profile in PROFILES),
    ("core", "shuffled", "needed"),  # another order is noticed, and then all is read back at once
)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "platform" not in metafunc.fixturenames:
        return
    every = EACH_RUN[zlib.crc32(metafunc.function.__name__.encode()) % len(EACH_RUN)]
    metafunc.parametrize(
        "platform",
        [
            pytest.param(
                (profile, order, verify),
                id=f"{profile}-{order}-{verify}",
                marks=() if (profile, order, verify) == every else pytest.mark.slow,
            )
            for profile, order, verify in sorted(INSTANCES, key=lambda one: one != every)
        ],
        indirect=True,
    )


@pytest.fixture(scope="session")
def _sandboxes() -> Iterator[Mapping[Profile, Platform]]:
    with ExitStack() as stack:
        yield {name: stack.enter_context(serving(profile=name)) for name in PROFILES}


@pytest.fixture
def platform(request: pytest.FixtureRequest, _sandboxes: Mapping[Profile, Platform]) -> Platform:
    """A platform as new, of one profile, whose creates name their ids in one order."""
    profile, order, _ = request.param
    sandbox = _sandboxes[profile]
    sandbox.renew()
    sandbox.order("switches", {"idOrder": order})
    return sandbox


@pytest.fixture(autouse=True)
def _profile(request: pytest.FixtureRequest, work: Workspace) -> None:
    """The catalog says what the instance is."""
    profile, _, verify = request.node.callspec.params["platform"]
    settings = f"{{profile: {profile}, verify: {verify}, license"
    work.write("lmssync.yaml", PROJECT.replace("{license", settings))


def extended(request: pytest.FixtureRequest) -> bool:
    """True where the instance has routes beyond the specification."""
    return bool(request.node.callspec.params["platform"][0] == "extended")


def profile_of(request: pytest.FixtureRequest) -> Profile:
    """That of the platform of a test."""
    profile: Profile = request.node.callspec.params["platform"][0]
    return profile
