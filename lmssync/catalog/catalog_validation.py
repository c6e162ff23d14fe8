"""Reads and checks a catalog: each file by itself, then the relations between them.

What was judged before is recalled, and nothing else is imported then: an author who asks again
must not wait for what others need.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import orjson

from .. import plugins
from ..errors import InvalidCatalog, LmssyncError, WrongUse
from ..plugins import PluginProblem, PluginResource, PluginRule
from ..problems import Problem, Rule, Severity, by_path, grade_problems, in_order, only_errors
from ..resource import Address
from ..support import safe_files, tracing
from ..support.file_writing import write_below
from .manifests.cache import Validation, recall_outcome, remember_outcome
from .manifests.catalog_files import MANIFEST_BYTES, Listing, walk_catalog

if TYPE_CHECKING:
    from ..settings import Project
    from .manifests.catalog import Catalog
    from .manifests.documents import Scope

Wanted = Callable[[Sequence[Problem]], Iterable[Problem]]
"""Chooses the problems whose lines somebody wants to know, whether or not they are known yet."""


@tracing.trace_stage("validate")
def validate_catalog(
    root: Path, environment: str | None = None, wanted: Wanted | None = None
) -> Validation:
    """Everything that is wrong with a catalog, sorted by place; touches no network.

    Without an environment, in each that differs from the others. Lines that the reading of files
    did not give are looked for where they are `wanted`: that is another parse. Raises
    `WrongUse` without a project file, `InvalidCatalog` for a bad one.
    """
    listing = walk_catalog(root)
    known = recall_outcome(root, environment, listing)
    if known:
        outcome, keeps = known, True
    else:
        outcome, keeps, _ = _validate_anew(root, environment, listing)
    placed = _place_lines(root, outcome, wanted)
    if keeps and placed is not known:
        remember_outcome(root, environment, listing, placed)
    return placed


def validate_with_catalog(root: Path) -> "tuple[Validation, Catalog]":
    """What `validate_catalog` finds in all environments, and the catalog of the first of them, for
    somebody who asks for both after each edit."""
    listing = walk_catalog(root)
    outcome, keeps, catalog = _validate_anew(root, None, listing)
    placed = _place_lines(root, outcome)
    if keeps:
        remember_outcome(root, None, listing, placed)
    return placed, catalog


def check_single_file(
    scope: "Scope", file: str, across: Iterable[Problem] = ()
) -> Sequence[Problem]:
    """What is wrong with one file by itself, and with its relations as they were before: a first
    answer for somebody who edits a file of a large catalog."""
    from .manifests.catalog import make_entry
    from .manifests.documents import locate_problems_in_files

    own = grade_problems(make_entry(scope, file).problems, scope.project.rules)
    # Lines may have come and gone above the others.
    moved = (problem._replace(place=None) for problem in across)
    return in_order(locate_problems_in_files(scope, [*own, *moved]))


def _validate_anew(
    root: Path, environment: str | None, listing: Listing
) -> "tuple[Validation, bool, Catalog]":
    """The outcome, whether it stays the same as long as no file changes, and the catalog of the
    first environment."""
    from .manifests import catalog as catalogs
    from .manifests.documents import read_project_file
    from .manifests.question_files import keep_unused_everywhere

    settings = read_project_file(root)
    if environment:
        settings.require_known(environment)
    judged = [
        _judge_catalog(s, listing)
        for s in catalogs.list_scopes(root, settings, environment, listing)
    ]
    in_git = grade_problems(catalogs.in_git(root), settings.rules)
    outcome = Validation(
        max(catalog.files for catalog, _ in judged),
        max(len(catalog.resources) for catalog, _ in judged),
        in_order(chain(in_git, keep_unused_everywhere([problems for _, problems in judged]))),
        plugins.plugin_identities(settings.plugins),
    )
    # What git keeps changes without any file of the catalog.
    keeps = not in_git and all(_lists_every_file(catalog, listing) for catalog, _ in judged)
    return outcome, keeps, judged[0][0]


def _place_lines(root: Path, outcome: Validation, wanted: Wanted | None = None) -> Validation:
    """The outcome with the lines of what is wanted; itself where they are known."""
    chosen = outcome.problems if wanted is None else wanted(outcome.problems)
    missing = {id(problem): problem for problem in chosen if problem.place is None}
    if not missing:
        return outcome
    from .manifests.documents import Scope, locate_problems_in_files

    located = locate_problems_in_files(Scope(root), missing.values())
    # Each has a place in any case: a file that cannot be read is not asked again.
    settled = (problem._replace(place=problem.where) for problem in located)
    others = (problem for problem in outcome.problems if id(problem) not in missing)
    return outcome._replace(problems=in_order([*others, *settled]))


def load_checked_catalog(scope: "Scope", listing: Listing | None = None) -> "Catalog":
    """The catalog as one environment wants it; raises `InvalidCatalog` if anything is an error."""
    from .manifests import catalog as catalogs

    # A file that has changed since the listing is read again by the next run.
    listing = listing or walk_catalog(scope.root)
    known = recall_outcome(scope.root, scope.environment, listing, or_every=True)
    if known and not only_errors(known.problems):
        catalog, problems = catalogs.load_catalog(scope, listing)
        if not only_errors(
            problems
        ):  # else a file has changed since, and its resources are missing
            return catalog
    catalog, problems = _judge_catalog(scope, listing)
    listed = plugins.plugin_identities(scope.project.plugins)
    outcome = Validation(catalog.files, len(catalog.resources), in_order(problems), listed)
    if _lists_every_file(catalog, listing):
        remember_outcome(scope.root, scope.environment, listing, outcome)
    if only_errors(problems):
        shown = apply_baseline(scope.root, _place_lines(scope.root, outcome).problems).reported
        raise InvalidCatalog(shown, scope.root)
    return catalog


def load_catalog_anew(scope: "Scope") -> "Catalog":
    """The catalog, read by other rules and further policies than its own: nothing is recalled, and
    nothing remembered. Raises `InvalidCatalog`."""
    catalog, problems = _judge_catalog(scope, walk_catalog(scope.root))
    if only_errors(problems):
        raise InvalidCatalog(apply_baseline(scope.root, in_order(problems)).reported, scope.root)
    return catalog


def load_readable_part(
    root: Path, environment: str | None, env: Mapping[str, str]
) -> "tuple[Catalog, list[Problem]]":
    """Loads what can be read of the catalog of an environment, and the problems of the rest.

    Without a name it is the one that a run would be about, or else the first. Raises `WrongUse`,
    and `InvalidCatalog` for a bad project file.
    """
    from .manifests import catalog as catalogs
    from .manifests.documents import read_project_file

    settings, listing = read_project_file(root), walk_catalog(root)
    name = environment or env.get("LMSSYNC_ENV") or settings.defaultEnvironment
    if name:
        settings.require_known(name)
    scope = catalogs.list_scopes(root, settings, name, listing)[0]
    known = recall_outcome(root, scope.environment, listing, or_every=True)
    if known and not known.problems:
        catalog, problems = catalogs.load_catalog(scope, listing)
        if not problems:  # else a file has changed since
            return catalog, problems
    return _judge_catalog(scope, listing)


def _lists_every_file(catalog: "Catalog", listing: Listing) -> bool:
    """Whether the listing shows every file that the manifests name: not those in hidden folders."""
    return catalog.watched <= listing.files.keys()


def _judge_catalog(scope: "Scope", listing: Listing) -> "tuple[Catalog, list[Problem]]":
    """The catalog of one environment, and everything that is wrong with it, with its place."""
    from . import graph
    from .manifests import catalog as catalogs
    from .manifests.check import without_generated
    from .manifests.documents import find_misplaced_manifests, find_outside_slices
    from .manifests.question_files import find_unused_questions
    from .manifests.release_documents import find_release_problems
    from .translations.translation_ledger import find_damaged_ledgers

    catalog, problems = catalogs.load_catalog(scope, listing)
    if catalog.kept and not (catalog.refused or catalog.unsure):
        across = catalog.kept.judge_outlines(graph.judge_resources)
    else:
        across = graph.judge_catalog(catalog.outlines, catalog.refused, catalog.unsure)
    wrong = {
        problem.origin for problem in only_errors(problems)
    }  # there, each mistake is reported once
    further = [problem for problem in across if problem.origin not in wrong]
    problems += [problem._replace(across=True) for problem in without_generated(further)]
    broken = {origin.file for origin in wrong}
    problems += find_unused_questions(listing, catalog, broken)
    problems += find_damaged_ledgers(scope.root, listing.files)
    problems += find_misplaced_manifests(scope, listing)
    problems += find_release_problems(scope, listing, (*catalog.resources, *catalog.refused))
    if scope.project.slices:
        problems += find_outside_slices(scope.project, catalog.outlines)
    if scope.project.plugins:
        problems += _plugin_problems(catalog, scope.project)
    return catalog, catalog.locate_problems(grade_problems(problems, scope.project.rules))


def _plugin_problems(catalog: "Catalog", project: "Project") -> Iterator[Problem]:
    """The problems that rules of listed packages find; raises `BrokenPlugin` for one that fails."""
    from ..support import rulebook

    for package, rule in plugins.plugin_rules(project.plugins):
        if rulebook.find_rule(rule.id):
            taken = ValueError(f"lmssync has a rule {rule.id} of its own")
            raise plugins.plugin_failure(package, rule.id, taken)
        try:
            yield from [
                _check_plugin_problem(catalog, rule, found)
                for found in rule.check(_resources_of_rules(catalog))
            ]
        except LmssyncError:  # ours: the catalog cannot be read
            raise
        except (Exception, SystemExit) as error:
            raise plugins.plugin_failure(package, rule.id, error) from error


def _resources_of_rules(catalog: "Catalog") -> Iterator[PluginResource]:
    """Every resource but lists of people: who learns is no matter of a rule."""
    from ..kinds import KINDS

    for address, resource in catalog.resources.items():
        if not KINDS[address.kind].concealed:
            yield PluginResource(str(address), address.kind, resource.form)


def _check_plugin_problem(catalog: "Catalog", rule: PluginRule, found: PluginProblem) -> Problem:
    if not isinstance(found, PluginProblem):
        raise TypeError("it yields something that is no `lmssync.plugins.PluginProblem`")
    steps = all(isinstance(step, str | int) for step in found.path)
    if not (plugins.are_texts(found.address, found.message, found.hint or "-") and steps):
        raise TypeError("it yields a `PluginProblem` of something else than texts")
    address = Address.parse(found.address)
    resource = catalog.resources.get(address)
    if resource is None:
        raise LookupError(f"the catalog has no {found.address}")
    origin = resource.origin.at(tuple(found.path))
    ours = Rule(rule.id, rule.means, rule.remedy, Severity(rule.severity), fixed=False)
    problem = ours.problem(found.message, origin, found.hint or None, address)
    return problem._replace(across=True)


BASELINE_FILE = "lmssync-baseline.json"
"""At the root of a catalog."""
_FORMAT = "lmssync.baseline/1"
_LINE = re.compile(r"\bline [0-9][0-9,]*")
_Mark = tuple[str, str, str]
"""Resource or file, rule, message."""
_Findings = dict[str, dict[str, dict[str, int]]]


class BaselineResult(NamedTuple):
    """The problems that are reported, and the number that the baseline hides."""

    reported: list[Problem]
    quiet: int = 0
    stale: int = 0
    """Findings of the baseline that nobody makes any more."""


def apply_baseline(root: Path, problems: Sequence[Problem]) -> BaselineResult:
    """The problems without those that the baseline knows; raises `WrongUse` for a bad one.

    Errors are never left out. Where a finding is made more often than before, the further ones are.
    """
    known = _read_baseline(root)
    if not known:
        return BaselineResult(list(problems))
    numbers = sorted(range(len(problems)), key=lambda number: by_path(problems[number]))
    quiet = {number for number in numbers if _is_known(problems[number], known)}
    shown = [problem for number, problem in enumerate(problems) if number not in quiet]
    return BaselineResult(shown, len(quiet), known.total())


def _is_known(problem: Problem, known: Counter[_Mark]) -> bool:
    """Takes the finding off the list, so that each is known as often as it was written down."""
    mark = _mark(problem)
    if problem.severity is not Severity.WARNING or not known[mark]:
        return False
    known[mark] -= 1
    return True


def write_baseline(root: Path, problems: Iterable[Problem]) -> int:
    """Writes the warnings down; how many there are. Raises `OSError`."""
    findings: _Findings = {}
    warnings = [problem for problem in problems if problem.severity is Severity.WARNING]
    for (about, code, message), times in sorted(Counter(map(_mark, warnings)).items()):
        findings.setdefault(about, {}).setdefault(code, {})[message] = times
    document = {"format": _FORMAT, "findings": findings}
    write_below(root, BASELINE_FILE, [orjson.dumps(document, option=orjson.OPT_INDENT_2), b"\n"])
    return len(warnings)


def _mark(problem: Problem) -> _Mark:
    # Messages that quote a line number would be another finding after each edit above it.
    named = str(problem.address or problem.origin.file), _LINE.sub("line …", problem.message)
    # JSON cannot carry half a character, which a name of a file can hold.
    about, message = (text.encode("utf-8", "backslashreplace").decode() for text in named)
    return about, problem.code, message


def _read_baseline(root: Path) -> Counter[_Mark]:
    try:
        document = orjson.loads(safe_files.read_inside(root, BASELINE_FILE, MANIFEST_BYTES))
        if document["format"] != _FORMAT:
            raise _bad(f"its format is {document['format']!r}, but only {_FORMAT} is supported")
        return Counter(
            {
                (about, code, message): _positive(times)
                for about, codes in document["findings"].items()
                for code, messages in codes.items()
                for message, times in messages.items()
            }
        )
    except FileNotFoundError:
        return Counter()
    except OSError as error:
        raise _bad(error.strerror or str(error)) from None
    except (AttributeError, KeyError, TypeError, ValueError):
        raise _bad("it is not a baseline") from None


def _positive(times: object) -> int:
    if not isinstance(times, int) or times < 1:
        raise ValueError(times)
    return times


def _bad(why: str) -> WrongUse:
    return WrongUse(
        f"{BASELINE_FILE} cannot be read: {why}",
        "`lmssync validate --write-baseline` writes a new one with everything that is found now",
    )
