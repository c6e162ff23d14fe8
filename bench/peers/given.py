"""What the other tools get: the courses of a catalog of W, in the form that each of them reads."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

_OCTODNS = """\
providers:
  desired: {{class: octodns.provider.yaml.YamlProvider, directory: {root}/desired}}
  live: {{class: octodns.provider.yaml.YamlProvider, directory: {root}/live}}
zones:
  catalog.test.: {{sources: [desired], targets: [live]}}
"""
_SQLMESH = """\
gateways: {{local: {{connection: {{type: duckdb, database: "{root}/courses.duckdb"}}}}}}
default_gateway: local
model_defaults: {{dialect: duckdb}}
disable_anonymized_analytics: true
"""


class Course(NamedTuple):
    """What a record of a zone or a model can say of a course."""

    key: str
    title: str
    price: int


def courses(catalog: Path) -> Iterator[Course]:
    """The courses in the order of their files; each line that is asked for stands there once."""
    for file in sorted(catalog.rglob("course-*.yaml")):
        head, _, _ = file.read_text("utf-8").partition("sections:")
        said = dict(line.split(": ", 1) for line in head.splitlines() if line[0] != " ")
        yield Course(said["key"], said["title"], int(said["priceInCents"]))


def for_octodns(root: Path, catalog: Path) -> Path:
    """A zone with a record for each course, and an empty one that it is to become."""
    for name, records in (("desired", _records(catalog)), ("live", "--- {}\n")):
        (root / name).mkdir(parents=True)
        (root / name / "catalog.test.yaml").write_text(records, "utf-8")
    config = root / "config.yaml"
    config.write_text(_OCTODNS.format(root=root), "utf-8")
    return config


def _records(catalog: Path) -> str:
    return "---\n" + "".join(
        f"{course.key}: {{ttl: 300, type: TXT, value: {json.dumps(course.title)}}}\n"
        for course in courses(catalog)
    )


def for_sqlmesh(root: Path, catalog: Path) -> Path:
    """A project with a model for each course."""
    (root / "models").mkdir(parents=True)
    (root / "config.yaml").write_text(_SQLMESH.format(root=root), "utf-8")
    for course in courses(catalog):
        name = course.key.replace("-", "_")
        text = f"MODEL (name w.{name}, kind FULL);\nSELECT '{course.title}' AS title, "
        (root / "models" / f"{name}.sql").write_text(f"{text}{course.price} AS price\n", "utf-8")
    return root
