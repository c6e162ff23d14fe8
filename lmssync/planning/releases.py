"""Releases in planning: what each one changes, and which of them are still to be applied."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from fnmatch import fnmatchcase

from ..catalog.manifests.catalog import Catalog
from ..catalog.manifests.catalog_files import RELEASES, walk_catalog
from ..catalog.manifests.documents import Scope, locate_problems_in_files
from ..catalog.manifests.release_documents import Release, read_releases
from ..errors import InvalidCatalog, WrongUse
from ..problems import in_order, only_errors, suggest_near
from ..resource import Address
from ..state import ReleaseProgress, ReleaseRecord, Store
from ..support import git
from .changed_resources import ChangedFiles, FilesOf, find_files_between, find_resources_in
from .plan import Plan, ReleaseGate
from .workspace import Workspace


def list_releases(scope: Scope) -> Sequence[Release]:
    """The releases of a catalog; raises `InvalidCatalog` for mistakes in them."""
    if not (scope.root / RELEASES).is_dir():
        return ()
    files = walk_catalog(scope.root).yaml_files_below(RELEASES)
    releases, problems = read_releases(scope, files)
    if only_errors(problems):
        raise InvalidCatalog(in_order(locate_problems_in_files(scope, problems)), scope.root)
    return releases


def find_release(scope: Scope, name: str) -> Release:
    """The release of that name; raises `WrongUse` where there is none."""
    known = {one.name: one for one in list_releases(scope)}
    if name in known:
        return known[name]
    raise WrongUse(
        f"there is no release `{name}` in {RELEASES}/",
        suggest_near(name, known) or "`lmssync release list` shows all",
    )


def find_applied_moment(workspace: Workspace, made: Plan) -> str:
    """The moment of the release that a plan applies, as its file has it; empty without one."""
    if not (made.limits and made.limits.release):
        return ""
    scope = Scope(workspace.root, workspace.project, workspace.name)
    return find_release(scope, made.limits.release).spec.at or ""


def scope_of(catalog: Catalog) -> Scope:
    """Where the releases of a catalog are read."""
    return catalog.scope or Scope(catalog.root)


def find_own_record(store: Store, release: Release) -> ReleaseRecord | None:
    """What became of it; nothing where the record is of another moment, and so of another one."""
    record = store.releases.get(release.name)
    return record if record and record.at == (release.spec.at or "") else None


def list_open_releases(scope: Scope, store: Store) -> list[Release]:
    """The releases that are not applied yet, or not whole."""
    # Once it is applied whole, its addresses are free for other plans, whatever they become.
    records = ((one, find_own_record(store, one)) for one in list_releases(scope))
    return [one for one, record in records if not (record and record.ended)]


def open_release_gate(scope: Scope, store: Store, name: str) -> ReleaseGate:
    """What a guard has to know of a release."""
    release = find_release(scope, name)
    record = find_own_record(store, release)
    return ReleaseGate(name, release.spec.moment, record.ended if record else "")


class ReleaseContents:
    """Finds the addresses that releases change in one catalog and its state."""

    def __init__(self, catalog: Catalog, files: FilesOf, owners: Mapping[Address, Address]) -> None:
        self._catalog, self._files, self._owners = catalog, files, owners

    def list_addresses(self, release: Release, *, strict: bool = False) -> set[Address]:
        """The addresses that a release changes.

        Raises `WrongUse` for revisions that git does not know and, if `strict`, for an address that
        is neither in the catalog nor in the state.
        """
        spec = release.spec
        found = self._match(spec.addresses, release if strict else None)
        below = tuple(f"{path.rstrip('/')}/" for path in spec.files)
        every = {file for own in self._files.values() for file in own}
        named = {file for file in every if file in spec.files or file.startswith(below)}
        changes = [ChangedFiles(named)]
        if spec.commits:
            changes.append(find_files_between(self._catalog, *spec.span))
        if spec.pullRequest:
            span = git.find_merge(self._catalog.root, spec.pullRequest)
            changes.append(find_files_between(self._catalog, *span))
        for one in changes:
            found |= find_resources_in(one, self._files, self._owners)
        return found

    def _match(self, patterns: Iterable[str], strict: Release | None) -> set[Address]:
        names = {str(address): address for address in self._files}
        found: set[Address] = set()
        for pattern in patterns:
            hits = {address for name, address in names.items() if fnmatchcase(name, pattern)}
            if strict and not hits:
                raise WrongUse(
                    f"the release {strict.name} names {pattern}, which is neither in the catalog "
                    "nor in the state; nothing of it is planned",
                    suggest_near(pattern, names) or f"correct it in {strict.origin.file}",
                )
            found |= hits
        return found


def read_release_progress(
    workspace: Workspace, store: Store, *, also_complete: bool = False
) -> list[ReleaseProgress]:
    """Where each release has come to, by its moment; those that are complete only where that is
    wanted."""
    steps: dict[str, list[str]] = {}
    for step in store.open_steps():
        steps.setdefault(str(step.address), []).append(step.manual.text)
    found = []
    scope = Scope(workspace.root, workspace.project, workspace.name)
    for release in list_releases(scope):
        spec, record = release.spec, find_own_record(store, release)
        about = (release.name, spec.owner, spec.about.strip(), spec.moment)
        if record is None:
            found.append(ReleaseProgress(*about))
            continue
        waiting = [(a, f"by hand: {text}") for a in record.addresses for text in steps.get(a, ())]
        left = [*record.left, *waiting]
        found.append(ReleaseProgress(*about, record.begun, record.ended, left))
    shown = [one for one in found if also_complete or not one.is_complete]
    return sorted(shown, key=lambda one: (one.at or datetime.max.replace(tzinfo=UTC), one.name))
