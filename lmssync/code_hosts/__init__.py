"""code_hosts: comments, issues and approvals on GitHub and GitLab.

It knows where a job runs and what a code host's interface takes. It knows nothing of plans,
resources or the platform: it gets a text and keeps it where people read it.
"""

from .approvals import (
    Approvals as Approvals,
    ReviewedPull as ReviewedPull,
    approvals as approvals,
    find_reviewed_pull as find_reviewed_pull,
)
from .job import CiJob as CiJob, job as job
from .places import (
    DRIFT as DRIFT,
    comments as comments,
    connect_code_host as connect_code_host,
    issues as issues,
)
from .sticky import Kept as Kept, keep as keep, marker as marker
from .wire import CodeHostWire as CodeHostWire
