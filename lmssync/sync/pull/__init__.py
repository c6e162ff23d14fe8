"""pull: what people have changed on the platform is written into manifests, and recorded.

It reads the platform and decides, then changes files, in rounds. It sends no write.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, partial
from types import MappingProxyType
from typing import Any, NamedTuple

from ...catalog.manifests.export import as_written
from ...errors import InvalidCatalog, LmssyncError, WrongUse
from ...kind import LivePart, PartDrift, part_name
from ...kinds import KINDS, is_uuid
from ...planning import diff, plan_loading as planning
from ...planning.diff import Drift
from ...planning.workspace import Workspace
from ...platform import live
from ...platform.client import Reader
from ...platform.live import LiveState
from ...problems import Problem, only_errors
from ...resource import Address, Reference, Resource
from ...state import Record, Store
from ...texts.html_to_markdown import html_to_markdown
from ...vocabulary.routes import CORE_ROUTES
from ..platform_import import NamesById
from .list_edits import Unpullable, are_rows
from .pulled_changes import (
    ORDER,
    PullContext,
    Pulled as Pulled,
    PulledField,
    PulledPart,
    PulledParts,
    PullRecorder,
    doubt_deletions,
    is_inside,
    is_selected,
    write_added_part,
)
from .pulled_files import PulledFiles, write_or_undo


class PullSelection(NamedTuple):
    """The wish of a person: all of a resource, or a field of it."""

    address: Address
    field: str = ""


class PullRound:
    """The result of one look at the platform, and the edits for it."""

    def __init__(
        self,
        context: PullContext,
        desired: Mapping[Address, Resource],
        seen: Mapping[Address, LiveState],
        left: Mapping[Address, str] = MappingProxyType({}),
    ) -> None:
        """`left` is what cannot be written, and why: it is left to people."""
        self._context, self._desired, self._seen, self._left = context, desired, seen, left
        self._files = PulledFiles(root=context.workspace.root, to_markdown=html_to_markdown)
        self._parts: dict[Address, PulledParts] = {}
        self.taken: list[PulledField] = []
        self.refused: list[tuple[Address, str, str]] = []
        self.written: set[str] = set()

    @property
    def pulled_parts(self) -> list[PulledPart]:
        return [one for parts in self._parts.values() for one in parts.describe_parts()]

    def list_titles(self) -> dict[Address, dict[str, str]]:
        """The titles of what was pulled or refused, and by their paths those of its parts."""
        taken = {one.address for one in self.taken} | {one[0] for one in self.refused}
        titles = {}
        for address in (taken | self._parts.keys()) & self._desired.keys():
            parts = self._parts.get(address) or PulledParts(self._desired[address])
            form = parts.resource.form
            own = {"": KINDS[address.kind].authoring.title(form)}
            titles[address] = own | parts.list_titles()
        return titles

    @property
    def again(self) -> set[Address]:
        """The resources to be read again, since parts of them are elsewhere now."""
        return {address for address, parts in self._parts.items() if parts.needs_another_look}

    @cached_property
    def _names(self) -> NamesById:
        store = self._context.store
        pair = partial(live.pair_batches, store)
        return NamesById(self._context.reader, store.list_records, pair)

    def take_changes(self, wanted: PullSelection, record: Record) -> None:
        """Plans the edits for everything that people have changed of one resource."""
        state = self._seen.get(record.address)
        if state is None or not state.present:
            self.refused.append((wanted.address, "", self._explain_unread(wanted.address, state)))
            return
        for drift in diff.find_drift(record.form, state):
            if not is_selected(drift.path, wanted.field):
                continue
            if wanted.address in self._left:
                self.refused.append((wanted.address, drift.path, self._left[wanted.address]))
                continue
            # An order is written with the lists of parts, once it is known which parts stay.
            if drift.path.endswith(ORDER) and not drift.noticed_at:
                self._parts_of(wanted.address).take_order(drift)
            elif drift.places:
                why = diff.explain_places(wanted.address, drift)
                self.refused.append((wanted.address, drift.path, why))
            else:
                self._take_field(wanted.address, drift)
        self._take_parts(wanted, record, state)

    def _explain_unread(self, address: Address, state: LiveState | None) -> str:
        if state is not None:
            return "it is no longer on the platform"
        if KINDS[address.kind].reads.roster_on(self._context.routes):
            return f"a list of people is not pulled: `lmssync drift {address}` shows who lost what"
        return "no route shows it"

    def _parts_of(self, address: Address) -> PulledParts:
        return self._parts.setdefault(address, PulledParts(self._desired[address]))

    def _take_field(self, address: Address, drift: Drift) -> None:
        try:
            if drift.noticed_at:
                raise Unpullable("no route shows its value: compare it in the admin interface")
            # Rows with a language of their own are compared and written one by one, further down.
            value = drift.live if are_rows(drift.live) else self._write_as_author(drift.live)
            self._files.set_value(self._desired[address], drift.path, value)
        except Unpullable as error:
            self.refused.append((address, drift.path, str(error)))
        else:
            self.taken.append(PulledField(address, drift, value))

    def _write_as_author(self, value: Any) -> Any:
        """A live value as an author writes it: names for ids where they are known."""
        if isinstance(value, list):
            return [self._write_as_author(item) for item in value]
        if isinstance(value, str) and is_uuid(value):
            return self._names.name_of_any(value)
        return as_written(value)

    def _take_parts(self, wanted: PullSelection, record: Record, state: LiveState) -> None:
        """Plans what becomes of parts that were added, deleted or moved."""
        address, found = wanted.address, self._find_part_drift(record, state.answer)
        came = [part for part in found.came if is_selected(part.path, wanted.field)]
        gone = [path for path in found.gone if is_selected(path, wanted.field)]
        if why := found.ambiguity or self._left.get(address):
            paths = [*(part.path for part in came), *gone]
            self.refused += [(address, path, why) for path in paths]
            return
        for part in came:
            self._try_part(address, part.path, self._add_part, part)
        # A part that one read lacks may be a read that is incomplete: a second route decides.
        unsure = doubt_deletions(found, self._look_again(record) if gone else None)
        for path in gone:
            if path in unsure:
                self.refused.append((address, path, unsure[path]))
            else:
                self._try_part(address, path, self._remove_part, record)

    def _try_part(self, address: Address, path: str, how: Any, what: Any) -> None:
        try:
            how(address, path, what)
        except Unpullable as error:
            self.refused.append((address, path, str(error)))

    def _add_part(self, address: Address, _path: str, part: LivePart) -> None:
        parts = self._parts.get(address) or PulledParts(self._desired[address])
        if not part.was:
            write_added_part(parts, self._files, part)
        parts.add_part(part)
        self._parts[address] = parts

    def _remove_part(self, address: Address, path: str, record: Record) -> None:
        """Takes a part out of the manifest, unless something names it."""
        users = sorted({str(one) for one, _ in self._list_users(address, part_name(path))})
        if users:
            raise Unpullable(f"{', '.join(users)} names it: remove that reference first")
        title = diff.value_at(record.form, f"{path}.title")
        self._parts_of(address).remove_part(path, str(title))

    def _list_users(self, address: Address, part: str) -> Iterator[tuple[Address, Reference]]:
        """What names a part of a resource, or a part in it; or any part, if none is given."""
        for resource in self._desired.values():
            for reference in resource.references:
                named = reference.part or ""
                if reference.address == address and (is_inside(named, part) or not part):
                    yield resource.address, reference

    def _look_again(self, record: Record) -> PartDrift | None:
        """What the read shows that every instance has, if that is not what was read already."""
        # There is no other route to ask: the read that was made is the one that every instance has.
        if self._context.routes <= CORE_ROUTES:
            return None
        looked = live.read_live_states(self._context.reader, self._make_binder(), [record])
        shown = [state.answer for _, state in looked if state.present]
        return self._find_part_drift(record, shown[0] if shown else None)

    def _find_part_drift(self, record: Record, answer: Any) -> PartDrift:
        if answer is None:
            return PartDrift()
        desired, reads = self._desired[record.address], KINDS[record.address.kind].reads
        return reads.part_drift(record.form, desired.form, record.ids, answer)

    def plan_lists(self) -> None:
        """Plans the edits of all lists of parts, once it is known what becomes of each part."""
        # A copy, since what cannot be edited is taken out meanwhile.
        for address, parts in list(self._parts.items()):
            try:
                parts.plan_edits(self._files)
                for user, reference in self._list_users(address, ""):
                    for now in parts.moved_names([reference.part or ""]).values():
                        self._files.point_reference(self._desired[user], reference.path, now)
            except Unpullable as error:
                self.refused += [(address, path, str(error)) for path in parts.list_paths()]
                del self._parts[address]
                continue
            for drift in parts.orders.values():
                self.taken.append(PulledField(address, drift, drift.live))

    @property
    def _changed_addresses(self) -> set[Address]:
        return {one.address for one in self.taken} | self._parts.keys()

    def find_unsafe(self) -> dict[Address, str]:
        """Finds resources whose file cannot be changed in place, and says why people do it."""
        files = {address: self._desired[address].origin.file for address in self._changed_addresses}
        unsafe, why = (
            self._files.find_unsafe_files(),
            "{} is written in a way that cannot be changed safely",
        )
        return {a: why.format(file) for a, file in files.items() if file in unsafe}

    def write_files(self) -> dict[Address, str]:
        """Writes the files, and records what they say now: they are read again to be sure.

        Where some of it is not valid in a manifest, nothing is written: returns what that is, and
        why. Raises `LmssyncError` where nothing else is left.
        """
        if not self._changed_addresses:
            return {}
        try:
            self._write_and_record()
        except InvalidCatalog as error:
            return self._left_as_invalid(only_errors(error.problems))
        return {}

    def _left_as_invalid(self, problems: Sequence[Problem]) -> dict[Address, str]:
        why = {p.address: f"not valid in a manifest: {p.message}" for p in problems if p.address}
        mine = self._changed_addresses & why.keys()
        # Without these the rest can still be pulled; where nothing would be left, it is an error.
        if mine and mine != self._changed_addresses:
            return {address: why[address] for address in mine}
        first = problems[0]
        whose = f"{first.address}: " if first.address else ""
        raise LmssyncError(
            f"the value on the platform is not valid in a manifest: {whose}{first.message}",
            "nothing was changed; name other fields (ADDRESS:FIELD), or correct it on the platform",
        )

    def _write_and_record(self) -> None:
        context, texts = self._context, self._files.make_texts()
        # Inside, the files are read again and recorded: an error puts the old files back.
        with write_or_undo(context.workspace.root, texts):
            catalog = planning.load_catalog(context.workspace)
            recorder = PullRecorder(
                context.store, catalog.resources, self._make_binder().bind_value
            )
            records = recorder.make_records(self.taken, self._parts)
            context.store.put_records(records, reason="pulled from the platform")
        proven = (one for one in records if one.address in self._seen)
        context.store.keep_proofs(
            diff.make_proof(o, self._seen[o.address], context.routes) for o in proven
        )
        self.written = set(texts)
        # Bodies of parts that are gone, or have another file now. The catalog was read again: what
        # a manifest still names stays.
        for file in self._files.left - catalog.watched:
            with suppress(FileNotFoundError):
                (context.workspace.root / file).unlink()

    def _make_binder(self) -> live.Binder:
        return self._context.make_binder(self._desired)


_ROUNDS = 4
"""Parts may have been moved into parts that came: sections, lessons, topics, and a last look."""


def pull_changes(
    workspace: Workspace,
    store: Store,
    reader: Reader,
    wanted: Sequence[PullSelection],
    *,
    dry_run: bool,
) -> Pulled:
    """Writes what people have changed on the platform into the manifests, and records it.

    What was moved to another parent is read again once it stands there: its fields are pulled then.
    """
    rounds: list[PullRound] = []
    with store.hold_state():
        workspace.check_state(store)
        reader.ping_platform()
        live.allow_pairing(store, reader, workspace.platform.routes)
        while wanted and len(rounds) < _ROUNDS:
            one = _pull_round(PullContext(workspace, store, reader), wanted, dry_run=dry_run)
            rounds.append(one)
            if dry_run:
                break
            wanted = [selection for selection in wanted if selection.address in one.again]
    return _join_rounds(rounds, dry_run=dry_run)


def _pull_round(
    context: PullContext, wanted: Sequence[PullSelection], *, dry_run: bool
) -> PullRound:
    """Reads what is wanted, plans the edits for it, and writes them."""
    catalog = planning.load_catalog(context.workspace).resources
    records = [_require_record(context.store, catalog, one.address) for one in wanted]
    instance = diff.Instance(
        context.reader, context.make_binder(catalog), context.store, context.routes
    )
    # A person may name two fields of one resource: it is read once.
    looked = diff.read_live(instance, list({record.address: record for record in records}.values()))
    seen = {record.address: state for record, state in looked}
    left: dict[Address, str] = {}
    # What cannot be written is left to people: the edits are planned again without it.
    while True:
        one_round = PullRound(context, catalog, seen, left)
        for one, record in zip(wanted, records, strict=True):
            one_round.take_changes(one, record)
        one_round.plan_lists()
        more = one_round.find_unsafe() or ({} if dry_run else one_round.write_files())
        if not more:
            return one_round
        left |= more


def _require_record(store: Store, desired: Mapping[Address, Resource], address: Address) -> Record:
    record = store.find_record(address)
    if address not in desired:
        raise WrongUse(
            f"{address} is not in the catalog",
            "write its manifest first, or import it where the instance lists it",
        )
    if record is None:
        raise WrongUse(
            f"nothing is recorded for {address}",
            f"`lmssync adopt {address}=ID` or `lmssync apply` records it",
        )
    return record


def _join_rounds(rounds: Sequence[PullRound], *, dry_run: bool) -> Pulled:
    """What all rounds did; what is refused is asked anew of what is looked at again."""
    refused = [
        one
        for each in rounds
        for one in each.refused
        if each is rounds[-1] or one[0] not in each.again
    ]
    return Pulled(
        [field for one in rounds for field in one.taken],
        [part for one in rounds for part in one.pulled_parts],
        refused,
        sorted({file for one in rounds for file in one.written}),
        dry_run,
        {address: titles for one in rounds for address, titles in one.list_titles().items()},
    )
