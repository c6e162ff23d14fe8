"""checking: a catalog read and judged, or recalled where nothing has changed.

It imports next to nothing before that is known: an author who asks again must not wait for what
others need.
"""

from . import baseline as baseline
from .baseline import BaselineResult as BaselineResult, apply_baseline as apply_baseline
from .catalog_validation import (
    check_single_file as check_single_file,
    load_catalog_anew as load_catalog_anew,
    load_checked_catalog as load_checked_catalog,
    load_readable_part as load_readable_part,
    validate_catalog as validate_catalog,
    validate_with_catalog as validate_with_catalog,
)
