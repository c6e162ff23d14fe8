"""Dialects of Markdown: what their marks become, and which file says the order of pages."""

from pathlib import Path
from time import process_time

import pytest

from lmssync.sync.importers import Loss
from lmssync.sync.importers.site_texts import parse_script_object

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
        ("- a\n\n    ```\n    ::: x\n    ```\n", "- a\n\n    ```\n    ::: x\n    ```"),
        ("`a\nb`{.c} and `a\nb {.kept}`\n", "`a\nb` and `a\nb {.kept}`"),
        ("$x_{.05}$, $$E_{.5}$$ and A{.5}\n", "$x_{.05}$, $$E_{.5}$$ and A{.5}"),
        ("<pre>\n::: x\n</pre>\n", "<pre>\n::: x\n</pre>"),
        ("# A {#a .b}\n", "# A"),
        (
            ":::note Keep [this](https://e.org) in mind\n",
            "**Note**\n\nKeep [this](https://e.org) in mind",
        ),
        ("::: {.box} All of *it* is here. :::\n", "All of *it* is here."),
        (
            ':::image type="x" source="https://e.org/p.png" alt-text="A p":::\n',
            "![A p](https://e.org/p.png)",
        ),
        (':::column span="3"::: **Cost** :::column-end:::\n', "**Cost** :::column-end"),
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


def test_includes_in_includes_are_put_in(tmp_path: Path, bring: Bring):
    """Each from the folder of the file that asks for it."""
    contents = {
        "index.md": "---\ntitle: Book\n---\n",
        "one/a.md": "# A\n\n{{#include parts/b.md}}\n",
        "one/parts/b.md": "B and {{#include c.txt}}\n",
        "one/parts/c.txt": "C\n",
    }
    bring("markdown", sources.put(tmp_path / "pages", contents))

    assert "B and C" == topic(manifest(tmp_path, "book"), "A")["markdown"]


def test_includes_in_a_circle_end(tmp_path: Path, bring: Bring):
    """The mark that is left is named."""
    contents = {
        "index.md": "---\ntitle: Book\n---\n",
        "one/a.md": "# A\n\nagain {{#include a.md}}{{#include a.md}}\n",
    }
    (course,) = bring("markdown", sources.put(tmp_path / "pages", contents))

    said = [one.message for one in course.lost if one.place == "one/a.md"]
    assert ["`{{...}}`, which learners see as text"] == said


BOXES = """\
!!! note "Mind `it`"

    Close it.

    ??? tip
        Inner.

        ```
        !!! kept
        ```

=== "Linux"

    ls

> [!WARNING]
> Hot.

:::tip[My tip] {/* for
later */}
Go.
:::
"""
PLAIN_BOXES = """\
Mind `it`


Close it.


**Tip**

Inner.

```
!!! kept
```


**Linux**


ls

> **Warning**
>
> Hot.


**My tip**

Go.
"""


def test_boxes_and_tabs_of_mkdocs_and_alerts_are_plain(tmp_path: Path, bring: Bring):
    """What is in them was indented, and would be code."""
    bring("markdown", sources.put(tmp_path / "pages", {"one/a.md": f"# A\n\n{BOXES}"}))

    assert PLAIN_BOXES == (tmp_path / "out/one/a.md").read_text("utf-8")


def test_the_name_of_a_text_that_a_plugin_makes_is_named(tmp_path: Path, bring: Bring):
    """It is no box, and stays for whoever looks for the text."""
    page = "# A\n\n::: lib.guards.Guard\n    options:\n      depth: 1\n"
    (course,) = bring("markdown", sources.put(tmp_path / "pages", {"one/a.md": page}))

    said = "a name (`:::`) for the text of a plugin of MkDocs, which learners see as text"
    assert [said] == [one.message for one in course.lost]


SIDEBARS = """// @ts-check
/** @type {import('@docusaurus/plugin-content-docs').SidebarsConfig} */
const sidebars = {
  tutorial: [
    'intro', /* the first */
    {
      type: 'category',
      label: "Work\\'s end",
      link: {type: 'doc', id: 'work/index'},
      items: ['work/ladders', {type: 'doc', id: `work/rules`, label: 'The law'},],
      collapsed: false,
    },
    {type: 'link', label: 'Elsewhere', href: 'https://example.com'},
  ],
};
export default sidebars;
"""
DOCS = {
    "docs/intro.md": "# Welcome\n\nHello.\n",
    "docs/02-work/01-rules.md": "# Rules\n\nBe careful.\n",
    "docs/02-work/02-ladders.md": "# Ladders\n\nClimb.\n",
    "docs/02-work/index.md": "# Work\n\nAll of it.\n",
}


@pytest.mark.parametrize("name", ["sidebars.js", "sidebars.ts"])
def test_a_script_of_sidebars_decides_order_and_titles(tmp_path: Path, bring: Bring, name: str):
    """As far as it is an object; numbers in the names of files are not in their ids."""
    (course,) = bring("markdown", sources.put(tmp_path / "site", {**DOCS, name: SIDEBARS}))

    sections = outline(manifest(tmp_path, "site"))
    titles = [(section, [title for title, _ in topics]) for section, _, topics in sections]
    assert [("Site", ["Welcome"]), ("Work's end", ["Work's end", "Ladders", "The law"])] == titles
    assert (name, "the link “Elsewhere” to https://example.com") in [
        (one.place, one.message) for one in course.lost
    ]


_WORK = "{type: 'autogenerated', dirName: '02-work'}"


@pytest.mark.parametrize(
    ("bar", "titles", "said"),
    [
        (
            "{type: 'html', value: '<b>Heads</b> up'}, {type: 'ref', id: 'intro'}",
            ["Welcome"],
            "HTML between the pages: Heads up",
        ),
        (
            "{label: 'W', link: {type: 'generated-index', description: 'All'}, items: ['intro']}",
            ["Welcome"],
            "the text about “W”: All",
        ),
        (f"'intro', {_WORK}", ["Welcome", "Work", "Rules", "Ladders"], ""),
        ("'work/special'", ["Special"], ""),
        ("{type: 'autogenerated', dirName: 'no'}, 'intro'", ["Welcome"], "it names `docs/no`"),
    ],
)
def test_every_type_of_entry_in_sidebars(
    tmp_path: Path, bring: Bring, bar: str, titles: list[str], said: str
):
    """A page may have its id from its front matter."""
    special = {"docs/02-work/03-x.md": "---\nid: special\ntitle: Special\n---\n\nS\n"}
    files = {**DOCS, **(special if "special" in bar else {})}
    script = f"module.exports = {{a: [{bar}]}};"
    (course,) = bring("markdown", sources.put(tmp_path / "site", {**files, "sidebars.js": script}))

    topics = [topics for _, _, topics in outline(manifest(tmp_path, "site"))]
    assert titles == [title for of_section in topics for title, _ in of_section]
    assert said in "\n".join(one.message for one in course.lost)


def test_categories_of_docusaurus_name_and_order_folders(tmp_path: Path, bring: Bring):
    """They are in a file of their own where a folder has no index."""
    category = '{"label": "Last things", "position": 9, "link": {"type": "generated-index"}}'
    docs = {"docs/a/one.md": "# One\n\n1\n", "docs/b/two.md": "# Two\n\n2\n"}
    all_of_it = "module.exports = {a: [{type: 'autogenerated', dirName: '.'}]};"
    files = {
        **docs,
        "docs/a/_category_.json": category,
        "docs/b/_category_.json": '{"position": 1}',
    }
    (course,) = bring("markdown", sources.put(tmp_path / "s", {**files, "sidebars.js": all_of_it}))

    assert ["B", "Last things"] == [title for title, _, _ in outline(manifest(tmp_path, "s"))]
    assert [("docs/a/_category_.json", "`link` of the folder")] == [
        (one.place, one.message) for one in course.lost
    ]


@pytest.mark.parametrize(
    "script",
    [
        "module.exports = {a: require('./b')};",
        "export default {a: [...pages]};",
        "module.exports = {a: [`${b}`]};",
        "module.exports = " + "{a: [" * 5_000,
        "module.exports = {/* " * 5_000,
        "const a = {'b",
        "const a" + " " * 40_000,
        "const more = {}; const a = {a: ['intro', more]}; module.exports = a;",
        "const a = {a: ['intro']}; const b = {a: ['intro']}; module.exports = b;",
        "const a = {a: ['intro']}; module.exports = b;",
        "const a = {a: ['intro']};",
        "module.exports = {a: ['intro']}; module.exports.b = ['work/rules'];",
        "module.exports = {a: ['intro', 3]};",
        r"module.exports = {a: ['intro', '\1']};",
        r"module.exports = {a: ['intro', '\ud800']};",
        "module.exports = {'2': ['intro'], '1': ['work/rules']};",
        "",
    ],
)
def test_a_script_that_is_a_program_is_named(tmp_path: Path, bring: Bring, script: str):
    """Nothing is run: folders decide then."""
    (course,) = bring("markdown", sources.put(tmp_path / "site", {**DOCS, "sidebars.js": script}))

    assert "sidebars.js" in [one.place for one in course.lost]
    assert {"Welcome", "Work", "Rules", "Ladders"} <= {
        title for _, _, topics in outline(manifest(tmp_path, "site")) for title, _ in topics
    }


@pytest.mark.parametrize(
    ("files", "title"),
    [
        ({"src/README.md": "# A book\n"}, "A book"),
        ({"book.toml": "[book]\ntitle = 'Gloves'\n"}, "Gloves"),
        ({"mkdocs.yml": "site_name: Gloves\n"}, "Gloves"),
        ({"config.yaml": "title: 'Gloves'\n"}, "Gloves"),
        ({"_config.yml": "title: [1]\n"}, "Safety"),
        ({"book.toml": "["}, "Safety"),
        ({}, "Safety"),
    ],
)
def test_a_folder_whose_name_says_nothing_has_a_better_title(
    tmp_path: Path, bring: Bring, files: dict[str, str], title: str
):
    """That of its index, of its tool, or of the folder above; so with the sections."""
    pages = {"src/one.md": "# One\n\n1\n", "src/episodes/two.md": "# Two\n\n2\n"}
    root = sources.put(tmp_path / "safety" / "docs", {**pages, **files})
    (course,) = bring("markdown", root)

    sections = outline(manifest(tmp_path, course.key))
    assert (title, {title}) == (course.title, {section for section, _, _ in sections})


@pytest.mark.parametrize(
    "script",
    [
        "// module.exports = {a: ['work/rules']};\nmodule.exports = {a: ['intro']}",
        "'use strict'\nlet /* all */ a = {a: ['\\u0069n\\x74r\\u{6f}']};\nmodule.exports = a//b",
        "import type {B} from 'b';\nconst a: B = {a: ['intro']};\nexport default a satisfies B;",
        "export default {a: [{id: 'intro', n: -1}]} as const satisfies B.C;",
    ],
)
def test_a_script_may_say_of_what_type_its_object_is(tmp_path: Path, bring: Bring, script: str):
    """Comments, directives and imports beside it are no more than that."""
    bring("markdown", sources.put(tmp_path / "site", {**DOCS, "sidebars.js": script}))

    topics = [topics for _, _, topics in outline(manifest(tmp_path, "site"))]
    assert [["Welcome"]] == [[title for title, _ in titles] for titles in topics]


def test_a_script_of_blanks_is_read_in_linear_steps():
    """No expression tries them in every division."""
    start = process_time()
    for script in (
        "const a",
        "const a:",
        "export",
        "module.exports =",
        "import",
        "export default {",
    ):
        with pytest.raises(ValueError, match=" "):
            parse_script_object(script + " " * 200_000)
    assert process_time() - start < 3
