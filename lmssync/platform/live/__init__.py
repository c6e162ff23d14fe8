"""live: what the platform holds now, as far as it can be read.

It reads and binds; what a difference means is for diff, and nothing here can write.
"""

from .binding import (
    Binder as Binder,
    Nameless as Nameless,
    Unbound as Unbound,
    list_named as list_named,
)
from .change_marks import (
    EXACTNESS as EXACTNESS,
    NOTICED as NOTICED,
    OWN as OWN,
    AgedAttestation as AgedAttestation,
    Marks as Marks,
    find_aged_attestations as find_aged_attestations,
    parse_change_mark as parse_change_mark,
)
from .fetch import (
    IDS_PER_QUERY as IDS_PER_QUERY,
    FetchedLists as FetchedLists,
    KeptAnswers as KeptAnswers,
    ask_reading as ask_reading,
)
from .holders import (
    Accounts as Accounts,
    Holder as Holder,
    Person as Person,
    TooLong as TooLong,
    Unlisted as Unlisted,
    all_holders as all_holders,
    read_holders as read_holders,
)
from .id_pairing import (
    allow_pairing as allow_pairing,
    carries_marker as carries_marker,
    pair_batches as pair_batches,
    pair_recorded as pair_recorded,
)
from .later_records import order_for_reading as order_for_reading
from .list_times import (
    WHOLE as WHOLE,
    ListedTime as ListedTime,
    RecordedLooks as RecordedLooks,
    find_unmoved as find_unmoved,
    read_list_times as read_list_times,
)
from .names import (
    IdsByName as IdsByName,
    check_names as check_names,
    find_meant_id as find_meant_id,
    find_uuids as find_uuids,
    find_values_in_use as find_values_in_use,
    id_of_name as id_of_name,
)
from .read import (
    LiveState as LiveState,
    read_compared as read_compared,
    read_live_states as read_live_states,
    read_states_in_turn as read_states_in_turn,
    shown_by as shown_by,
    shown_whole as shown_whole,
)
from .readable_fields import (
    Certainty as Certainty,
    available_readings as available_readings,
    choose_readings as choose_readings,
    evidence_of_field as evidence_of_field,
    find_only_reading as find_only_reading,
    form_patterns as form_patterns,
    is_declared as is_declared,
    keep_fields as keep_fields,
    leaf_paths as leaf_paths,
    list_patterns as list_patterns,
    readable_fields as readable_fields,
    shows_more as shows_more,
)
from .resource_finder import (
    LookupQuery as LookupQuery,
    LookupResult as LookupResult,
    ResourceFinder as ResourceFinder,
    is_noticed as is_noticed,
    may_be_shown as may_be_shown,
    parents_of as parents_of,
)
from .value_equality import Unchanged as Unchanged, values_equal as values_equal
