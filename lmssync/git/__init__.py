"""git: what the git of a catalog knows, asked without running what a repository names."""

from .earlier import earlier as earlier
from .repository import (
    begin as begin,
    changed as changed,
    commit as commit,
    prefix as prefix,
    text_at as text_at,
    top as top,
    tracked as tracked,
)
