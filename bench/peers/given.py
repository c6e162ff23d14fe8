"""What the other tools get: the content of a catalog of W, in the form that each of them reads."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from lmssync.catalog.manifests.yaml import load_yaml

_OCTODNS = """\
providers:
  desired: {{class: octodns.provider.yaml.YamlProvider, directory: {root}/desired}}
  live: {{class: octodns.provider.yaml.YamlProvider, directory: {root}/live}}
zones:
  "*": {{sources: [desired], targets: [live]}}
"""
_SQLMESH = """\
gateways: {{local: {{connection: {{type: duckdb, database: "{root}/courses.duckdb"}}}}}}
default_gateway: local
model_defaults: {{dialect: duckdb}}
disable_anonymized_analytics: true
"""


class Course(NamedTuple):
    """What zones and models are made of: a course, and the title and text of each topic."""

    key: str
    title: str
    description: str
    price: int
    topics: Sequence[tuple[str, str]]


def read_courses(catalog: Path) -> Iterator[Course]:
    """The courses in the order of their files."""
    for file in sorted(catalog.rglob("course-*.yaml")):
        (course,) = load_yaml(file.read_bytes())
        topics = [
            (f"{section['title']}, {lesson['title']}, {topic['title']}", _text_of(topic))
            for section in course["sections"]
            for lesson in section["lessons"]
            for topic in lesson["topics"]
        ]
        said = (course["key"], course["title"], course["description"], course["priceInCents"])
        yield Course(*said, topics)


def _text_of(topic: dict[str, str]) -> str:
    return (topic.get("markdown") or topic["body"]).strip()


def for_octodns(root: Path, catalog: Path) -> Path:
    """A zone for each course with a record for each topic, and empty zones to begin with."""
    for name in ("desired", "live"):
        (root / name).mkdir(parents=True)
    for course in read_courses(catalog):
        (root / "desired" / f"{course.key}.test.yaml").write_text(_records(course), "utf-8")
        (root / "live" / f"{course.key}.test.yaml").write_text("--- {}\n", "utf-8")
    config = root / "config.yaml"
    config.write_text(_OCTODNS.format(root=root), "utf-8")
    return config


def _records(course: Course) -> str:
    own = ("", f"{course.title}, {course.price}: {course.description}")
    topics = ((f"topic-{n:02}", ": ".join(topic)) for n, topic in enumerate(course.topics, 1))
    return "---\n" + "".join(
        f"{json.dumps(name)}: {{ttl: 300, type: TXT, value: {json.dumps(text)}}}\n"
        for name, text in (own, *topics)
    )


def for_sqlmesh(root: Path, catalog: Path) -> Path:
    """A project with a model for each course, whose rows are the topics."""
    (root / "models").mkdir(parents=True)
    (root / "config.yaml").write_text(_SQLMESH.format(root=root), "utf-8")
    for course in read_courses(catalog):
        name = course.key.replace("-", "_")
        rows = ",\n".join(f"  ({_quote(title)}, {_quote(text)})" for title, text in course.topics)
        text = (
            f"MODEL (name w.{name}, kind FULL);\n"
            f"SELECT {_quote(course.title)} AS course, {_quote(course.description)} AS about,\n"
            f"  {course.price} AS price, title, body\nFROM (VALUES\n{rows}\n) AS t(title, body)\n"
        )
        (root / "models" / f"{name}.sql").write_text(text, "utf-8")
    return root


def _quote(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
