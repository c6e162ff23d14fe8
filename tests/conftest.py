"""What every test can rely on: no settings from outside, and time that nobody measures."""

import os

from hypothesis import settings

for name in [name for name in os.environ if name.startswith("LMSSYNC_")]:
    del os.environ[name]

settings.register_profile("lmssync", deadline=None)
settings.load_profile("lmssync")
