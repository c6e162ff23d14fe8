"""Reads `lmssync.yaml`."""

from pathlib import Path
from typing import Any

from pydantic import ValidationError

from ..errors import InvalidCatalog, WrongUse
from ..problems import Finding, Problem
from ..settings import PROJECT_FILE, Project
from ..source import Origin, Place
from . import explain
from .locate import locate
from .mistake import YamlMistake
from .read import load


def project(root: Path) -> Project:
    """The project file; raises `WrongUse` without one, `InvalidCatalog` for a bad one."""
    file = root / PROJECT_FILE
    try:
        documents = load(file.read_bytes())
    except FileNotFoundError:
        raise WrongUse(
            f"there is no {PROJECT_FILE} in {root}",
            "it stands at the root of a catalog: go there, or name it with -C DIR",
        ) from None
    except OSError as error:
        raise WrongUse(f"{file} cannot be read: {error.strerror}") from None
    except YamlMistake as bad:
        place = Place(PROJECT_FILE, bad.line, bad.column)
        problem = Problem(bad.code, bad.message, Origin(PROJECT_FILE), bad.hint, place=place)
        raise InvalidCatalog([problem]) from None
    return _checked(root, documents[0] if documents else {})


def _checked(root: Path, data: Any) -> Project:
    try:
        return Project.model_validate(data)
    except ValidationError as error:
        found = [_secret(finding, data) for finding in explain.findings(error, Project, data)]
        problems = [finding.at(Origin(PROJECT_FILE), None) for finding in found]
        raise InvalidCatalog(locate(root, problems)) from None


def _secret(finding: Finding, data: Any) -> Finding:
    """A key written out is the mistake worth its own words: git never forgets."""
    if finding.path[-1:] != ("apiKey",) or not isinstance(data, dict):
        return finding
    return Finding(
        "literal-secret",
        finding.path,
        "`apiKey` names the environment variable that holds the key; the key is never written here",
        "write `apiKey: {env: LMSSYNC_API_KEY}`; if this was a real key, have it revoked",
    )
