"""Homes by their URL: what is a mistake, and what it says."""

import re
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from lmssync.errors import WrongUse
from lmssync.state.backends import StateBackend, open_backend

needs_obstore = pytest.mark.skipif(not find_spec("obstore"), reason="obstore is not installed")


def opened(url: str, **env: str) -> StateBackend:
    return open_backend(url, Path(), "staging", env)


def refused(url: str, **env: str) -> tuple[str, str]:
    with pytest.raises(WrongUse) as caught:
        opened(url, **env)
    return caught.value.message, caught.value.hint


@pytest.mark.parametrize("url", ["ftp://host/x", "state.db", "", "://x", "S3://bucket"])
def test_an_unknown_scheme_is_refused(url: str):
    """With those that there are."""
    message, _ = refused(url)
    assert "`s3:`" in message


def test_a_near_miss_is_guessed_at():
    """By its scheme."""
    assert "did you mean `s3`?" == refused("s33://bucket")[1]


def test_a_password_is_not_repeated():
    """Where the scheme is a mistake."""
    assert "pa55word" not in str(refused("postgre://me:pa55word@host/db"))


@pytest.mark.parametrize("url", ["s3://bucket\n/x", "postgresql://h\ud800/db", "az://b#\u202ex"])
def test_what_cannot_be_seen_is_refused(url: str):
    """No library gets it, and no terminal."""
    assert "has invisible characters" in refused(url)[0]


@needs_obstore
def test_what_no_library_can_read_is_refused():
    """Whatever it says of that."""
    assert "`s3:...`, cannot be read" in refused("s3://me:pa55word@]")[0]


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch):
    """With the extra that brings it."""
    monkeypatch.setitem(sys.modules, "obstore", None)
    for name in [name for name in sys.modules if name.startswith("lmssync.state.backends")]:
        monkeypatch.delitem(sys.modules, name)
    message, hint = refused("s3://bucket/prefix")
    assert "obstore" in message
    assert re.fullmatch(r"`.* install .*\[objectstore\].*` installs it", hint)


@needs_obstore
@pytest.mark.parametrize(
    ("url", "place"),
    [
        ("s3://bucket", "s3://bucket/staging"),
        ("s3://bucket/a/b/", "s3://bucket/a/b/staging"),
        ("s3://bucket/a#shared", "s3://bucket/a/shared"),
        ("s3://bucket/a#x-{environment}", "s3://bucket/a/x-staging"),
    ],
)
def test_each_environment_has_objects_of_its_own(url: str, place: str):
    """Below its name, or below the name after `#`."""
    assert place == opened(url).place


@needs_obstore
@pytest.mark.parametrize("url", ["s3:", "s3:///prefix", "s3://me:pa55word@b/x", "s3://b/x?y=1"])
def test_an_address_without_a_bucket_is_refused(url: str):
    """And so is one with anything else in it, which is not repeated."""
    message, hint = refused(url)
    assert "pa55word" not in message
    assert "s3://bucket/prefix" in hint


@needs_obstore
def test_nobody_reads_along():
    """A store is asked by http only on this machine, or where that is allowed."""
    clear = {"AWS_ENDPOINT_URL": "http://store.example"}
    assert "AWS_ALLOW_HTTP" in refused("s3://bucket", **clear)[1]
    assert opened("s3://bucket", AWS_ALLOW_HTTP="true", **clear)
    assert opened("s3://bucket", AWS_ENDPOINT_URL="http://127.0.0.1:9000")
