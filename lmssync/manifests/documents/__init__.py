"""documents: a file of the catalog as documents, and where in the file each value stands."""

from .places import (
    locate as locate,
    locate_at_once as locate_at_once,
    located_in as located_in,
)
from .project_file import project as project, unknown_rules as unknown_rules
from .reading import (
    NOT_A_MANIFEST as NOT_A_MANIFEST,
    Document as Document,
    ManifestFile as ManifestFile,
    read as read,
    unreadable as unreadable,
)
from .scope import Patch as Patch, PolicyCheck as PolicyCheck, Scope as Scope
