"""Looks at the platform where it matters: at what would be changed and what would be created."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from typing import NamedTuple

from ..address import Address
from ..client import Reader
from ..decisions import NONE, Decisions
from ..kind import Ambiguity
from ..kinds import KINDS
from ..live import Binder, Looker, Wanted, read
from ..resource import Resource
from ..state import Store
from .change import Change, Difference
from .observed import made_again, taken_over, with_live
from .referrers import as_it_is, children, gone_ids, with_referrers

Desired = Mapping[Address, Resource]


class View(NamedTuple):
    """What a look needs, and what people have decided."""

    reader: Reader
    binder: Binder
    store: Store
    mark: Callable[[Change], str | None]
    """The mark that something new will carry."""
    routes: Set[str]
    """The routes that the instance has."""
    decided: Decisions = NONE


def observe(view: View, changes: Iterable[Change], desired: Desired) -> list[Change]:
    """The changes, each with what a look has shown."""
    changes = list(changes)
    asked = list(_asked(view, {c.address for c in changes}, desired))
    records = [c.recorded for c in (*changes, *asked) if c.recorded and _is_read(c)]
    seen = read(view.reader, view.binder, records, view.routes)
    looked = [
        with_live(c, seen.get(c.was or c.address), again=c.address in view.decided.recreate)
        for c in (*changes, *asked)
    ]
    as_it_was = {c.address for c in asked}
    looked = [c for c in looked if c.address not in as_it_was or c.missing or c.gone]
    looked = [kept(change, view.decided.keep) for change in _made_again(view, looked, desired)]
    gone = gone_ids(looked, view.decided.recreate)
    looked = list(with_referrers(looked, gone, view.store, desired)) if gone else looked
    looker = Looker(view.reader, view.binder)
    new = [
        c for c in looked if c.difference is Difference.NEW and not (c.original or c.move_conflict)
    ]
    looker.prefetch(_wanted(view, change) for change in new)
    return [_looked_for(view, looker, c) if c in new else c for c in looked]


def _is_read(change: Change) -> bool:
    """True for what would change, and for what comes back, since it may be gone by now."""
    return change.difference is Difference.CHANGED or (change.returned and change.was is None)


def _asked(view: View, known: Set[Address], desired: Desired) -> Iterator[Change]:
    """Unchanged in git, but named by `--recreate`: created again if somebody has deleted it."""
    for address in sorted(view.decided.recreate - known):
        record = view.store.record(address)
        if record is not None and address in desired:
            yield replace(as_it_is(desired[address], record), difference=Difference.CHANGED)


def kept(change: Change, keep: Iterable[str]) -> Change:
    """The change without the conflicts that are decided in favour of git."""
    words = [word for word in keep if word.partition(":")[0] == str(change.address)]
    if not words or not change.conflicts:
        return change
    fields = [field for _, _, field in (word.partition(":") for word in words)]
    left = [c for c in change.conflicts if not any(_within(c.path, field) for field in fields)]
    return replace(change, conflicts=left)


def _within(path: str, field: str) -> bool:
    return not field or path == field or path.startswith((f"{field}.", f"{field}["))


def _made_again(view: View, changes: Sequence[Change], desired: Desired) -> Iterator[Change]:
    """What was deleted by hand and should be created again, with everything that went with it."""
    missing = {c.address for c in changes if c.missing and c.was is None}
    again = missing & view.decided.recreate
    nested = children(view.store, again) if again else ()
    lost = {address: record for address, record in nested if address in desired}
    for change in changes:
        record = lost.pop(change.address, None)
        yield made_again(change) if change.address in again or record else change
    for address, record in lost.items():
        yield made_again(
            Change(address, Difference.SAME, desired=desired[address], recorded=record)
        )


def _wanted(view: View, change: Change) -> Wanted:
    return Wanted(change.address, change.after, view.mark(change))


def _looked_for(view: View, looker: Looker, change: Change) -> Change:
    """Something that is not in the state: it is taken over if a look finds it."""
    kind, wanted = KINDS[change.address.kind], _wanted(view, change)
    taken = view.store.ids_of(kind.name)
    if looker.reaches(wanted):
        ids, answer = looker.look(wanted, taken), looker.read(wanted)
    else:
        ids, answer = looker.search(wanted, taken, view.routes)
    if ids is None and kind.reads.unlisted and view.decided.new_state:
        ids = Ambiguity("no route of this instance shows whether it was made with another state")
    if isinstance(ids, Ambiguity):
        return replace(change, unclear=ids.text)
    return taken_over(change, ids, kind.reads.adopted(wanted.form, ids, answer)) if ids else change
