"""A key goes only to the environment that its beginning is for (spec 5)."""

import pytest

from .conftest import Platform, Workspace

DONE, INVALID, USAGE = 0, 3, 64
PROJECT = """\
version: 1
environments:
  staging: {baseUrl: "http://127.0.0.1:1"OWN}
  production: {baseUrl: "http://127.0.0.1:2", keyPrefix: production-}
"""
OWN = ", keyPrefix: sandbox-"


def planned(
    work: Workspace, platform: Platform, patch: pytest.MonkeyPatch, *, own: str, use: str
) -> tuple[int, str]:
    """Plans for staging with a key of a use; gives the exit code and what was said."""
    work.write("lmssync.yaml", PROJECT.replace("OWN", own))
    key = platform.order("keys", {"use": use})["key"]
    patch.setenv("LMSSYNC_API_KEY", key)
    done = work.run("plan", "-e", "staging")
    assert key not in done.out + done.err
    return done.code, done.err


@pytest.mark.parametrize(("own", "use"), [(OWN, "sandbox"), ("", "sandbox")])
def test_a_key_of_the_environment_is_sent(
    work: Workspace, platform: Platform, monkeypatch: pytest.MonkeyPatch, own: str, use: str
) -> None:
    """Where no prefix says otherwise, a key is sent."""
    assert DONE == planned(work, platform, monkeypatch, own=own, use=use)[0]


@pytest.mark.parametrize(
    ("own", "told"),
    [
        (OWN, "does not begin with `sandbox-`; it begins like those of `production`"),
        ("", "is the key of another environment; it begins like those of `production`"),
    ],
)
def test_a_key_of_another_environment_is_not_sent(
    work: Workspace, platform: Platform, monkeypatch: pytest.MonkeyPatch, own: str, told: str
) -> None:
    """It is told before anything is sent, without the key."""
    code, err = planned(work, platform, monkeypatch, own=own, use="production")

    assert (USAGE, []) == (code, platform.requests())
    assert f"the key of LMSSYNC_API_KEY {told}; this run is about `staging`" in err


def test_a_key_in_the_place_of_its_prefix_is_not_quoted(work: Workspace) -> None:
    """What is too long for a prefix may be a whole key."""
    key = "production-0123456789abcdef0123456789abcdef"
    work.write("lmssync.yaml", PROJECT.replace("OWN", f", keyPrefix: {key}"))

    done = work.run("validate")

    assert INVALID == done.code
    assert "lmssync.yaml:3:" in done.out + done.err
    assert key not in done.out + done.err
