"""client: the only way to the platform; it reports how each request ended.

It knows routes, envelopes, windows and jobs; it knows nothing of resources. No other room opens a
connection: for a host that is not the platform there is `OtherHost`, which never gets its key.
"""

from .answers import warnings as warnings
from .failures import problem as problem
from .jobs import JobEnd as JobEnd, follow as follow
from .other_host import HttpAnswer as HttpAnswer, NoAnswer as NoAnswer, OtherHost as OtherHost
from .outcome import Fate as Fate, Outcome as Outcome
from .platform import Reader as Reader, Writer as Writer
