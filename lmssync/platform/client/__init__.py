"""client: the only way to the platform; it reports how each request ended.

It knows routes, envelopes, windows and jobs; it knows nothing of resources. No other room opens a
connection: for a host that is not the platform there is `OtherHost`, which never gets its key.
"""

from .access_tokens import OAuthClient as OAuthClient
from .answer_bodies import (
    find_items as find_items,
    find_warnings as find_warnings,
    page_info as page_info,
)
from .other_host import (
    FileTrouble as FileTrouble,
    HttpAnswer as HttpAnswer,
    NoAnswer as NoAnswer,
    OtherHost as OtherHost,
    PartUnread as PartUnread,
    PrivateTrouble as PrivateTrouble,
    RangedFile as RangedFile,
    find_trusted_context as find_trusted_context,
)
from .platform_reader import Reader as Reader
from .platform_writer import (
    WORK as WORK,
    JobEnd as JobEnd,
    Writer as Writer,
    follow_jobs as follow_jobs,
    most_polls as most_polls,
    read_job as read_job,
    watch_jobs as watch_jobs,
)
from .request_outcomes import (
    DeliveryStatus as DeliveryStatus,
    Outcome as Outcome,
    platform_error as platform_error,
    unreadable_answer as unreadable_answer,
)
from .request_windows import SendTurn as SendTurn
from .send_deadline import (
    LAG as LAG,
    MARGIN as MARGIN,
    SendDeadline as SendDeadline,
    send_within as send_within,
)
from .window_count import Urgency as Urgency
