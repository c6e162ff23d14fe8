"""Dialects of Markdown: what their marks become, and which file says the order of pages."""

from pathlib import Path

import pytest

from lmssync.sync.importers import Loss

from . import sources
from .conftest import Bring
from .test_formats import manifest, outline, topic

PAGES = {"b/two.md": "# Two\nHi.\n", "a/one.md": "# One\nHi.\n", "a/out.md": "# Out\nHi.\n"}
_BELOW = {"docs/" + name: text for name, text in PAGES.items()}


@pytest.mark.parametrize(
    "files",
    [
        {
            "book.toml": '[book]\ntitle = "Guide"\n',
            **{f"src/{name}": text for name, text in PAGES.items()},
            "src/SUMMARY.md": (
                "# Summary\n\n- [First](b/two.md)\n  - [Deeper](a/one.md)\n- [Gone](gone.md)\n"
            ),
        },
        {
            "mkdocs.yml": (
                "site_name: Guide\ntheme:\n  icon: !!python/name:material.icon\n"
                "nav:\n  - First:\n    - First: b/two.md\n    - Deeper: a/one.md\n"
            ),
            **_BELOW,
        },
        {
            "_toctree.yml": (
                "- title: First\n  sections:\n  - local: b/two\n    title: First\n"
                "  - local: a/one\n    title: Deeper\n"
            ),
            **PAGES,
        },
        {
            "sidebars.json": (
                '{"docs": [{"type": "category", "label": "First", "items": ["b/two", '
                '{"type": "doc", "id": "a/one", "label": "Deeper"}]}]}'
            ),
            **_BELOW,
            "docs/b/two.md": "# First\nHi.\n",
        },
    ],
    ids=["mdBook", "mkdocs", "toctree", "Docusaurus"],
)
def test_an_outline_decides_order_and_titles(tmp_path: Path, bring: Bring, files: dict[str, str]):
    """A page that it does not name stays out, and the report says so."""
    (course,) = bring("markdown", sources.put(tmp_path / "guide", files))
    topics = [("First", "text"), ("Deeper", "text")]
    assert [("First", "First", topics)] == outline(manifest(tmp_path, "guide"))
    assert ["out.md"] == [n.place[-6:] for n in course.lost if "is not in" in n.message]


def bring_page(root: Path, bring: Bring, text: str, **files: str) -> tuple[str, list[str]]:
    """The text that a page becomes, and what the report says has changed."""
    pages = {"index.md": "# Guide\n", "a/page.md": f"# Page\n{text}", **files}
    (course,) = bring("markdown", sources.put(root / "guide", pages))
    changed = [note.message for note in course.lost if note.loss is Loss.CHANGED]
    where = root / "out/guide/page.md"
    if where.is_file():
        return where.read_text(), changed
    return topic(manifest(root, "guide"), "Page")["markdown"], changed


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("::: {.box}\nHi.\n:::\n", "Hi."),
        (":::note\nHi.\n:::\n", "**Note**\n\nHi."),
        (":::tip Look here\nHi.\n:::\n", "**Look here**\n\nHi."),
        ("![a](https://e.org/x.png){width=50%} b\n", "![a](https://e.org/x.png) b"),
        ("A [word]{.big} and `[code]{.x}`.\n", "A [word] and `[code]{.x}`."),
        ("```\n::: x\n```\n", "```\n::: x\n```"),
    ],
)
def test_marks_of_pandoc_are_left_out(tmp_path: Path, bring: Bring, before: str, after: str):
    """Boxes keep their word in bold; code stays as it is."""
    assert after == bring_page(tmp_path, bring, before)[0].strip()


@pytest.mark.parametrize(
    ("mark", "part"),
    [
        ("{{#include ../code.rs}}", "one\ntwo\nthree"),
        ("{{#include ../code.rs:2}}", "two"),
        ("{{#rustdoc_include ../code.rs:2:}}", "two\nthree"),
        ("{{#include ../code.rs:mid}}", "two"),
        ("{{#include ../../etc/passwd}}", "{{#include ../../etc/passwd}}"),
    ],
)
def test_a_part_of_a_file_of_the_source_is_included(
    tmp_path: Path, bring: Bring, mark: str, part: str
):
    """By lines or by an anchor; nothing outside the source is read."""
    sources.put(tmp_path / "guide", {"code.rs": _CODE if "mid" in mark else "one\ntwo\nthree\n"})
    assert f"```\n{part}\n```" in bring_page(tmp_path, bring, f"```\n{mark}\n```\n")[0]


_CODE = "one\n// ANCHOR: mid\ntwo\n// ANCHOR_END: mid\nthree\n"


@pytest.mark.parametrize(
    "text",
    ["{% include x %}\n", "{{ site.title }}\n", "import A from './a'\n", "See <Tabs>x</Tabs>.\n"],
)
def test_what_stays_as_text_is_named(tmp_path: Path, bring: Bring, text: str):
    """Liquid and MDX: learners would read the marks."""
    _, changed = bring_page(tmp_path, bring, text)
    assert any(message.endswith("which learners see as text") for message in changed)


def test_an_outline_of_one_folder_leaves_the_others_alone(tmp_path: Path, bring: Bring):
    """Each folder is a course, if only one of them is a book."""
    pages = {"one/SUMMARY.md": "- [A](a.md)\n", "one/a.md": "# A\n", "two/b.md": "# B\n"}
    sources.put(tmp_path / "x", pages)
    assert 2 == len(bring("markdown", tmp_path / "x"))


def test_an_outline_names_pages_as_links_do(tmp_path: Path, bring: Bring):
    """With blanks written as `%20`, and a place in the page behind `#`."""
    entries = "- [A](a%20page.md#x)\n- [Elsewhere](https://x.example/y)\n"
    sources.put(tmp_path / "x", {"SUMMARY.md": entries, "a page.md": "# A\ntext\n"})
    (course,) = bring("markdown", tmp_path / "x")
    assert {"it names `https://x.example/y`, which is no page of the source"} == {
        one.message for one in course.lost
    }


def test_an_escaped_include_is_text(tmp_path: Path, bring: Bring):
    text, _ = bring_page(tmp_path, bring, "\\{{#include ../b.rs}}\n", **{"b.rs": "x"})
    assert "\\{{#include ../b.rs}}" == text.strip()
