"""Courses as other software sends them: real ones of a corpus, and hostile ones."""

import gzip
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, cycle, islice
from pathlib import Path
from typing import Any

import orjson
import pyromark

Json = dict[str, Any]
LARGE = 1_000_000
"""Bytes of a line of a corpus; a larger one is used once."""
EDITORS: Sequence[Callable[[str], str]] = (
    lambda html: html,
    lambda html: html.replace("\n", "\r\n"),
    lambda html: html.replace("'", "&#39;").replace("<p>", '<p dir="auto">'),
    lambda html: f"<div class='page'>\n\n{html.replace(' ', '&nbsp;', 5)}</div>",
)
"""What different editors make of the same page when they save it."""


def real(corpora: Iterable[Path], *, count: int) -> Iterator[Json]:
    """So many courses of the corpora: each of them, then variations with titles of their own."""
    lines = [line for path in corpora for line in gzip.decompress(path.read_bytes()).splitlines()]
    again = cycle([line for line in lines if len(line) < LARGE])
    for number, line in enumerate(islice(chain(lines, again), count)):
        course = orjson.loads(line)
        title = course["title"] if number < len(lines) else f"{course['title']} ({number})"
        yield {
            "kind": "courseGroup",
            "title": title,
            "description": course["description"][:5_000],
            "authors": course["authors"],
            "sku": f"foreign-{number:05}",
            "sections": [
                _section(one, EDITORS[number % len(EDITORS)]) for one in course["sections"]
            ],
        }


def _section(section: Json, saved: Callable[[str], str]) -> Json:
    lessons = [
        {
            "title": lesson["title"],
            "openType": "studentsOnly",
            "topics": [_topic(topic, saved) for topic in lesson["topics"]],
        }
        for lesson in section["lessons"]
    ]
    return {"title": section["title"], "lessons": lessons}


def _topic(topic: Json, saved: Callable[[str], str]) -> Json:
    made = {"title": topic["title"], "type": topic["type"]}
    if topic["type"] == "video":
        return made | {"videoUrl": topic["videoUrl"]}
    if topic["type"] != "article":
        return made
    made["body"] = saved(_html(topic))
    if others := topic.get("languages"):
        made["languages"] = [
            {"language": one["language"], "title": one["title"], "body": saved(_html(one))}
            for one in others
        ]
    return made


def _html(text: Mapping[str, str]) -> str:
    return text.get("html") or pyromark.html(
        text.get("markdown", ""), options=pyromark.Options.ENABLE_GFM
    )


PIECES = (
    "<p>One&nbsp;word</p>\r\n", "<br>", "<BR/>", "<p>\tand  <b>more</b>  </p>\n\n\n",
    "<!-- a -- comment -->", "<script>let a = 1 < 2 && '</p>';</script>\n",
    "<style>p { color: red }</style>", "<p>never closed", "</div>", "<td>alone</td>",
    "<iframe src='https://media.example.com/a?b=1&c=2'></iframe>", "&copy &amp;amp; &#0;",
    "# not a heading\n", "* no list\n", "---\n", "key: [value\n", "{{ name }}", "{% raw %}",
    "\n\n    code\n", "<pre>  kept \n\n  lines </pre>\n", "`code` _a_ **b** ~~c~~", "\\*",
    "\u00a0", "\u2028", "\u0085", "\u200b", "\ufeff", "\u202eright to left", "日本語の文章。",
    "👩‍🚀🏳️‍🌈", "e\u0301", "<img src=x alt='<b>'>", "<a href='#x' name=y>link</a>",
    "<![CDATA[ x ]]>", "<?php echo 1 ?>", "<math><mi>x</mi></math>",
    "<svg viewBox='0 0 1 1'><path d='M0'/></svg>",
    "word " * 300, "<p>" * 40, "%YAML 1.2\n", "|\n  block\n", "&anchor *alias", "'", '"', "\\",
    "\t", " ", "\n", "",
)  # fmt: skip
"""What editors, browsers and people leave in bodies."""
TITLES = (
    "yes", "null", "~", "1e3", "0x1F", "2024-01-01", "# a comment", "@home", "a: b", "- item",
    "[1, 2]", "{a: 1}", "'quoted'", '"', "CON", "aux.txt", "..", "../../etc/passwd", "a/b\\c",
    "日本語", "👩‍🚀", "Ünïcödé", "A" * 250, "same", "Same", "same ", "!tag", "&anchor", "*alias",
    "%percent", "`tick`", "<b>bold</b>", "{{ x }}", "e\u0301", "\u202egnirts", "a\u00a0b", "-",
    "?", "|", ">", "=",
)  # fmt: skip
"""Titles that are something else in YAML, in a path or on a screen."""


def hostile(count: int, seed: int = 1) -> Iterator[Json]:
    """Made-up courses of every kind with titles and bodies that are hard to write down."""
    dice = random.Random(seed)
    for number in range(count):
        course = {"title": dice.choice(TITLES), "description": _body(dice, 3)[:5_000]}
        yield course | MADE[number % len(MADE)](dice)


def _body(dice: random.Random, most: int = 12) -> str:
    return "".join(dice.choices(PIECES, k=dice.randint(0, most)))


def _page(dice: random.Random) -> Json:
    made = {"title": dice.choice(TITLES), "type": dice.choice(("text", "article", "embed", "quiz"))}
    if made["type"] == "quiz":
        return made
    made["body"] = _body(dice)
    if made["type"] == "article" and dice.random() < 0.5:
        tags = dice.sample(("de", "en-US", "ja-JP", "pt-BR"), k=2)
        made["languages"] = [
            {"language": tag, "title": dice.choice(TITLES), "body": _body(dice)} for tag in tags
        ]
    return made


def _standard(dice: random.Random) -> Json:
    def part(name: str, of: Callable[[], Json], most: int, **fields: str) -> Json:
        return {
            "title": dice.choice(TITLES),
            **fields,
            name: [of() for _ in range(dice.randint(1, most))],
        }

    def lesson() -> Json:
        return part("topics", lambda: _page(dice), 4, openType="open")

    return part("sections", lambda: part("lessons", lesson, 2), 3) | {"kind": "courseGroup"}


def _micro(dice: random.Random) -> Json:
    return {"kind": "microCourse", "topics": [_page(dice) for _ in range(dice.randint(1, 5))]}


def _article(dice: random.Random) -> Json:
    return {
        "kind": "article",
        "articleVariant": {"body": _body(dice), "title": dice.choice(TITLES)},
    }


def _video(dice: random.Random) -> Json:
    url = "https://media.example.com/a.mp4"
    return {"kind": "video", "videoUrl": url, "articleVariant": {"body": _body(dice)}}


MADE = (_standard, _standard, _micro, _article, _video)
