"""A code host for each test: GitHub and GitLab in turn."""

from collections.abc import Callable, Iterator

import pytest

from lmssync import code_hosts
from lmssync.code_hosts import CodeHostWire, Kept

from .double import Double, serving

MARK = code_hosts.spell_marker("plan", "production")


@pytest.fixture(params=["github", "gitlab"])
def double(request: pytest.FixtureRequest) -> Iterator[Double]:
    with serving(request.param) as served:
        yield served


Keep = Callable[..., Kept]


@pytest.fixture
def said() -> list[str]:
    """What was said while a code host was asked."""
    return []


@pytest.fixture
def keep(double: Double, said: list[str]) -> Keep:
    """Keeps the comment of pull request 7, as a run of its own."""

    def kept(text: str | None, *, mark: str = MARK, begin: bool = True) -> Kept:
        job = code_hosts.find_ci_job(double.env())
        with code_hosts.connect_code_host(job, said.append) as wire:
            return code_hosts.keep_text(
                code_hosts.open_comments(job, wire), mark, text, begin=begin
            )

    return kept


@pytest.fixture
def wire(double: Double, said: list[str]) -> Iterator[CodeHostWire]:
    with code_hosts.connect_code_host(code_hosts.find_ci_job(double.env()), said.append) as opened:
        yield opened
