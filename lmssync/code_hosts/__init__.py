"""code_hosts: comments, issues and approvals on GitHub and GitLab.

It knows where a job runs and what a code host's interface takes. It knows nothing of plans,
resources or the platform: it gets a text and keeps it where people read it.
"""

from .host_requests import (
    CiJob as CiJob,
    CodeHostWire as CodeHostWire,
    connect_code_host as connect_code_host,
    find_ci_job as find_ci_job,
)
from .marked_posts import (
    DRIFT as DRIFT,
    NEWS as NEWS,
    STEPS as STEPS,
    Kept as Kept,
    keep_text as keep_text,
    open_comments as open_comments,
    open_issues as open_issues,
    spell_marker as spell_marker,
)
from .pull_approvals import (
    Approvals as Approvals,
    ReviewedPull as ReviewedPull,
    find_reviewed_pull as find_reviewed_pull,
    read_approvals as read_approvals,
)
