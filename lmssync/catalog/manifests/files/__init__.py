"""files: the files of a catalog: which exist, whether they changed, how much they may hold.

It knows nothing about their content.
"""

from .attachments import (
    FILE_OUTSIDE as FILE_OUTSIDE,
    NOT_UTF_8 as NOT_UTF_8,
    CatalogFiles as CatalogFiles,
    NoFile as NoFile,
    Sight as Sight,
)
from .limits import (
    BODY_BYTES as BODY_BYTES,
    FORMAT_BYTES as FORMAT_BYTES,
    MANIFEST_BYTES as MANIFEST_BYTES,
    MERGED as MERGED,
    MISTAKES as MISTAKES,
    VALUES as VALUES,
)
from .listing import (
    ENDINGS as ENDINGS,
    OVERLAYS as OVERLAYS,
    POLICIES as POLICIES,
    PROJECT as PROJECT,
    TEMPLATE as TEMPLATE,
    Listing as Listing,
    walk_catalog as walk_catalog,
)
from .named import choose_files as choose_files, find_existing as find_existing
from .replace import replace_file as replace_file
from .stamps import (
    GONE as GONE,
    TICK as TICK,
    settle_stamp as settle_stamp,
    stamp_of as stamp_of,
    stamped_size as stamped_size,
)
