"""lists: what the platform lists, as somebody asks for it: by its filters, page after page.

A list is a declaration; nothing here knows what a kind of resource is, how a list is shown, or
keeps what it has read: users are people.
"""

from .list_declarations import LISTS as LISTS, Filter as Filter, PlatformList as PlatformList
from .list_names import IdFinder as IdFinder, find_named as find_named
from .list_reading import (
    Items as Items,
    ListQuery as ListQuery,
    listable as listable,
    read as read,
    value_at as value_at,
)
