"""What may be wrong with the slices of a project file, and which manifests are in none."""

import posixpath
import re
from collections.abc import Iterator, Mapping
from itertools import combinations
from pathlib import PurePosixPath

from ....problems import Finding, Problem, Rule, Severity, suggest_near
from ....resource import KEY, PROJECT_FILE, Address, Origin, Resource
from ....settings import SQLITE, UNNAMED, Environment, Project

SLICE_NAME = Rule(
    "slice-name",
    "A slice has a name that cannot be used in a path or on a command line.",
    "Use letters and digits, with single hyphens, dots or underscores between them.",
)
SLICE_PATHS = Rule(
    "slice-paths",
    "A path under `slices:` is not a folder of the catalog, or is in the folder of another slice.",
    "Write the path from the root of the catalog, with a slash at the end: `safety/`. Each folder "
    "is in one slice.",
)
SLICE_STATE = Rule(
    "slice-state",
    "Two slices have one state, or `state` names a slice where there are none.",
    "Write `{slice}` into `state`: `sqlite:///.lmssync/{slice}-{environment}.db`.",
)
SLICE_FOLDER = Rule(
    "slice-folder",
    "No manifest is in a folder of a slice.",
    "Write the name of the folder as it is in the catalog, or delete it here.",
    Severity.WARNING,
    fixed=False,
)
OUTSIDE_SLICES = Rule(
    "outside-slices",
    "A catalog has slices, and a manifest is in none of them: no state would know what it gives.",
    "Move it into a folder of a slice, or add its folder to one under `slices:`.",
)


def check_slices(project: Project) -> Iterator[Finding]:
    """Yields what is wrong with the names, the folders and the states of the slices."""
    for name in project.slices:
        if not re.fullmatch(KEY, name):
            text = f"`{name}` cannot be the name of a slice"
            yield SLICE_NAME.at(("slices", name), text)
    yield from _check_paths(project)
    yield from _check_states_apart(project)


def _check_paths(project: Project) -> Iterator[Finding]:
    known: list[tuple[str, str]] = []
    for name, one in project.slices.items():
        for number, path in enumerate(one.paths):
            at = ("slices", name, "paths", number)
            plain = PurePosixPath(path)
            if path != f"{plain}/" or plain.is_absolute() or {"..", "."} & {*plain.parts}:
                yield SLICE_PATHS.at(at, f"`{path}` is not a folder of the catalog")
            for other, before in known:
                if path.startswith(before) or before.startswith(path):
                    text = f"`{path}` overlaps with `{before}` of the slice `{other}`"
                    yield SLICE_PATHS.at(at, text, "name each folder once")
            known.append((name, path))


def _check_states_apart(project: Project) -> Iterator[Finding]:
    everywhere = project.environments or {UNNAMED: Environment(baseUrl="")}
    for name, environment in everywhere.items():
        places = {one: _place_in(project, one, name, environment) for one in project.slices}
        shared = ((a, b) for a, b in combinations(places, 2) if places[a] == places[b])
        if pair := next(shared, None):
            first, second = pair
            text = f"the slices `{first}` and `{second}` have one state, {places[first]}"
            yield SLICE_STATE.at(("slices", second), text)
            return
    if not project.slices and "{slice}" in project.state:
        yield SLICE_STATE.at(("state",), "`state` names a slice, and there is no `slices:`")


def _place_in(project: Project, name: str, environment: str, settings: Environment) -> str:
    """The place of a state in the one spelling in which places are compared."""
    place = project.place_state(name, settings).replace("{environment}", environment)
    if not place.startswith(SQLITE):
        return place
    return f"{SQLITE}{posixpath.normpath(place.removeprefix(SQLITE))}"


def find_outside_slices(
    project: Project, resources: Mapping[Address, Resource]
) -> Iterator[Problem]:
    """Yields a problem for each manifest that is in no slice, and each folder without manifests."""
    files = {one.origin.file: one.origin for one in resources.values() if not one.origin.path}
    for file, origin in files.items():
        if not project.find_slice(file):
            known = ", ".join(project.slices)
            text = f"{file} is in no slice; there are: {known}"
            yield OUTSIDE_SLICES.problem(text, origin)
    folders = {f"{parent}/" for file in files for parent in PurePosixPath(file).parents[:-1]}
    free = {one for one in folders if not project.find_slice(one)}
    for name, one in project.slices.items():
        for number, path in enumerate(one.paths):
            if path not in folders:
                at = Origin(PROJECT_FILE, 0, ("slices", name, "paths", number))
                hint = suggest_near(path, free) or None
                yield SLICE_FOLDER.problem(f"no manifest is in `{path}`", at, hint)
