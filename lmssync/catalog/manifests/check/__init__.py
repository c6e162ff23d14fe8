"""check: a document becomes resources, or problems."""

from .document import (
    Context as Context,
    Result as Result,
    check_document as check_document,
    document_addresses as document_addresses,
)
from .generated_keys import without_generated as without_generated
from .tables import TableRow as TableRow, check_rows as check_rows, read_rows as read_rows
