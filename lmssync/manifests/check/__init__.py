"""check: a document becomes resources, or problems."""

from .document import Desk as Desk
from .document import Found as Found
from .document import addresses as addresses
from .document import check as check
from .unnamed import named as named
