"""Media: the background jobs that would fetch what an address points at.

Nothing is ever fetched: a job fails if an address contains the word `broken`, else it succeeds.
"""

from ..background_jobs import JobFailed
from ..sandbox_documents import Doc
from ..sandbox_platform import Platform

BROKEN = "broken"


def fetch_media(_platform: Platform, arguments: Doc) -> None:
    """The work `media`: `urls` are fetched, or one of them cannot be."""
    for url in arguments["urls"]:
        if BROKEN in url.lower():
            raise JobFailed(f"The file at {url} could not be fetched")


def queue_media_job(platform: Platform, urls: list[str]) -> Doc:
    """What an answer shows of the job for `urls`: `{"backgroundJob": ...}` or nothing."""
    if not urls:
        return {}
    count = f"{len(urls)} file" + ("s" if len(urls) > 1 else "")
    return {
        "backgroundJob": platform.start_job("media", {"urls": urls}, description=f"Import {count}")
    }
