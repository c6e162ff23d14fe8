"""Whatever an author writes where something else belongs, the answer is words."""

from pathlib import Path
from typing import Any

from hypothesis import given, strategies as st

from lmssync.catalog.manifests.yaml import load_yaml
from lmssync.kinds import KINDS
from lmssync.problems import in_order
from lmssync.report.problems import problems_text
from tests import making

_ODD = st.sampled_from(
    [2**63 - 1, -(2**63), float("inf"), float("nan"), "\x07", "", " ", "9" * 400]
)
_LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(),
    st.text(max_size=5),
    _ODD,
)
_FIELDS = sorted({name for kind in KINDS.values() for name in kind.spec.model_fields})
_SHORT = sorted({nested.field for kind in KINDS.values() for nested in kind.authoring.nested})
_VALUES = st.recursive(
    _LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.one_of(st.sampled_from(_FIELDS), st.text(max_size=3)), inner, max_size=3
        ),
    ),
    max_leaves=6,
)
_EXAMPLES = Path(__file__).parents[3] / "examples" / "catalog"
_WRITTEN = [
    document
    for file in sorted(_EXAMPLES.rglob("*.yaml"))
    for document in load_yaml(file.read_bytes())
    if "resource" in document
]
_MADE = [making.course(), making.micro(), making.criterion(), making.license_(), making.path()]
_DOCUMENTS = st.sampled_from([*_MADE, *_WRITTEN])
"""Documents of every kind that are right."""


def answer(data: Any) -> None:
    """Resources that can be packed, or problems that can be printed."""
    resources, problems = making.found(data)
    assert all(resource.form for resource in resources)
    problems_text(in_order(problems)).encode("utf-8")


@given(_VALUES)
def test_any_document_gets_an_answer(data: Any):
    """Whatever stands at the top."""
    answer(data)


@given(_DOCUMENTS, st.sampled_from(_FIELDS), _VALUES)
def test_any_value_of_a_field_gets_an_answer(document: dict[str, Any], field: str, value: Any):
    """Whatever stands in one field of a document that is right otherwise."""
    answer(document | {field: value})


@given(st.sampled_from(_SHORT), st.sampled_from(_FIELDS), _VALUES)
def test_any_value_of_a_short_form_gets_an_answer(where: str, field: str, value: Any):
    """Whatever stands in one field of a resource that is written inside another."""
    answer(making.course(**{where: [{"id": "a", field: value}]}))
    answer(making.course(**{where: value}))


@given(st.sampled_from(["sections", "lessons", "topics"]), st.sampled_from(_FIELDS), _VALUES)
def test_any_value_of_a_part_gets_an_answer(level: str, field: str, value: Any):
    """Whatever stands in one field of a section, a lesson or a topic."""
    parts = {
        "sections": making.section() | {field: value},
        "lessons": making.section("s", making.lesson() | {field: value}),
        "topics": making.section("s", making.lesson("l", making.topic() | {field: value})),
    }
    answer(making.course(sections=[parts[level]]))
