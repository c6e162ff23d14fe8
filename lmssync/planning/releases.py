"""Releases in planning: what each one changes, and which of them are still to be applied."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from ..catalog.manifests.catalog import Catalog
from ..catalog.manifests.catalog_files import RELEASES, walk_catalog
from ..catalog.manifests.documents import Scope, locate_problems_in_files
from ..errors import InvalidCatalog, WrongUse
from ..problems import in_order, only_errors, suggest_near
from ..resource import Address
from ..state import ReleaseProgress, ReleaseRecord, Store, find_release_record
from ..support.git_commits import find_merge
from .changed_resources import (
    ChangedFiles,
    FilesOf,
    find_files_between,
    find_resources_in,
    list_files_of,
    match_addresses,
)
from .plan import Plan
from .workspace import Workspace

if TYPE_CHECKING:
    from ..catalog.manifests.release_documents import Release


def list_releases(scope: Scope) -> Sequence["Release"]:
    """The releases of a catalog; raises `InvalidCatalog` for mistakes in them."""
    if not (scope.root / RELEASES).is_dir():
        return ()
    from ..catalog.manifests.release_documents import read_releases  # most catalogs have none

    files = walk_catalog(scope.root).yaml_files_below(RELEASES)
    releases, problems = read_releases(scope, files)
    if only_errors(problems):
        raise InvalidCatalog(in_order(locate_problems_in_files(scope, problems)), scope.root)
    return releases


def find_release(scope: Scope, name: str) -> "Release":
    """The release of that name; raises `WrongUse` where there is none."""
    known = {one.name: one for one in list_releases(scope)}
    if name in known:
        return known[name]
    raise WrongUse(
        f"there is no release `{name}` in {RELEASES}/",
        suggest_near(name, known) or "`lmssync release list` shows all",
    )


def find_applied_release(workspace: Workspace, made: Plan) -> "Release | None":
    """The release that a plan applies, as its file says it today; None for any other plan."""
    return find_release(_scope_of(workspace), made.release_name) if made.release_name else None


def _scope_of(workspace: Workspace) -> Scope:
    return Scope(workspace.root, workspace.project, workspace.name)


def find_own_record(store: Store, release: "Release") -> ReleaseRecord | None:
    """What became of it, in whichever slice; nothing where the record is of another moment, and so
    of another one."""
    at = release.spec.at or ""
    if record := find_release_record(store.releases, release.name, at):
        return record
    others = (one.releases for one in store.others.open_states().values())
    return next(filter(None, (find_release_record(o, release.name, at) for o in others)), None)


def list_open_releases(scope: Scope, store: Store) -> list["Release"]:
    """The releases that are not applied yet, or not whole."""
    # Once it is applied whole, its addresses are free for other plans, whatever they become.
    records = ((one, find_own_record(store, one)) for one in list_releases(scope))
    return [one for one, record in records if not (record and record.ended)]


def find_waiting_release(workspace: Workspace, made: Plan, store: Store) -> ReleaseProgress | None:
    """The release that a plan applies; its moment only where that is still to come."""
    release = find_applied_release(workspace, made)
    found = release and _describe_progress(release, find_own_record(store, release), {})
    is_early = found and found.at and found.at > datetime.now(UTC)
    return found if is_early or not found else found._replace(at=None)


def list_release_addresses(
    catalog: Catalog,
    files: FilesOf,
    owners: Mapping[Address, Address],
    release: "Release",
    *,
    strict: bool = False,
) -> set[Address]:
    """The addresses that a release changes, of those that have `files`.

    Raises `WrongUse` for revisions that git does not know and, if `strict`, for what names nothing.
    """
    spec, option = release.spec, f"{release.origin.file}:" if strict else ""
    found = match_addresses(spec.addresses, files, option)
    every = {file for own in files.values() for file in own}
    changes = []
    for path in spec.files:
        below = {file for file in every if f"{file}/".startswith(f"{path.rstrip('/')}/")}
        if strict and not below:
            raise WrongUse(
                f"the release {release.name} names {path}, which no manifest of the catalog is in",
                "name what was deleted by its address or by `commits`, or correct the path",
            )
        changes.append(ChangedFiles(below))
    try:
        if spec.commits:
            changes.append(find_files_between(catalog, *spec.span))
        if spec.pullRequest:
            span = find_merge(catalog.root, spec.pullRequest, strict=strict)
            changes += [find_files_between(catalog, *span)] if span else []
    except WrongUse as error:
        raise WrongUse(f"the release {release.name}: {error.message}", error.hint) from None
    return found.union(*(find_resources_in(one, files, owners) for one in changes))


def _find_release_slices(
    workspace: Workspace, catalog: Catalog, store: Store, name: str
) -> list[str]:
    """The slices that have something of what a release changes."""
    others, own = store.others.open_states(), workspace.slice
    homes = {address: of for of, one in others.items() for address in one.fingerprints()}
    homes |= dict.fromkeys(store.fingerprints(), own) | dict(catalog.elsewhere)
    homes |= dict.fromkeys(catalog.resources, own)
    whole, release = catalog.join_slices(), find_release(_scope_of(workspace), name)
    files = list_files_of(whole, whole.outlines, {}, homes.keys())
    return sorted({homes[one] for one in list_release_addresses(whole, files, {}, release)})


def explain_foreign_release(
    workspace: Workspace, catalog: Catalog, store: Store, name: str
) -> tuple[str, str] | None:
    """Why a run of one slice does not apply a release, and what to do; None where it does."""
    own = workspace.slice
    slices = _find_release_slices(workspace, catalog, store, name) if own and name else []
    if slices in ([], [own]):
        return None
    if len(slices) == 1:
        text = (
            f"the release {name} is left to the slice `{slices[0]}`, which has all that it changes"
        )
        options = f"--release {name} --slice {slices[0]}"
        return text, f"apply it there: `lmssync apply {options}`"
    named = " and ".join(f"`{one}`" for one in slices)
    text = f"the release {name} changes something in the slices {named}, so none of them applies it"
    return text, "write a release for each slice"


def _describe_progress(
    release: "Release", record: ReleaseRecord | None, steps: Mapping[str, Sequence[str]]
) -> ReleaseProgress:
    """Where a release has come to; `steps` has what people have to do, by address."""
    spec = release.spec
    found = ReleaseProgress(release.name, spec.owner, spec.about.strip(), spec.moment)
    if record is None:
        return found
    waiting = [(a, f"by hand: {text}") for a in record.addresses for text in steps.get(a, ())]
    return found._replace(begun=record.begun, ended=record.ended, left=[*record.left, *waiting])


def read_release_progress(
    workspace: Workspace, store: Store, *, also_complete: bool = False
) -> list[ReleaseProgress]:
    """Where each release has come to, by its moment; those that are complete only where that is
    wanted."""
    steps: dict[str, list[str]] = {}
    for step in store.open_steps():
        steps.setdefault(str(step.address), []).append(step.manual.text)
    every = list_releases(_scope_of(workspace))
    found = [_describe_progress(one, find_own_record(store, one), steps) for one in every]
    shown = [one for one in found if also_complete or not one.is_complete]
    return sorted(shown, key=lambda one: (one.at or datetime.max.replace(tzinfo=UTC), one.name))
