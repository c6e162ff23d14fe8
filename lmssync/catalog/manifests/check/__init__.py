"""check: a document becomes resources, or problems."""

from .attached_texts import (
    TableRow as TableRow,
    check_rows as check_rows,
    read_rows as read_rows,
    spell_catalog_path as spell_catalog_path,
)
from .document_check import (
    Context as Context,
    NamedFile as NamedFile,
    Result as Result,
    check_document as check_document,
    document_addresses as document_addresses,
    list_named_files as list_named_files,
)
from .included_parts import (
    PartFile as PartFile,
    PartMistake as PartMistake,
    read_part_file as read_part_file,
)
from .short_forms import without_generated as without_generated
