"""Whatever an author writes in a policy file, the answer is words."""

import json
import pickle
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from lmssync.catalog.manifests.policies import read_policies
from lmssync.catalog.manifests.policies.policy_operators import OPERATORS
from lmssync.problems import in_order
from lmssync.report.problems import problems_text
from lmssync.resource import Origin
from tests import making

from . import house

_LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**63), 2**63),
    st.floats(),
    st.text(max_size=6),
    st.sampled_from(["course", "2027-01-01", "published", "(", "a" * 2000, "sections.", "\x85"]),
)
PATHS = (
    "title",
    "status",
    "tags",
    "priceInCents",
    "showProgress",
    "courseEndDate",
    "customFields",
    "customFields.x",
    "lifecycle",
    "lifecycle.ignore",
    "sections",
    "sections.lessons.topics.title",
    "articleVariant.languages.title",
)
WORDS = (*OPERATORS, "some", "every", "where")
OPERANDS: tuple[Any, ...] = (
    True,
    "x",
    "published",
    "2027-01-01",
    3,
    0.5,
    ["x", "y"],
    [3],
    [],
    None,
    {},
    {"title": "x"},
    {"minLength": 1},
    {"field": "title"},
    {"field": "customFields.x"},
    {"field": "courseStartDate"},
)
_PATHS = st.sampled_from((*PATHS, "any", "all", "not"))
_KEYS = st.one_of(st.sampled_from([*WORDS, "field"]), _PATHS, st.text(max_size=4))
_VALUES = st.recursive(
    _LEAVES,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(_KEYS, inner, max_size=3)),
    max_leaves=8,
)
_FIELDS = st.sampled_from(["policy", "resource", "severity", "each", "message", "hint"])
_OPERANDS = st.sampled_from(OPERANDS)
_CONDITIONS = st.one_of(_OPERANDS, st.dictionaries(st.sampled_from(WORDS), _OPERANDS, max_size=2))
ANYWHERE = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
DOCUMENTS = [
    making.course(),
    making.course(
        tags=["x", "y"],
        customFields={"x": ["soon", "2027-01-01"], "y": None},
        courseEndDate="2027-01-01",
        priceInCents=3,
        showProgress=True,
        lifecycle={"ignore": ["ribbon"]},
    ),
    making.course(
        kind="article", sections=None, articleVariant={"languages": [{"language": "de"}]}
    ),
    making.course(sections=[], customFields=None, tags=None),
]


def answer(root: Path) -> None:
    """Policies that judge documents, and problems that can be printed."""
    made, problems = read_policies(root, [house.FILE])
    problems_text(in_order(problems)).encode("utf-8")
    for policy, data in product(pickle.loads(pickle.dumps(made)), DOCUMENTS):
        found = [f.at(Origin("a.yaml"), None) for f in policy.judge_document("course", data)]
        problems_text(in_order(found)).encode("utf-8")


@ANYWHERE
@given(st.binary(max_size=60))
def test_any_file_gets_an_answer(tmp_path: Path, raw: bytes) -> None:
    """Whatever its bytes."""
    making.put(tmp_path, house.FILE, raw)
    answer(tmp_path)


@ANYWHERE
@given(_VALUES, _FIELDS)
def test_any_value_of_a_field_gets_an_answer(tmp_path: Path, value: Any, field: str) -> None:
    """Whatever stands in one field of a policy that is right otherwise, or in its place."""
    making.put(tmp_path, house.FILE, f"{_spelled(house.document(**{field: value}))}\n")
    answer(tmp_path)
    making.put(tmp_path, house.FILE, _spelled(value))
    answer(tmp_path)


@ANYWHERE
@given(_VALUES, st.sampled_from(["when", "require", "where"]))
def test_any_group_gets_an_answer(tmp_path: Path, value: Any, field: str) -> None:
    """Whatever stands where conditions belong."""
    text = _spelled(house.document(each="sections", **{field: value}))
    making.put(tmp_path, house.FILE, text)
    answer(tmp_path)


@ANYWHERE
@given(st.dictionaries(_PATHS, _CONDITIONS, min_size=1, max_size=2))
def test_any_condition_gets_an_answer(tmp_path: Path, group: Any) -> None:
    """Policies of which many are right, about documents of which few are as they say."""
    making.put(tmp_path, house.FILE, _spelled(house.document(require=group, when={"not": group})))
    answer(tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("path", PATHS)
def test_each_operator_gets_an_answer_of_each_field(tmp_path: Path, path: str) -> None:
    """Operators with every sort of operand, right or wrong, by itself and in `some`."""
    plain = [{word: operand} for word, operand in product(WORDS, OPERANDS)]
    groups = [{path: condition} for one in plain for condition in (one, {"some": one})]
    groups = Random(path).sample(groups, 150)
    documents = [
        house.document(policy=f"p{n}", require=group, when={"not": {"all": [group]}})
        for n, group in enumerate(groups)
    ]
    making.put(tmp_path, house.FILE, "\n---\n".join(map(_spelled, documents)))
    answer(tmp_path)


def _spelled(value: Any) -> str:
    return json.dumps(value, ensure_ascii=True)
