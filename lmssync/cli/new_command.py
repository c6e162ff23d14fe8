"""`lmssync new`."""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import click

from ..errors import WrongUse
from ..resource import KEY
from . import options
from .chosen_workspace import choose_one_resource, read_readable_catalog, require_project
from .command_help import PROJECT_EXITS, documented_command

_OPEN = re.compile(r"TODO[-:.@]|KEY-OF-")


class NewManifest(NamedTuple):
    """What the new manifest is for."""

    resource: str
    key: str
    form: str | None
    title: str | None
    file: str | None


def _begin_manifest(asked: NewManifest) -> dict[str, str]:
    """The one file of a new manifest, which the author still has to fill in."""
    from ..catalog.starter import begin_manifest

    title = _quote_title(asked.title)
    begun = begin_manifest(asked.resource, asked.key, form=asked.form, title=title)
    return {asked.file or begun.file: begun.text}


def _copy_manifest(root: Path, asked: NewManifest, named: str) -> dict[str, str]:
    """The files of a copy; raises `WrongUse` for what cannot be copied."""
    from ..catalog.manifests.export import copy_manifest
    from ..catalog.manifests.question_files import QuestionFiles
    from ..catalog.starter import title_of
    from ..kinds import KINDS

    catalog = read_readable_catalog(root, None)
    address = choose_one_resource(catalog, named)
    resource = KINDS[address.kind].resource
    if resource != asked.resource or asked.form:
        raise WrongUse(
            f"a copy of {address} is always a {resource} of the same kind",
            f"`lmssync new {resource} {asked.key} --from {address}`",
        )
    title = asked.title or title_of(asked.key)
    source = catalog.resources[address]
    copy = copy_manifest(root, source, asked.key, title, asked.file)
    questions = QuestionFiles(catalog.outlines)
    return copy.texts | questions.copy_questions(root, source, copy.file, asked.key)


def _list_open_places(texts: dict[str, str]) -> Iterator[str]:
    """Lines that say what an author has to write, and what to do next."""
    for file, text in texts.items():
        for number, line in enumerate(text.splitlines(), 1):
            if _OPEN.search(line):
                yield f"    fill in: {file}:{number}: {line.strip()}"
    yield "`lmssync validate` checks it"


def _quote_title(title: str | None) -> str | None:
    """The title as a YAML value, quoted where needed."""
    if title is None:
        return None
    from ..catalog.manifests.yaml import write_yaml_document

    return write_yaml_document({"t": title}).removeprefix("t:").strip()


@documented_command(
    "new",
    exits=PROJECT_EXITS,
    examples=(
        ("lmssync new course fire-safety", "begin a course"),
        ("lmssync new course tidy-desk --kind microCourse", "begin a microcourse"),
        ("lmssync new course fire-2 --from course.fire-safety", "copy a course"),
    ),
)
@click.argument("resource")
@click.argument("key")
@options.catalog
@click.option("--kind", "form", help="Kind of the course: courseGroup, microCourse, article, ...")
@click.option("--title", help="Title or name; default: the key in words.")
@click.option("--file", metavar="FILE", help="Write the manifest to this file.")
@click.option("--from", "source", metavar="ADDRESS", help="Copy this resource.")
def command(*, root: Path, source: str | None, **given: Any) -> None:
    """Begin a manifest: RESOURCE is course, license, client, ...; KEY is its name in the catalog.

    A copy (--from) gets files of its own, but no sku, no status and no publishing date.
    """
    if given["file"]:
        given["file"] = options.name_from_root(root, given["file"])
    asked = NewManifest(**given)
    if not re.fullmatch(KEY, asked.key):
        raise WrongUse(
            f"`{asked.key}` is not a valid key",
            "use letters and digits, with single hyphens, dots or underscores between them",
        )
    require_project(root, "make one with `lmssync init`")
    texts = _copy_manifest(root.absolute(), asked, source) if source else _begin_manifest(asked)
    _write_new_files(root.absolute(), texts)
    for line in _list_open_places(texts):
        click.echo(line, err=True)


def _write_new_files(root: Path, texts: dict[str, str]) -> None:
    """Writes all files or none, and lists them."""
    from ..catalog.starter import lay_out
    from ..report.problems import file_shown

    there = [file for file in texts if os.path.lexists(root / file)]
    if there or lay_out(root, texts).kept:
        raise WrongUse(
            f"{there[0]} exists already", "choose another key, or name a file with --file"
        )
    for file in texts:
        click.echo(file_shown(file))
