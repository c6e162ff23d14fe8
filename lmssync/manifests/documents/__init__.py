"""documents: a file of the catalog as documents, and where in the file each value stands."""

from .places import locate as locate
from .places import locate_at_once as locate_at_once
from .project_file import project as project
from .project_file import unknown_rules as unknown_rules
from .reading import NOT_A_MANIFEST as NOT_A_MANIFEST
from .reading import Document as Document
from .reading import read as read
from .reading import unreadable as unreadable
from .scope import Patch as Patch
from .scope import Policy as Policy
from .scope import Scope as Scope
