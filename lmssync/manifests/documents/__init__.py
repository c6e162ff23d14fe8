"""documents: a file of the catalog as documents, and where in the file each value stands."""

from .places import locate as locate
from .places import locate_at_once as locate_at_once
from .project_file import project as project
from .reading import Document as Document
from .reading import no_yaml as no_yaml
from .reading import read as read
from .reading import unreadable as unreadable
from .scope import Patch as Patch
from .scope import Policy as Policy
from .scope import Scope as Scope
