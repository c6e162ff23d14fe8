"""Turns real courses, kept as JSON lines, into manifests.

A line holds `title`, `description`, `tags`, `authors` and `sections[] > lessons[] > topics[]`;
a topic has `type` with `markdown`, `html` or `videoUrl`, and perhaps `languages[]`.
"""

import gzip
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

Json = dict[str, Any]
DESCRIPTION, TAGS = 5_000, 10
"""Limits of the platform (spec 8)."""
OPEN_TYPE = "studentsOnly"
_WITH_BODY = frozenset({"text", "article", "embed"})
_WITH_VIDEO = frozenset({"video"})
_NOT_LITERAL = re.compile(
    r"[^\t\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\U00010000-\U0010ffff]"
)


class Target(NamedTuple):
    """Where the manifest of one course goes."""

    root: Path
    key: str
    files: bool
    """Bodies go into files of their own, `bodyFile` names them."""


def write(root: Path, corpora: Iterable[Path], *, tags: Mapping[str, str], files: bool) -> int:
    """Writes one manifest a course; returns how many.

    `tags` maps words of the corpus to labels of the platform; other words are dropped, since a
    platform knows its own labels only.
    """
    number = 0
    for line in _lines(corpora):
        number += 1
        target = Target(root, f"course-{number:05}", files)
        manifest = "\n".join(_spell(_course(json.loads(line), target, tags))) + "\n"
        (root / f"{target.key}.yaml").write_text(manifest, "utf-8", newline="\n")
    return number


def _lines(corpora: Iterable[Path]) -> Iterator[bytes]:
    for path in corpora:
        with gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb") as lines:
            yield from (line for line in lines if line.strip())


def _course(found: Json, target: Target, tags: Mapping[str, str]) -> Json:
    labels = dict.fromkeys(tags[word] for word in found.get("tags") or () if word in tags)
    course = {
        "resource": "course",
        "key": target.key,
        "kind": "courseGroup",
        "title": _title(found),
        "description": (found.get("description") or "")[:DESCRIPTION],
        "tags": list(labels)[:TAGS],
        "authors": found.get("authors") or [],
    }
    sections = [_section(item, target, f"{n}") for n, item in enumerate(found["sections"])]
    return {field: value for field, value in course.items() if value} | {"sections": sections}


def _section(found: Json, target: Target, name: str) -> Json:
    lessons = [_lesson(item, target, f"{name}-{n}") for n, item in enumerate(found["lessons"])]
    return {"title": _title(found), "lessons": lessons}


def _lesson(found: Json, target: Target, name: str) -> Json:
    topics = [_topic(item, target, f"{name}-{n}") for n, item in enumerate(found["topics"])]
    return {"title": _title(found), "openType": OPEN_TYPE, "topics": topics}


def _topic(found: Json, target: Target, name: str) -> Json:
    """A topic with the fields that its type takes; the rest is filled by other means."""
    topic = {"title": _title(found), "type": found["type"]}
    if found["type"] in _WITH_BODY:
        topic |= _body(found, target, name)
    if found["type"] in _WITH_VIDEO and found.get("videoUrl"):
        topic["videoUrl"] = found["videoUrl"]
    if found["type"] == "article" and found.get("languages"):
        topic["languages"] = [
            {"language": other["language"], "title": _title(other)}
            | _body(other, target, f"{name}.{other['language']}")
            for other in found["languages"]
        ]
    return topic


def _body(found: Json, target: Target, name: str) -> Json:
    way, ending = ("markdown", "md") if found.get("markdown") else ("body", "html")
    text = found.get("markdown") or found.get("html")
    if not text:
        return {}
    if not target.files:
        return {way: text}
    folder = target.root / target.key
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.{ending}").write_text(text, "utf-8", newline="\n")
    return {"bodyFile": f"{target.key}/{name}.{ending}"}


def _title(found: Json) -> str:
    return (found.get("title") or "").strip() or "Untitled"


def _spell(value: Json, indent: str = "") -> Iterator[str]:
    """The lines of a mapping in YAML; text of several lines as authors write it, in blocks."""
    for key, item in value.items():
        if isinstance(item, list) and item and isinstance(item[0], dict):
            yield f"{indent}{key}:"
            for inner in item:
                first, *rest = _spell(inner, f"{indent}    ")
                yield f"{indent}  - {first.lstrip(' ')}"
                yield from rest
        elif isinstance(item, str) and "\n" in item and not _NOT_LITERAL.search(item):
            yield from _block(key, item, indent)
        else:
            yield f"{indent}{key}: {_flow(item)}"


def _block(key: str, text: str, indent: str) -> Iterator[str]:
    """A literal block: its indentation written out, since the text may begin with spaces."""
    kept = "+" if text.endswith("\n") else "-"
    yield f"{indent}{key}: |2{kept}"
    for line in text.removesuffix("\n").split("\n"):
        yield f"{indent}  {line}" if line else ""


def _flow(value: Any) -> str:
    """JSON is YAML, once the characters that YAML forbids are written as escapes."""
    text = json.dumps(value, ensure_ascii=False)
    return _NOT_LITERAL.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
