"""Reads `lmssync.yaml`."""

import posixpath
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

from pydantic import ValidationError

from ... import inside, rulebook, secrets
from ...address import KEY
from ...errors import InvalidCatalog, WrongUse
from ...hosts import NoHost, site
from ...kinds import BY_RESOURCE
from ...kinds.managed import OWN_FIELDS
from ...problems import Finding, Problem, near
from ...settings import PROJECT_FILE, SQLITE, Project
from ...source import Origin
from .. import explain
from ..files import MANIFEST_BYTES
from ..models import fields_of
from ..yaml import YamlMistake, load
from .places import locate
from .reading import no_yaml
from .scope import Scope


def project(root: Path) -> Project:
    """The project file; raises `WrongUse` without one, `InvalidCatalog` for a bad one."""
    file = root / PROJECT_FILE
    try:
        documents = load(inside.read(root, PROJECT_FILE, MANIFEST_BYTES))
    except FileNotFoundError:
        raise WrongUse(
            f"there is no {PROJECT_FILE} in {root}",
            "it belongs at the root of a catalog: go there, or name it with -C DIR",
        ) from None
    except OSError as error:
        raise WrongUse(f"{file} cannot be read: {error.strerror}") from None
    except YamlMistake as bad:
        raise InvalidCatalog([no_yaml(PROJECT_FILE, bad)]) from None
    if len(documents) > 1:
        origin = Origin(PROJECT_FILE, 1)
        text = f"there are {len(documents)} documents in {PROJECT_FILE}, and only one is read"
        problem = Problem("second-document", text, origin, "put everything into the first")
        raise InvalidCatalog(locate(Scope(root, Project(version=1)), [problem]))
    return _checked(root, documents[0] if documents else {})


def _checked(root: Path, data: Any) -> Project:
    try:
        found = Project.model_validate(data)
        findings = [
            *_environments(found),
            *_default_environment(found),
            *_state(found),
            *_defaults(found),
            *_rules(found),
        ]
    except ValidationError as error:
        findings = [_key(finding, data) for finding in explain.findings(error, Project, data)]
    if findings:
        problems = [finding.at(Origin(PROJECT_FILE), None) for finding in findings]
        raise InvalidCatalog(locate(Scope(root, Project(version=1)), problems)) from None
    return found


def _environments(project: Project) -> Iterator[Finding]:
    """A name stands in paths and on command lines; an address stands in git."""
    for name, environment in project.environments.items():
        if not re.fullmatch(KEY, name):
            yield Finding(
                "environment-name",
                ("environments", name),
                f"`{name}` cannot be the name of an environment",
                "letters and digits, with single hyphens, dots or underscores between them",
            )
        yield from _base_url(name, environment.baseUrl)


def _default_environment(project: Project) -> Iterator[Finding]:
    name, known = project.defaultEnvironment, project.environments
    if name is not None and name not in known:
        hint = near(name, known) or f"there are: {', '.join(known) or 'none'}"
        text = f"there is no environment `{name}`"
        yield Finding("default-environment", ("defaultEnvironment",), text, hint)


def _base_url(environment: str, address: str) -> Iterator[Finding]:
    """Keys are bound to hosts, so an address must have one that everybody reads alike."""
    path = ("environments", environment, "baseUrl")
    try:
        site(address)
    except NoHost as wrong:
        if "@" in address:
            yield Finding(
                "literal-secret",
                path,
                "`baseUrl` contains a user or a password, which stays in the git history",
                "write the address alone; if this was a real password, have it changed",
            )
        else:
            yield Finding(
                "base-url",
                path,
                f"`baseUrl` {wrong}",
                "write it as a browser shows it: https://learning.example.com",
            )


def _state(project: Project) -> Iterator[Finding]:
    """The state is inside the catalog; a stranger's catalog must not choose another place."""
    given = project.state.removeprefix(SQLITE)
    path = posixpath.normpath(given.replace("\\", "/"))
    whole = path.startswith("/") or bool(PureWindowsPath(path).drive)
    if whole or path == ".." or path.startswith("../"):
        yield Finding(
            "state-outside",
            ("state",),
            f"`state` is `{project.state}`, which lies outside the catalog",
            "name a file in it, or set the same outside: export LMSSYNC_STATE="
            f"{SQLITE}{path if whole else '/the/folder/state.db'}",
        )


def _defaults(project: Project) -> Iterator[Finding]:
    """Defaults are for fields that a kind has; what they hold is judged where it is used."""
    for resource, fields in project.defaults.items():
        kind = BY_RESOURCE.get(resource)
        if kind is None:
            hint = near(resource, BY_RESOURCE) or f"known: {', '.join(BY_RESOURCE)}"
            text = f"there is no resource kind `{resource}`"
            yield Finding("unknown-resource", ("defaults", resource), text, hint)
            continue
        known = fields_of(kind.spec).keys() - OWN_FIELDS
        for field in fields.keys() - known:
            hint = near(field, known) or "only fields of its manifests can have defaults"
            text = f"a {kind.noun} takes no default for `{field}`"
            yield Finding("default-field", ("defaults", resource, field), text, hint)


def _rules(project: Project) -> Iterator[Finding]:
    """A catalog cannot change the rules that the platform enforces."""
    yield from _folders(project)
    for path, name, grade in project.graded:
        rule = rulebook.named(name)
        if rule and rule.fixed and grade != rule.severity:
            yield Finding(
                "rule-fixed",
                ("rules", *path),
                f"`{name}` cannot be {'switched off' if grade == 'off' else 'a warning'}: "
                "the platform would refuse what it finds, or lmssync could not read it",
                "delete this line",
            )


def _folders(project: Project) -> Iterator[Finding]:
    """What holds further rules is a folder; a slash tells it from the name of a rule."""
    for name, grade in project.rules.items():
        path = PurePosixPath(name)
        plain = name == f"{path}/" and not path.is_absolute() and ".." not in path.parts
        if not isinstance(grade, str) and not plain:
            yield Finding(
                "rules-folder",
                ("rules", name),
                f"`{name}` is not a folder of the catalog",
                "write it from the root of the catalog, with a slash at its end: `courses/old/`",
            )


def _key(finding: Finding, data: Any) -> Finding:
    """Messages about keys have their own words: what is in git stays there."""
    if finding.path[-2:] == ("apiKey", "env") and finding.code == "env-value":
        return replace(
            finding,
            message="`env` may only name a variable that begins with LMSSYNC_: "
            "a catalog cannot read the others",
            hint="put the key into one, such as LMSSYNC_API_KEY, and name that",
        )
    if finding.path[-1:] != ("apiKey",) or not isinstance(data, dict):
        return replace(finding, message=secrets.without_user(finding.message))
    return Finding(
        "literal-secret",
        finding.path,
        "`apiKey` names the environment variable that holds the key; the key is never written here",
        "write `apiKey: {env: LMSSYNC_API_KEY}`; if this was a real key, have it revoked",
    )
