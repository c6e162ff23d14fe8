"""git: a state that is kept on a branch of a git repository, mostly the catalog's own.

Each append is a commit, and a push that only succeeds if nobody else has pushed since. It knows
nothing of what is in the segments.
"""

from .branch import Patience as Patience
from .home import GitHome as GitHome
from .opening import git_home as git_home
