"""client: the only way to the platform; it reports how each request ended.

It knows routes, envelopes, windows and jobs; it knows nothing of resources. No other room opens a
connection: for a host that is not the platform there is `OtherHost`, which never gets its key.
"""

from .announced import (
    LAG as LAG,
    MARGIN as MARGIN,
    Announced as Announced,
    send_within as send_within,
)
from .answers import (
    find_items as find_items,
    find_warnings as find_warnings,
    page_info as page_info,
)
from .failures import platform_error as platform_error, unreadable_answer as unreadable_answer
from .http_answer import HttpAnswer as HttpAnswer, NoAnswer as NoAnswer
from .jobs import (
    WORK as WORK,
    JobEnd as JobEnd,
    follow_jobs as follow_jobs,
    most_polls as most_polls,
    read_job as read_job,
    watch_jobs as watch_jobs,
)
from .other_host import OtherHost as OtherHost
from .outcome import Fate as Fate, Outcome as Outcome
from .reader import Reader as Reader
from .sending import Aside as Aside
from .throttle import SendTurn as SendTurn
from .tokens import OAuthClient as OAuthClient
from .writer import Writer as Writer
