"""What calls itself the platform keeps no run busy, and says nothing to terminals and servers."""

import gzip
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import orjson
import pytest

from tests import making
from tests.platform.client.raw import HEAD, raw, whole

from .conftest import Stranger
from .test_names import orders

UNREACHABLE = 8
SAID = "\n::set-output name=a::b\r::add-mask::x\x1b[2J\x1b]0;x\x07\x9b\u202e##[command]##vso[x]\x00"
MOVED = b"HTTP/1.1 301 Moved\r\n"
Answer = Callable[[], Iterator[bytes]]


def forever(first: bytes, piece: bytes, pause: float = 0) -> Iterator[bytes]:
    """As long as somebody listens, and no longer than anybody has patience for."""
    yield first
    for _ in range(100_000):
        yield piece
        time.sleep(pause)


@pytest.fixture(autouse=True)
def _project(root: Path) -> None:
    """The platform is given little time."""
    making.put(root, "lmssync.yaml", "version: 1\nplatform: {timeout: 1}\n")


ANSWERS: list[Answer] = [
    lambda: forever(HEAD + b"\r\n", b" " * 65_536),
    lambda: forever(HEAD + b"\r\n", b" ", 0.3),
    lambda: forever(b"", b"HTTP/1.1 103 Early\r\n\r\n"),
    lambda: forever(HEAD, b"X-A: %s\r\n" % (b"x" * 900)),
    lambda: whole(gzip.compress(b" " * 2**25), HEAD, b"Content-Encoding: gzip"),
    lambda: whole(b"", MOVED, b"Location: /again"),
    lambda: whole(b"", MOVED, b"Location: http://\xff\x1b[2J/"),
    lambda: whole(b"", MOVED, b"Location: http:////[]"),
    lambda: whole(b'{"valid": "\xff"}'),
    lambda: whole(b"[" * 100_000),
    lambda: whole(b'{"valid": 1%s}' % (b"0" * 100_000)),
    lambda: iter([b"\x16\x03\x01\x02\x00" * 100]),
]


@pytest.mark.parametrize("answer", ANSWERS, ids=range(len(ANSWERS)))
def test_it_is_left(run: Stranger, answer: Answer):
    """A hostile platform ends the run with a message and the code for an unreachable one."""
    command = ("apply", "--yes") if ANSWERS.index(answer) % 2 else ("plan",)
    with raw(lambda _asked: answer()) as server:
        done = run(*command, LMSSYNC_BASE_URL=server.base_url, LMSSYNC_API_KEY="a-long-key")
    assert UNREACHABLE == done.code, done
    assert done.err.startswith("error: ")
    assert [] == orders(done)


@pytest.mark.parametrize(
    "status", [b"200 OK", b"400 " + SAID[-30:-1].encode(), b"401 No", b"503 x"]
)
@pytest.mark.parametrize("body", [{"errors": [SAID]}, {"error": SAID, "message": SAID}, {SAID: 1}])
def test_its_messages_are_written_out(run: Stranger, status: bytes, body: object):
    """Control sequences in answers do not reach a terminal or a build server."""
    said = b"".join(whole(orjson.dumps(body), b"HTTP/1.1 " + status.replace(b"\0", b"") + b"\r\n"))
    with raw(lambda _asked: iter([said])) as server:
        done = run("plan", LMSSYNC_BASE_URL=server.base_url, LMSSYNC_API_KEY="a-long-key")
    assert [] == orders(done)
    assert "\u202e" not in done.said
    assert "\x9b" not in done.said


def test_what_a_catalog_says_is_written_out(root: Path, run: Stranger):
    """Control sequences in a catalog are escaped in a plan and in its JSON."""
    title = "::set-output name=a::b \u202e##[command]##vso[x]\u2066\u200b"
    body = f"<p>A</p>\n::add-mask::x\n{title}\n"
    topic = {"id": "t", "title": title, "type": "text", "body": body}
    making.put(root, "lmssync.yaml", "version: 1\n")  # this platform means no harm
    document = {"resource": "course", "key": "b", "kind": "microCourse", "title": title}
    making.put(root, "courses/a.yaml", orjson.dumps(document | {"topics": [topic]}))
    with raw(lambda _asked: whole(b'{"valid": true}')) as server:
        env = {"LMSSYNC_BASE_URL": server.base_url, "LMSSYNC_API_KEY": "a-long-key"}
        said = [run("plan", *more, **env) for more in ((), ("--full",), ("--json",))]
    assert [0, 0, 0] == [done.code for done in said]
    assert [] == [order for done in said for order in orders(done)]
    assert [] == [done for done in said if "\u202e" in done.said or "\u200b" in done.said]
    assert title == orjson.loads(said[-1].out)["changes"][0]["title"]


def test_what_fmt_would_change_is_written_out(root: Path, run: Stranger):
    """Lines of a file in a difference start with a blank and are escaped."""
    said = "# ::no\n::stop-commands::x\n##[command]\u202e\n"
    making.put(root, "courses/a.yaml", "key: b\nresource: course\ntitle: |\n  " + said)
    making.put(root, "courses/a.yaml", "resource: course\nkey: b\ntitle: >-\n::a: ::set-env::x\n")
    making.put(
        root, "courses/b.yaml", "::stop-commands::x: 1\nkey: b # \u202e##[x]\nresource: course\n"
    )
    done = run("fmt", "--diff")
    assert [] == orders(done)
    assert "\\x3a:stop-commands" in done.out
    assert "\u202e" not in done.out
