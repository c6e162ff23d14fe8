"""discovery: what the platform has, listed, and made into manifests. It only reads there."""

from .bring import Brought as Brought, Catalog as Catalog, Tell as Tell, brought as brought
from .listing import Item as Item
from .names import Names as Names
from .selection import chosen as chosen, everything as everything, is_managed as is_managed
