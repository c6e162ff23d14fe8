"""git: what the git of a catalog knows, asked without running what a repository names.

`run_git` reaches other repositories, from one of our own.
"""

from .git_commands import (
    GitAnswer as GitAnswer,
    Settings as Settings,
    replace_unprintable as replace_unprintable,
    run_git as run_git,
)
from .git_commits import (
    commit_on_branch as commit_on_branch,
    find_merge as find_merge,
    list_commits_of as list_commits_of,
    merge_texts as merge_texts,
)
from .git_repository import (
    Remote as Remote,
    blob_id as blob_id,
    changed_files as changed_files,
    current_branch as current_branch,
    extra_header as extra_header,
    files_between as files_between,
    find_repository as find_repository,
    folder_in_repository as folder_in_repository,
    init_repository as init_repository,
    is_tracked as is_tracked,
    place_address as place_address,
    read_commit as read_commit,
    read_earlier as read_earlier,
    read_files_at as read_files_at,
    read_remote as read_remote,
    text_at as text_at,
)
