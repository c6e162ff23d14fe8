"""The API key is never printed or stored, even if the platform quotes whole requests."""

import subprocess
import sys
from base64 import b64encode
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from tests.answer_proxy import AnswerProxy
from tests.platform.client.test_unexpected_answers import LICENSE
from tests.served_catalog import Done, Platform, Workspace

HIDDEN = "sandbox-demo-key"
ODD = "odd/key+with=letters&more"


def quoted(key: str) -> str:
    """A message that quotes a request, in each way in which servers write it."""
    basic = b64encode(f"user:{key}".encode()).decode()
    return (
        f"\n::error::POST / HTTP/1.1 Authorization: Bearer {key} ?secretKey={quote(key, safe='')} "
        f"Basic {basic} \x1b[31m\u202e"
    )


def clean(work: Workspace, done: Done, *keys: str) -> None:
    """Fails if the output or a file in the catalog's folder holds the key."""
    files = [file.read_bytes() for file in work.root.rglob("*") if file.is_file()]
    said = (done.out + done.err).encode()
    for key in keys or (HIDDEN,):
        spelled = {key, quote(key, safe=""), b64encode(key.encode()).decode()[:-4]}
        assert [] == [s for s in spelled for text in (said, *files) if s.encode() in text]
    assert b"***" in said
    assert b"\x1b[31m" not in said
    assert not any(line.lstrip().startswith(b"::") for line in said.splitlines())


def failing(key: str, status: int) -> dict[str, Any]:
    """Bodies of a failure, by envelope."""
    said = quoted(key)
    return {
        "A": {"errors": [said]},
        "C": {"error": "bad", "message": said, "details": [{"field": "x", "message": said}]},
        "D": {"code": "BAD", "message": said, "statusCode": status, "metadata": {"errors": [said]}},
        "dict": {"errors": {said: [said]}},
    }


@pytest.mark.parametrize("status", [200, 400, 401, 403, 500])
@pytest.mark.parametrize("command", [("plan",), ("plan", "--json"), ("apply", "--yes")])
def test_a_refused_read_prints_no_key(
    work: Workspace, way: AnswerProxy, command: tuple[str, ...], status: int
) -> None:
    """No refused read prints the key, whatever its status."""
    work.course("a", "tags: [Safety]\n")
    body = failing(HIDDEN, max(status, 400))["C"]
    way.bend("tag.list", lambda _asked, said: said._replace(status=status, body=body))

    done = work.run(*command)

    assert done.code in {1, 8}
    clean(work, done)


@pytest.mark.parametrize("envelope", ["A", "C", "D", "dict"])
def test_no_envelope_hides_a_key(work: Workspace, way: AnswerProxy, envelope: str) -> None:
    """No envelope shows the key, though each has its own place for messages (spec 7)."""
    work.course("a", "tags: [Safety]\n")
    body = failing(HIDDEN, 400)[envelope]
    way.bend("tag.list", lambda _asked, said: said._replace(status=400, body=body))

    clean(work, work.run("plan"))


@pytest.mark.parametrize("status", [200, 400, 403, 500])
@pytest.mark.parametrize("json", [(), ("--json",)])
def test_a_refused_write_leaves_no_key_behind(
    work: Workspace, way: AnswerProxy, status: int, json: tuple[str, ...]
) -> None:
    """A refused write leaves the key neither in the report nor in the state."""
    work.course("a")
    body = failing(HIDDEN, max(status, 400))["C"]
    way.bend("course.create", lambda _asked, said: said._replace(status=status, body=body))

    clean(work, work.apply(*json))


def test_an_answer_that_quotes_the_request_is_journalled_without_the_key(
    work: Workspace, way: AnswerProxy
) -> None:
    """The journal of a successful create and the output of a plan do not hold a quoted key."""
    work.course("a")
    work.write("l.yaml", LICENSE)
    more = {"request": {"headers": {"authorization": f"Bearer {HIDDEN}"}}, HIDDEN: [HIDDEN]}
    way.bend("license.create", lambda _asked, said: said._replace(body=said.body | more))
    assert 0 == work.apply().code
    work.course("a", edit=("title: Title", "title: Another"))
    titled = {"title": f"Bearer {HIDDEN}"}
    way.bend("course.read", lambda _asked, said: said._replace(body=said.body | titled))

    done = work.run("plan", "--out", "plan.json")

    assert b"Bearer ***" in (work.root / "plan.json").read_bytes()
    clean(work, done)


def test_an_odd_key_is_hidden_in_all_its_spellings(
    work: Workspace, way: AnswerProxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A key is hidden as it is, as part of an address, and in base64."""
    monkeypatch.setenv("LMSSYNC_API_KEY", ODD)
    work.course("a")
    way.bend("ping", lambda _asked, said: said._replace(body={"errors": [quoted(ODD)]}))

    clean(work, work.run("plan"), ODD)


def test_resolve_prints_no_key(work: Workspace, platform: Platform, way: AnswerProxy) -> None:
    """`resolve` hides the key in the error of its read."""
    work.course("a")
    way.bend("course.create", {})
    assert 4 == work.apply().code
    course = platform.dump("courses")[-1]["id"]
    body = failing(HIDDEN, 500)["A"]
    way.bend("course.read", lambda _asked, said: said._replace(status=400, body=body))

    clean(work, work.run("resolve", "course.a", "--adopt", course))


CRASH = """\
import sys
from lmssync.platform.client import Reader
from lmssync.cli.main import main

def read(self, *_):
    raise RuntimeError(f"key {self._key} of Bearer {self._key}")

Reader.read_route = read
main(sys.argv[1:])
"""


@pytest.mark.parametrize("debug", ["", "1"])
def test_a_bug_is_reported_without_the_key(work: Workspace, tmp_path: Path, debug: str) -> None:
    """The key is hidden in the file for an issue and in the traceback for developers."""
    work.course("a", "tags: [Safety]\n")
    told = tmp_path / "told"
    told.mkdir()
    env = work.env | {"LMSSYNC_DEBUG": debug, "TMPDIR": str(told)}
    command = [sys.executable, "-c", CRASH, "plan"]
    ran = subprocess.run(command, cwd=work.root, env=env, capture_output=True, check=False)

    said = [ran.stdout, ran.stderr, *(file.read_bytes() for file in told.iterdir())]
    assert b"RuntimeError: key *** of Bearer ***" in said[-1]
    assert not any(HIDDEN.encode() in text for text in said)


def test_a_password_in_the_address_is_not_printed(
    work: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A base URL with a password is refused, since plans and messages show the address."""
    monkeypatch.setenv("LMSSYNC_BASE_URL", "http://ann:sesame@127.0.0.1:9")
    work.course("a")

    done = work.run("plan")

    assert 64 == done.code
    assert "LMSSYNC_BASE_URL contains a user or a password" in done.err
    assert "sesame" not in done.err
