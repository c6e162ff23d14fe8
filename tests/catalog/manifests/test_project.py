"""The project file."""

import re
from pathlib import Path
from typing import Any

import pytest

from lmssync.catalog.manifests.documents import read_project_file
from lmssync.errors import InvalidCatalog, WrongUse
from lmssync.problems import Problem
from lmssync.settings import Environment, Platform, Project
from lmssync.support.checked_documents import make_unchecked
from tests import making

URL = "http://127.0.0.1:8800"
OWN_PLATFORM = f"version: 1\nenvironments: {{{{a: {{{{baseUrl: '{URL}', platform: {{}}}}}}}}}}\n"


def project(root: Path, text: str) -> Project:
    making.put(root, "lmssync.yaml", text)
    return read_project_file(root)


def refused(root: Path, text: str) -> list[Problem]:
    with pytest.raises(InvalidCatalog) as caught:
        project(root, text)
    return caught.value.problems


def test_a_folder_without_one_is_no_catalog(tmp_path: Path):
    """The message says where a catalog is and how to name it."""
    with pytest.raises(WrongUse, match=r"there is no lmssync\.yaml in") as caught:
        read_project_file(tmp_path)
    assert "it belongs at the root of a catalog: go there, or name it with -C DIR" == (
        caught.value.hint
    )


def test_a_literal_secret_is_refused(tmp_path: Path):
    """A key in git is a key lost; the remedy names the variable and the revocation."""
    text = f"version: 1\nenvironments:\n  live: {{baseUrl: '{URL}', apiKey: sk_live_1234}}\n"
    (problem,) = refused(tmp_path, text)
    assert "literal-secret" == problem.code
    assert "sk_live" not in problem.message + problem.hint


def test_an_unknown_field_has_a_near_miss(tmp_path: Path):
    """And a place."""
    (problem,) = refused(tmp_path, "version: 1\nplatfrom: {}\n")
    assert ("unknown-field", "did you mean `platform`?", 2) == (
        problem.code,
        problem.hint,
        problem.where.line,
    )


@pytest.mark.parametrize(
    ("fields", "codes"),
    [
        ("apiKey: {}", ["secret-source"]),
        ("apiKey: {env: LMSSYNC_A, keyring: lmssync/a}", ["secret-source"]),
        ("apiKey: {env: LMSSYNC_A}, oauth: {tokenUrl: /t}", ["secret-source"]),
        ("oauth: {tokenUrl: /t, clientId: {}, clientSecret: {}}", ["secret-source"] * 2),
        ("oauth: {tokenUrl: /t, clientSecret: sesame}", ["literal-secret"]),
        ("oauth: {}", ["missing-field"]),
        ("oauth: {tokenUrl: t}", ["token-url-value"]),
        ("oauth: {tokenUrl: '/t?x'}", ["base-url"]),
        ("oauth: {tokenUrl: 'https://u:p@host/t'}", ["literal-secret"]),
        ("oauth: {tokenUrl: /t, scopes: ['a b']}", ["scopes-value"]),
        ("apiKey: {keyring: mail/me}", ["keyring-value"]),
        ("apiKey: {keyring: lmssync}", ["keyring-value"]),
        ("apiKey: {command: pass}", ["command-type"]),
        ("apiKey: {command: []}", ["command-value"]),
        ("apiKey: {file: /run/secrets/key}", ["unknown-field"]),
        ("keyPrefix: a b", ["key-prefix-value"]),
        ("keyPrefix: a-", ["key-prefix-value"]),
        ("keyPrefix: production-a", ["key-prefix-value"]),
        ("keyPrefix: production-0-", ["key-prefix-value"]),
        ("keyPrefix: one-two-three-", ["key-prefix-value"]),
    ],
)
def test_bad_secret_sources(tmp_path: Path, fields: str, codes: list[str]):
    """A secret has one source of those that a catalog may name; what it quotes is no secret."""
    text = f"version: 1\nenvironments: {{a: {{baseUrl: '{URL}', {fields}}}}}\n"
    problems = refused(tmp_path, text)
    assert codes == [problem.code for problem in problems]
    assert not re.search("sesame|mail/me|`a b`", str(problems))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "missing-field"),
        ("- 1\n", "document-type"),
        ("version: 2\n", "version-value"),
        ("version: 1\nversion: 1\n", "duplicate-key"),
        ("version: 1\nenvironments: {a: {}}\n", "missing-field"),
        ("version: 1\nenvironments: {a: {baseUrl: ftp://x}}\n", "base-url-value"),
        (f"version: 1\nenvironments: {{a: {{baseUrl: '{URL}', apikey: x}}}}\n", "unknown-field"),
        ("version: 1\nenvironments: {a: 5}\n", "environments-type"),
        ("version: 1\nplatform: {licenseMarker: ref11}\n", "license-marker-value"),
        ("version: 1\nplatform: {capabilities: {course.ful: true}}\n", "unknown-capability"),
        ("version: 1\nplatform: {capabilities: {course.read: false}}\n", "unknown-capability"),
        ("version: 1\nplatform: {profile: full}\n", "profile-value"),
        (OWN_PLATFORM.format("{capabilities: {course.ful: true}}"), "unknown-capability"),
        (OWN_PLATFORM.format("{profile: full}"), "profile-value"),
        (OWN_PLATFORM.format("{profil: core}"), "unknown-field"),
        (
            f"version: 1\nenvironments: {{a: {{baseUrl: '{URL}', apiKey: {{env: '1 x'}}}}}}\n",
            "env-value",
        ),
        (
            f"version: 1\nenvironments: {{a: {{baseUrl: '{URL}', apiKey: {{env: HOME}}}}}}\n",
            "env-value",
        ),
        ("version: 1\nenvironments: {a: {baseUrl: 'http://u:p@host'}}\n", "literal-secret"),
        ("version: 1\nenvironments: {a: {baseUrl: 'http://127.1'}}\n", "base-url"),
        ("version: 1\nenvironments: {a: {baseUrl: 'http://host?x=1'}}\n", "base-url"),
    ],
)
def test_bad_project_files(tmp_path: Path, text: str, code: str):
    """Each mistake is a problem with a rule, never a traceback."""
    assert [code] == [problem.code for problem in refused(tmp_path, text)]


def test_an_environment_has_settings_of_the_platform_of_its_own(tmp_path: Path):
    """What it gives counts, each capability by itself; the rest is as the project has it."""
    own = "{profile: extended, capabilities: {user.list: false}}"
    text = (
        "version: 1\nenvironments:\n"
        f"  live: {{baseUrl: '{URL}', platform: {own}}}\n"
        f"  test: {{baseUrl: '{URL}'}}\n"
        "platform: {timeout: 9, capabilities: {license.list: false, user.list: true}}\n"
    )
    made = project(tmp_path, text)
    live, test = (made.platform_of(made.environments[name]) for name in ("live", "test"))

    assert (9, 9, "core") == (live.timeout, test.timeout, test.profile)
    routes = ("course.full", "user.list", "license.list")
    assert [True, False, False] == [name in live.routes for name in routes]
    assert [False, True, False] == [name in test.routes for name in routes]


def test_the_capabilities_of_an_environment_have_their_line(tmp_path: Path):
    """The message is about the line of the environment."""
    own = "platform:\n      capabilities:\n        course.read: false\n"
    text = f"version: 1\nenvironments:\n  live:\n    baseUrl: '{URL}'\n    {own}"
    (problem,) = refused(tmp_path, text)
    assert ("unknown-capability", 7) == (problem.code, problem.where.line)


def test_the_state_of_an_environment_is_inside_as_well(tmp_path: Path):
    """The message is about the line of the environment."""
    text = f"version: 1\nenvironments:\n  live:\n    baseUrl: '{URL}'\n    state: sqlite:////x.db\n"
    (problem,) = refused(tmp_path, text)
    assert ("state-outside", 5) == (problem.code, problem.where.line)


@pytest.mark.parametrize(
    "ref", ["main", "refs/heads/main", "refs/tags/main", "refs/lmssync", "lmssync/", "x/lmssync/y"]
)
def test_a_catalog_puts_its_state_below_lmssync(tmp_path: Path, ref: str):
    """A pull request could have a maintainer's run write to any branch, or make a tag."""
    text = f"version: 1\nstate: 'git:origin#{ref}'\nenvironments:\n  live: {{baseUrl: '{URL}'}}\n"
    (problem,) = refused(tmp_path, text)
    assert ("state-outside", 2) == (problem.code, problem.where.line)
    assert "lmssync/{environment}" in problem.hint


def test_the_only_environment_needs_no_name(tmp_path: Path):
    """With one environment, that is the one."""
    chosen = project(tmp_path, making.PROJECT).choose_environment(None, {})
    assert ("sandbox", "http://127.0.0.1:1") == (chosen[0], chosen[1].baseUrl)


TWO = Project(
    version=1, environments={"live": Environment(baseUrl=URL), "test": Environment(baseUrl=URL)}
)


@pytest.mark.parametrize(
    ("name", "env", "expected"),
    [
        ("live", {}, "live"),
        (None, {"LMSSYNC_ENV": "test"}, "test"),
        ("live", {"LMSSYNC_ENV": "x"}, "live"),
        (None, {}, "test"),
    ],
)
def test_the_option_wins_over_the_variable(name: str | None, env: dict[str, str], expected: str):
    """`-e` first, then LMSSYNC_ENV, then the default of the project file."""
    project = TWO.with_values({"defaultEnvironment": "test"})
    assert expected == project.choose_environment(name, env)[0]


def test_one_of_two_must_be_named():
    """Guessing would be dangerous; both are listed, and the ways to choose."""
    with pytest.raises(WrongUse, match="2 environments: live, test") as caught:
        TWO.choose_environment(None, {})
    assert all(way in caught.value.hint for way in ("`-e live`", "LMSSYNC_ENV", "defaultEnv"))


def test_a_catalog_without_environments():
    """There is nothing to choose from: the message says how one is named."""
    with pytest.raises(WrongUse, match="names no environment"):
        Project(version=1).choose_environment(None, {})


def test_an_unknown_environment_has_a_near_miss():
    """The message names the one that was meant."""
    with pytest.raises(WrongUse) as caught:
        TWO.choose_environment("liev", {})
    assert "did you mean `live`?" == caught.value.hint


def test_variables_override_the_address_and_the_key():
    """A pipeline can point a run at another instance."""
    _, chosen = TWO.choose_environment(
        "live", {"LMSSYNC_BASE_URL": "http://x", "LMSSYNC_API_KEY": "k"}
    )
    assert ("http://x", "LMSSYNC_API_KEY") == (chosen.baseUrl, chosen.apiKey.env)


@pytest.mark.parametrize(
    ("platform", "has"),
    [
        ({}, False),
        ({"profile": "extended"}, True),
        ({"profile": "extended", "capabilities": {"course.full": False}}, False),
        ({"capabilities": {"course.full": True}}, True),
    ],
)
def test_a_switch_counts_more_than_the_profile(platform: dict[str, Any], has: bool) -> None:
    """The routes of an instance are those of its profile, but for single ones."""
    assert has == ("course.full" in make_unchecked(Platform, platform).routes)


@pytest.mark.parametrize(
    ("setting", "hint"),
    [
        ("platform: {verify: 150%}", "write minute, all, needed, or a share from 0% to 100%"),
        ("currency: euro", "write its code of three capital letters, such as EUR"),
    ],
)
def test_a_setting_with_a_form_of_its_own_says_how_it_is_written(
    tmp_path: Path, setting: str, hint: str
):
    """All its characters are allowed: what is wrong is how they are put together."""
    (problem,) = refused(tmp_path, f"version: 1\n{setting}\n")
    assert hint == problem.hint
    assert problem.message.endswith("which is not written as it must be")
