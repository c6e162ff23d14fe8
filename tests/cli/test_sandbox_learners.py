"""`lmssync sandbox learners`: the order, what it prints, and what it says where it cannot."""

import json
import socket

import pytest

from lmssync.cli.main import main
from lmssync.sandbox import run_sandbox
from tests.platform.client.raw import raw, whole

from .. import patient_http

COURSE = {"title": "One", "kind": "courseGroup", "status": "published"}


@pytest.fixture(scope="module")
def served():
    with run_sandbox() as ready:
        yield ready


@pytest.fixture
def sandbox(served):
    """A new sandbox that has one published course, which is open to all."""
    patient_http.post(f"{served['baseUrl']}/_sandbox/reset", json={})
    patient_http.post(
        f"{served['baseUrl']}/incoming/v2/content/course/create",
        json={"courseAttributes": [COURSE]},
        headers={"Authorization": f"Bearer {served['apiKey']}"},
    ).raise_for_status()
    return served["baseUrl"]


def run(*options):
    """The exit code of the command."""
    with pytest.raises(SystemExit) as ended:
        main(["sandbox", "learners", *options])
    return int(ended.value.code or 0)


def test_it_prints_what_it_made(sandbox, capsys):
    """One line for each kind of document, in people's words (spec 2.4)."""
    assert 0 == run("--n", "20", "--seed", "7", "--base-url", sandbox + "/")
    lines = [line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines()]
    assert {"20": "users"}.items() <= dict(lines).items()
    assert {"enrollments", "learning path enrollments", "events"} < {words for _, words in lines}


def test_it_says_how_they_are_counted(sandbox, capsys):
    """Their history is older than the last pull, so the next one has to begin before it."""
    assert 0 == run("--n", "20", "--days", "30", "--base-url", sandbox)
    assert "`lmssync events pull --since 31d` counts them" in capsys.readouterr().err


def test_json(sandbox, capsys):
    """The answer of the sandbox (spec 2.4)."""
    assert 0 == run("--n", "3", "--json", "--base-url", sandbox)
    assert 3 == json.loads(capsys.readouterr().out)["made"]["users"]


def test_nobody_enrolled_is_said(sandbox, capsys):
    """A sandbox without courses gets learners who have nothing to learn (spec 2.4)."""
    patient_http.post(f"{sandbox}/_sandbox/reset", json={"seed": {}})
    assert 0 == run("--n", "3", "--base-url", sandbox)
    assert "nobody is enrolled" in capsys.readouterr().err


def test_no_sandbox_is_unreachable(capsys):
    """Exit 8, and how to start one (spec 1)."""
    with socket.socket() as deaf:
        deaf.bind(("127.0.0.1", 0))
        assert 8 == run("--base-url", f"http://127.0.0.1:{deaf.getsockname()[1]}")
    assert "lmssync sandbox serve" in capsys.readouterr().err


@pytest.mark.parametrize("url", ["file:///etc/passwd", "ftp://x", "127.0.0.1:8800"])
def test_only_http_is_asked(capsys, url):
    """Exit 64: no other scheme is opened (spec 1)."""
    assert 64 == run("--base-url", url)
    assert url in capsys.readouterr().err


def test_refusals_are_told_in_the_sandboxs_words(sandbox, capsys):
    """Exit 1, and what is no sandbox is said to be none (spec 1)."""
    assert 1 == run("--base-url", f"{sandbox}/incoming")
    assert "HTTP 404" in capsys.readouterr().err


@pytest.mark.parametrize(
    "answer",
    [
        *([b"nothing"], [b"HTTP/1.1 x\r\n\r\n"], list(whole(b"[]")), list(whole(b'{"made": 1}'))),
        *(
            list(whole(b'{"made": {"a": "\x1b"}}')),
            list(whole(b"[" * 100_000)),
            list(whole(b"\xff")),
        ),
        list(whole(b" " * 2_000_000)),
    ],
    ids=range(8),
)
def test_what_is_no_sandbox_is_told(answer, capsys):
    """Whatever answers at the address."""
    with raw(lambda _asked: answer) as server:
        assert 8 == run("--base-url", server.base_url)
    assert "no sandbox answers" in capsys.readouterr().err
