"""git: what the git of a catalog knows, asked without running what a repository names."""

from .repository import begin as begin
from .repository import changed as changed
from .repository import commit as commit
from .repository import prefix as prefix
from .repository import top as top
from .repository import tracked as tracked
