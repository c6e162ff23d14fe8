"""OAuth client credentials in the place of an API key (spec 5)."""

import pytest

from tests.served_catalog import Platform, Workspace

DONE, USAGE, UNREACHABLE = 0, 64, 8
SECRET = "sandbox-demo-secret"
PROJECT = """\
version: 1
environments:
  p: {baseUrl: "http://127.0.0.1:1", oauth: {tokenUrl: "/oauth/token", scopes: SCOPES}}
platform: {timeout: 60}
"""


@pytest.fixture
def oauth(work: Workspace, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    """A catalog of one course whose environment has no API key."""
    monkeypatch.delenv("LMSSYNC_API_KEY")
    monkeypatch.setenv("LMSSYNC_OAUTH_CLIENT_ID", "sandbox-demo-client")
    monkeypatch.setenv("LMSSYNC_OAUTH_CLIENT_SECRET", SECRET)
    work.write("lmssync.yaml", PROJECT.replace("SCOPES", "[]"))
    work.course("a")
    return work


def tokens(platform: Platform) -> list[str]:
    """The access tokens that were given out."""
    keys = platform.http.get("/_sandbox/keys").json()["keys"]
    return [key["key"] for key in keys if key["kind"] == "token"]


def test_one_token_serves_a_run(oauth: Workspace, platform: Platform) -> None:
    """A whole apply asks for one token, and writes neither it nor the secret down."""
    done = oauth.apply()

    assert (DONE, 1) == (done.code, len(platform.requests(route="oauth.token")))
    (token,) = tokens(platform)
    written = b"".join(f.read_bytes() for f in oauth.root.rglob("*") if f.is_file())
    written += (done.out + done.err).encode()
    assert [] == [word for word in (token, SECRET) if word.encode() in written]


def test_what_asks_nothing_needs_no_token(oauth: Workspace, platform: Platform) -> None:
    """`validate` sends no request, so it asks for no token."""
    assert DONE == oauth.run("validate").code
    assert [] == platform.requests()


def test_an_api_key_of_the_run_goes_first(
    oauth: Workspace, platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    """LMSSYNC_API_KEY is sent in the place of a token."""
    monkeypatch.setenv("LMSSYNC_API_KEY", platform.key)
    assert DONE == oauth.run("plan").code
    assert [] == platform.requests(route="oauth.token")


def test_an_api_key_in_a_file_goes_first_as_well(
    oauth: Workspace, platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    """LMSSYNC_API_KEY_FILE is LMSSYNC_API_KEY from a file."""
    oauth.write("the.key", f"{platform.key}\n")
    monkeypatch.setenv("LMSSYNC_API_KEY_FILE", str(oauth.root / "the.key"))
    assert DONE == oauth.run("plan").code
    assert [] == platform.requests(route="oauth.token")


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("LMSSYNC_OAUTH_CLIENT_SECRET", "wrong-secret", "gives no token: invalid_client: The clie"),
        ("LMSSYNC_OAUTH_CLIENT_ID", "nobody", "check both variables that `oauth` names"),
    ],
)
def test_a_client_that_is_not_known(
    oauth: Workspace, monkeypatch: pytest.MonkeyPatch, name: str, value: str, told: str
) -> None:
    """The message names where tokens come from, and neither id nor secret."""
    monkeypatch.setenv(name, value)

    done = oauth.run("plan")

    assert (UNREACHABLE, True) == (done.code, told in done.err)
    assert value not in done.err


def test_a_variable_that_is_not_set(oauth: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    """The message names the variable before anything is sent."""
    monkeypatch.delenv("LMSSYNC_OAUTH_CLIENT_SECRET")

    done = oauth.run("plan")

    assert USAGE == done.code
    assert "the environment variable LMSSYNC_OAUTH_CLIENT_SECRET is not set" in done.err


def test_a_scope_that_is_too_small(oauth: Workspace, platform: Platform) -> None:
    """A write that the scopes do not allow names the permission, and leaves no call open."""
    oauth.write("lmssync.yaml", PROJECT.replace("SCOPES", "[courses.edit]"))

    done = oauth.apply()

    assert UNREACHABLE == done.code
    assert "the access token may not POST /incoming/v2/content/course/create" in done.err
    assert "it needs the permission courses.new" in done.err
    assert "`oauth.scopes`" in done.err
    assert 1 == oauth.plan()["summary"]["create"]


def test_a_scope_that_the_client_does_not_have(
    oauth: Workspace, platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message has the words of the platform, and says what to do."""
    pair = platform.order("keys", {"oauthClient": True, "permissions": ["courses.edit"]})
    monkeypatch.setenv("LMSSYNC_OAUTH_CLIENT_ID", pair["clientId"])
    monkeypatch.setenv("LMSSYNC_OAUTH_CLIENT_SECRET", pair["clientSecret"])
    oauth.write("lmssync.yaml", PROJECT.replace("SCOPES", "[users.edit]"))

    done = oauth.run("plan")

    assert UNREACHABLE == done.code
    assert "invalid_scope: scope: this client does not have users.edit" in done.err
    assert "ask for less in `oauth.scopes`" in done.err


def test_oauth_that_is_not_enabled(oauth: Workspace, platform: Platform) -> None:
    """The hint says who enables it."""
    platform.order("switches", {"oauthEnabled": False})
    done = oauth.run("plan")
    assert (UNREACHABLE, True) == (done.code, "the account team of the platform" in done.err)


def test_a_token_address_that_gives_none(oauth: Workspace) -> None:
    """An address that answers something else is told apart from one that does not answer."""
    project = PROJECT.replace("SCOPES", "[]")
    oauth.write("lmssync.yaml", project.replace("/oauth/token", "/token"))
    other = oauth.run("plan")
    oauth.write("lmssync.yaml", project.replace("/oauth/token", "http://127.0.0.1:9/token"))
    nowhere = oauth.run("plan")

    assert (UNREACHABLE, UNREACHABLE) == (other.code, nowhere.code)
    assert "/token gives no token: " in other.err
    assert "no token: http://127.0.0.1:9/token cannot be reached" in nowhere.err
