"""Limits, refusals and addresses of code hosts."""

import re
import time

import pytest

from lmssync import code_hosts
from lmssync.code_hosts import CodeHostWire, Kept
from lmssync.errors import CodeHostFailed
from tests.platform.client.answering import Asked, Said

from .conftest import Keep
from .double import TOKEN, Double, Fault, serving

LIMITS = [
    Said({"message": "slow down"}, 429, {"retry-after": "0.3"}),
    Said({"message": "secondary rate limit"}, 403, {"retry-after": "0.3"}),
]


@pytest.mark.parametrize("limit", LIMITS, ids=["429", "secondary"])
def test_a_wait_is_kept(double: Double, keep: Keep, limit: Said):
    """What comes before the time is over is refused again, and nothing does."""
    until: list[float] = []
    early: list[Asked] = []

    def count(asked: Asked) -> None:
        if until and time.monotonic() < until[0]:
            early.append(asked)
        if asked.method == "POST" and not until:
            until.append(time.monotonic() + 0.25)

    double.before, double.faults = count, [Fault("POST", limit)]
    assert Kept.CREATED == keep("a")
    assert [] == early


@pytest.mark.parametrize("name", ["retry-after", "x-ratelimit-reset"])
def test_nobody_waits_for_an_hour(double: Double, keep: Keep, name: str):
    """The job goes on without the comment."""
    until = {"retry-after": "3600", "x-ratelimit-reset": f"{time.time() + 3600:.0f}"}[name]
    headers = {"x-ratelimit-remaining": "0", name: until}
    double.faults = [Fault("GET", Said({"message": "used up"}, 403, headers))]
    with pytest.raises(CodeHostFailed, match="used up") as failed:
        keep("a")
    assert 403 == failed.value.status


def test_a_token_that_may_not_write(double: Double, keep: Keep):
    """It is said once, with the words of the code host, and not tried again."""
    double.may_write = False
    with pytest.raises(CodeHostFailed, match="not accessible by integration"):
        keep("a")
    assert ["POST"] == double.writes()


def test_a_token_is_sent_to_no_other_host(double: Double, keep: Keep):
    """A redirect to another host is not followed."""
    with serving("github") as other:
        double.faults = [Fault("GET", Said(b"", 301, {"location": f"{other.base_url}/x"}))]
        with pytest.raises(CodeHostFailed, match="HTTP 301"):
            keep("a")
        assert [] == other.served.asked


@pytest.mark.slow
def test_a_code_host_that_cannot_be_reached(double: Double):
    """It is said which, and no address of the request."""
    job = code_hosts.find_ci_job(double.env())._replace(api="http://127.0.0.1:1")
    with (
        code_hosts.connect_code_host(job, print) as wire,
        pytest.raises(CodeHostFailed, match="cannot be reached"),
    ):
        wire.ask("GET", "/user")


@pytest.mark.parametrize("api", ["", "ftp://example.com", "https://a:b@example.com"])
def test_an_address_that_is_none(double: Double, api: str):
    """A variable that was set wrongly is said in words."""
    job = code_hosts.find_ci_job(double.env())._replace(api=api)
    with pytest.raises(CodeHostFailed), code_hosts.connect_code_host(job, print):
        pass


def test_an_address_without_encryption_is_noticed(double: Double, said: list[str]):
    """Others could read the token on the way."""
    job = code_hosts.find_ci_job(double.env())._replace(api="http://code.example.com/api")
    with code_hosts.connect_code_host(job, said.append):
        pass
    assert ["code.example.com:80 is reached over http, so others can read the token"] == said


def test_without_a_token_nothing_is_asked(double: Double):
    """The hint says which variable holds it."""
    job = code_hosts.find_ci_job(double.env())._replace(token="")
    with pytest.raises(CodeHostFailed) as failed, code_hosts.connect_code_host(job, print):
        pass
    assert re.search("GITHUB_TOKEN|GITLAB_TOKEN", failed.value.hint)
    assert [] == double.served.asked


def test_an_answer_that_is_no_list(double: Double, wire: CodeHostWire):
    """What cannot be read is said, and nothing is written."""
    double.faults = [Fault("GET", Said({"a": 1}))]
    with pytest.raises(CodeHostFailed, match="something other than a list"):
        list(wire.pages(double.comments, {}))


def test_no_token_is_in_a_message(double: Double, wire: CodeHostWire):
    """A code host that quotes the request is not quoted."""
    double.faults = [Fault("GET", Said({"message": f"no such token: {TOKEN}"}, 400))]
    with pytest.raises(CodeHostFailed) as failed:
        wire.ask("GET", "/user")
    assert failed.value.message.endswith("no such token: ***")
