"""people: keeps what identifies learners out of everything that is stored or shown.

It knows whom the lists of the catalog name and who is behind the codes of the state. Which calls
are about whom is for plan and apply; nothing here reads or writes the platform.
"""

from .known import People as People
