"""`python -m lmssync`."""

from .cli.main import main

main()
