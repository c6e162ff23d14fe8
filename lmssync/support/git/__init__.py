"""git: what the git of a catalog knows, asked without running what a repository names.

`transport` reaches other repositories, from one of our own.
"""

from .command import printable as printable
from .earlier import (
    read_earlier as read_earlier,
    read_files_at as read_files_at,
    texts_at as texts_at,
)
from .remotes import (
    Remote as Remote,
    branch as branch,
    extra_header as extra_header,
    place_address as place_address,
    remote as remote,
)
from .repository import (
    begin as begin,
    changed_files as changed_files,
    commit as commit,
    is_tracked as is_tracked,
    prefix as prefix,
    text_at as text_at,
    top as top,
)
from .transport import GitAnswer as GitAnswer, Settings as Settings, run_git as run_git
