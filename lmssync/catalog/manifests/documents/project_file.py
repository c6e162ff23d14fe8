"""Reads `lmssync.yaml`."""

import posixpath
import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

from ....errors import InvalidCatalog, WrongUse
from ....problems import Finding, Problem, Rule, in_order, suggest_near
from ....resource import KEY, PROJECT_FILE, Origin, Path as SourcePath
from ....settings import SQLITE, Environment, Project, quiet_zone
from ....support import rulebook, safe_files
from ....support.checked_documents import check_documents
from ....support.declared_values import checks_of
from ....support.notification_settings import PLACEHOLDERS, NotifyTarget
from ....vocabulary.routes import CAPABILITIES, CORE_ROUTES
from ..catalog_files import MANIFEST_BYTES
from ..yaml import YamlMistake, load_yaml
from .manifest_documents import Scope, locate_problems_in_files
from .secret_settings import (
    address_findings,
    one_source_findings,
    reword_secret_finding,
    source_findings,
)
from .slice_settings import check_slices

ENVIRONMENT_NAME = Rule(
    "environment-name",
    "An environment has a name that cannot be used in a path or on a command line.",
    "Use letters and digits, with single hyphens, dots or underscores between them.",
)
DEFAULT_ENVIRONMENT = Rule(
    "default-environment",
    "`defaultEnvironment` names an environment that does not exist.",
    "Name one that is listed under `environments`, or delete the line.",
)
PROMOTE_FROM = Rule(
    "promote-from",
    "`promoteFrom` names an environment that does not exist, or forms a circle.",
    "Name the environment where changes are tried first.",
)
QUIET_HOURS = Rule(
    "quiet-hours",
    "`quietHours` has a beginning without an end, or a time zone that does not exist.",
    "Write `{begin: '20:00', end: '06:00', timeZone: Europe/Berlin}`, or neither `begin` nor "
    "`end`: then they are learned from the events.",
)
STATE_OUTSIDE = Rule(
    "state-outside",
    "The project file puts the state outside the catalog, where a stranger could choose the place.",
    "Name a file in the catalog, a remote of its repository (`git:origin#lmssync/{environment}`), "
    "or a bucket (`s3://bucket/path`). To keep the state elsewhere, set `LMSSYNC_STATE`.",
)
SECOND_DOCUMENT = Rule(
    "second-document",
    "The project file contains several documents, of which only one would be read.",
    "Put everything into the first.",
)
DEFAULT_FIELD = Rule(
    "default-field",
    "`defaults:` of the project file names a field that the kind does not have.",
    "Use a field that its manifests may have; `resource` and `key` have no defaults.",
)
UNKNOWN_RULE = Rule(
    "unknown-rule",
    "`rules:` of the project file names a rule that does not exist.",
    "Use the code that problems show in brackets.",
)
UNKNOWN_CAPABILITY = Rule(
    "unknown-capability",
    "`platform.capabilities` of the project file names a capability that does not exist.",
    "Use a name that the hint lists; `lmssync doctor --probe` prints what an instance has.",
)
RULE_FIXED = Rule(
    "rule-fixed",
    "`rules:` lowers or switches off a rule that a catalog cannot change.",
    "Delete the line; `may be changed` in the reference marks the rules that a catalog can change.",
)
RULES_FOLDER = Rule(
    "rules-folder",
    "A name that has further rules below it, under `rules:` of the project file, is not a "
    "folder of the catalog.",
    "Write the path from the root of the catalog, with a slash at the end: `courses/old/`.",
)

NOTIFY_TARGET = Rule(
    "notify-target",
    "A target of `notify:` has no way to people, or several, or names an environment that does not "
    "exist.",
    "Write one of `webhook: {env: LMSSYNC_NOTIFY_CHAT}`, `mail: {}` and `issue: true`.",
)
NOTIFY_BODY = Rule(
    "notify-body",
    "The `body` of a webhook has a name in braces that stands for nothing.",
    "Write `{title}`, `{text}`, `{environment}` or `{occasion}`.",
)


def read_project_file(root: Path) -> Project:
    """The project file; raises `WrongUse` without one, `InvalidCatalog` for a bad one."""
    file = root / PROJECT_FILE
    try:
        documents = load_yaml(safe_files.read_inside(root, PROJECT_FILE, MANIFEST_BYTES))
    except FileNotFoundError:
        raise WrongUse(
            f"there is no {PROJECT_FILE} in {root}",
            "it belongs at the root of a catalog: go there, or name it with -C DIR",
        ) from None
    except OSError as error:
        raise WrongUse(f"{file} cannot be read: {error.strerror}") from None
    except YamlMistake as bad:
        raise InvalidCatalog([bad.as_problem(PROJECT_FILE)], root) from None
    if len(documents) > 1:
        text = f"there are {len(documents)} documents in {PROJECT_FILE}, and only one is read"
        raise _invalid_project(root, [SECOND_DOCUMENT.at((), text)], document=1)
    return _check_project(root, documents[0] if documents else {})


def _check_project(root: Path, data: Any) -> Project:
    (project,) = check_documents(root, Project, [data])
    if not isinstance(project, Project):
        from ..validation_errors import word_validation_error

        refused = word_validation_error(project, checks_of(Project), data)
        raise _invalid_project(root, [reword_secret_finding(finding) for finding in refused])
    judges = (
        _check_environments,
        _default_environment,
        _check_promotions,
        _check_states,
        check_slices,
        _check_defaults,
        _check_folders,
        _check_rules,
        _check_capabilities,
        _quiet_hours,
        _check_notify,
    )
    if findings := [finding for judge in judges for finding in judge(project)]:
        raise _invalid_project(root, findings)
    return project


def _invalid_project(
    root: Path, findings: Iterable[Finding], *, document: int = 0
) -> InvalidCatalog:
    problems = [finding.at(Origin(PROJECT_FILE, document), None) for finding in findings]
    return InvalidCatalog(in_order(locate_problems_in_files(Scope(root), problems)), root)


def _check_environments(project: Project) -> Iterator[Finding]:
    """Checks names and addresses: a name becomes part of paths and command lines, an address is in
    git."""
    for name, environment in project.environments.items():
        if not re.fullmatch(KEY, name):
            message = f"`{name}` cannot be the name of an environment"
            hint = "letters and digits, with single hyphens, dots or underscores between them"
            yield ENVIRONMENT_NAME.at(("environments", name), message, hint)
        yield from address_findings(("environments", name, "baseUrl"), environment.baseUrl)
        yield from source_findings(("environments", name), environment)


def _default_environment(project: Project) -> Iterator[Finding]:
    name, known = project.defaultEnvironment, project.environments
    if name is not None and name not in known:
        hint = suggest_near(name, known) or f"there are: {', '.join(known) or 'none'}"
        text = f"there is no environment `{name}`"
        yield DEFAULT_ENVIRONMENT.at(("defaultEnvironment",), text, hint)


def _check_promotions(project: Project) -> Iterator[Finding]:
    known = project.environments
    for name, environment in known.items():
        source = environment.promoteFrom
        at = ("environments", name, "promoteFrom")
        if source is not None and source not in known:
            hint = suggest_near(source, known) or f"there are: {', '.join(known)}"
            yield PROMOTE_FROM.at(at, f"there is no environment `{source}`", hint)
        elif name in _earlier_environments(project, name):
            circle = " ← ".join([name, *_earlier_environments(project, name)])
            text = f"`promoteFrom` forms a circle: {circle}"
            yield PROMOTE_FROM.at(at, text, "delete `promoteFrom` in one of them")


def _earlier_environments(project: Project, name: str) -> list[str]:
    """The environments that have a change before this one, up to one that is named again."""
    before: list[str] = []
    source = project.environments[name].promoteFrom
    while source in project.environments and source not in before:
        before.append(source)
        source = project.environments[source].promoteFrom
    return before


def _check_states(project: Project) -> Iterator[Finding]:
    yield from _check_state(project)
    states = {("environments", name): one.state for name, one in project.environments.items()}
    states |= {("slices", name): one.state for name, one in project.slices.items()}
    for above, state in states.items():
        if state is not None:
            own = project.with_values({"state": state})
            yield from (one._replace(path=(*above, "state")) for one in _check_state(own))


def _check_state(project: Project) -> Iterator[Finding]:
    """The state is inside the catalog; a stranger's catalog must not choose another place."""
    if not project.state.startswith(SQLITE):
        yield from _check_home(project.state)
        return
    given = project.state.removeprefix(SQLITE)
    path = posixpath.normpath(given.replace("\\", "/"))
    whole = path.startswith("/") or bool(PureWindowsPath(path).drive)
    if whole or path == ".." or path.startswith("../"):
        text = f"`state` is `{project.state}`, which is outside the catalog"
        place = f"{SQLITE}{path if whole else '/the/folder/state.db'}"
        hint = f"name a file in it, or set the same outside: export LMSSYNC_STATE={place}"
        yield STATE_OUTSIDE.at(("state",), text, hint)


def _check_home(state: str) -> Iterator[Finding]:
    """Refuses places for a state that would get a secret of ours: a stranger may have written the
    catalog."""
    if _HOMES.fullmatch(state):
        return
    scheme = state.partition(":")[0]
    hint = "set it outside the catalog: export LMSSYNC_STATE=..."
    if scheme in {"postgresql", "postgres"}:
        text = "`state` names a server, which would get the password of the person who runs this"
        yield STATE_OUTSIDE.at(("state",), text, hint)
    elif scheme in {"git", "s3", "gs", "az"}:
        text = "`state` may only name a remote of this repository, or a bucket and a path"
        if scheme == "git" and _REMOTE_AND_REF.fullmatch(state):
            text = "`state` names a branch that is not below `lmssync/`: others may work on it"
            hint = f"write git:REMOTE#lmssync/{{environment}}, or {hint}"
        yield STATE_OUTSIDE.at(("state",), text, hint)


_REMOTE_AND_REF = re.compile(r"git:[A-Za-z0-9][\w.-]*#[^@:]+")
_HOMES = re.compile(
    r"git:[A-Za-z0-9][\w.-]*(#((refs/heads/)?lmssync/|refs/lmssync/)[^@:]+)?|(s3|gs|az)://[^@?:]+"
)


def _check_defaults(project: Project) -> Iterator[Finding]:
    """Defaults are for fields that a kind has; what they hold is judged where it is used."""
    if not project.defaults:
        return
    from ....kinds import BY_RESOURCE, OWN_FIELDS  # a command about the state needs no kinds
    from ..model_fields import fields_of
    from ..validation_errors import UNKNOWN_RESOURCE

    for resource, fields in project.defaults.items():
        kind = BY_RESOURCE.get(resource)
        if kind is None:
            hint = suggest_near(resource, BY_RESOURCE) or f"known: {', '.join(BY_RESOURCE)}"
            text = f"there is no resource kind `{resource}`"
            yield UNKNOWN_RESOURCE.at(("defaults", resource), text, hint)
            continue
        known = [name for name in fields_of(kind.spec) if name not in OWN_FIELDS]
        for field in (one for one in fields if one not in known):
            hint = suggest_near(field, known) or "only fields of its manifests can have defaults"
            text = f"a {kind.noun} takes no default for `{field}`"
            yield DEFAULT_FIELD.at(("defaults", resource, field), text, hint)


def _check_rules(project: Project) -> Iterator[Finding]:
    """A catalog cannot change the rules that the platform enforces."""
    for path, name, grade in project.list_grades:
        rule = rulebook.find_rule(name)
        if rule and rule.fixed and grade != rule.severity:
            wanted = "switched off" if grade == "off" else "a warning"
            why = "the platform would refuse what it finds, or lmssync could not read it"
            message = f"`{name}` cannot be {wanted}: {why}"
            yield RULE_FIXED.at(("rules", *path), message, "delete this line")


def _settings_everywhere(project: Project) -> Iterator[tuple[SourcePath, Project | Environment]]:
    """The project and each of its environments: both have guards and settings of the platform."""
    yield (), project
    for name, environment in project.environments.items():
        yield ("environments", name), environment


def _quiet_hours(project: Project) -> Iterator[Finding]:
    """Yields a finding for quiet hours that lack an end, or whose time zone this machine does not
    know."""
    for above, settings in _settings_everywhere(project):
        wanted = settings.guards.quietHours
        if wanted is None:
            continue
        at = (*above, "guards", "quietHours")
        if bool(wanted.begin) is not bool(wanted.end):
            given, missing = ("begin", "end") if wanted.begin else ("end", "begin")
            yield QUIET_HOURS.at((*at, given), f"`{given}` is given without `{missing}`")
        if quiet_zone(wanted) is None:
            yield QUIET_HOURS.at((*at, "timeZone"), f"there is no time zone `{wanted.timeZone}`")


def _check_capabilities(project: Project) -> Iterator[Finding]:
    """A capability has the name of a route, or is `LIST_TIMES`; what every instance has is none."""
    for above, settings in _settings_everywhere(project):
        given = settings.platform.capabilities
        for name in (one for one in given if one not in CAPABILITIES):
            text = f"there is no capability `{name}`"
            known = ", ".join(sorted(CAPABILITIES))
            hint = suggest_near(name, CAPABILITIES) or f"there are: {known}"
            if name in CORE_ROUTES:
                text = f"`{name}` is no capability that can be missing"
                hint = "delete the line: the specification has this route, so every instance has it"
            yield UNKNOWN_CAPABILITY.at((*above, "platform", "capabilities", name), text, hint)


def unknown_rules(project: Project, ours: Collection[str]) -> Iterator[Problem]:
    """Grades for rules that do not exist; `ours` are the ids of policies."""
    for path, name, _ in project.list_grades:
        if rulebook.find_rule(name) is None and name not in ours:
            hint = (
                suggest_near(name, [*rulebook.all_rules(), *ours])
                or "`lmssync explain` lists the rules"
            )
            origin = Origin(PROJECT_FILE, 0, ("rules", *path))
            yield UNKNOWN_RULE.problem(f"there is no rule `{name}`", origin, hint)


def _check_folders(project: Project) -> Iterator[Finding]:
    """What holds further rules is a folder; a slash tells it from the name of a rule."""
    for name, grade in project.rules.items():
        path = PurePosixPath(name)
        plain = name == f"{path}/" and not path.is_absolute() and ".." not in path.parts
        if not isinstance(grade, str) and not plain:
            hint = "write it from the root of the catalog, with a slash at its end: `courses/old/`"
            yield RULES_FOLDER.at(("rules", name), f"`{name}` is not a folder of the catalog", hint)


_WAYS_TO_PEOPLE = ("webhook", "mail", "issue")


def _check_notify(project: Project) -> Iterator[Finding]:
    """Each target has one way to people; environments and placeholders exist."""
    for name, target in project.notify.items():
        at = ("notify", name)
        ways = [way for way in _WAYS_TO_PEOPLE if getattr(target, way)]
        if len(ways) != 1:
            given = " and ".join(f"`{way}`" for way in ways) or "no way to people"
            hint = "write one of `webhook`, `mail` and `issue`"
            yield NOTIFY_TARGET.at(at, f"`{name}` has {given}", hint)
        for number, wanted in enumerate(target.environments):
            if wanted not in project.environments:
                known = ", ".join(project.environments) or "none"
                hint = suggest_near(wanted, project.environments) or f"there are: {known}"
                text = f"there is no environment `{wanted}`"
                yield NOTIFY_TARGET.at((*at, "environments", number), text, hint)
        for word in target.placeholders:
            if word not in PLACEHOLDERS:
                known = ", ".join(f"{{{one}}}" for one in PLACEHOLDERS)
                hint = suggest_near(word, PLACEHOLDERS) or f"there are: {known}"
                yield NOTIFY_BODY.at((*at, "body"), f"`{{{word}}}` stands for nothing", hint)
        yield from _check_target_sources(at, target)


def _check_target_sources(at: tuple[str, ...], target: NotifyTarget) -> Iterator[Finding]:
    if target.webhook is not None:
        yield from one_source_findings((*at, "webhook"), target.webhook)
    for name, source in target.mail or ():
        yield from one_source_findings((*at, "mail", name), source)
