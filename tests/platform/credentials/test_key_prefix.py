"""A key goes only to the environment that its beginning is for (spec 5)."""

import pytest

from tests.served_catalog import Platform, Workspace

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


def test_a_key_of_another_environment_is_not_sent(
    work: Workspace, platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is told before anything is sent, without the key."""
    code, err = planned(work, platform, monkeypatch, own=OWN, use="production")

    assert (USAGE, []) == (code, platform.requests())
    told = "does not begin with `sandbox-`; this run is about `staging`"
    assert f"the key of LMSSYNC_API_KEY {told}" in err


def test_a_catalog_cannot_ask_how_a_key_begins(
    work: Workspace, platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many environments it has, one of them is compared: a run says the same of a key
    that begins like those of another and of one that begins like none."""
    key = platform.order("keys", {"use": "production"})["key"]
    guesses = "".join(
        f'  e{n}: {{baseUrl: "http://127.0.0.1:2", keyPrefix: {word}-}}\n'
        for n, word in enumerate(["production", "sandbox", "live"])
    )
    work.write("lmssync.yaml", PROJECT.replace("OWN", OWN) + guesses)
    said = set()
    for value in (key, "other-" + key, key[::-1]):
        monkeypatch.setenv("LMSSYNC_API_KEY", value)
        said.add(work.run("plan", "-e", "staging").err)
    assert 1 == len(said)


def test_a_key_in_the_place_of_its_prefix_is_not_quoted(work: Workspace) -> None:
    """What is too long for a prefix may be a whole key."""
    key = "production-0123456789abcdef0123456789abcdef"
    work.write("lmssync.yaml", PROJECT.replace("OWN", f", keyPrefix: {key}"))

    done = work.run("validate")

    assert INVALID == done.code
    assert "lmssync.yaml:3:" in done.out + done.err
    assert key not in done.out + done.err
