"""After an apply, a look at everything finds nothing to do: for catalogs of any content."""

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from lmssync.catalog.manifests.yaml.yaml_writer import write_yaml_document
from tests.platform.live.conftest import _sandboxes, platform, profile
from tests.served_catalog import PROJECT, Platform, Workspace, few

__all__ = ["_sandboxes", "platform", "profile"]  # fixtures
EXAMPLES = int(os.environ.get("CATALOGS", "4"))
"""How many catalogs are applied to each profile: more in a slow run of one's own."""

WORD = st.sampled_from(["Fire", "Über", "safety & more", "“Start”", "a  b", "<b>bold</b>", "100 %"])
TEXT = st.lists(WORD, min_size=1, max_size=3).map(" ".join)
HTML = TEXT.map(lambda text: f"<p>{text}</p>")
MARKDOWN = TEXT.map(lambda text: f"# {text}\n\n- one\n- two\n")
TAGS = st.lists(st.sampled_from(["Safety", "Compliance", "Sales"]), unique=True, max_size=3)


def some(**fields: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Each of the fields, or not."""
    return st.fixed_dictionaries({}, optional=fields)


def numbered(items: st.SearchStrategy[dict[str, Any]]) -> st.SearchStrategy[list[dict[str, Any]]]:
    """A list of parts with ids of their own."""
    listed = st.lists(items, min_size=1, max_size=2)
    return listed.map(lambda parts: [{"id": f"p{n}", **part} for n, part in enumerate(parts)])


BODY = st.one_of(HTML.map(lambda t: {"body": t}), MARKDOWN.map(lambda t: {"markdown": t}))
TOPIC = st.one_of(
    st.tuples(TEXT, BODY).map(lambda both: {"title": both[0], "type": "text", **both[1]}),
    TEXT.map(lambda title: {"title": title, "type": "quiz"}),
)
LESSON = st.fixed_dictionaries(
    {
        "title": TEXT,
        "openType": st.sampled_from(["studentsOnly", "open"]),
        "topics": numbered(TOPIC),
    }
)
SECTION = st.fixed_dictionaries(
    {"title": TEXT, "lessons": numbered(LESSON)},
    optional={"releaseDate": st.just("2030-01-01")},
)
FIELDS = some(
    description=TEXT,
    tags=TAGS,
    priceInCents=st.integers(0, 10_000),
    metaTitle=TEXT,
    metaDescription=HTML,
    isbn=st.just("9783161484100"),
    enrollmentEndDate=st.sampled_from(["2030-05-01", "2030-05-01T10:00:00+02:00"]),
    enrollmentLimit=st.integers(1, 100),
)
RULE = st.integers(1, 100).map(
    lambda percent: [{"id": "most", "type": "coursePercentViewed", "percent": percent}]
)
COURSE = st.tuples(TEXT, FIELDS, numbered(SECTION), st.none() | RULE)


@pytest.fixture
def catalog(work: Workspace, profile: str) -> Workspace:
    """An empty catalog for an instance of one profile."""
    work.write("lmssync.yaml", PROJECT.replace("{license", f"{{profile: {profile}, license"))
    return work


def lay_out(work: Workspace, courses: list[Any]) -> None:
    """Writes the courses as the whole catalog, without the state of the one before."""
    for file in (*work.root.glob("*.yaml"), *(work.root / ".lmssync").glob("*")):
        if file.name != "lmssync.yaml":
            file.unlink()
    for number, (title, fields, sections, rule) in enumerate(courses):
        head = {"resource": "course", "key": f"c{number}", "kind": "courseGroup"}
        rules = {"completionCriteria": rule} if rule else {}
        document = {**head, "title": title, **fields, **rules, "sections": sections}
        Path(work.root, f"c{number}.yaml").write_text(write_yaml_document(document), "utf-8")


@few(EXAMPLES)
@given(courses=st.lists(COURSE, min_size=1, max_size=2))
def test_a_look_after_an_apply_finds_nothing(
    catalog: Workspace, platform: Platform, courses: list[Any]
) -> None:
    """What was sent reads back as the same, however the platform spells it: no change, no drift."""
    platform.renew()
    lay_out(catalog, courses)

    done = catalog.apply()

    assert 0 == done.code, done.err
    assert [] == catalog.plan("--refresh", "all")["changes"]
    assert 0 == catalog.run("drift").code
