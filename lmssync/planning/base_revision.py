"""What the base of a pull request says of its guards, and what the pull request lowers.

Whoever opens a pull request can write the files that guard the catalog, so a plan with a base goes
by the stricter of both: the guards of either, the stronger grade of each rule, all policies, and
the lines of both files `APPROVERS`.
"""

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ..catalog.manifests.catalog_files import POLICIES, walk_catalog
from ..catalog.manifests.documents import read_project_file
from ..errors import InvalidCatalog, WrongUse
from ..resource import PROJECT_FILE
from ..settings import Environment, Grade, Guards, ManyChanges, Project, QuietHours
from ..support import rulebook, safe_files
from ..support.declared_values import declared_fields
from ..support.file_writing import lay_below
from ..support.git_repository import read_files_at
from . import approvals
from .approvals import ApprovalRule
from .plan import LoweredSetting

if TYPE_CHECKING:
    from ..catalog.manifests.policies import Policy

_RANKS = {"off": 0, "warning": 1, "error": 2}
_GONE = "gone"
_APPROVERS_MOST = 1024 * 1024
Rules = Mapping[str, Grade | dict[str, Grade]]


class BaseRevision(NamedTuple):
    """The files that guard a catalog, as they are in one commit."""

    project: Project
    policies: Sequence["Policy"] = ()
    approvers: Sequence[ApprovalRule] = ()

    def environments_like(self, name: str, run: Environment, head: Project) -> list[Environment]:
        """The environments of the base that guard the instance of a run, by name or by address: a
        new name must not leave the guards behind. Without one, the guards of the project count."""
        written = head.environments.get(name, run)
        origins = {run.site.origin, written.site.origin}
        alike = [
            one
            for own, one in self.project.environments.items()
            if own == name or one.site.origin in origins
        ]
        return alike or [Environment(baseUrl=run.baseUrl)]

    def take_stricter_rules(self, project: Project) -> Project:
        """A project with the stronger grade of each rule, and the plugins of both."""
        plugins = dict.fromkeys((*project.plugins, *self.project.plugins))
        rules: dict[str, Grade | dict[str, Grade]] = {}
        for folder, name in _graded_places(project.rules, self.project.rules):
            was, now = (_find_grade(one.rules, folder, name) for one in (self.project, project))
            grade = _take_stricter_grade(was, now) or (_usual_grade(name) if folder else None)
            inner = rules.setdefault(folder, {}) if folder and grade else rules
            if grade and isinstance(inner, dict):
                inner[name] = grade
        return project.with_values({"rules": rules, "plugins": list(plugins)})


def read_base_revision(root: Path, revision: str) -> BaseRevision | None:
    """What guards the catalog at a revision; None where there was none yet. Raises `WrongUse` for a
    revision that is not known, or for mistakes in these files: what they guard is not known."""
    with open_revision(root, revision, (PROJECT_FILE, approvals.FILE, POLICIES)) as folder:
        if not (folder / PROJECT_FILE).exists():
            return None
        try:
            return BaseRevision(
                read_project_file(folder), read_house_policies(folder), read_approvers(folder)
            )
        except InvalidCatalog as error:
            first = error.problems[0]
            raise WrongUse(
                f"{first.where.file} has a mistake at `{revision}`: {first.message}",
                "correct it there first: until then its guards are unknown",
            ) from None


@contextmanager
def open_revision(root: Path, revision: str, names: Sequence[str] = ()) -> Iterator[Path]:
    """A folder with files of the catalog as they were at a revision, for the length of a block: the
    named ones, or all of them. Raises `WrongUse`."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            for name, content in read_files_at(root, revision, names):
                lay_below(Path(folder), name, content)
        except OSError as error:
            raise WrongUse(f"the files of `{revision}` cannot be read: {error.strerror}") from None
        yield Path(folder)


def read_approvers(root: Path) -> list[ApprovalRule]:
    """The lines of `APPROVERS`; none where there is no such file. Raises `WrongUse`."""
    try:
        text = safe_files.read_inside(root, approvals.FILE, _APPROVERS_MOST).decode()
    except FileNotFoundError:
        return []
    except UnicodeDecodeError:
        raise WrongUse(f"{approvals.FILE} is not a text in UTF-8", "save it as UTF-8") from None
    except OSError as error:
        raise WrongUse(f"{approvals.FILE} cannot be read: {error.strerror}") from None
    return approvals.parse_approval_rules(text)


def read_house_policies(root: Path) -> "Sequence[Policy]":
    """The policies of a catalog; raises `InvalidCatalog` for mistakes in them."""
    if not (root / POLICIES).is_dir():
        return ()
    from ..catalog.manifests.policies import read_policies  # most catalogs have none

    house, problems = read_policies(root, walk_catalog(root).yaml_files_below(POLICIES))
    if problems:
        raise InvalidCatalog(problems, root)
    return house


def _graded_places(*several: Rules) -> dict[tuple[str, str], None]:
    """Each folder and rule that one of the projects grades; the whole catalog has an empty name."""
    places: dict[tuple[str, str], None] = {}
    for rules in several:
        for name, grade in rules.items():
            inner = [("", name)] if isinstance(grade, str) else [(name, rule) for rule in grade]
            places |= dict.fromkeys(inner)
    return places


def _find_grade(rules: Rules, folder: str, name: str) -> Grade | None:
    """The grade of a rule in a folder: the innermost folder that has one decides."""
    folders = sorted((one for one in rules if one.endswith("/")), key=len, reverse=True)
    for outer in folders:
        inner = rules[outer]
        if folder.startswith(outer) and isinstance(inner, dict) and name in inner:
            return inner[name]
    grade = rules.get(name)
    return grade if isinstance(grade, str) else None


def _take_stricter_grade(was: Grade | None, now: Grade | None) -> Grade | None:
    """The stricter of two grades; None is the usual grade of a rule."""
    if was is None or now is None:
        # Beside a usual grade, which is `warning` or `error`, only `error` can be the stricter one.
        return "error" if "error" in {was, now} else None
    return max(was, now, key=_RANKS.__getitem__)


def _usual_grade(name: str) -> Grade | None:
    """The usual grade of a rule; None for one of a policy or a plugin, which the catalog knows."""
    rule = rulebook.find_rule(name)
    return rule.severity.value if rule else None


def list_lowered_settings(
    base: BaseRevision, head: BaseRevision, name: str, environment: Environment
) -> list[LoweredSetting]:
    """The settings that guard the run's environment and that a pull request lowers."""
    now = head.project.guards_of(environment)
    lowered: list[LoweredSetting] = []
    for one in base.environments_like(name, environment, head.project):
        lowered += _lowered_guards(base.project.guards_of(one), now)
        lowered += _lowered_environment(one, environment)
    lowered += [*_lowered_rules(base, head), *_lowered_policies(base, head)]
    for rule in base.approvers:
        if not any(rule.is_covered_by(other) for other in head.approvers):
            setting = f"{approvals.FILE}: {rule.line_text}"
            lowered.append(LoweredSetting(setting, "required", _GONE))
    return list(dict.fromkeys(lowered))


def _lowered_guards(was: Guards, now: Guards) -> Iterator[LoweredSetting]:
    for name in declared_fields(Guards):
        before, after = getattr(was, name), getattr(now, name)
        setting, grades = f"guards.{name}", (_grade_of(before), _grade_of(after))
        if _RANKS[grades[1]] < _RANKS[grades[0]]:
            yield LoweredSetting(setting, *grades)
        elif grades[0] != "off":
            yield from _lowered_budgets(setting, before, after)


def _grade_of(guard: object) -> str:
    # A guard that is not set is off.
    return guard if isinstance(guard, str) else getattr(guard, "severity", "off")


def _lowered_budgets(setting: str, was: object, now: object) -> Iterator[LoweredSetting]:
    """Limits that allow more than before, and other quiet hours."""
    if isinstance(was, QuietHours) and isinstance(now, QuietHours):
        hours = [
            f"{one.begin} to {one.end} {one.timeZone}" if one.begin else "learned"
            for one in (was, now)
        ]
        if hours[0] != hours[1]:
            yield LoweredSetting(setting, *hours)
        return
    for limit in ("mostPercent", "least") if isinstance(was, ManyChanges) else ("most",):
        before, after = getattr(was, limit, 0), getattr(now, limit, 0)
        if after > before:
            yield LoweredSetting(f"{setting}.{limit}", str(before), str(after))


def _lowered_environment(was: Environment, now: Environment) -> Iterator[LoweredSetting]:
    if was.protected and not now.protected:
        yield LoweredSetting("protected", "true", "false")
    if was.promoteFrom and was.promoteFrom != now.promoteFrom:
        yield LoweredSetting("promoteFrom", was.promoteFrom, now.promoteFrom or _GONE)


def _lowered_rules(base: BaseRevision, head: BaseRevision) -> Iterator[LoweredSetting]:
    """Grades that are weaker than before, and plugins whose rules are gone."""
    known = {one.rule.id: one.rule.severity.value for one in (*head.policies, *base.policies)}
    for folder, name in _graded_places(base.project.rules, head.project.rules):
        usual = _usual_grade(name) or known.get(name, "error")
        was, now = (_find_grade(one.project.rules, folder, name) or usual for one in (base, head))
        if _RANKS[now] < _RANKS[was]:
            yield LoweredSetting(".".join(filter(None, ("rules", folder, name))), was, now)
    for package in base.project.plugins:
        if package not in head.project.plugins:
            yield LoweredSetting(f"plugins: {package}", "used", _GONE)


def _lowered_policies(base: BaseRevision, head: BaseRevision) -> Iterator[LoweredSetting]:
    now = {one.rule.id: one for one in head.policies}
    for policy in base.policies:
        setting, was = f"policy {policy.rule.id}", policy.rule.severity.value
        kept = now.get(policy.rule.id)
        if kept is None:
            yield LoweredSetting(setting, was, _GONE)
        elif _RANKS[kept.rule.severity.value] < _RANKS[was]:
            yield LoweredSetting(setting, was, kept.rule.severity.value)
        elif kept.compiled != policy.compiled:
            yield LoweredSetting(setting, "as merged", "with other words")
