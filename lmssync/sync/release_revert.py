"""Writes the opposite of a release: manifests as they were before it, on a branch of their own.

The files come from git where a commit has them as they were applied, else from the state. Either is
proven before it is committed: what the branch wants is what was recorded before the release, and
nothing else of the catalog changes.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from ..catalog import checking
from ..catalog.manifests.catalog import Catalog
from ..catalog.manifests.catalog_files import BODY_BYTES, MANIFEST_BYTES, TEMPLATE
from ..catalog.manifests.documents import Scope, read_project_file
from ..catalog.manifests.export import Packed, make_manifests, manifest_texts
from ..catalog.manifests.yaml import load_yaml, write_stream
from ..errors import InvalidCatalog, LmssyncError, WrongUse
from ..kinds import KINDS, Managed
from ..learners.people import People
from ..planning.base_revision import open_revision
from ..planning.releases import find_release
from ..planning.workspace import Workspace
from ..problems import suggest_near
from ..resource import Address, Form, Origin, Resource
from ..state import PastStore, Record, ReleaseRecord, Store, state_at_moment
from ..support import safe_files
from ..support.file_writing import write_below
from ..support.git import commit_on_branch

HEAD = "HEAD"


class ReleaseRevert(NamedTuple):
    """A commit that takes a release back."""

    release: str
    branch: str
    commit: str
    files: Sequence[str]
    """Files that it changes, from the root of the catalog."""
    rewritten: Sequence[str]
    """Of these, the manifests that no commit had: they were written from the state."""
    by_people: Sequence[tuple[str, str]]
    """What no plan takes back, by address, with what people do; empty for what nobody can."""


def revert_release(workspace: Workspace, store: Store, name: str, branch: str) -> ReleaseRevert:
    """Commits the opposite of what a release has applied; raises `WrongUse` where that is nothing,
    or where something was changed again since."""
    record = store.releases.get(name)
    if record is None:
        hint = suggest_near(name, store.releases) or "`lmssync release list --all` shows all"
        raise WrongUse(f"nothing of a release `{name}` was applied here", hint)
    past = state_at_moment(store, record.before)
    with open_revision(workspace.root, HEAD) as folder:
        draft = _Draft(workspace, store, past, folder)
        wanted = draft.list_prints_at(record.commit) if record.ended else draft.prints
        targets = _find_targets(record, past, store, (wanted, draft.prints))
        draft.take_back(targets)
        if not record.ended:  # as long as it is there, plans leave its share alone
            draft.drop_release(name)
        files = draft.files.list_changes()
        if not files:
            raise WrongUse(
                f"the catalog at {HEAD} has everything as it was before the release {name}",
                "there is nothing to revert",
            )
        text = f"Revert the release {name}\n\nAs it was before {record.begun[:16]}Z.\n"
        commit = commit_on_branch(workspace.root, branch, files, text)
    rewritten = sorted(draft.files.rewritten & files.keys())
    return ReleaseRevert(name, branch, commit, sorted(files), rewritten, record.undo)


Prints = Mapping[Address, str]
Targets = Mapping[Address, Record | None]
"""The record that each resource of the release had before it; None for what it has made."""


def _find_targets(
    record: ReleaseRecord, past: PastStore, store: Store, wanted: tuple[Prints, Prints]
) -> Targets:
    """What the release has changed; raises `WrongUse` where somebody has changed that again.

    `wanted` is what the catalog wanted with the release and what it wants now, by fingerprints.
    """
    managed = past.fingerprints()
    every = [Address.parse(text) for text in record.addresses]
    targets = {one: past.find_record(one) if one in managed else None for one in every}
    then, now = wanted
    later = [one for one in targets if then.get(one) != now.get(one)]
    if later:
        raise WrongUse(
            f"{', '.join(map(str, later[:3]))} changed again after the release {record.name}",
            "revert that first, or take these values back by hand",
        )
    ids = {id_: one.address for one in past.list_records() for id_ in one.known_ids.own.values()}
    for new in (one for one, before in targets.items() if before is None):
        known = store.find_record(new)
        was = next(filter(None, map(ids.get, known.known_ids.own.values() if known else ())), new)
        if was != new:
            raise WrongUse(
                f"the release {record.name} has renamed {was}: it is {new} now",
                f"give it its old key by hand, with `moved: [{{from: {new}}}]`",
            )
    prints = {one: before and before.fingerprint for one, before in targets.items()}
    return {one: before for one, before in targets.items() if prints[one] != now.get(one)}


Reveal = Callable[[Address, Form], Form]


class _RevertedFiles:
    """What becomes of the files; nothing is written into the folder before `write_down`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.rewritten: set[str] = set()
        self._before: dict[str, bytes | None] = {}
        self._after: dict[str, bytes | None] = {}
        self._documents: dict[str, list[Any]] = {}

    def list_changes(self) -> dict[str, bytes | None]:
        """The content of each file that differs; None for one that is gone."""
        self.write_down()
        return {n: text for n, text in self._after.items() if text != self._before[n]}

    def undo_all(self) -> None:
        """Puts every file back."""
        self._after, self._documents = dict(self._before), {}
        self.rewritten.clear()
        self._write_all()

    def replace_files(self, old: Iterable[str], folder: Path, new: Iterable[str]) -> None:
        """Puts files of another folder in the place of some."""
        there = {name: _read_file(folder, name) for name in new}
        for name, text in {**dict.fromkeys(old), **there}.items():
            self._put_text(name, text)

    def drop_files(self, names: Iterable[str]) -> None:
        """Deletes files."""
        for name in names:
            self._put_text(name, None)

    def put_document(self, origin: Origin, data: Any) -> None:
        """Another document in the place of one; None takes it out."""
        if origin.file.endswith(TEMPLATE):
            raise WrongUse(
                f"{origin.file} is a template, in which no document can be replaced",
                "take the release back by hand there",
            )
        if origin.file not in self._documents:
            text = self._read_text(origin.file)
            self._documents[origin.file] = load_yaml(text) if text else []
        documents = self._documents[origin.file]
        if origin.document < len(documents):  # else it is gone already, with its file
            documents[origin.document] = data

    def write_documents(
        self, now: Mapping[Address, Resource], targets: Targets, reveal: Reveal
    ) -> None:
        """Documents of what differs, written from records; what is written inside another one is
        written with that."""
        tops = {one.origin[:2]: address for address, one in now.items() if not one.origin.path}
        places = {address: one.origin[:2] for address, one in now.items()}
        for address, record in targets.items():
            whole = record and KINDS[address.kind].calls.removal(record.form).whole
            if whole and address not in now and whole in now:
                places[address] = now[whole].origin[:2]
        touched = {places[address] for address in targets if address in places}
        for place in sorted(touched & tops.keys()):
            packed = {
                address: record.packed if record else now[address].packed_form
                for address in (a for a, at in places.items() if at == place)
                for record in [targets.get(address)]
                if record or address not in targets
            }
            if tops[place] in packed:
                first, *_ = make_manifests(Packed(packed, reveal))
                self.put_document(now[tops[place]].origin, self._keep_words(place, first.data))
        alone = {a: r.packed for a, r in targets.items() if r and a not in places}
        for name, text in manifest_texts(make_manifests(Packed(alone, reveal))).items():
            self._put_text(name, text.encode())
            self.rewritten.add(name)

    def _keep_words(self, place: tuple[Any, ...], data: dict[str, Any]) -> dict[str, Any]:
        """A document with what the one before it says to lmssync, which no record has."""
        file, number = place
        known = load_yaml(self._read_text(file) or b"")[number]
        self.rewritten.add(file)
        return data | {word: known[word] for word in Managed.model_fields if word in known}

    def write_down(self) -> None:
        """Writes everything into the folder."""
        for name, documents in self._documents.items():
            kept = [one for one in documents if one is not None]
            if len(kept) < len(documents) or name in self.rewritten:
                text = "".join(write_stream(kept)).encode() if kept else None
                self._put_text(name, text)
                if text:
                    self.rewritten.add(name)
        self._documents = {}
        self._write_all()

    def _put_text(self, name: str, text: bytes | None) -> None:
        if name not in self._before:
            self._before[name] = _read_file(self.folder, name)
        self._after[name] = text

    def _read_text(self, name: str) -> bytes | None:
        return self._after[name] if name in self._after else _read_file(self.folder, name)

    def _write_all(self) -> None:
        for name, text in self._after.items():
            if text is not None:
                write_below(self.folder, name, [text])
            else:
                with suppress(FileNotFoundError):
                    (self.folder / name).unlink()


def _read_file(folder: Path, name: str) -> bytes | None:
    """The content of a file; None where there is none."""
    try:
        return safe_files.read_inside(folder, name, max(MANIFEST_BYTES, BODY_BYTES))
    except FileNotFoundError:
        return None


class _Draft:
    """The files at HEAD in a folder of their own, on the way to what they were before."""

    def __init__(self, workspace: Workspace, store: Store, past: PastStore, folder: Path) -> None:
        self._workspace, self._store, self._past = workspace, store, past
        self.files = _RevertedFiles(folder)
        self.catalog, self.people = self._load(folder)
        self.now = self.people.conceal_catalog(self.catalog).resources

    @property
    def prints(self) -> Prints:
        """The fingerprint of everything that the catalog at HEAD wants."""
        return {address: one.fingerprint for address, one in self.now.items()}

    def list_prints_at(self, commit: str) -> Prints:
        """The fingerprints at another commit; those at HEAD where nobody knows which one it was."""
        if not commit:
            return self.prints
        with open_revision(self._workspace.root, commit) as folder:
            catalog, people = self._load(folder)
            then = people.conceal_catalog(catalog).resources
            return {address: one.fingerprint for address, one in then.items()}

    def _load(self, folder: Path) -> tuple[Catalog, People]:
        """A catalog and who is who in it; raises `InvalidCatalog`."""
        project, name = read_project_file(folder), self._workspace.name
        scope = Scope(folder, project, name if name in project.environments else "")
        catalog = checking.load_catalog_anew(scope)
        return catalog, People(self._store, catalog)

    def take_back(self, targets: Targets) -> None:
        """Changes the files until the catalog wants what was recorded before."""
        self._restore_from_git(targets)
        if self._find_wrong(targets):
            # Others may have changed the same files since: then only documents are exchanged.
            self.files.undo_all()
            self._write_from_state(targets)
        wrong = self._find_wrong(targets)
        if wrong:
            raise LmssyncError(
                f"{wrong[0]} cannot be written as it was before the release",
                "take its values back by hand: `lmssync export` shows what is recorded",
            )

    def _restore_from_git(self, targets: Targets) -> None:
        """Puts files back as they were at the commits from which the records were applied."""
        holders = {*targets, *(holder for a in targets if (holder := self._find_holder(a)))}
        records = [record for a in sorted(holders) if (record := self._past.find_record(a))]
        # Most of a release was applied from one commit, so that few catalogs are read.
        for commit in dict.fromkeys(record.commit for record in records if record.commit):
            with (
                suppress(WrongUse, InvalidCatalog),  # then the state has to do
                open_revision(self._workspace.root, commit) as folder,
            ):
                catalog, people = self._load(folder)
                then = people.conceal_catalog(catalog).resources
                for record in (one for one in records if one.commit == commit):
                    resource = then.get(record.address)
                    if resource and resource.fingerprint == record.fingerprint:
                        before = list_files_of(self.catalog, self.now.get(record.address))
                        self.files.replace_files(before, folder, list_files_of(catalog, resource))
        gone = [address for address, record in targets.items() if record is None]
        self._drop_documents(gone)

    def _find_holder(self, address: Address) -> Address | None:
        """The resource in whose document another one is written."""
        origin = self.now[address].origin if address in self.now else None
        tops = (
            other
            for other, one in self.now.items()
            if origin and not one.origin.path and one.origin[:2] == origin[:2]
        )
        return next(tops, None)

    def drop_release(self, name: str) -> None:
        """Takes the release out of its file."""
        scope = Scope(self.files.folder)
        self.files.put_document(find_release(scope, name).origin, None)

    def _drop_documents(self, addresses: Sequence[Address]) -> None:
        """Takes resources that the release has made out of their files, if they have documents."""
        for address in addresses:
            resource = self.now.get(address)
            if resource and not resource.origin.path:
                self.files.put_document(resource.origin, None)
                file, named = resource.origin.file, self.catalog.named_files
                others = {name for other in named if other != file for name in named[other]}
                self.files.drop_files({*named.get(file, ())} - others)

    def _write_from_state(self, targets: Targets) -> None:
        """Writes whole documents of what differs, from the records."""
        self.files.write_documents(self.now, targets, self.people.reveal_form)
        self._drop_documents([one for one, record in targets.items() if record is None])

    def _find_wrong(self, targets: Targets) -> list[Address]:
        """The addresses that the files do not want as they should."""
        self.files.write_down()
        try:
            catalog, people = self._load(self.files.folder)
        except InvalidCatalog:
            return [*targets]
        found = people.conceal_catalog(catalog).resources
        wanted = {
            **self.prints,
            **{address: one.fingerprint for address, one in targets.items() if one},
        }
        gone = {address for address, one in targets.items() if one is None}
        wanted = {address: print_ for address, print_ in wanted.items() if address not in gone}
        prints = {address: one.fingerprint for address, one in found.items()}
        return sorted(a for a in wanted.keys() | prints.keys() if wanted.get(a) != prints.get(a))


def list_files_of(catalog: Catalog, resource: Resource | None) -> set[str]:
    """The manifest of a resource and the files that it names."""
    if resource is None:
        return set()
    return {resource.origin.file, *catalog.named_files.get(resource.origin.file, ())}
