"""live_pull: what people have changed on the platform is written into manifests, and recorded.

It reads the platform and decides; how the files change is for pull. It sends no write.
"""

from .context import Pulled as Pulled
from .pulling import PullSelection as PullSelection
from .run import pull_changes as pull_changes
