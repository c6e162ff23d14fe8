"""Writes the opposite of a release: manifests as they were before it, on a branch of their own.

The files come from git where a commit has them as they were applied, else from the state. Either is
proven before it is committed: what the branch wants is what was recorded before the release, and
nothing else of the catalog changes.
"""

from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import suppress
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Any, NamedTuple

from ..catalog.manifests.catalog import Catalog
from ..catalog.manifests.catalog_files import BODY_BYTES, MANIFEST_BYTES, PROJECT, TEMPLATE
from ..catalog.manifests.documents import Scope
from ..catalog.manifests.export import (
    Edit,
    Packed,
    edit_manifest,
    make_manifests,
    manifest_texts,
)
from ..catalog.manifests.yaml import load_yaml, write_stream
from ..errors import InvalidCatalog, LmssyncError, WrongUse
from ..kinds import KINDS, Managed
from ..planning.base_revision import open_revision
from ..planning.changed_resources import list_files_of
from ..planning.diff import compare_forms
from ..planning.guards import load_folder_catalog
from ..planning.releases import find_release
from ..planning.workspace import Workspace
from ..problems import suggest_near
from ..resource import Address, Resource, compute_fingerprints
from ..state import PastStore, Record, ReleaseRecord, Store, state_at_moment
from ..support import safe_files
from ..support.file_writing import write_below
from ..support.git_commits import commit_on_branch, list_commits_of, merge_texts
from ..support.git_repository import read_files_at
from .environment_comparison import compare_both_ways

HEAD = "HEAD"
_TRIES = 8
"""Commits of which the catalog is read to find the last one before a release."""
_NAMES_MOST = 1_000


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
        targets = _find_targets(record, past, store, draft)
        draft.take_back(targets, record.commit)
        if not record.ended:  # as long as it is there, plans leave its share alone
            draft.drop_release(name)
        files = draft.list_changes()
        if not files:
            raise WrongUse(
                f"the catalog at {HEAD} has everything as it was before the release {name}",
                "there is nothing to revert",
            )
        text = f"Revert the release {name}\n\nAs it was before {record.begun[:16]}Z.\n"
        commit = commit_on_branch(workspace.root, branch, files, text)
    rewritten = sorted(name for name in draft.rewritten if files.get(name))
    left = [*record.undo, *_list_kept_fields(targets, store)]
    return ReleaseRevert(name, branch, commit, sorted(files), rewritten, left)


def _list_kept_fields(targets: "Targets", store: Store) -> Iterator[tuple[str, str]]:
    """What no manifest said before the release: the platform keeps the value that it has now."""
    for address, before in targets.items():
        now = store.find_record(address) if before else None
        if before and now:
            gone = {one.path for one in compare_both_ways(now.form, before.form)}
            gone -= {one.path for one in compare_forms(now.form, before.form)}
            if gone:
                paths = ", ".join(sorted(gone))
                yield str(address), f"{paths} stays as it is: no manifest said it before"


Prints = Mapping[Address, str]
Targets = Mapping[Address, Record | None]
"""The record that each resource of the release had before it; None for what it has made."""


def _find_targets(record: ReleaseRecord, past: PastStore, store: Store, draft: "_Draft") -> Targets:
    """What the release has changed; raises `WrongUse` where somebody has changed that again."""
    managed = past.fingerprints()
    every = [Address.parse(text) for text in record.addresses]
    targets = {one: past.find_record(one) if one in managed else None for one in every}
    now = draft.prints
    after = state_at_moment(store, record.after).fingerprints() if record.ended else now
    later = [one for one in targets if after.get(one) != now.get(one) or not record.ended]
    if not record.commit:
        later = later if record.ended else []
    elif later:  # what is open, or waits for a person, is not recorded, but in that commit
        then = draft.list_prints_at(record.commit)
        later = [one for one in later if then.get(one) != now.get(one)]
    if later:
        raise WrongUse(
            f"{', '.join(map(str, later[:3]))} changed again after the release {record.name}",
            "revert that first, or take these values back by hand",
        )
    ids = {id_: one for one in past.list_records() for id_ in one.known_ids.own.values()}
    for new in [one for one, before in targets.items() if before is None]:
        known = store.find_record(new)
        for was in filter(None, map(ids.get, known.known_ids.own.values() if known else ())):
            draft.moves[was.address], targets[was.address] = new, was
    prints = {one: before and before.fingerprint for one, before in targets.items()}
    return {one: before for one, before in targets.items() if prints[one] != now.get(one)}


class _Draft:
    """The files at HEAD in a folder of their own, on the way to what they were before."""

    def __init__(self, workspace: Workspace, store: Store, past: PastStore, folder: Path) -> None:
        self._root, self._past, self._folder = workspace.root, past, folder
        self._load = partial(load_folder_catalog, workspace, store)
        self.rewritten: set[str] = set()
        self.moves: dict[Address, Address] = {}
        """By the address of something before the release, the one that it has now."""
        self._before: dict[str, bytes | None] = {}
        self._catalog, self._people = self._load(folder)
        self._now = self._catalog.resources
        self.prints = compute_fingerprints(self._now)

    def list_prints_at(self, commit: str) -> Prints:
        """The fingerprints of what another commit wants; raises `WrongUse`, `InvalidCatalog`."""
        with open_revision(self._root, commit) as folder:
            return compute_fingerprints(self._load(folder)[0].resources)

    def list_changes(self) -> dict[str, bytes | None]:
        """The content of each file that differs; None for one that is gone."""
        texts = ((name, old, _read_file(self._folder, name)) for name, old in self._before.items())
        return {name: text for name, old, text in texts if text != old}

    def take_back(self, targets: Targets, applied: str) -> None:
        """Changes the files until the catalog wants what was recorded before; `applied` is the
        commit of the release."""
        self._restore_from_git(targets, applied)
        self._write_moves(targets)
        patched = self._catalog.scope.patches if self._catalog.scope else {}
        wrong = self._find_wrong(targets)
        # A record has the values of one environment, which are not for the manifest of all.
        if wrong and not any(one in patched for one in targets):
            # Others may have changed the same files since: then only documents are exchanged.
            for name, text in self._before.items():
                self._put_text(name, text)
            self.rewritten.clear()
            self._write_from_state(targets)
            self._write_moves(targets)
            wrong = self._find_wrong(targets)
        if wrong:
            raise LmssyncError(
                f"{wrong[0]} cannot be written as it was before the release",
                "take its values back by hand: `lmssync export` shows what is recorded",
            )

    def drop_release(self, name: str) -> None:
        """Takes a release out of its file, if HEAD has it."""
        with suppress(WrongUse):
            origin = find_release(Scope(self._folder), name).origin
            self._put_documents(origin.file, {origin.document: None})

    def _restore_from_git(self, targets: Targets, applied: str) -> None:
        """Takes out of files what changed after the commits from which the records were applied,
        up to that of the release; what others have changed since stays."""
        tops = {one.origin[:2]: a for a, one in self._now.items() if not one.origin.path}
        origins = (self._now[address].origin for address in targets if address in self._now)
        holders = {*targets, *(tops[origin[:2]] for origin in origins if origin[:2] in tops)}
        managed = self._past.fingerprints()  # there are records of what had left the catalog, too
        known = ((a, self._past.find_record(a)) for a in sorted(holders) if a in managed)
        left = {address: record for address, record in known if record}
        files = _list_files_of(self._catalog, holders)
        commits = dict.fromkeys(record.commit for record in left.values() if record.commit)
        # Right before the release there may be more words that no record knows, such as comments.
        between = partial(list_commits_of, self._root, names=_as_words(files), most=_TRIES)
        later = dict.fromkeys(f"{one}^" for past in commits for one in between(past, applied))
        for commit in [*islice(later, _TRIES), *commits]:
            with (
                suppress(WrongUse, InvalidCatalog),  # then the state has to do
                open_revision(self._root, commit) as folder,
            ):
                catalog, _ = self._load(folder)
                prints = compute_fingerprints(catalog.resources)
                same = {a for a, one in left.items() if prints.get(a) == one.fingerprint}
                names = _list_files_of(catalog, same) | _list_files_of(self._catalog, same)
                texts = dict(read_files_at(self._root, applied, _as_words(names)))
                for name in names - self._before.keys():
                    self._undo_edit(name, texts.get(name), _read_file(folder, name))
                left = {a: one for a, one in left.items() if a not in same}
            if not left:
                break
        for address in (address for address, record in targets.items() if record is None):
            resource = self._now.get(address)
            if resource and not resource.origin.path and resource.origin.file not in self._before:
                self._drop_document(resource)

    def _undo_edit(self, name: str, after: bytes | None, before: bytes | None) -> None:
        """Takes the way from one text to another back in a file that may have changed since."""
        now = _read_file(self._folder, name)
        if now == after:
            self._put_text(name, before)
        elif before != after and now is not None and after is not None and before is not None:
            self._put_text(name, merge_texts(now, after, before) or now)

    def _write_moves(self, targets: Targets) -> None:
        """Has manifests name the keys and ids of parts that something has now, so that it stays
        what it is."""
        entries = {was: [{"from": str(now)}] for was, now in self.moves.items()}
        for address, record in targets.items():
            now = self._now.get(self.moves.get(address, address))
            if record and now and now.lifecycle.moved_parts:
                known = KINDS[address.kind].authoring.parts(record.form)
                back = _invert_part_moves(now.lifecycle.moved_parts)
                new = [
                    {"from": a, "to": b} for a, b in back.items() if b in known and a not in known
                ]
                entries[address] = [*entries.get(address, ()), *new]
        with suppress(InvalidCatalog):  # as whoever asks next will say
            resources = self._load(self._folder)[0].resources if any(entries.values()) else {}
            for was, origin in ((a, resources[a].origin) for a in entries if a in resources):
                text = _read_file(self._folder, origin.file)
                if text and not origin.path:  # what is inside something moves with that
                    old = load_yaml(text)[origin.document].get("moved", [])
                    if new := [one for one in entries[was] if one not in old]:
                        edits = [Edit(origin.document, ("moved",), [*old, *new])]
                        self._put_text(origin.file, edit_manifest(text, edits))

    def _drop_document(self, resource: Resource) -> None:
        """Takes a document out of its file, with the texts that only that file names."""
        file, named = resource.origin.file, self._catalog.named_files
        self._put_documents(file, {resource.origin.document: None})
        others = {name for other in named if other != file for name in named[other]}
        for name in {*named.get(file, ())} - others:
            self._put_text(name, None)

    def _write_from_state(self, targets: Targets) -> None:
        """Writes whole documents of what differs, from the records; what is written inside another
        document is written with that."""
        now, people = self._now, self._people
        tops = {one.origin[:2]: address for address, one in now.items() if not one.origin.path}
        places = {address: one.origin[:2] for address, one in now.items()}
        for address, record in targets.items():
            whole = record and KINDS[address.kind].calls.removal(record.form).whole
            if whole and address not in now and whole in now:
                places[address] = now[whole].origin[:2]
        documents: dict[str, dict[int, Any]] = {}
        for place in {places[address] for address in targets if address in places} & tops.keys():
            inside = (address for address, at in places.items() if at == place)
            records = {a: targets[a] if a in targets else now[a] for a in inside}
            packed = {
                address: one.packed if isinstance(one, Record) else one.packed_form
                for address, one in records.items()
                if one
            }
            own = documents.setdefault(place[0], {})
            own[place[1]] = None
            if tops[place] in packed:
                first, *_ = make_manifests(Packed(packed, people.reveal_form))
                own[place[1]] = first.data
        for file, own in documents.items():
            self._put_documents(file, own)
        alone = {a: r.packed for a, r in targets.items() if r and a not in places}
        made = manifest_texts(make_manifests(Packed(alone, people.reveal_form)))
        for name, text in made.items():
            self._put_text(name, text.encode())
        self.rewritten |= made.keys()

    def _put_documents(self, file: str, documents: Mapping[int, Any]) -> None:
        """Other documents in the place of some, by their numbers; None takes one out."""
        if file.endswith(TEMPLATE):
            raise WrongUse(
                f"{file} is a template, in which no document can be replaced",
                "take the release back by hand there",
            )
        text = _read_file(self._folder, file)
        known = load_yaml(text) if text else []
        if not any(number < len(known) for number in documents):
            return  # the file as it was before has none of them
        kept = []
        for number, old in enumerate(known):
            if number not in documents:
                kept.append(old)
            elif data := documents[number]:
                # What a document says to lmssync alone is in no record.
                words = {word: old[word] for word in Managed.model_fields if word in old}
                kept.append({**data, **words})
        self._put_text(file, "".join(write_stream(kept)).encode() if kept else None)
        self.rewritten.add(file)

    def _put_text(self, name: str, text: bytes | None) -> None:
        if name not in self._before:
            self._before[name] = _read_file(self._folder, name)
        if text is not None:
            write_below(self._folder, name, [text])
        else:
            with suppress(FileNotFoundError):
                (self._folder / name).unlink()

    def _find_wrong(self, targets: Targets) -> list[Address]:
        """The addresses that the files do not want as they should."""
        try:
            prints = compute_fingerprints(self._load(self._folder)[0].resources)
        except InvalidCatalog:
            return [*targets]
        wanted = {address: p for address, p in self.prints.items() if address not in targets}
        wanted |= {address: one.fingerprint for address, one in targets.items() if one}
        return sorted(a for a in wanted.keys() | prints.keys() if wanted.get(a) != prints.get(a))


def _invert_part_moves(moves: Mapping[str, str]) -> dict[str, str]:
    """Moves of parts the other way; around them, parts have their former ids again."""
    former = {to: was for was, to in moves.items()}

    def find_former(path: str) -> str:
        around, slash, _ = path.rpartition("/")
        return (
            find_former(around) + slash + former.get(path, path).rpartition("/")[2] if path else ""
        )

    inverted = {}
    for to in former:
        around, slash, last = to.rpartition("/")
        inverted[find_former(around) + slash + last] = find_former(to)
    return inverted


def _list_files_of(catalog: Catalog, chosen: Set[Address]) -> set[str]:
    """The manifests and overlays of some resources, and the files that they name; not the project
    file, which has guards as well."""
    own = {one: catalog.resources[one] for one in chosen if one in catalog.resources}
    return {*chain(*list_files_of(catalog, own, {}, chosen).values())} - {PROJECT}


def _as_words(names: Set[str]) -> Sequence[str]:
    """Names for a command of git; none, which means all, where they are too many for one."""
    return sorted(names) if len(names) <= _NAMES_MOST else ()


def _read_file(folder: Path, name: str) -> bytes | None:
    """The content of a file; None where there is none."""
    try:
        return safe_files.read_inside(folder, name, max(MANIFEST_BYTES, BODY_BYTES))
    except FileNotFoundError:
        return None
