"""Rules and reports that other installed packages bring, found by their entry points.

Only what is installed is loaded: a catalog can name a package (`plugins:`), never bring one.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from .errors import LmssyncError

if TYPE_CHECKING:
    from importlib.metadata import Distribution, EntryPoint

RULES, REPORTS = "lmssync.rules", "lmssync.reports"
"""Groups of entry points."""
_REMEDY = "install another version of it, or do without it"
_ID = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)+")


class PluginResource(NamedTuple):
    """A resource as a rule of a plugin sees it."""

    address: str
    kind: str
    """`course`, `license`, and so on: the first word of the address."""
    fields: Mapping[str, Any]
    """By names of the manifest; files are read in, short forms are written out."""


class PluginProblem(NamedTuple):
    """Something that a rule of a plugin has found."""

    address: str
    message: str
    path: Sequence[str | int] = ()
    """Leads to the field: `("topics", 0, "title")`."""
    hint: str = ""


class PluginRule(NamedTuple):
    """What an entry point of `lmssync.rules` is."""

    id: str
    """In kebab-case, stable and unique: `acme-title-case`."""
    means: str
    remedy: str
    check: Callable[[Iterable[PluginResource]], Iterable[PluginProblem]]
    severity: Literal["error", "warning"] = "warning"


Report = Callable[[Mapping[str, Any]], str]
"""Makes a text of a document of `plan --json` or `apply --json`; `format` says which it is."""


class BrokenPlugin(LmssyncError):
    """An installed package is no plugin of ours, or does not work."""


def plugin_identities(names: Iterable[str]) -> dict[str, str]:
    """For each package, its version and when its code was last changed: for caches of what it
    found."""
    return {name: _identity_of(_find_distribution(name)) for name in names}


def plugin_rules(names: Iterable[str]) -> list[tuple[str, PluginRule]]:
    """The rules of some packages, each with its package; raises `BrokenPlugin`."""
    found: dict[str, tuple[str, PluginRule]] = {}
    for name in names:
        entries = [e for e in _find_distribution(name).entry_points if e.group == RULES]
        if not entries:
            raise BrokenPlugin(f"the package {name} has no rules for lmssync", _REMEDY)
        for entry in entries:
            rule = _load_rule(name, entry)
            if rule.id in found:
                raise _broken_plugin(
                    name, entry, f"its rule {rule.id} has the id of a rule of {found[rule.id][0]}"
                )
            found[rule.id] = name, rule
    return list(found.values())


def installed_rules() -> list[tuple[str, PluginRule]]:
    """The rules of every installed package, whatever a catalog lists."""
    return plugin_rules(sorted({name for name, _ in _installed_entries(RULES)}))


def installed_identities() -> dict[str, str]:
    """What `plugin_identities` says of every installed package with rules; no rule is loaded."""
    return plugin_identities(sorted({name for name, _ in _installed_entries(RULES)}))


def plugin_report(form: str) -> Report | None:
    """The report with this name, which is also the ending of its files; None if there is none."""
    for name, entry in _installed_entries(REPORTS):
        if entry.name == form:
            return _guard_report(name, entry)
    return None


def report_names() -> list[str]:
    """The forms that installed packages add."""
    return sorted({entry.name for _, entry in _installed_entries(REPORTS)})


def _installed_entries(group: str) -> Iterator[tuple[str, "EntryPoint"]]:
    from importlib.metadata import entry_points

    for entry in sorted(entry_points(group=group)):
        if entry.dist and _is_installed(entry.dist):
            yield entry.dist.name, entry


def _find_distribution(name: str) -> "Distribution":
    from importlib.metadata import PackageNotFoundError, distribution

    with suppress(PackageNotFoundError, ValueError):
        if _is_installed(found := distribution(name)):
            return found
    raise BrokenPlugin(
        f"lmssync.yaml lists the plugin {name}, which is not installed",
        "install it beside lmssync, or take it out of `plugins:`",
    )


def _is_installed(found: "Distribution") -> bool:
    """False for what stands in this folder, where `python -m lmssync` looks as well: a catalog may
    have brought it."""
    return Path(str(found.locate_file(""))).resolve() != Path.cwd().resolve()


def _identity_of(of: "Distribution") -> str:
    modules = {e.module.partition(".")[0] for e in of.entry_points if e.group == RULES}
    return " ".join([of.version, *(str(_changed_at(module)) for module in sorted(modules))])


def _changed_at(module: str) -> int:
    """When the newest file of a module was written, without importing it."""
    from importlib.util import find_spec

    spec = None
    with suppress(ImportError, ValueError):  # loading it says what is wrong
        spec = find_spec(module)
    folders = spec.submodule_search_locations if spec else None
    files = [file for folder in folders or () for file in Path(folder).rglob("*.py")]
    if spec and spec.origin:
        files.append(Path(spec.origin))
    return max((file.stat().st_mtime_ns for file in files if file.is_file()), default=0)


def _load_rule(package: str, entry: "EntryPoint") -> PluginRule:
    rule = _load_entry(package, entry)
    if not isinstance(rule, PluginRule):
        raise _broken_plugin(package, entry, "is not a `lmssync.plugins.PluginRule`")
    if not (are_texts(rule.id, rule.means, rule.remedy) and callable(rule.check)):
        raise _broken_plugin(package, entry, "lacks an id, a meaning, a remedy or a function")
    if not _ID.fullmatch(str(rule.id)) or rule.severity not in {"error", "warning"}:
        raise _broken_plugin(
            package, entry, f"has the id {rule.id!r} and severity {rule.severity!r}"
        )
    return rule


def _guard_report(package: str, entry: "EntryPoint") -> Report:
    made = _load_entry(package, entry)
    if not callable(made):
        raise _broken_plugin(package, entry, "is not a function")

    def call_guarded(document: Mapping[str, Any]) -> str:
        try:
            text = made(document)
        except (Exception, SystemExit) as error:
            raise plugin_failure(package, entry.name, error) from error
        if not isinstance(text, str):
            raise _broken_plugin(package, entry, f"gives {type(text).__name__}, which is no text")
        return text

    return call_guarded


def _load_entry(package: str, entry: "EntryPoint") -> Any:
    try:
        return entry.load()
    except (Exception, SystemExit) as error:
        raise _broken_plugin(package, entry, f"cannot be loaded: {_error_words(error)}") from error


def are_texts(*values: object) -> bool:
    """Whether all of them are texts, and none is empty."""
    return all(isinstance(value, str) and value for value in values)


def plugin_failure(package: str, name: str, error: BaseException) -> BrokenPlugin:
    """What is said where the code of a plugin raises."""
    text = f"the plugin {package} failed in {name}: {_error_words(error)}"
    return BrokenPlugin(text, _REMEDY)


def _broken_plugin(package: str, entry: "EntryPoint", why: str) -> BrokenPlugin:
    text = f"the plugin {package} is broken: {entry.name} = {entry.value} {why}"
    return BrokenPlugin(text, _REMEDY)


def _error_words(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"
