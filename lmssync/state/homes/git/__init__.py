"""git: a state that is kept on a branch of a git repository, mostly the catalog's own.

Each append is a commit, and a push that only succeeds if nobody else has pushed since. It knows
nothing of what is in the segments.
"""

from .branch import GitPatience as GitPatience
from .home import GitBackend as GitBackend
from .opening import open_git_backend as open_git_backend
