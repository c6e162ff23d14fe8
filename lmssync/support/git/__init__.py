"""git: what the git of a catalog knows, asked without running what a repository names.

`run_git` reaches other repositories, from one of our own.
"""

from .git_commands import (
    GitAnswer as GitAnswer,
    Settings as Settings,
    printable as printable,
    run_git as run_git,
)
from .git_repository import (
    Remote as Remote,
    begin as begin,
    blob_id as blob_id,
    branch as branch,
    changed_files as changed_files,
    commit as commit,
    extra_header as extra_header,
    is_tracked as is_tracked,
    place_address as place_address,
    prefix as prefix,
    read_earlier as read_earlier,
    read_files_at as read_files_at,
    remote as remote,
    text_at as text_at,
    texts_at as texts_at,
    top as top,
)
