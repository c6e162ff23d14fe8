"""Courses that learners are in and no read has shown yet: their ids are read for their names.

The answer of a create has the ids of a batch, in no promised order (O16). Events name courses by
id, so counts are shown by address only once it is known which id is whose.
"""

from collections.abc import Callable, Sequence

from ..errors import StateError
from ..learners.events import LearnerIndex
from ..planning.workspace import Workspace
from ..platform import live
from ..platform.client import Reader
from ..resource import Address
from ..state import instance_of


def pair_learned_courses(place: Workspace, reader: Reader, tell: Callable[[str], None]) -> None:
    """Reads and records which ids those courses have that the pulled events name. Where the state
    cannot be written it is told, since the events were pulled all the same."""
    try:
        if wanted := _list_learned_courses(place):
            with place.store() as store, store.hold_state():
                place.check_state(store)
                live.allow_pairing(store, reader, place.platform.routes)
                live.pair_recorded(store, wanted)
    except StateError as error:
        tell(f"warning: no course was read back: {error.message}")


def _list_learned_courses(place: Workspace) -> Sequence[Address]:
    """What was made in a batch and expects an id that events name; nothing is read for it."""
    instance = instance_of(place.environment.baseUrl)
    index = LearnerIndex.open_index(place.learners, instance=instance)
    if index is None:
        return []
    with index, place.store(read_only=True) as store:
        named = {id_ for id_, _ in index.course_audiences()}
        records = filter(None, map(store.find_record, store.unpaired_addresses()))
        return [record.address for record in records if named.intersection(record.batch_ids)]
