"""discovery: what the platform has, listed, and made into manifests. It only reads there."""

from .bring import Brought as Brought
from .bring import Catalog as Catalog
from .bring import Tell as Tell
from .bring import brought as brought
from .listing import Item as Item
from .names import Names as Names
from .selection import chosen as chosen
from .selection import everything as everything
from .selection import is_managed as is_managed
