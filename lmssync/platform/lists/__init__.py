"""lists: what the platform lists, as somebody asks for it: by its filters, page after page.

A list is a declaration; nothing here knows what a kind of resource is, how a list is shown, or
keeps what it has read: users are people.
"""

from .list_declarations import LISTS as LISTS, Filter as Filter, PlatformList as PlatformList
from .list_reading import (
    IdFinder as IdFinder,
    Items as Items,
    ListQuery as ListQuery,
    choose_list as choose_list,
    find_named as find_named,
    read_list as read_list,
    value_at as value_at,
)
