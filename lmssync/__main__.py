"""`python -m lmssync`."""

from .cli.main import main

try:
    main()
finally:
    # An interrupt amid code that is made at run time, as that of a dataclass, is noted by Python,
    # which ends such a process by SIGINT, not with our exit code. The next code of that kind clears
    # the note.
    exec("")  # noqa: S102 - a constant
