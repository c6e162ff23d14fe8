"""translations: which passages of a page a translation was made from, and which have changed since.

It knows no platform. A page is whatever has a body and may have one in further languages; XLIFF is
read and written by a library that nothing else needs.
"""

from .passage_comparison import (
    PassageState as PassageState,
    TranslatedPassage as TranslatedPassage,
    accept_passages as accept_passages,
    compare_pages as compare_pages,
    compare_resource as compare_resource,
)
from .translated_pages import TranslatedPage as TranslatedPage, list_pages as list_pages
from .translation_ledger import Ledgers as Ledgers
