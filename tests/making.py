"""Makes the things that tests are about: documents, resources, catalogs on disk, changes."""

import subprocess
from collections.abc import Mapping
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from lmssync.catalog.catalog_validation import validate_catalog
from lmssync.catalog.manifests.catalog import Catalog, load_catalog
from lmssync.catalog.manifests.catalog_files import CatalogFiles, walk_catalog
from lmssync.catalog.manifests.check import Context, check_document
from lmssync.catalog.manifests.documents import Document, Scope, read_project_file
from lmssync.errors import InvalidCatalog
from lmssync.kind import FormChange, Ids, UpdatePlan
from lmssync.kinds import KINDS
from lmssync.problems import Problem
from lmssync.resource import Address, Form, Origin, Resource
from lmssync.settings import Project
from lmssync.state import Record
from lmssync.support.cache_folder import find_cache_file

UUID = "7d1c0000-0000-4000-8000-000000000001"
"""The id of something that is not managed."""
PROJECT = "version: 1\nenvironments:\n  sandbox: {baseUrl: 'http://127.0.0.1:1'}\n"


def topic(name: str = "hello", type: str = "text", **fields: Any) -> dict[str, Any]:  # noqa: A002
    return {"id": name, "title": name.title(), "type": type, **fields}


def lesson(name: str = "welcome", *topics: dict[str, Any], **fields: Any) -> dict[str, Any]:
    listed = list(topics) or [topic()]
    return {"id": name, "title": name.title(), "openType": "open", "topics": listed, **fields}


def section(name: str = "start", *lessons: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"id": name, "title": name.title(), "lessons": list(lessons) or [lesson()], **fields}


def course(key: str = "safety", **fields: Any) -> dict[str, Any]:
    """The document of a standard course; `None` takes a field away."""
    plain = {
        "resource": "course",
        "key": key,
        "kind": "courseGroup",
        "title": "Safety",
        "sections": [section()],
    }
    return _without_none(plain | fields)


def micro(key: str = "safety", *topics: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """The document of a microCourse."""
    listed = list(topics) or [topic()]
    return course(key, **{"kind": "microCourse", "sections": None, "topics": listed} | fields)


def session(key: str = "safety.autumn", **fields: Any) -> dict[str, Any]:
    """The document of a further session."""
    plain = {"resource": "session", "key": key, "course": "safety", "title": "Autumn"}
    return _without_none(plain | fields)


def criterion(key: str = "safety.most", **fields: Any) -> dict[str, Any]:
    plain = {
        "resource": "completionCriterion",
        "key": key,
        "course": "safety",
        "type": "coursePercentViewed",
        "percent": 80,
    }
    return _without_none(plain | fields)


def license_(key: str = "staff", **fields: Any) -> dict[str, Any]:
    plain = {
        "resource": "license",
        "key": key,
        "client": "acme",
        "name": "Staff",
        "courses": ["safety"],
        "learningPaths": [],
        "courseTags": [],
    }
    return _without_none(plain | fields)


def path(key: str = "safety.partner", **fields: Any) -> dict[str, Any]:
    plain = {
        "resource": "purchasePath",
        "key": key,
        "course": "safety",
        "label": "Buy",
        "target": {"url": "https://shop.example.com", "title": "Shop"},
    }
    return _without_none(plain | fields)


def _without_none(data: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in data.items() if value is not None}


def found(data: Any, root: Path = Path()) -> tuple[list[Resource], list[Problem]]:
    """What a document becomes, read from no file."""
    context = Context(Scope(root, Project(version=1)), CatalogFiles(root))
    return check_document(context, Document(Origin("a.yaml"), data))[:2]


def resource(data: Mapping[str, Any]) -> Resource:
    """The one resource of a document that is right."""
    resources, problems = found(dict(data))
    assert not [p for p in problems if p.severity == "error"], problems
    return resources[0]


def catalog(*documents: Mapping[str, Any]) -> dict[Address, Resource]:
    """The resources of some documents, by address."""
    return {r.address: r for data in documents for r in found(dict(data))[0]}


def form(data: Mapping[str, Any]) -> Form:
    return resource(data).form


def codes(data: Any) -> list[str]:
    """Ids of the rules that a document breaks, sorted."""
    return sorted(problem.code for problem in found(data)[1])


def described(before: Mapping[str, Any], after: Mapping[str, Any]) -> UpdatePlan:
    """How the change from one document to the other is made."""
    old, new = resource(before), resource(after)
    return KINDS[old.address.kind].calls.update(FormChange(old.address, old.form, new.form))


def created(data: Mapping[str, Any], marker: str | None = None) -> Any:
    """The body of the call that makes a document's resource."""
    made = resource(data)
    return KINDS[made.address.kind].calls.create(made.address, made.form, marker).body


def record(data: Mapping[str, Any], ids: Ids | None = None) -> Record:
    """What the state holds once a document has been applied."""
    made = resource(data)
    known = ids or Ids({KINDS[made.address.kind].reads.id_name: f"id of {made.address.key}"})
    return Record(made.address, known, made.fingerprint, made.packed_form)


def write(root: Path, **files: str) -> Path:
    """A catalog in `root`: files by name, `__` for a slash and `.yaml` where no ending is given."""
    (root / "lmssync.yaml").write_text(PROJECT, "utf-8")
    for name, text in files.items():
        put(root, f"{name.replace('__', '/')}.yaml", dedent(text))
    return root


def put(root: Path, name: str, text: str | bytes) -> None:
    """One file of a catalog, with its folders."""
    file = root / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text.encode("utf-8") if isinstance(text, str) else text)


def git(root: Path, *arguments: str) -> None:
    """A git command of somebody whose name is known."""
    who = ("-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false")
    subprocess.run(["git", "-C", root, *who, *arguments], check=True, capture_output=True)


def commit(root: Path) -> None:
    """All files of a folder as the first commit of a new repository."""
    git(root, "init", "-q", "-b", "main")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "first")


def cache(root: Path) -> Path:
    """The file in which is kept what came of a catalog."""
    found = find_cache_file(root)
    assert found
    return found


def problems(root: Path) -> list[Problem]:
    """Everything that is wrong with a catalog on disk, with places."""
    return validate_catalog(root).problems


def loaded(root: Path, environment: str = "") -> Catalog:
    """A catalog on disk, right or not, as one environment wants it."""
    return load_catalog(Scope(root, read_project_file(root), environment), walk_catalog(root))[0]


def only(found: Catalog) -> Resource:
    """The one resource of a catalog."""
    (resource,) = found.resources.values()
    return resource


def refused(root: Path) -> list[tuple[str, str, int]]:
    """Code, file and line of what is wrong with a project file."""
    with pytest.raises(InvalidCatalog) as caught:
        validate_catalog(root)
    return [(p.code, p.where.file, p.where.line) for p in caught.value.problems]


def said(problem: Problem) -> str:
    """A problem on one line, as people see it."""
    about = f" {problem.address}:" if problem.address else ""
    return f"{problem.where}: {problem.severity}[{problem.code}]{about} {problem.message}"
