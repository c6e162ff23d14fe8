"""Manifests as files: names that nobody else has, bodies beside, nothing lost."""

from pathlib import Path
from typing import Any

import pytest

from lmssync.catalog.manifests.export import (
    make_manifests,
    manifest_files as export,
    manifest_texts,
)
from lmssync.catalog.manifests.formatter import format_manifest
from lmssync.errors import WrongUse
from tests import making

EXAMPLES = Path(__file__).parents[3] / "examples" / "catalog"


def test_what_is_exported_is_in_the_canonical_form():
    """`lmssync fmt` would change nothing in it."""
    resources = making.loaded(EXAMPLES).resources
    found = manifest_texts(make_manifests({a: resource.form for a, resource in resources.items()}))
    assert found
    assert found == {path: format_manifest(text.encode()).decode() for path, text in found.items()}


@pytest.mark.parametrize(
    "keys", [("a", "A"), ("a.yaml", "a")], ids=["capitals", "a file and a folder"]
)
def test_no_two_resources_share_a_path(keys: tuple[str, str]):
    """On no file system is one written over the other."""
    body = "line\n" * 9
    made = [making.resource(making.micro(key, making.topic(markdown=body))) for key in keys]
    with pytest.raises(WrongUse, match="two resources would be written to"):
        manifest_texts(make_manifests({one.address: one.form for one in made}), body_files=True)


def test_bodies_are_named_as_short_as_they_can_be():
    """By their topic; with what is above it where that is not enough."""
    body = "line\n" * 9
    pages = [making.topic("hello", markdown=body), making.topic("other", body=body)]
    sections = [making.section(name, making.lesson("l", *pages)) for name in ("s", "t")]
    made = making.resource(making.course("a", sections=sections))
    found = manifest_texts(make_manifests({made.address: made.form}), body_files=True)
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
    assert ["courses/a.yaml"] == list(
        manifest_texts(make_manifests({made.address: made.form}), body_files=True)
    )


LONG, LARGE = "line\n" * 9, "word " * 30_000
LANGUAGES = [
    {"language": "de", "title": "T", "markdown": LONG},
    {"language": "fr", "title": "T", "body": LONG},
]
FORMS = {
    "article": {
        "kind": "article",
        "sections": None,
        "articleVariant": {"title": "T", "body": LONG, "languages": LANGUAGES},
    },
    "topic": {
        "kind": "microCourse",
        "sections": None,
        "topics": [making.topic(markdown=LONG, preTextBlock="a", postTextBlock="b")],
    },
    "languages of a topic": {
        "sections": [
            making.section(
                "s",
                making.lesson(
                    "l", making.topic(type="article", markdown=LONG, languages=LANGUAGES)
                ),
            )
        ],
    },
}


def exported(*courses: dict[str, Any], body_files: bool = False) -> dict[str, str]:
    made = [making.resource(one) for one in courses]
    return manifest_texts(
        make_manifests({one.address: one.form for one in made}), body_files=body_files
    )


@pytest.mark.parametrize("form", FORMS.values(), ids=list(FORMS))
def test_what_has_bodies_beside_is_in_the_canonical_form(form: dict[str, Any]):
    """`bodyFile` stands where `lmssync fmt` would put it, in every form of content."""
    found = exported(making.course("a", **form), body_files=True)
    assert "bodyFile:" in found["courses/a.yaml"]
    assert found["courses/a.yaml"] == format_manifest(found["courses/a.yaml"].encode()).decode()


def test_a_very_large_body_has_a_file_without_being_asked():
    """Nobody wants it in the middle of a manifest, even where it is a single line."""
    found = exported(making.micro("a", making.topic(body=LARGE)))
    assert ["courses/a.yaml", "courses/a/hello.html"] == list(found)


def test_what_would_be_too_large_a_manifest_has_files_beside(monkeypatch: pytest.MonkeyPatch):
    """Validate takes what export writes: bodies that would not fit stand in files."""
    monkeypatch.setattr(export, "MANIFEST_BYTES", 1_000)
    topics = [making.topic(f"t{n}", markdown=LONG) for n in range(9)]
    found = exported(making.micro("a", *topics), making.micro("b", topics[0]))
    assert 9 == len([path for path in found if path.startswith("courses/a/")])
    assert not [path for path in found if path.startswith("courses/b/")]


def test_what_stays_too_large_is_refused(monkeypatch: pytest.MonkeyPatch):
    """Nothing is written that nothing would read."""
    monkeypatch.setattr(export, "MANIFEST_BYTES", 100)
    with pytest.raises(WrongUse, match="the most for a manifest"):
        exported(making.micro("a", making.topic(markdown="line\n")))


def test_bodies_of_both_sizes_get_names_of_their_own(monkeypatch: pytest.MonkeyPatch):
    """Those that go first, and those that go because it is still too much."""
    monkeypatch.setattr(export, "MANIFEST_BYTES", 800)
    sections = [
        making.section("s", making.lesson("l", making.topic(body=LARGE))),
        making.section("t", making.lesson("l", making.topic(body=LONG * 20))),
    ]
    found = exported(making.course("a", sections=sections))
    assert {"courses/a/hello.html": LARGE, "courses/a/l-hello.html": LONG * 20} == {
        path: text for path, text in found.items() if path.endswith(".html")
    }


class _AskedTexts(dict[str, str]):
    """Texts that note which files are there when each of them is asked for."""

    def __init__(self, root: Path, texts: dict[str, str]) -> None:
        super().__init__(texts)
        self.root, self.there = root, dict[str, list[str]]()

    def __getitem__(self, path: str) -> str:
        self.there[path] = sorted(file.name for file in self.root.rglob("*.*"))
        return super().__getitem__(path)


def test_a_manifest_is_written_after_the_bodies_that_it_names(tmp_path: Path) -> None:
    """So a run that is killed leaves none that names a file which is not there."""
    texts = {"courses/a/course.yaml": "bodyFile: hello.md\n", "courses/a/hello.md": "Hello\n"}
    asked = _AskedTexts(tmp_path, texts)

    export.write_manifests(tmp_path, asked)

    assert {"courses/a/hello.md": [], "courses/a/course.yaml": ["hello.md"]} == asked.there
