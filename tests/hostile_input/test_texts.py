"""Small texts that used to take minutes: each is read in time, or refused in words."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from lmssync.catalog.manifests.catalog_files import VALUES
from lmssync.catalog.manifests.formatter import format_manifest, yaml_order as arrange
from lmssync.catalog.manifests.formatter.layout_parser import EntryNode
from lmssync.catalog.manifests.yaml import (
    YamlMistake,
    exact_reader as slow,
    libyaml_reader as fast,
    load_yaml,
)
from lmssync.texts.values.markdown_text import has_front_matter
from tests import making

from .conftest import Stranger, course

COMMANDS = pytest.mark.parametrize(
    "command", [("validate",), ("fmt", "--check")], ids=lambda c: c[0]
)


def merges(levels: int, each: int) -> str:
    """Mappings that take in several times the one above."""
    lines = ["a0: &a0 {x: 1, y: 2}"]
    for n in range(1, levels):
        named = ", ".join([f"*a{n - 1}"] * each)
        lines.append(f"a{n}: &a{n} {{<<: [{named}]}}")
    return "\n".join(lines) + "\n"


REFUSED: dict[str, tuple[Callable[[], str], str]] = {
    "merges": (lambda: merges(25, 2), "endless"),
    "keys": (lambda: "".join(f"k{n}: 1\n" for n in range(1_000_000)), "too-large"),
    "items": (lambda: "a:\n" + "- 1\n" * 1_000_001, "too-large"),
    "flow": (lambda: "a: [" + "1," * 1_000_001 + "]\n", "too-large"),
    "documents": (lambda: "- [1, 1, 1, 1, 1, 1, 1, 1]\n---\n" * 130_000, "too-large"),
    "wide merges": (lambda: merges(9, 9), "endless"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_it_is_refused(root: Path, run: Stranger, name: str):
    """A text that would take too long is refused with a reason."""
    refused(root, run, name, "validate")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["merges", "items"])
def test_fmt_refuses_it(root: Path, run: Stranger, name: str):
    """`fmt` reads by the same limits."""
    refused(root, run, name, "fmt", "--check")


def refused(root: Path, run: Stranger, name: str, *command: str) -> None:
    text, code = REFUSED[name]
    making.put(root, "courses/b.yaml", text())
    done = run(*command)
    assert 3 == done.code
    assert f"error[{code}]" in done.said


READ = {
    "anchors with dashes": "".join(f"k{n}: &a-{n} v\n" for n in range(20_000)),
    "anchors that might swap": "title: &t x\nresource: course\n"
    + "".join(f"k{n}: &a{n} v\n" for n in range(20_000)),
    "mistakes": course("b") + "".join(f"k{n}: 1\n" for n in range(50_000)),
    "front matter": course(
        "b", topic='{id: t, title: T, type: text, markdown: "---\\n' + "-a: b\\n" * 60 + '"}'
    ),
}


@pytest.mark.slow
@COMMANDS
@pytest.mark.parametrize("name", READ)
def test_it_is_read(root: Path, run: Stranger, name: str, command: tuple[str, ...]):
    """A harmless text is read in time proportional to its length."""
    making.put(root, "courses/b.yaml", READ[name])
    assert run(*command).code in {0, 2, 3}


def test_the_exact_parser_counts(monkeypatch: pytest.MonkeyPatch):
    """The slow parser counts empty lists and keys too."""
    monkeypatch.setattr(slow, "VALUES", 6)
    assert [{"a": [[], []]}] == slow.load_exactly(b"a: [[], []]\n")
    with pytest.raises(YamlMistake, match="values"):
        slow.load_exactly(b"a: [[], [], [], []]\n")


@pytest.mark.slow
def test_merges_that_are_used(root: Path):
    """Thousands of mappings may merge one of ten keys."""
    ten = ", ".join(f"k{n}: 1" for n in range(10))
    text = f"m: &m {{{ten}}}\nl:\n" + "- {<<: *m}\n" * 2_000
    assert 2_000 == len(load_yaml(text.encode())[0]["l"])
    assert format_manifest(text.encode())


def test_anchors_are_looked_at_once(monkeypatch: pytest.MonkeyPatch):
    """Anchors are checked once, with many in one file and with many documents."""
    looks: list[str] = []

    class Counted:
        def search(self, text: str) -> None:
            looks.append(text)

    monkeypatch.setattr(fast, "_LONG_NAME", Counted())
    fast.load_fast(b"".join(b"--- {a: &a-%d 1, b: &b-%d 2}\n" % (n, n) for n in range(50)))
    assert 1 == len(looks)
    fast.load_fast(b"a: R&amp;D\n")
    assert 1 == len(looks)


@pytest.mark.parametrize("size", [100, 1_000])
def test_the_order_of_anchors_is_found_in_one_go(monkeypatch: pytest.MonkeyPatch, size: int):
    """Each entry is compared with earlier names only, not with every entry."""
    looks: list[EntryNode] = []
    inside = arrange._names_inside
    monkeypatch.setattr(arrange, "_names_inside", lambda n, e: looks.append(e) or inside(n, e))
    names = [(n, f"&a{n}") for n in range(size)]
    entries = [EntryNode(f"k{n}:", start=n, stop=n + 1) for n in range(size)]
    assert not arrange.breaks_aliases(names, entries[::-1])
    assert size == len(looks)


@pytest.mark.parametrize(
    ("order", "forbidden"),
    [
        ("abcd", False),
        ("bacd", True),
        ("acbd", False),
        ("dabc", False),
        ("cabd", True),
    ],
)
def test_which_orders_keep_their_meaning(order: str, forbidden: bool):
    """Only orders that keep `a` before `b` and `c`, which use its anchor, are allowed."""
    names = [(1, "&x"), (11, "*x"), (21, "*x"), (31, "&y")]
    entries = {k: EntryNode(k, start=10 * n, stop=10 * n + 10) for n, k in enumerate("abcd")}
    assert forbidden == arrange.breaks_aliases(names, [entries[key] for key in order])


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("---\ntitle: a\n---\n", True),
        ("---\r\ntitle: a\r\n...", True),
        ("---  \n- a\n# b\n  c\n\td: e\n--- \nText", True),
        ("---\n---\n---\n", True),
        ("---\n---\n", False),
        ("---\n...\n", False),
        ("---\ntitle: a\n", False),
        ("---\nA sentence.\n---\n", False),
        ("---\ntitle: a\n\n---\n", False),
        ("----\na: b\n---\n", False),
        ("---", False),
    ],
)
def test_what_front_matter_is(text: str, found: bool):
    """Front matter is YAML between two lines; the second ends the text or a line."""
    assert found == has_front_matter(text)


@pytest.mark.slow
def test_a_file_of_as_many_values_as_are_allowed():
    """A file with the maximum number of values is read; one more is refused."""
    most = VALUES - 2  # the list and the mapping that holds it
    assert most == len(load_yaml(b"a: [" + b"1," * most + b"]")[0]["a"])
    with pytest.raises(YamlMistake, match="1,000,000 values"):
        load_yaml(b"a: [" + b"1," * (most + 1) + b"]")


LABEL = "<p>" + "".join(f"<b a={n}>" for n in range(7_000)) + "</p>" + "<p>x" * 7_000
"""A parser would make some 49 million elements of it."""
BROKEN_NUMBER = f"&#{'9' * 5_000};"


@pytest.mark.parametrize(
    ("field", "text", "code"),
    [
        ("label", LABEL, "label-length"),
        ("label", LABEL[:9_000] + "<p>x" * 2_000, "html-size"),
        ("label", "<p>" + "<i>" * 900, "html-size"),
        ("label", f"<b>{BROKEN_NUMBER}</b>", ""),
        ("body", LABEL, "html-size"),
        ("markdown", ">" * 40_000, "html-size"),
        ("markdown", "- " * 600 + "x", "html-size"),
        ("metaTitle", BROKEN_NUMBER, "meta-title-length"),
    ],
    ids=["label", "repeats", "deep-label", "number", "body", "quotes", "lists", "meta"],
)
def test_markup_is_measured_before_it_is_parsed(
    root: Path, run: Stranger, field: str, text: str, code: str
):
    """HTML that would become gigabytes is refused within the memory that a small catalog needs."""
    target = {"url": "https://a.example", "title": "T"}
    given = {
        "label": {"purchasePaths": [{"id": "p", "label": text, "target": target}]},
        "metaTitle": {"metaTitle": text},
    }.get(field, {"topics": [{"id": "t", "title": "T", "type": "text", field: text}]})
    making.put(root, "courses/b.yaml", json.dumps(making.micro("b") | given))
    done = run("validate", memory=1024**3)
    assert (3 if code else 0) == done.code
    assert code in done.said
