"""discovery: what the platform has, listed and made into manifests. It only reads."""

from .listing import Item as Item
from .listing import listed as listed
from .manifests import Names as Names
from .manifests import Outcome as Outcome
from .manifests import imported as imported
from .selection import chosen as chosen
