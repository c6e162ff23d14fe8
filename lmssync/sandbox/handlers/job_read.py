"""`job.read`: how a background job stands (spec 2.6, 3)."""

from ..call import Call
from ..http import Answer, absent
from ..jobs import as_wire
from ..platform import Platform


def read(platform: Platform, call: Call) -> Answer:
    job = platform.objects.get("jobs", call.path["id"])
    if job is None:
        raise absent("job", call.path["id"])
    return Answer(as_wire(job, now=platform.clock.now()))
