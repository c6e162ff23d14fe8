"""What a pull says of a value that it cannot write."""


class Unpullable(Exception):
    """A value that cannot be written where it belongs; says why."""
