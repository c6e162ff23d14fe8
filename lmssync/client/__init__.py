"""client: the only way to the platform; it reports how each request ended.

It knows routes, envelopes, windows and jobs; it knows nothing of resources.
"""

from .answers import warnings as warnings
from .failures import problem as problem
from .jobs import JobEnd as JobEnd
from .jobs import follow as follow
from .outcome import Fate as Fate
from .outcome import Outcome as Outcome
from .platform import Reader as Reader
from .platform import Writer as Writer
