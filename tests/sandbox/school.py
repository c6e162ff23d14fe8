"""What the tests of learners share: the school, requests for licenses, and what came of them."""

import base64
import hashlib
import hmac
import json
from typing import Any

from lmssync.sandbox.seeds.demo_company import course_id

from .conftest import Platform

Json = Any
DELETE = {"preserveEnrollments": False, "preserveProgress": False}
LEAVE = {"preserveEnrollments": False, "preserveProgress": True}
KEEP = {"preserveEnrollments": True, "preserveProgress": True}


def demo(number: int) -> str:
    """The id of a numbered thing of the demo company."""
    return f"7d1c0000-0000-4000-8000-{number:012}"


def jwt(claims: Json, secret: str, alg: str = "HS256") -> str:
    """A token with claims, signed with a secret unless the algorithm is `none`."""

    def part(value: bytes) -> bytes:
        return base64.urlsafe_b64encode(value).rstrip(b"=")

    header = {"alg": alg, "typ": "JWT"}
    text = b".".join(part(json.dumps(value).encode()) for value in (header, claims))
    signature = b"" if alg == "none" else hmac.digest(secret.encode(), text, hashlib.sha256)
    return b".".join((text, part(signature))).decode()


def user(number: int, *, add: tuple[int, ...] = (), remove: tuple[int, ...] = ()) -> Json:
    """An entry for a person of the demo company, by id."""
    lists = {"licenseIdsToAdd": add, "licenseIdsToRemove": remove}
    return {"id": demo(number), **{name: [demo(n) for n in ids] for name, ids in lists.items()}}


def send(platform: Platform, *users: Json, options: Json = None) -> Json:
    """The response to a bulk request."""
    given = {} if options is None else {"enrollmentOptions": options}
    return platform.call("sublicense.assign", {"users": list(users), **given})


def accepted(platform: Platform, *users: Json, options: Json = None) -> Json:
    """`data` of a request that is accepted."""
    response = send(platform, *users, options=options)
    assert 202 == response.status_code, response.text
    return response.json()["data"]


def finished(platform: Platform, job_id: str) -> Json:
    """A job after its end."""
    platform.control("clock", {"advanceSeconds": 10})
    return platform.call("job.read", id=job_id).json()


def assigned(platform: Platform, *users: Json, options: Json = None) -> Json:
    """The job of an accepted request, after its end."""
    return finished(platform, accepted(platform, *users, options=options)["jobId"])


def outcome(platform: Platform) -> Json:
    """What became of each user of the newest job: None or what was wrong."""
    results = platform.dump("jobs")[-1]["outcome"]["results"]
    return {result["userId"]: result["error"] for result in results}


def person(platform: Platform, number: int) -> Json:
    return next(one for one in platform.dump("users") if one["id"] == demo(number))


def licenses(platform: Platform, number: int) -> list[int]:
    """The numbers of the demo licenses that a person holds."""
    held = person(platform, number)["allocatedLicenses"]
    return [int(one["licenseId"][-12:]) for one in held]


def records(platform: Platform, kind: str, number: int, course: str) -> list[Json]:
    """What is kept of a person and a course of the school."""
    whose = "learnerId" if kind == "submissions" else "userId"
    return [
        one
        for one in platform.dump(kind)
        if (one[whose], one["courseId"]) == (demo(number), course_id(course))
    ]


def enrollment(platform: Platform, number: int, course: str) -> Json:
    """Source, license number or None, and status of the newest enrollment."""
    row = records(platform, "enrollments", number, course)[-1]
    license_ = row["licenseId"] and int(row["licenseId"][-12:])
    return (row["source"], license_, row["status"])


def kept(platform: Platform, number: int, course: str) -> Json:
    """Everything a person has left in a course, by kind."""
    kinds = ("progress", "transcripts", "certificates", "attempts", "scormAttempts", "submissions")
    found = {kind: records(platform, kind, number, course) for kind in kinds}
    return {kind: docs for kind, docs in found.items() if docs}
