"""kinds: the kinds of resources that are kept in sync, one package each, declarations only.

A kind says what an author may write, how that is read back and which calls change it, all as
values. It performs nothing: the stages do that, and they never ask for a kind's name. What all
kinds have alike is offered here too: their own fields, parts and their names, words for ids.
"""

from ..kind import Kind
from . import (
    client,
    completion_criterion,
    course,
    field_synonyms as field_synonyms,
    license,  # noqa: A004 - the kind is called so
    license_assignment,
    purchase_path,
    session,
)
from .field_types import (
    Choice as Choice,
    Date as Date,
    Shown as Shown,
    Text as Text,
    Title as Title,
    Uuid as Uuid,
)
from .license_assignment import Email as Email
from .platform_lookups import (
    AMBIGUOUS_NAME as AMBIGUOUS_NAME,
    ATTESTED_AGED as ATTESTED_AGED,
    COURSE_LISTS as COURSE_LISTS,
    LOOKUPS as LOOKUPS,
    SEARCH as SEARCH,
    SOUGHT as SOUGHT,
    UNKNOWN_ID as UNKNOWN_ID,
    UNKNOWN_NAME as UNKNOWN_NAME,
    UNKNOWN_PERSON as UNKNOWN_PERSON,
    UNUSED_VALUE as UNUSED_VALUE,
    VALUES_IN_USE as VALUES_IN_USE,
    Lookup as Lookup,
    Sought as Sought,
)
from .reference_fields import is_uuid as is_uuid, node_address as node_address
from .shared_fields import (
    BODY_FILE as BODY_FILE,
    LANGUAGE as LANGUAGE,
    OWN_FIELDS as OWN_FIELDS,
    WAYS as WAYS,
    Managed as Managed,
)
from .sibling_names import (
    HOLDERS as HOLDERS,
    SAYS_LITTLE as SAYS_LITTLE,
    is_structure as is_structure,
    part_names as part_names,
)

KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        course.KIND,
        session.KIND,
        completion_criterion.KIND,
        client.KIND,
        license.KIND,
        license_assignment.KIND,
        purchase_path.KIND,
    )
}
"""By first word of the address, in the order in which people read a plan."""

BY_RESOURCE: dict[str, Kind] = {kind.resource: kind for kind in KINDS.values()}
"""By the word that stands under `resource:`."""
