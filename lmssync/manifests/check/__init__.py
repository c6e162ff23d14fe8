"""check: a document becomes resources, or problems."""

from .document import Context as Context
from .document import Result as Result
from .document import addresses as addresses
from .document import check as check
from .generated_keys import without_generated as without_generated
