"""check: a document becomes resources, or problems."""

from .document import Context as Context, Result as Result, addresses as addresses, check as check
from .generated_keys import without_generated as without_generated
from .tables import TableRow as TableRow, check_rows as check_rows, read_rows as read_rows
