"""The schema of policy files says what `validate` says of one policy by itself."""

from typing import Any

import jsonschema_rs
import pytest

from lmssync.catalog.manifests.policies.policy_operators import OPERATORS
from lmssync.catalog.manifests.schemas.json_schema import policy_schema
from lmssync.catalog.manifests.yaml import load_yaml
from tests.docs import pages

from . import house

EXAMPLES = sorted((pages.ROOT / "examples" / "catalog" / "policies").glob("*.yaml"))
SHOWN = {n: t for n, t in pages.manifests("docs/policies.md").items() if n.startswith("policies/")}


def fits(document: Any) -> bool:
    return jsonschema_rs.validator_for(policy_schema()).is_valid(document)


@pytest.mark.parametrize("text", [*(file.read_text("utf-8") for file in EXAMPLES), *SHOWN.values()])
def test_right_policies_fit(text: str) -> None:
    """Those of the example catalog and of the page."""
    assert all(fits(document) for document in load_yaml(text.encode()))


@pytest.mark.parametrize(
    "fields",
    [
        {"resource": "corse"},
        {"resource": []},
        {"severity": "fatal"},
        {"policy": "Has Meta"},
        {"rule": 1},
        {"when": {}},
        {"when": None},
        {"require": []},
        {"require": {"title": None}},
        {"require": {"title": {"minlength": 3}}},
        {"require": {"title": {"minLength": -1}}},
        {"require": {"title": {"matches": ""}}},
        {"require": {"any": {"title": "x"}}},
        {"require": {"title": {"is": {"feild": "x"}}}},
    ],
)
def test_mistakes_do_not_fit(fields: dict[str, Any]) -> None:
    """An editor marks them while they are written."""
    assert not fits(house.document(**fields))


def test_the_operators_are_the_same() -> None:
    """Those that are offered are those that there are."""
    offered = policy_schema()["$defs"]["Operators"]["properties"].keys()
    assert OPERATORS.keys() - {"absent"} | {"some", "every", "where"} == offered
