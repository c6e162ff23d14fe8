"""From the platform into the manifests: what people have changed there since it was recorded."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cached_property, partial
from typing import Any, NamedTuple

from . import diff, discovery, live, pipeline
from .address import Address
from .client import Reader
from .decisions import is_within
from .diff import Drift
from .errors import InvalidCatalog, LmssyncError, WrongUse
from .kinds import KINDS, is_uuid
from .manifests.export import as_written
from .problems import errors
from .pull import PulledFiles, Unpullable, written
from .report.pull_text import Pulled, PulledField
from .resource import Resource, pack_form
from .state import Record, Store
from .texts import exact_markdown
from .workspace import Workspace


class PullSelection(NamedTuple):
    """What somebody wants to have in the manifests: all of a resource, or a field of it."""

    address: Address
    field: str = ""


def pull(
    workspace: Workspace,
    store: Store,
    reader: Reader,
    wanted: Sequence[PullSelection],
    *,
    dry_run: bool,
) -> Pulled:
    """Writes what people have changed on the platform into the manifests, and records it."""
    catalog = pipeline.load(workspace)
    records = [_record(store, catalog.resources, one.address) for one in wanted]
    with store.locked():
        workspace.check_state(store)
        reader.ping()
        binder, routes = (
            _binder(store, reader, catalog.resources),
            workspace.project.platform.routes,
        )
        instance = diff.Instance(reader, binder, store, routes)
        seen = diff.look(instance, list({record.address: record for record in records}.values()))
        pulling = _Pulling(workspace, store, reader, catalog.resources, seen)
        for one, record in zip(wanted, records, strict=True):
            pulling.take(one, record)
        pulling.leave_unsafe()
        if pulling.taken and not dry_run:
            pulling.write()
    return Pulled(pulling.taken, pulling.refused, sorted(pulling.written), dry_run)


def _record(store: Store, desired: Mapping[Address, Resource], address: Address) -> Record:
    record = store.record(address)
    if address not in desired:
        raise WrongUse(f"{address} is not in the catalog", "`lmssync import` writes manifests")
    if record is None:
        raise WrongUse(
            f"nothing is recorded for {address}", "`lmssync adopt` or `lmssync apply` records it"
        )
    return record


def _binder(store: Store, reader: Reader, desired: Mapping[Address, Resource]) -> live.Binder:
    id_of_name = partial(live.id_of_name, live.IdsByName(reader))
    return live.Binder(store.ids, id_of_name, desired.__contains__)


class _Pulling:
    """Fields on their way into the manifests."""

    def __init__(
        self,
        workspace: Workspace,
        store: Store,
        reader: Reader,
        desired: Mapping[Address, Resource],
        seen: Mapping[Address, live.LiveState],
    ) -> None:
        self._seen = seen
        self._workspace, self._store, self._reader = workspace, store, reader
        self._desired = desired
        self._files = PulledFiles(workspace.root, exact_markdown)
        self.taken: list[PulledField] = []
        self.refused: list[tuple[Address, str, str]] = []
        self.written: set[str] = set()

    @cached_property
    def _names(self) -> discovery.NamesById:
        return discovery.NamesById(self._reader, self._store.records())

    def take(self, wanted: PullSelection, record: Record) -> None:
        """Plans the edits for everything that people have changed of one resource."""
        state = self._seen.get(record.address)
        if state is None or not state.present:
            why = "no route shows it" if state is None else "the platform does not have it any more"
            self.refused.append((wanted.address, "", why))
            return
        for drift in diff.drifts(record.form, state):
            if is_within(drift.path, wanted.field):
                self._take(wanted.address, drift)

    def _take(self, address: Address, drift: Drift) -> None:
        try:
            if drift.noticed_at:
                raise Unpullable("no route shows its value: compare it in the admin interface")
            if drift.path.endswith(".order"):
                raise Unpullable("move the parts by hand: on the platform they are in this order")
            value = self._manifest(drift.live)
            self._files.add(self._desired[address], drift.path, value)
        except Unpullable as error:
            self.refused.append((address, drift.path, str(error)))
        else:
            self.taken.append(PulledField(address, drift, value))

    def leave_unsafe(self) -> None:
        """Leaves to people what stands in files that cannot be changed in place."""
        unsafe = self._files.unsafe()
        files = {one.address: self._desired[one.address].origin.file for one in self.taken}
        why = "{} is written in a way that cannot be changed safely"
        self._leave({a: why.format(file) for a, file in files.items() if file in unsafe})

    def _leave(self, why: Mapping[Address, str]) -> None:
        """Leaves some resources to people, and makes the files of the others again."""
        taken, self.taken = self.taken, []
        self._files = PulledFiles(self._workspace.root, exact_markdown)
        for one in taken:
            if one.address in why:
                self.refused.append((one.address, one.drift.path, why[one.address]))
            else:
                self._files.add(self._desired[one.address], one.drift.path, one.value)
                self.taken.append(one)

    def _manifest(self, value: Any) -> Any:
        """A live value as an author writes it: names for ids where they are known."""
        if isinstance(value, list):
            return [self._manifest(item) for item in value]
        if isinstance(value, str) and is_uuid(value):
            return self._names.any(value)
        return as_written(value)

    def write(self) -> None:
        """Writes the files of all resources that no manifest forbids to be as they are there.

        Raises `LmssyncError` if there is none.
        """
        try:
            self._write()
        except InvalidCatalog as error:
            first = errors(error.problems)[0]
            whose = f"{first.address}: " if first.address else ""
            wrong = {p.address: p.message for p in errors(error.problems) if p.address}
            mine = {one.address for one in self.taken} & wrong.keys()
            if not mine or len(mine) == len({one.address for one in self.taken}):
                raise LmssyncError(
                    f"what the platform says is not valid in a manifest: {whose}{first.message}",
                    "nothing was changed; name the fields to pull: ADDRESS:FIELD",
                ) from None
            self._leave({a: f"not valid in a manifest: {wrong[a]}" for a in mine})
            self.write()

    def _write(self) -> None:
        """Writes the files, and records what they say now: they are read again to be sure."""
        texts = self._files.texts()
        with written(self._workspace.root, texts):
            catalog = pipeline.load(self._workspace)
            records = self._records(catalog.resources)
            self._store.put(records, reason="pulled from the platform")
        routes = self._workspace.project.platform.routes
        self._store.prove(diff.proof(one, self._seen[one.address], routes) for one in records)
        self.written = set(texts)
        for file in self._files.left - catalog.watched:
            with suppress(FileNotFoundError):
                (self._workspace.root / file).unlink()

    def _records(self, desired: Mapping[Address, Resource]) -> list[Record]:
        forms: dict[Address, Any] = {}
        for address, drift, _ in self.taken:
            record = self._store.record(address)
            assert record is not None
            form = forms.get(address, record.form)
            forms[address] = diff.put(form, drift.path, self._value(desired[address], drift))
        records = ((self._store.record(address), form) for address, form in forms.items())
        return [record.holding(pack_form(form)) for record, form in records if record]

    def _value(self, resource: Resource, drift: Drift) -> Any:
        """What the manifest says of a field now; raises `LmssyncError` if that is not live."""
        value = diff.value_at(resource.form, drift.path)
        reads = KINDS[resource.address.kind].reads
        binder = _binder(self._store, self._reader, self._desired)
        if not live.alike(reads, binder.bind, drift.path, value, drift.live):
            raise LmssyncError(
                f"{resource.address}: {drift.path} would not say what the platform says",
                "nothing was changed; write it by hand",
            )
        return value
