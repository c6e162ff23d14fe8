"""`lmssync preview`."""

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

import click

from ..errors import LmssyncError, WrongUse
from ..problems import Problem, Severity, only_errors
from ..resource import Address, Resource
from ..support.invisible_characters import escape_invisible
from . import options
from .command_help import PROJECT_EXITS, documented_command
from .exits import print_warning
from .safe_output import print_line
from .terminal_output import choose_display, print_view

if TYPE_CHECKING:
    from ..catalog.manifests.catalog_files import Listing
    from ..catalog.manifests.question_files import QuestionFiles
    from ..catalog.translations.passage_comparison import TranslatedPassage
    from ..planning.workspace import Workspace
    from ..report.preview import Courses, PreviewSite
    from ..state import KeptForm

_FOLDER = Path("preview")


@documented_command(
    "preview",
    exits=PROJECT_EXITS,
    examples=(
        ("lmssync preview", "write the pages to the folder preview"),
        ("lmssync preview --serve", "serve them, and show each change when you save"),
        ("lmssync preview -e production", "mark what differs from production"),
    ),
)
@options.where
@click.option(
    "--out",
    type=options.FOLDER,
    metavar="DIR",
    default=_FOLDER,
    show_default=True,
    help="Folder for the pages.",
)
@click.option(
    "--serve",
    is_flag=True,
    help="Serve the pages on this machine, and load them again whenever a file is saved.",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8801,
    show_default=True,
    help="With --serve: the port; 0 takes a free one.",
)
@options.as_json
def command(
    *, out: Path, serve: bool, port: int, json_: bool, **given: Unpack[options.WhereOptions]
) -> None:
    """Show the catalog in a browser, as learners will see it.

    Writes static pages, and marks what differs from what is recorded. Needs no platform and no key.
    """
    from ..report import preview
    from ..report.value_words import count_noun

    source = PreviewedCatalog(**given)
    if serve:
        if json_ or out != _FOLDER:
            raise WrongUse("--serve writes no files", "use it without --out and --json")
        _serve_pages(source, port)
        return
    frame, courses = source.read_pages()
    number = preview.write_preview_site(preview.PreviewSite(frame, courses), out)
    marked = {str(address): mark for address, mark in courses.marks.items() if mark}
    if json_:
        document = {"format": "lmssync.preview/1", "folder": str(out), "pages": number}
        print_view({**document, "marks": marked})
        return
    print_line(f"wrote {count_noun(number, 'page')} to {out}: open {out}/index.html")
    if frame["errors"]:
        print_warning(f"the catalog has {frame['wrong']}: `lmssync validate` shows them")
    if marked:
        print_line(f"{count_noun(len(marked), 'course')} marked as different: {out}/changes.html")


def _serve_pages(source: "PreviewedCatalog", port: int) -> None:
    """Serves until it is interrupted."""
    from ..report import preview

    pages = preview.Preview(source.read_version, source.make_site)
    try:
        server = preview.make_preview_server(pages, port)
    except OSError as error:
        hint = "choose another with --port"
        raise LmssyncError(f"port {port} cannot be used: {error.strerror}", hint) from error
    with server, suppress(KeyboardInterrupt):
        address = f"http://127.0.0.1:{server.server_address[1]}/"
        click.echo(f"{address} shows the catalog, and changes whenever you save; Ctrl-C ends this.")
        pages.answer("", {})  # its problems are shown before a browser asks
        server.serve_forever(poll_interval=0.2)


_PROBLEMS = 20
"""Problems on a page, at most."""
_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; "
    "base-uri 'none'"
)
"""Nothing that a body names is loaded, and nothing in it runs."""


class PreviewedCatalog:
    """A catalog that may be read again and again while somebody writes it."""

    def __init__(self, root: Path, environment: str | None) -> None:
        from secrets import token_urlsafe

        self._root, self._name = root.absolute(), environment
        self._place = _find_workspace(self._root, environment)
        self._seen: Listing | None = None
        self._number = 0
        self._run = token_urlsafe(8)
        self._known: dict[Address, Resource] = {}
        self._shown: Sequence[Problem] = ()

    def read_version(self) -> str:
        """Changes when a file of the catalog does."""
        from ..catalog.manifests.catalog_files import walk_catalog

        listing = walk_catalog(self._root)
        if listing != self._seen:
            self._seen, self._number = listing, self._number + 1
        return f"{self._run}{self._number}"

    def make_site(self, version: str = "") -> "PreviewSite":
        """The pages as the catalog is now; with a `version` they ask for a newer one."""
        from ..report.preview import PreviewSite

        return PreviewSite(*self.read_pages(version))

    def _print_problems(self, problems: Sequence[Problem]) -> None:
        """Prints the problems on stderr, with their lines, if they are not those from before."""
        from ..report.problems import SourceLines, problems_text

        before, self._shown = self._shown, list(problems)
        if problems and problems != before:
            display = choose_display(sys.stderr, SourceLines(self._root))
            click.echo(f"\n{problems_text(problems, display)}", err=True, nl=False)
        elif before and not problems:
            click.echo("\nAll problems are repaired.", err=True)

    def read_pages(self, version: str = "") -> "tuple[dict[str, Any], Courses]":
        """Reads the frame of every page, and the courses."""
        from ..catalog.catalog_validation import load_readable_part
        from ..catalog.manifests.documents import read_project_file
        from ..catalog.manifests.question_files import QuestionFiles
        from ..catalog.translations.passage_comparison import compare_resource
        from ..catalog.translations.translation_ledger import Ledgers
        from ..report.preview import Courses, Documents

        catalog, problems = load_readable_part(self._root, self._name, os.environ)
        if version:
            self._print_problems(problems)
        refused = {a: self._known[a] for a in catalog.refused if a in self._known}
        self._known = {**refused, **catalog.resources} if version else {}
        resources = self._known or catalog.resources
        records = self._read_records()
        unread = {a: records[a] for a in catalog.refused if a in records}
        held: Mapping[Address, Resource | KeptForm] = (
            {**unread, **resources} if unread else resources
        )
        recorded = Documents(records) if records else None
        names, ledgers = QuestionFiles(resources), Ledgers(self._root)
        frame = self._make_frame(problems, version, compared=bool(records))

        def compare_translations(address: Address) -> Iterable["TranslatedPassage"]:
            resource = resources.get(address)
            is_known = resource and ledgers.is_readable(resource)
            return compare_resource(resource, ledgers) if resource and is_known else ()

        return frame, Courses(
            Documents(held),
            recorded,
            lambda a: _find_empty_topics(self._root, names, resources.get(a)),
            read_project_file(self._root).currency or "",
            compare_translations,
        )

    def _read_records(self) -> "Mapping[Address, KeptForm]":
        from ..state import keep_forms

        if self._place is None:
            return {}
        with self._place.store(read_only=True) as store:
            return keep_forms(store.list_records())

    def _make_frame(
        self, problems: Sequence[Problem], version: str, *, compared: bool
    ) -> dict[str, Any]:
        """The fields of every page: only a page that is served shows warnings, to its author."""
        from secrets import token_urlsafe

        from ..report.value_words import count_noun

        name = self._place.name if self._place else ""
        against = f"compared with what is recorded for {name}" if compared else "nothing recorded"
        nonce = token_urlsafe(16)
        wrong = only_errors(problems)
        doubtful = [one for one in problems if one.severity is Severity.WARNING] if version else []
        served = f"; script-src 'nonce-{nonce}'; connect-src 'self'" if version else ""
        return {
            "company": escape_invisible(self._root.resolve().name or "Catalog"),
            "note": f"Preview · {against}",
            "now": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "policy": _POLICY + served,
            "wrong": count_noun(len(wrong), "error"),
            "errors": [_show_problem(one) for one in wrong[:_PROBLEMS]],
            "doubtful": count_noun(len(doubtful), "warning"),
            "warnings": [_show_problem(one) for one in doubtful[:_PROBLEMS]],
            "version": version,
            "nonce": nonce,
        }


def _show_problem(problem: Problem) -> dict[str, str]:
    return {
        "said": escape_invisible(f"{problem.where}: {problem.message}"),
        "hint": escape_invisible(problem.hint),
    }


def _find_workspace(root: Path, environment: str | None) -> "Workspace | None":
    """Where the state is; None in a catalog that has no environment, or several environments or
    slices to choose from."""
    from ..planning.workspace import open_workspace

    try:
        place = open_workspace(root, environment, os.environ)
    except WrongUse:
        if environment:
            raise
        return None
    return place if place.slice or not place.project.slices else None


def _find_empty_topics(
    root: Path, names: "QuestionFiles", resource: "Resource | None"
) -> dict[str, str]:
    """The paths of topics that a person must fill, and that nobody has; with what an import has
    written down for that person."""
    hollow = resource.facts.get("hollow", ()) if resource else ()
    return {path: names.read_questions(root, resource, path) for path in hollow if resource}
