"""What a release may say, in `releases/*.yaml`, and how it is read: every mistake with its place.

A release names changes that are applied together at a moment. `planning` finds which resources
these are: nothing here asks git or a state.
"""

import fnmatch
from collections.abc import Iterable, Iterator, Sequence, Set
from datetime import datetime
from typing import Annotated, NamedTuple

from pydantic import Field, ValidationError

from ...kind import Spec
from ...kinds import Shown, Title
from ...problems import Finding, Problem, Rule, suggest_near, warning_rule
from ...resource import Address, Origin
from ...vocabulary.iso_dates import parse_as_written
from .catalog_files import RELEASES, Listing
from .documents import Document, Scope, find_misplacement, read_manifest_file
from .quiet_times import find_quiet_times
from .story_documents import ID
from .validation_errors import word_validation_error


class ReleaseFile(Spec):
    """Changes that are applied together, by `lmssync apply --release NAME`."""

    release: Annotated[
        str,
        Field(pattern=ID, max_length=100),
        Shown(("autumn",), message="Write lowercase words with hyphens between them."),
    ]
    """Its name, which commands take: lowercase words with hyphens between them."""
    about: Annotated[Title, Shown(("The new safety courses, with their prices.",))]
    """What it brings and why, for everybody who approves or applies it."""
    owner: Annotated[Title, Shown(("@ana",))]
    """Who answers for it."""
    at: Annotated[Title | None, Shown(("2027-09-01T21:00:00+02:00",))] = None
    """The moment from which it may be applied, with its offset from UTC; without one, somebody
    decides when."""
    addresses: Annotated[list[Title], Shown((["course.fire-*", "license.acme-safety"],))] = Field(
        default_factory=list
    )
    """Addresses of what it changes; patterns too."""
    files: Annotated[list[Title], Shown((["onboarding/"],))] = Field(default_factory=list)
    """Files and folders of the catalog: it changes whatever they have."""
    commits: Annotated[Title | None, Shown(("4f2c1a9..8d07e3b",))] = None
    """Two revisions of git, FROM..TO: it changes whatever the files that differ between them
    have."""
    pullRequest: Annotated[int | None, Field(ge=1), Shown((42,))] = None
    """The number of a pull request that is merged: it changes what that has changed."""

    @property
    def span(self) -> tuple[str, str]:
        """The two revisions of `commits`; empty where one is missing."""
        before, _, after = (self.commits or "").partition("..")
        return before, after.removeprefix(".")

    @property
    def moment(self) -> datetime | None:
        return parse_as_written(self.at) if self.at else None


NAMES = ("addresses", "files", "commits", "pullRequest")
"""The fields that say what a release changes."""
RELEASE_TAKEN = Rule(
    "release-taken", "Two releases have the same name.", "Give one of them another name."
)
RELEASE_MOMENT = Rule(
    "release-moment",
    "The moment of a release is no date and time, or has no offset from UTC.",
    "Write a date, a time and an offset, such as 2027-09-01T21:00:00+02:00.",
)
RELEASE_COMMITS = Rule(
    "release-commits",
    "The commits of a release are not two revisions.",
    "Write two revisions as FROM..TO, such as 4f2c1a9..8d07e3b.",
)
RELEASE_EMPTY = Rule(
    "release-empty",
    "A release does not say what it changes.",
    "Write `addresses`, `files`, `commits` or `pullRequest`.",
)

RELEASE_ADDRESS = warning_rule(
    "release-address",
    "A release names an address that nothing in the catalog has.",
    "Correct it; it is right only if the release takes something out of the catalog.",
)
RELEASE_PATH = warning_rule(
    "release-file",
    "A release names a file or a folder that is not in the catalog.",
    "Correct the path, which begins at the root of the catalog.",
)
RELEASE_TWICE = warning_rule(
    "release-twice",
    "Two releases name the same address: the first one that is applied changes it for both.",
    "Delete the release that is complete, or put both into one.",
)
RELEASE_HOURS = warning_rule(
    "release-hours",
    "The moment of a release is not in the quiet hours: if learners feel it at once, the guard "
    "`quietHours` refuses it then.",
    "Choose a moment in the quiet hours.",
)


class Release(NamedTuple):
    """A release, and where it is written."""

    name: str
    spec: ReleaseFile
    origin: Origin


def read_releases(scope: Scope, files: Sequence[str]) -> tuple[list[Release], list[Problem]]:
    """The releases in some files, and what is wrong with them; one with a mistake is left out."""
    read = [read_manifest_file(scope, file) for file in files]
    problems = [problem for one in read for problem in one.problems]
    known: dict[str, Release] = {}
    for document in (document for one in read for document in one.documents):
        spec = _check_release_document(document)
        if isinstance(spec, list):
            problems += [finding.at(document.origin, None) for finding in spec]
        elif earlier := known.get(spec.release):
            text = f"the name `{spec.release}` is taken by {earlier.origin.file}"
            problems.append(RELEASE_TAKEN.at(("release",), text).at(document.origin, None))
        else:
            known[spec.release] = Release(spec.release, spec, document.origin)
    return list(known.values()), problems


def _check_release_document(document: Document) -> ReleaseFile | list[Finding]:
    """A release, or everything that is wrong with it."""
    if misplaced := find_misplacement(document):
        return [misplaced]
    try:
        spec = ReleaseFile.model_validate(document.data)
    except ValidationError as error:
        return [*word_validation_error(error, ReleaseFile, document.data)]
    return [*_check_release(spec)] or spec


def _check_release(spec: ReleaseFile) -> Iterator[Finding]:
    if not any(getattr(spec, name) for name in NAMES):
        yield RELEASE_EMPTY.at(("release",), f"the release `{spec.release}` names nothing")
    if spec.commits and not all(spec.span):
        text = f"`{spec.commits}` does not name two revisions"
        yield RELEASE_COMMITS.at(("commits",), text)
    try:
        has_offset = spec.moment is None or spec.moment.tzinfo is not None
    except ValueError:
        yield RELEASE_MOMENT.at(("at",), f"`{spec.at}` is not a date and a time")
    else:
        if not has_offset:
            text = f"`{spec.at}` has no offset from UTC, so nobody knows which moment it is"
            yield RELEASE_MOMENT.at(("at",), text)


def find_release_problems(
    scope: Scope, listing: Listing, addresses: Iterable[Address]
) -> list[Problem]:
    """Everything that is wrong with the releases of a catalog that has these addresses; what only
    git or a state can say is not asked."""
    files = listing.yaml_files_below(RELEASES)
    if not files:
        return []
    releases, problems = read_releases(scope, files)
    taken: dict[str, Release] = {}
    names = {*map(str, addresses)}
    for one in releases:
        findings = [*_check_names(one, names, listing, taken), *_check_hours(scope, one)]
        problems += [finding.at(one.origin, None) for finding in findings]
    return problems


def _check_names(
    release: Release, names: Set[str], listing: Listing, taken: dict[str, Release]
) -> Iterator[Finding]:
    """A finding for what names nothing, and for what another release names as well."""
    for number, pattern in enumerate(release.spec.addresses):
        place, hits = ("addresses", number), sorted(fnmatch.filter(names, pattern))
        if not hits:
            near = suggest_near(pattern, sorted(names))
            text = f"nothing in the catalog has the address `{pattern}`"
            yield RELEASE_ADDRESS.at(place, text, near or None)
        for name in hits:
            earlier = taken.setdefault(name, release)
            if earlier is not release:
                text = f"{name} is in the release `{earlier.name}` as well ({earlier.origin.file})"
                yield RELEASE_TWICE.at(place, text)
    for number, path in enumerate(release.spec.files):
        folder = f"{path.rstrip('/')}/"
        if not any(f"{file}/".startswith(folder) for file in listing.files):
            near = suggest_near(path, listing.files)
            yield RELEASE_PATH.at(
                ("files", number), f"`{path}` is not in the catalog", near or None
            )


def _check_hours(scope: Scope, release: Release) -> Iterator[Finding]:
    """A finding for each environment whose quiet hours do not contain the moment."""
    moment, project = release.spec.moment, scope.project
    for name, environment in project.environments.items() if moment else ():
        wanted = project.guards_of(environment).quietHours
        times = find_quiet_times(wanted, None) if wanted and wanted.severity != "off" else None
        if moment and times and not times.contains(moment):
            text = f"{release.spec.at} is not in the quiet hours of {name}, {times}"
            yield RELEASE_HOURS.at(("at",), text)
