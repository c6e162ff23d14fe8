"""`lmssync test`."""

import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack

import click

from ..errors import InvalidCatalog, LmssyncError, WrongUse
from ..problems import Problem
from ..report.terminal_style import Colour, wrap_lines
from ..resource import Address, Origin, Place, Resource, pack_form
from ..support.invisible_characters import escape_invisible
from . import options
from .chosen_workspace import choose_online_workspace, read_readable_catalog
from .command_help import PLATFORM_EXITS, documented_command
from .exits import Exit
from .options import format_options
from .terminal_output import choose_display, print_exactly, print_view

if TYPE_CHECKING:
    from ..catalog.manifests.catalog import Catalog
    from ..catalog.manifests.story_documents import Story, StoryAssertion
    from ..learners.stories import Order, StoryCatalog, StoryVerdict
    from ..report.problems import Display


class ShownFailure(NamedTuple):
    """What has not happened as a story says, with the line of the manifest that decides it."""

    problem: "Problem"
    """At its line of the story."""
    decider: "Problem"


class ShownStory(NamedTuple):
    """A story, where it is written, and what of it has failed."""

    name: str
    place: Place
    failures: Sequence[ShownFailure]


def locate_verdicts(catalog: "Catalog", verdicts: "Sequence[StoryVerdict]") -> list[ShownStory]:
    """How the stories have ended, with the lines of what has failed and of what decides it."""
    from ..learners.stories import STORY_FAILED

    origins: list[Origin] = []
    for story, failures in verdicts:
        origins.append(story.origin)
        for failure in failures:
            origins += story.origin.at(failure.path), failure.decider
    places = catalog.find_places({f"{n}": origin for n, origin in enumerate(origins)})
    spots = iter([(origin, places[f"{n}"]) for n, origin in enumerate(origins)])

    def show_failure(message: str) -> ShownFailure:
        both = islice(spots, 2)
        return ShownFailure(*(STORY_FAILED.problem(message, o, "", place=p) for o, p in both))

    return [
        ShownStory(story.name, next(spots)[1], [show_failure(one.message) for one in failures])
        for story, failures in verdicts
    ]


def _print_text(root: Path, stories: Sequence[ShownStory]) -> None:
    """Each failure with both lines that it is about, and the count of all."""
    from ..report.problems import SourceLines

    display = choose_display(sys.stdout, SourceLines(root))
    for story in stories:
        for failure in story.failures:
            click.echo("\n".join([*_failure_lines(story, failure, display), ""]))
    failed = _count_failed(stories)
    passed = f"{len(stories) - failed:,} passed"
    click.echo(f"{passed}, {failed:,} failed." if failed else f"{passed}.")


def _count_failed(stories: Sequence[ShownStory]) -> int:
    return sum(bool(story.failures) for story in stories)


def _failure_lines(story: ShownStory, failure: ShownFailure, display: "Display") -> Iterator[str]:
    from ..report.problems import draw_excerpt, file_shown

    problem, decider = failure
    mark = f"failed[{story.name}]"
    head = f"{file_shown(str(problem.where))}: {mark} {escape_invisible(problem.message)}"
    first, *further = wrap_lines([head], display.columns)
    yield display.style.in_text(first, mark, Colour.RED)
    yield from further
    yield from draw_excerpt(problem, display, Colour.RED)
    yield f"    decided by {file_shown(str(decider.where))}:"
    yield from draw_excerpt(decider, display, Colour.BLUE)


def _print_json(_root: Path, stories: Sequence[ShownStory]) -> None:
    failed = _count_failed(stories)
    listed = [
        {
            "name": story.name,
            **story.place._asdict(),
            "passed": not story.failures,
            "failures": [
                {
                    "message": problem.message,
                    **problem.where._asdict(),
                    "decidedBy": decider.where._asdict(),
                }
                for problem, decider in story.failures
            ],
        }
        for story in stories
    ]
    summary = {"passed": len(stories) - failed, "failed": failed}
    print_view({"format": "lmssync.stories/1", "summary": summary, "stories": listed})


def _print_junit(_root: Path, stories: Sequence[ShownStory]) -> None:
    """One test for each story, in the class of its file."""
    from ..report.problems import JunitCase, JunitPart, spell_junit

    cases = []
    for story in stories:
        file = escape_invisible(story.place.file)
        said = [
            escape_invisible(f"{problem.where}: {problem.message} (decided by {decider.where})")
            for problem, decider in story.failures
        ]
        failure = [JunitPart("failure", {"message": said[0]}, "\n".join(said))] if said else []
        cases.append(JunitCase({"classname": file, "name": story.name, "file": file}, failure))
    print_exactly(spell_junit("lmssync test", cases).encode())


FORMATS = {"text": _print_text, "json": _print_json, "junit": _print_junit}
"""What prints the stories, in the order of help."""


@documented_command(
    "test",
    exits=PLATFORM_EXITS | {Exit.INVALID},
    examples=(
        ("lmssync test", "judge all stories of the catalog"),
        ("lmssync test stories/fire-safety.yaml", "judge the stories of one file"),
        ("lmssync test --sandbox", "let learners do it on a sandbox as well"),
        ("lmssync test --online -e prod", "judge assertions by what the platform has"),
        ("lmssync test --format junit > stories.xml", "write a report for a build server"),
    ),
)
@click.argument("files", nargs=-1, metavar="[FILE]...")
@options.where
@click.option(
    "--sandbox",
    is_flag=True,
    help="Also let a learner do it on a sandbox of its own, and compare.",
)
@click.option(
    "--online",
    is_flag=True,
    help="Judge the assertions alone, by what the platform has now.",
)
@format_options(click.Choice(FORMATS))
def command(
    *,
    files: tuple[str, ...],
    sandbox: bool,
    online: bool,
    form: str,
    **given: Unpack[options.WhereOptions],
) -> int:
    """Judge stories of learners: what they may do, and when a course is completed.

    Stories are in stories/*.yaml. They are judged offline, by the rules of completion, dates,
    seats, prerequisites, access days and prices. A failure names the line of the story and the
    line of the manifest that decides it. With --sandbox, a learner does the same on the clock of a
    sandbox, which has rules of its own; where the two do not agree, the story fails.

    Assertions about counts, coverage, prices and licenses are judged with them. With --online they
    are judged alone, by what was applied and the platform still shows.
    """
    from ..learners.stories import StoryCatalog, judge_assertion, judge_story, judge_twice

    if online and sandbox:
        raise WrongUse("--online asks the platform, --sandbox a sandbox", "give one of them")
    root = given["root"].absolute()
    catalog = read_readable_catalog(**given)
    stories, assertions = read_chosen_stories(root, catalog, files)
    known = StoryCatalog(catalog.resources, catalog.refused)
    require_known_names(root, catalog, [*stories, *assertions], known)
    resources = catalog.resources
    if online:
        resources, verdicts = read_live_resources(catalog, **given), []
    elif sandbox:
        with _open_sandbox() as order:
            verdicts = [judge_twice(story, known, order) for story in stories]
    else:
        verdicts = [judge_story(story, known) for story in stories]
    verdicts += [judge_assertion(one, resources, stories) for one in assertions]
    shown = locate_verdicts(catalog, verdicts)
    FORMATS[form](root, shown)
    return Exit.INVALID if _count_failed(shown) else Exit.DONE


def read_live_resources(
    catalog: "Catalog", **given: Unpack[options.WhereOptions]
) -> "dict[Address, Resource]":
    """The resources of the catalog that were applied and are on the platform, with the values that
    it shows; what no route shows is as it was applied."""
    from ..sync.drift import DriftScope
    from .drift_command import look_for_drift_at

    place = choose_online_workspace(**given)
    look = look_for_drift_at(place, DriftScope(everything=True), **given)
    if look.error:
        raise look.error
    found = {one.address: one for one in look.findings}
    live = {}
    with place.store(read_only=True) as store:
        for address, resource in catalog.resources.items():
            record, finding = store.find_record(address), found.get(address)
            if record is None or (finding and finding.missing):
                continue
            # A value that nobody can read was noticed to have changed: the applied one is the last
            # that is known.
            changed = [one for one in (finding.drift if finding else ()) if not one.noticed_at]
            form = {**record.form, **{one.path: one.live for one in changed}}
            live[address] = resource._replace(body=pack_form(form))
    return live


@contextmanager
def _open_sandbox() -> "Iterator[Order]":
    """A sandbox of our own, for as long as the stories take; yields what sends it orders."""
    from urllib import error as http_errors, request

    from .sandbox_command import ensure_sandbox_installed

    ensure_sandbox_installed()
    from .. import sandbox

    with sandbox.run_sandbox() as where:

        def send_order(name: str, body: Mapping[str, Any]) -> Any:
            asked = request.Request(  # noqa: S310 - our own sandbox, on this machine
                f"{where['baseUrl']}/_sandbox/{name}",
                json.dumps(body).encode(),
                {"Content-Type": "application/json"},
            )
            try:
                with request.urlopen(asked) as response:  # noqa: S310 - the same
                    return json.load(response)
            except http_errors.HTTPError as refusal:
                with refusal:
                    words = "; ".join(json.load(refusal)["errors"])
                raise LmssyncError(words) from None

        yield send_order


def read_chosen_stories(
    root: Path, catalog: "Catalog", files: Sequence[str]
) -> "tuple[list[Story], list[StoryAssertion]]":
    """The stories and assertions in some files, or all.

    Raises `InvalidCatalog` for mistakes in them, and `WrongUse` where there are none.
    """
    from ..catalog.manifests.catalog_files import STORIES, choose_files, walk_catalog
    from ..catalog.manifests.documents import Scope
    from ..catalog.manifests.story_documents import read_stories

    below = walk_catalog(root).yaml_files_below(STORIES)
    chosen = [file for file in below if not files or file in choose_files(root, files)]
    stories, assertions, problems = read_stories(catalog.scope or Scope(root), chosen)
    if problems:
        raise InvalidCatalog(problems, root)
    if not (stories or assertions):
        raise WrongUse(
            "there are no stories" + (" in these files" if files else ""),
            f"write one in {STORIES}/: `lmssync explain story` says how",
        )
    return stories, assertions


def require_known_names(
    root: Path,
    catalog: "Catalog",
    stories: "Iterable[Story | StoryAssertion]",
    known: "StoryCatalog",
) -> None:
    """Raises `InvalidCatalog` for names of stories that are not in the catalog."""
    from ..catalog.manifests.story_documents import Story
    from ..learners.stories import find_assertion_problems, find_name_problems

    problems = []
    for one in stories:
        if isinstance(one, Story):
            problems += find_name_problems(one, known)
        else:
            problems += find_assertion_problems(one, known)
    if problems:
        raise InvalidCatalog(catalog.locate_problems(problems), root)
