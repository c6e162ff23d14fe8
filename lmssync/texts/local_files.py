"""Pictures, videos and documents on the author's own machine, which no call can bring along.

The specification shows no route that takes a file: the platform fetches what it is given the
address of, and what stands in a page is fetched by the learner's browser (spec 2.2, 4).
"""

import re

_FILE = re.compile(
    r"""(?xi)
    (?: file: | [a-z]:[\\/] | (?! // | [a-z][a-z0-9+.-]*: ) )   # a scheme only where it is a file's
    [^?#]* \.
    (?: png | jpe?g | gif | svg | webp | bmp | mp4 | mov | webm | mp3 | wav | pdf | zip
      | docx? | xlsx? | pptx? | odt | csv )
    """
)

REMEDY = (
    "no route takes files: upload it in the admin interface, or put it on a web server, and write "
    "its https address here"
)


def is_local(address: str) -> bool:
    """True for the name of a file, with or without its folder: `images/desk.png`."""
    return bool(_FILE.fullmatch(address))
