"""Makes policies for tests: from values in place of files, with what every policy needs."""

import json
from pathlib import Path
from typing import Any

from lmssync.catalog.manifests.policies import Policy, read_policies
from lmssync.problems import Finding, Problem
from tests import making

FILE = "policies/house.yaml"


def read(root: Path, *documents: Any) -> tuple[tuple[Policy, ...], list[Problem]]:
    """What is made of a file with these documents; JSON is YAML."""
    making.put(root, FILE, "\n---\n".join(json.dumps(document) for document in documents))
    return read_policies(root, [FILE])


def document(**fields: Any) -> dict[str, Any]:
    """A policy about courses that requires a title."""
    plain: dict[str, Any] = {
        "policy": "house",
        "resource": "course",
        "require": {"title": {"present": True}},
        "message": "the rule of the house",
    }
    return plain | fields


def policy(root: Path, **fields: Any) -> Policy:
    """The one policy of a file in which nothing is wrong."""
    (made,), problems = read(root, document(**fields))
    assert problems == []
    return made


def findings(root: Path, data: dict[str, Any], **fields: Any) -> list[Finding]:
    """What a policy finds in a document."""
    return list(policy(root, **fields).judge_document(data["resource"], data))


def holds(root: Path, require: Any, data: dict[str, Any], **fields: Any) -> bool:
    """True if a document is as a policy requires."""
    return not findings(root, data, require=require, **fields)


def missed(root: Path, require: Any, data: dict[str, Any], **fields: Any) -> list[str]:
    """What does not hold, without the sentence of the policy."""
    found = findings(root, data, require=require, **fields)
    return [finding.message.removeprefix("the rule of the house: ") for finding in found]


def mistakes(root: Path, **fields: Any) -> list[tuple[str, str]]:
    """Code and message of what is wrong with a policy; None takes a field away."""
    plain = {name: value for name, value in document(**fields).items() if value is not None}
    return [(problem.code, problem.message) for problem in read(root, plain)[1]]
