"""`ping`: is the platform there, and is the key good (spec 4); `job.read`: a job (spec 2.6, 3)."""

from ..background_jobs import as_wire
from ..http_exchange import Answer, not_found
from ..sandbox_platform import Call, Platform


def answer_ping(_platform: Platform, _call: Call) -> Answer:
    return Answer({"valid": True})


def read_job(platform: Platform, call: Call) -> Answer:
    job = platform.objects.get_object("jobs", call.path["id"])
    if job is None:
        raise not_found("job", call.path["id"])
    return Answer(as_wire(job, now=platform.clock.read_time()))
