"""pull: what people have changed on the platform is written into manifests, and recorded.

It reads the platform and decides, then changes files. It sends no write.
"""

from .pull_run import PullSelection as PullSelection, pull_changes as pull_changes
from .pulled_changes import Pulled as Pulled
