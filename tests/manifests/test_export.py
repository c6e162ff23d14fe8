"""Manifests as files: names that nobody else has, bodies beside, nothing lost."""

from pathlib import Path

import pytest

from lmssync.errors import WrongUse
from lmssync.manifests.export import texts
from lmssync.manifests.layout import formatted
from lmssync.manifests.reverse import manifests

from .. import making

EXAMPLES = Path(__file__).parents[2] / "examples" / "catalog"


def test_what_is_exported_is_in_the_canonical_form():
    """`lmssync fmt` would change nothing in it."""
    resources = making.loaded(EXAMPLES).resources
    found = texts(manifests({a: resource.form for a, resource in resources.items()}))
    assert found
    assert found == {path: formatted(text.encode()).decode() for path, text in found.items()}


@pytest.mark.parametrize(
    "keys", [("a", "A"), ("a.yaml", "a")], ids=["capitals", "a file and a folder"]
)
def test_no_two_resources_share_a_path(keys: tuple[str, str]):
    """On no file system is one written over the other."""
    body = "line\n" * 9
    made = [making.resource(making.micro(key, making.topic(markdown=body))) for key in keys]
    with pytest.raises(WrongUse, match="two resources would be written to"):
        texts(manifests({one.address: one.form for one in made}), body_files=True)


def test_bodies_are_named_as_short_as_they_can_be():
    """By their topic; with what is above it where that is not enough."""
    body = "line\n" * 9
    pages = [making.topic("hello", markdown=body), making.topic("other", body=body)]
    sections = [making.section(name, making.lesson("l", *pages)) for name in ("s", "t")]
    made = making.resource(making.course("a", sections=sections))
    found = texts(manifests({made.address: made.form}), body_files=True)
    assert [
        "courses/a.yaml",
        "courses/a/hello.md",
        "courses/a/other.html",
        "courses/a/l-hello.md",
        "courses/a/l-other.html",
    ] == list(found)


@pytest.mark.parametrize(
    "body", ["a\r\n" * 9, "\ufeff" + "a\n" * 9, "a\n" * 3], ids=["windows", "mark", "short"]
)
def test_bodies_that_a_file_would_bend_stay_where_they_are(body: str):
    """Line ends and marks that editors change; and what is too short to be worth a file."""
    made = making.resource(making.micro("a", making.topic(markdown=body)))
    assert ["courses/a.yaml"] == list(texts(manifests({made.address: made.form}), body_files=True))
