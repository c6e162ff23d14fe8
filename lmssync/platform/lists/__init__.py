"""lists: what the platform lists, as somebody asks for it: by its filters, page after page.

A list is a declaration; nothing here knows what a kind of resource is, how a list is shown, or
keeps what it has read: users are people.
"""

from .asking import ListQuery as ListQuery, listable as listable, value_at as value_at
from .declaration import Filter as Filter, PlatformList as PlatformList
from .declared import LISTS as LISTS
from .naming import IdFinder as IdFinder, find_named as find_named
from .reading import Items as Items, read as read
