"""Manifests that look harmless and are not, and some that look bad and are right."""

from collections.abc import Callable
from typing import Any, NamedTuple

from lmssync.catalog.manifests.yaml.yaml_writer import write_yaml_document
from tests import making


class Nasty(NamedTuple):
    """One manifest, and what `lmssync validate` says of it."""

    name: str
    make: Callable[[], bytes]
    said: tuple[str, ...] = ()
    """What is wrong with it, such as `error[blank]`."""

    @property
    def raw(self) -> bytes:
        """The file, made when it is needed: some have 4 MB."""
        return self.make()

    @property
    def accepted(self) -> bool:
        """True if nothing about it is an error."""
        return not any(said.startswith("error") for said in self.said)


def titled(name: str, title: str, *said: str) -> Nasty:
    """A course with this title, written so that nothing but the title matters."""
    data = making.micro(f"title-{name}", title=title)
    return Nasty(f"title-{name}", lambda: write_yaml_document(data).encode(), said)


def spelled(name: str, title: str, *said: str) -> Nasty:
    """A course whose title stands in the file letter by letter."""
    data = making.micro(f"spelled-{name}", title="TITLE")
    return Nasty(
        f"spelled-{name}", lambda: write_yaml_document(data).replace("TITLE", title).encode(), said
    )


def told(name: str, body: str, *said: str, way: str = "markdown") -> Nasty:
    """A text topic with this body."""
    data = making.micro(f"body-{name}", making.topic(**{way: body}))
    return Nasty(f"body-{name}", lambda: write_yaml_document(data).encode(), said)


def written(name: str, lines: str, *said: str) -> Nasty:
    """A text topic whose body stands in the file letter by letter."""
    data = making.micro(f"written-{name}", making.topic())
    return Nasty(
        f"written-{name}", lambda: write_yaml_document(data).encode() + lines.encode(), said
    )


def with_fields(name: str, *said: str, **fields: Any) -> Nasty:
    """A course with these fields."""
    data = making.micro(f"field-{name}", **fields)
    return Nasty(f"field-{name}", lambda: write_yaml_document(data).encode(), said)


def article(name: str, raw: str, *said: str) -> Nasty:
    """An article with these languages, as written."""
    head = f"resource: course\nkey: article-{name}\nkind: article\ntitle: A\n"
    text = f"{head}articleVariant:\n  language: en\n  body: x\n  languages:\n{raw}"
    return Nasty(f"article-{name}", text.encode, said)


def file(name: str, raw: str | bytes, *said: str) -> Nasty:
    """A file, letter by letter; KEY is its key."""
    data = raw.encode() if isinstance(raw, str) else raw
    return Nasty(f"file-{name}", lambda: data.replace(b"KEY", f"file-{name}".encode()), said)


COURSE = "resource: course\nkey: KEY\nkind: video\nvideoUrl: https://example.com/a.mp4\n"
TOPICS = "resource: course\nkey: KEY\nkind: microCourse\ntitle: A\ntopics:\n"
_FIFTY_ONE = """
    ar bg bn ca cs cy da de el es es-LA es-MX et eu fa fi fr fr-CA ga gl he hi hr hu hy id is it
    ja ka kk km ko lt lv mk ms mt nb nl no pl pt pt-BR ro ru sk sl sr sv zh-Hant
"""
_LANGUAGES = "".join(f"    - {{language: {tag}, body: x}}\n" for tag in _FIFTY_ONE.split())

NASTY = [
    titled("empty", "", "error[blank]"),
    titled("blank", "   ", "error[blank]"),
    titled("nbsp-only", "\xa0", "error[blank]"),
    titled("invisible-only", "\u200b\u200b", "error[blank]"),
    titled("zero", "0"),
    titled("no", "no"),
    titled("tilde", "~"),
    titled("null", "null"),
    titled("octal", "012"),
    titled("sexagesimal", "1:30"),
    titled("date", "2018-10-90"),
    titled("float", "1e3"),
    titled("merge", "<<"),
    titled("hash", "# 1"),
    titled("colon", "a: b"),
    titled("colon-at-end", "a:"),
    titled("dash", "- a"),
    titled("quote", '"'),
    titled("both-quotes", "'\""),
    titled("backslash", "\\n"),
    titled("braces", "{{ title }}"),
    titled("brackets", "[draft]"),
    titled("percent", "%YAML"),
    titled("markers", "---"),
    titled("dots", "..."),
    titled("blanks-at-end", "Safety  ", "warning[edge-blank]"),
    titled("blanks-at-start", "  Safety", "warning[edge-blank]"),
    titled("nbsp", "Bonjour\xa0!"),
    titled("line-feed", "two\nlines", "error[one-line]"),
    titled("line-feed-at-end", "one line\n", "error[one-line]"),
    titled("carriage-return", "two\rlines", "error[one-line]"),
    titled("line-separator", "two\u2028lines", "error[one-line]"),
    titled("next-line", "two\x85lines", "error[one-line]"),
    titled("tab", "a\tb", "error[one-line]"),
    titled("zero-width", "Saf\u200bety", "warning[invisible-character]"),
    titled("joiner", "👩\u200d🚒 Fire"),
    titled("non-joiner", "می\u200cخواهم"),  # noqa: RUF001 - Persian
    titled("byte-order-mark", "\ufeffSafety", "warning[invisible-character]"),
    titled("soft-hyphen", "Sicher\xadheit", "warning[invisible-character]"),
    titled("bidi-override", "a\u202eb", "warning[bidi-control]"),
    titled("not-composed", "Cafe\u0301", "warning[not-nfc]"),
    titled("right-to-left", "سلامة العمل"),
    titled("emoji", "🎓" * 20),
    titled("backspace", "a\x08b", "error[control-character]"),
    titled("delete", "a\x7fb", "error[control-character]"),
    titled("escape", "\x1b[31mred", "error[control-character]"),
    titled("replacement", "Caf\ufffd", "warning[broken-character]"),
    titled("noncharacter", "a\uffffb", "error[control-character]"),
    titled("private", "\ue000", "warning[broken-character]"),
    titled("long", "x" * 100_000),
    titled("markup", "<script>alert(1)</script>"),
    spelled("zero", "0", "error[title-type]"),
    spelled("no", "no"),
    spelled("yes", "Yes"),
    spelled("true", "true", "error[title-type]"),
    spelled("tilde", "~", "error[title-type]"),
    spelled("nothing", "", "error[title-type]"),
    spelled("octal", "012", "error[title-type]"),
    spelled("date", "2018-10-90"),
    spelled("sexagesimal", "1:30"),
    spelled("inf", ".inf", "error[title-type]"),
    spelled("underscores", "1_000", "error[title-type]"),
    spelled("tag", "!!str 1"),
    spelled("binary", "!!binary aGVsbG8=", "error[yaml-syntax]"),
    spelled("half-emoji", '"\\ud83d"', "error[half-character]"),
    spelled("emoji-in-halves", '"\\ud83d\\ude00"', "error[half-character]"),
    spelled("nul", '"a\\0b"', "error[control-character]"),
    told("line-separator", "one\u2028two\u2029three\n"),
    told("next-line", "one\x85two\n"),
    told("backspace", "a\x08b", "error[control-character]"),
    told("form-feed", "page\x0cpage", "error[control-character]"),
    told("vertical-tab", "a\x0bb", "error[control-character]"),
    told("byte-order-mark", "\ufeff# Title\n", "warning[invisible-character]"),
    told("byte-order-mark-within", "a\ufeffb\n", "warning[invisible-character]"),
    told("windows", "one\r\ntwo\r\n"),
    told("old-mac", "one\rtwo\r"),
    told("mixed-ends", "one\r\ntwo\nthree\rfour"),
    told("indented-start", "    code\nthen text\n"),
    told("tab-start", "\tcode\nthen text\n"),
    told("blank-start", "\n\n  text\n"),
    told("blank-end", "text\n\n\n\n"),
    told("blanks-at-line-ends", "hard  \nbreak  \n"),
    told("blanks-only", "  \n \n"),
    told("no-line-end", "text"),
    told("one-line-of-4-mb", "x" * 4_000_000),
    told("prose-of-4-mb", "word: and # " * 350_000),
    told(
        "yaml",
        "---\nresource: course\nkey: *x\n# no comment\n...\n- a: |\n    b\n",
        "warning[front-matter]",
    ),
    told("yaml-in-fences", "```yaml\na: [1, 2\n%TAG\n```\n"),
    told("template", "{{ name }} {% if %} {# #}\n", "warning[markdown-dialect]"),
    told("right-to-left", "مرحبا بكم في الدورة.\n\nשלום עולם\n"),  # noqa: RUF001 - Hebrew
    told("direction-marks", "\u200f(سلامة)\u200e\n"),
    told("bidi-override", "access\u202e.exe\n", "warning[bidi-control]"),
    told("emoji", "👩\u200d🚒 🏴\U000e0067\U000e0062\U000e007f 🎓\ufe0f\n"),
    told("combining", "e\u0301\u0327" * 20 + "\n"),
    told("zalgo", "a" + "\u0301" * 500 + "\n"),
    told("delete", "a\x7fb\n", "error[control-character]"),
    told("c1-control", "a\x9bb\n", "error[control-character]"),
    told("empty", ""),
    told("ampersands", "a & b &amp; c &#0; d\n", way="body"),
    told("html-unclosed", "<div><p>text\n", "warning[html-unbalanced]", way="body"),
    told("cdata", "<![CDATA[x]]>\n", way="body"),
    written("indented", "    markdown: |2\n        code\n      text\n"),
    written("tabs", "    markdown: |\n      a\tb\n      \tc\n"),
    written("tab-indented", "\tmarkdown: a\n", "error[yaml-syntax]"),
    written("less-indented", "    markdown: |\n      a\n     b\n", "error[yaml-syntax]"),
    written("folded", "    markdown: >\n      a\n      b\n\n      c\n"),
    written("comment-within", "    markdown: |\n      # title\n      text # no comment\n"),
    written("keep", "    markdown: |+\n      a\n\n\n"),
    written("twice", "    markdown: a\n    markdown: b\n", "error[duplicate-key]"),
    with_fields("date-2018-10-90", "error[date]", courseEndDate="2018-10-90"),
    with_fields("date-30-february", "error[date]", courseEndDate="2027-02-30"),
    with_fields("date-old", courseEndDate="2018-10-09"),
    with_fields("date-local", "error[date]", courseEndDate="09.10.2028"),
    with_fields("date-arabic-digits", "error[date]", courseEndDate="٢٠٢٧-٠١-٣١"),  # noqa: RUF001 - digits of another script
    with_fields("date-24", "error[date]", courseEndDate="2028-10-09T24:00:00Z"),
    with_fields("date-leap-second", "error[date]", courseEndDate="2028-10-09T23:59:60Z"),
    with_fields(
        "custom-keys", "error[slug]", customFields={"no": "a", "": "b", "a b": "c", "~": None}
    ),
    with_fields("custom-nodes", "error[slug]", customFields={"$ref": "course.a", "$markdown": "x"}),
    with_fields("description-astral", description="🎓" * 3_000),
    with_fields("tags-odd", "warning[not-nfc]", tags=["no", "0", "a, b", "é", "e\u0301"]),
    article("norwegian-bare", "    - {language: no, body: x}\n"),
    article("norwegian", '    - {language: "no", body: x}\n'),
    article("spanish-la", "    - {language: es-LA, body: x}\n"),
    article(
        "twice",
        "    - {language: de, body: x}\n    - {language: de, body: y}\n",
        "error[language-twice]",
    ),
    article(
        "twice-by-case",
        "    - {language: de, body: x}\n    - {language: DE, body: y}\n",
        "error[language-twice]",
    ),
    article("fifty-one-languages", _LANGUAGES),
    file("anchors", TOPICS + "  - &a {title: A, type: quiz}\n  - {<<: *a, title: B}\n"),
    file(
        "merge-list", TOPICS + "  - &a {title: A, type: quiz}\n  - {<<: [*a, {id: c}], title: B}\n"
    ),
    file("alias", f"{COURSE}title: &t Safety\nmetaTitle: *t\n"),
    file("alias-endless", f"{COURSE}title: A\ncustomFields: &c {{a: *c}}\n", "error[endless]"),
    file("alias-unknown", f"{COURSE}title: *t\n", "error[yaml-syntax]"),
    file("duplicate", f"{COURSE}title: A\ntitle: B\n", "error[duplicate-key]"),
    file("windows", f"{COURSE}title: A\n".replace("\n", "\r\n")),
    file("old-mac", f"{COURSE}title: A\n".replace("\n", "\r")),
    file("byte-order-mark", f"\ufeff{COURSE}title: A\n", "error[byte-order-mark]"),
    file("utf-16", f"{COURSE}title: A\n".encode("utf-16"), "error[not-utf-8]"),
    file("latin-1", f"{COURSE}title: Gr\xf6\xdfe\n".encode("latin-1"), "error[not-utf-8]"),
    file("nul", f"{COURSE}title: A\x00B\n", "error[control-character]"),
    file("yaml-1-1", f"%YAML 1.1\n---\n{COURSE}title: no\n", "error[title-type]"),
    file(
        "json",
        '{"resource":"course","key":"KEY","kind":"video","title":"A","videoUrl":"https://a.b"}',
    ),
    file(
        "in-braces",
        "{resource: course, key: KEY, kind: video, title: Why?, videoUrl: https://a.b}\n",
    ),
    file("documents", f"---\n...\n---\n# nothing\n---\n{COURSE}title: A\n...\n"),
    file("no-line-end", f"{COURSE}title: A"),
    file("key-no", "resource: course\nkey: no\nkind: video\ntitle: A\nvideoUrl: https://a.b\n"),
    file(
        "key-number",
        "resource: course\nkey: 101\nkind: video\ntitle: A\nvideoUrl: https://a.b\n",
        "error[key-type]",
    ),
    file("key-of-list", f"{COURSE}title: A\n? [a, b]\n: 1\n", "error[unknown-field]"),
    file("key-of-number", f"{COURSE}title: A\n1: 2\n", "error[unknown-field]"),
    file("key-of-nothing", f"{COURSE}title: A\n~: 2\n", "error[unknown-field]"),
    file("set", f"{COURSE}title: A\nauthors: !!set {{a, b}}\n", "error[yaml-syntax]"),
    file(
        "huge-number", f"{COURSE}title: A\nwidth: 99999999999999999999999\n", "error[number-size]"
    ),
    file("endless-number", f"{COURSE}title: A\nwidth: .inf\n", "error[width-type]"),
    file(
        "topics-3437", TOPICS + "".join(f"  - {{title: T {n}, type: quiz}}\n" for n in range(3_437))
    ),
    file("deep", f"{COURSE}title: A\nauthors: {'[' * 500}{']' * 500}\n", "error[too-deep]"),
]
