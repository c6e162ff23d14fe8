"""A catalog chooses no place for keys to go."""

import pytest

from .conftest import KEY, Listener, Pipeline

USAGE, INVALID, UNREACHABLE = 64, 3, 8


def project(pipeline: Pipeline, address: str, env: str = "LMSSYNC_API_KEY") -> None:
    text = f"version: 1\nenvironments:\n  p: {{baseUrl: '{address}', apiKey: {{env: {env}}}}}\n"
    pipeline.put("lmssync.yaml", text)


@pytest.mark.parametrize("name", ["AWS_SECRET_ACCESS_KEY", "lmssync_api_key", "HOME", "LMSSYNC_"])
@pytest.mark.parametrize("command", ["validate", "plan"])
def test_no_other_variable_is_read(
    pipeline: Pipeline, listener: Listener, name: str, command: str
) -> None:
    """`apiKey` with another variable is a problem with place and hint; nothing is sent."""
    project(pipeline, f"http://127.0.0.1:{listener.port}", name)

    done = pipeline.run(command)

    assert INVALID == done.code
    said = done.out + done.err
    assert "lmssync.yaml:3:" in said
    assert "error[env-value] `env` may only name a variable that begins with LMSSYNC_" in said
    assert [] == listener.heard


@pytest.mark.parametrize(
    "address",
    ["http://0.0.0.0:PORT", "http://[::ffff:127.0.0.1]:PORT", "http://0.0.0.0.:PORT/incoming"],
)
@pytest.mark.parametrize("command", [["plan"], ["apply", "--yes"]])
def test_a_key_is_not_sent_where_only_the_catalog_says(
    pipeline: Pipeline, listener: Listener, address: str, command: list[str]
) -> None:
    """The run is refused before a connection is opened."""
    project(pipeline, address.replace("PORT", str(listener.port)))

    done = pipeline.run(*command)

    assert (USAGE, []) == (done.code, listener.heard)
    assert "only lmssync.yaml says that the key in LMSSYNC_API_KEY is for" in done.err


def test_what_to_set_is_told_and_works(pipeline: Pipeline, listener: Listener) -> None:
    """The line in the hint binds the key to the host; http causes a warning."""
    project(pipeline, f"http://0.0.0.0:{listener.port}")
    refused = pipeline.run("plan", LMSSYNC_KEY_HOSTS="one.example.com")
    line = refused.err.rpartition("export LMSSYNC_KEY_HOSTS=")[2].strip()
    assert f"'one.example.com 0.0.0.0:{listener.port}'" == line

    done = pipeline.run("plan", LMSSYNC_KEY_HOSTS=line.strip("'"))

    assert (UNREACHABLE, True) == (done.code, bool(listener.keys))
    assert f"warning: 0.0.0.0:{listener.port} is reached over http" in done.err


def test_an_address_from_the_environment_binds_the_key(
    pipeline: Pipeline, listener: Listener
) -> None:
    """LMSSYNC_BASE_URL binds the key to its host without asking the catalog."""
    project(pipeline, "http://one.example.com")

    done = pipeline.run("plan", LMSSYNC_BASE_URL=f"http://0.0.0.0:{listener.port}")

    assert (UNREACHABLE, True) == (done.code, bool(listener.keys))


def test_this_machine_needs_no_binding(pipeline: Pipeline, listener: Listener) -> None:
    """A key is sent to loopback without a binding and without a warning."""
    project(pipeline, f"http://LocalHost:{listener.port}/")

    done = pipeline.run("plan")

    assert (UNREACHABLE, True, False) == (done.code, bool(listener.keys), "warning" in done.err)


@pytest.mark.parametrize(
    "entry",
    [
        "one.example.com",
        "0.0.0.0",
        "OTHER_KEY=0.0.0.0:PORT",
        "0.0.0.0:1",
        "https://0.0.0.0:PORT",
        "x0.0.0.0.example.com:PORT",
    ],
)
def test_a_binding_to_something_else(pipeline: Pipeline, listener: Listener, entry: str) -> None:
    """A binding to another host, port, scheme or key does not count."""
    project(pipeline, f"http://0.0.0.0:{listener.port}")

    done = pipeline.run("plan", LMSSYNC_KEY_HOSTS=entry.replace("PORT", str(listener.port)))

    assert (USAGE, []) == (done.code, listener.heard)


@pytest.mark.parametrize(
    "entry", ["0.0.0.0:PORT", "LMSSYNC_API_KEY=0.0.0.0:PORT", "a,http://0.0.0.0:PORT/x"]
)
def test_a_binding_that_fits(pipeline: Pipeline, listener: Listener, entry: str) -> None:
    """A binding may be for every key, for one key, or a whole address."""
    project(pipeline, f"http://0.0.0.0:{listener.port}")

    pipeline.run("plan", LMSSYNC_KEY_HOSTS=entry.replace("PORT", str(listener.port)))

    assert listener.keys


@pytest.mark.parametrize("entry", ["*.example.com", "a b:c", "user:sesame@host", "http://", "K="])
def test_a_binding_that_is_none(pipeline: Pipeline, entry: str) -> None:
    """A malformed binding is reported without what may be a password."""
    project(pipeline, "https://one.example.com")

    done = pipeline.run("plan", LMSSYNC_KEY_HOSTS=entry)

    assert USAGE == done.code
    assert "LMSSYNC_KEY_HOSTS has an entry" in done.err
    assert "sesame" not in done.err


def test_a_read_follows_within_its_host(pipeline: Pipeline, listener: Listener) -> None:
    """A read follows a 301 within its host with the key (spec 7)."""
    project(pipeline, f"http://127.0.0.1:{listener.port}")
    listener.moved_to = "/new/ping"

    pipeline.run("plan")

    assert ["GET /incoming/v2/ping HTTP/1.1", "GET /new/ping HTTP/1.1"] == [
        heard.partition("\n")[0] for heard in listener.heard
    ]
    assert 2 == len(listener.keys)


@pytest.mark.parametrize("host", ["0.0.0.0", "127.0.0.1", "localhost"])
def test_a_read_follows_to_no_other_host(
    pipeline: Pipeline, listener: Listener, other: Listener, host: str
) -> None:
    """A redirect to another host or port is not followed, with or without the key."""
    project(pipeline, f"http://127.0.0.1:{listener.port}")
    listener.moved_to = f"http://{host}:{other.port}/new"

    done = pipeline.run("plan")

    assert (UNREACHABLE, [], 1) == (done.code, other.heard, len(listener.heard))
    assert f"says that it has moved to http://{host}:{other.port}/new" in done.err


@pytest.mark.slow
def test_an_endless_move_ends(pipeline: Pipeline, listener: Listener) -> None:
    """Endless redirects end after a few steps."""
    project(pipeline, f"http://127.0.0.1:{listener.port}")
    listener.moved_to = "/incoming/v2/ping"

    assert UNREACHABLE == pipeline.run("plan").code
    assert 6 == len(listener.heard)


FILE = "home/.config/lmssync/credentials.yaml"


def own_file(pipeline: Pipeline, text: str, mode: int = 0o600) -> None:
    pipeline.put(f"../{FILE}", text).chmod(mode)


def test_a_file_of_ones_own_binds_keys(pipeline: Pipeline, listener: Listener) -> None:
    """The personal file binds a variable or a key to a host."""
    project(pipeline, f"http://0.0.0.0:{listener.port}")
    own_file(pipeline, f"hosts: {{'0.0.0.0:{listener.port}': {{env: LMSSYNC_API_KEY}}}}\n")
    pipeline.run("plan")
    own_file(pipeline, f"hosts: {{'0.0.0.0:{listener.port}': {{key: {KEY}-2}}}}\n")
    pipeline.run("plan")

    assert [False, True] == [f"{KEY}-2" in heard for heard in listener.keys]


@pytest.mark.parametrize(
    ("text", "mode", "said"),
    [
        ("hosts: {'0.0.0.0:PORT': {key: secret}}\n", 0o640, "other users can open"),
        ("hosts: {'0.0.0.0:PORT': {key: [secret]}}\n", 0o600, "see hosts.0.0.0.0:PORT.key"),
        ("hosts: {'0.0.0.0:PORT': {env: AWS_SECRET_ACCESS_KEY}}\n", 0o600, "see hosts."),
        ("hosts: {'u:secret@h': {key: secret}}\n", 0o600, "contains a user or a password"),
        ("secret: [", 0o600, "is not YAML: line 1"),
        ("- secret\n", 0o600, "does not have the right form"),
    ],
)
def test_a_file_of_keys_that_cannot_be_used(
    pipeline: Pipeline, listener: Listener, text: str, mode: int, said: str
) -> None:
    """An unusable key file is reported without quoting it."""
    project(pipeline, f"http://0.0.0.0:{listener.port}")
    own_file(pipeline, text.replace("PORT", str(listener.port)), mode)

    done = pipeline.run("plan")

    assert (USAGE, []) == (done.code, listener.heard)
    assert said.replace("PORT", str(listener.port)) in done.err
    assert "secret" not in done.err


def test_a_file_of_keys_in_the_catalog_is_nobodys(pipeline: Pipeline, listener: Listener) -> None:
    """A key file inside the checkout is not used, even if the home is there."""
    project(pipeline, f"http://0.0.0.0:{listener.port}")
    text = f"hosts: {{'0.0.0.0:{listener.port}': {{env: LMSSYNC_API_KEY}}}}\n"
    pipeline.put(".config/lmssync/credentials.yaml", text).chmod(0o600)

    done = pipeline.run("plan", HOME=str(pipeline.root), XDG_CONFIG_HOME=".config")

    assert (USAGE, []) == (done.code, listener.heard)


def test_the_secret_that_signs_plans_is_sent_to_nobody(pipeline: Pipeline) -> None:
    """A manifest cannot name it as the key of a platform."""
    environment = "{baseUrl: 'http://127.0.0.1:1', apiKey: {env: LMSSYNC_PLAN_SECRET}}"
    pipeline.put("lmssync.yaml", f"version: 1\nenvironments: {{p: {environment}}}\n")

    done = pipeline.run("plan", LMSSYNC_PLAN_SECRET="signs plans", LMSSYNC_API_KEY="")

    assert (64, True) == (done.code, "which signs plans and is sent to nobody" in done.err)


def declared(pipeline: Pipeline, address: str, fields: str) -> None:
    """A project whose environment says more about its key."""
    text = f"version: 1\nenvironments:\n  p: {{baseUrl: '{address}', {fields}}}\n"
    pipeline.put("lmssync.yaml", text)


def prints(pipeline: Pipeline, text: str) -> str:
    """A program outside of the catalog that leaves a trace and prints a text."""
    trace = pipeline.root.parent / "trace"
    program = pipeline.put("../bin/prints", f"#!/bin/sh\necho >> {trace}\necho {text}\n")
    program.chmod(0o700)
    return str(program.resolve())


def test_a_command_that_only_the_catalog_names_is_not_run(
    pipeline: Pipeline, listener: Listener
) -> None:
    """The hint has the line that allows it, and with that line it is run."""
    program = prints(pipeline, KEY)
    declared(pipeline, f"http://127.0.0.1:{listener.port}", f"apiKey: {{command: [{program}]}}")
    refused = pipeline.run("plan", LMSSYNC_API_KEY="")
    ran = (pipeline.root.parent / "trace").exists()
    line = refused.err.rpartition("export LMSSYNC_KEY_COMMANDS=")[2].strip()

    pipeline.run("plan", LMSSYNC_API_KEY="", LMSSYNC_KEY_COMMANDS=line)

    assert (USAGE, False, program) == (refused.code, ran, line)
    assert listener.keys


def test_a_command_that_is_allowed_serves_its_hosts_only(
    pipeline: Pipeline, listener: Listener
) -> None:
    """What it prints is bound to hosts like any other key, and it is not run for others."""
    program = prints(pipeline, KEY)
    declared(pipeline, f"http://0.0.0.0:{listener.port}", f"apiKey: {{command: [{program}]}}")

    done = pipeline.run("plan", LMSSYNC_API_KEY="", LMSSYNC_KEY_COMMANDS=program)

    assert (USAGE, []) == (done.code, listener.heard)
    assert "only lmssync.yaml says that the key in the output of" in done.err
    assert not (pipeline.root.parent / "trace").exists()


@pytest.mark.parametrize("form", ["{command: [PROGRAM]}", "{file: FILE}"])
def test_a_file_of_ones_own_names_other_sources(
    pipeline: Pipeline, listener: Listener, form: str
) -> None:
    """The personal file may name a command or a file for a host; it needs no other leave."""
    file = pipeline.put("../home/key", f"{KEY}\n")
    own = form.replace("PROGRAM", prints(pipeline, KEY)).replace("FILE", str(file.resolve()))
    project(pipeline, f"http://0.0.0.0:{listener.port}")
    own_file(pipeline, f"hosts: {{'0.0.0.0:{listener.port}': {own}}}\n")

    pipeline.run("plan", LMSSYNC_API_KEY="")

    assert listener.keys


OAUTH = {"LMSSYNC_OAUTH_CLIENT_ID": "me", "LMSSYNC_OAUTH_CLIENT_SECRET": KEY, "LMSSYNC_API_KEY": ""}


def test_the_secret_of_a_client_goes_to_no_host_of_the_catalog(
    pipeline: Pipeline, listener: Listener, other: Listener
) -> None:
    """A `tokenUrl` of a pull request gets no secret, though the platform may have it."""
    token_url = f"http://0.0.0.0:{other.port}/token"
    platform = f"0.0.0.0:{listener.port}"
    declared(pipeline, f"http://{platform}", f"oauth: {{tokenUrl: '{token_url}'}}")

    done = pipeline.run("plan", LMSSYNC_KEY_HOSTS=platform, **OAUTH)

    assert (USAGE, [], []) == (done.code, listener.heard, other.heard)
    assert f"is for 0.0.0.0:{other.port}, so it was not sent" in done.err


def test_a_token_goes_to_no_host_of_the_catalog(
    pipeline: Pipeline, listener: Listener, other: Listener
) -> None:
    """A `baseUrl` of a pull request gets no token, though where they come from is known."""
    tokens = f"0.0.0.0:{other.port}"
    oauth = f"oauth: {{tokenUrl: 'http://{tokens}/token'}}"
    declared(pipeline, f"http://0.0.0.0:{listener.port}", oauth)

    done = pipeline.run("plan", LMSSYNC_KEY_HOSTS=tokens, **OAUTH)

    assert (USAGE, [], []) == (done.code, listener.heard, other.heard)


@pytest.mark.slow
def test_the_address_of_the_run_binds_no_other_host(
    pipeline: Pipeline, listener: Listener, other: Listener
) -> None:
    """LMSSYNC_BASE_URL names the platform; a `tokenUrl` elsewhere still gets no secret."""
    declared(
        pipeline, "http://x.example.com", f"oauth: {{tokenUrl: 'http://0.0.0.0:{other.port}/t'}}"
    )

    done = pipeline.run("plan", LMSSYNC_BASE_URL=f"http://0.0.0.0:{listener.port}", **OAUTH)

    assert (USAGE, [], []) == (done.code, listener.heard, other.heard)
