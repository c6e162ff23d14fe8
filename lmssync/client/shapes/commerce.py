"""Clients, licenses, users and purchase paths, and the lists in which names are looked up."""

from .words import ABSENT, Id, Shape, Text, Uuid


class Tag(Shape):
    id: Uuid
    label: Text


class Location(Shape):
    id: Uuid
    name: Text


class Client(Shape):
    id: Uuid
    name: Text
    slug: Text


class License(Shape):
    """Spec 2.5; the lists of a client show what it assigns (O33)."""

    id: Uuid
    name: Text | None = None
    courseIds: list[Id] = ABSENT
    learningPathIds: list[Id] = ABSENT
    courseTagIds: list[Id] = ABSENT


class _Held(Shape):
    licenseId: Id


class User(Shape):
    """Spec 2.4."""

    id: Uuid
    email: Text | None = None
    externalCustomerId: Text | None = None
    allocatedLicenses: list[_Held] = ABSENT


class PurchasePath(Shape):
    """Spec 2.6: label and target identify it."""

    id: Uuid
    label: Text
    targetType: Text
    targetId: Id | None = None
    targetUrl: Text | None = None
    targetUrlTitle: Text | None = None
    displayOrder: int | None = None
    hidePrimaryCta: bool | None = None


class _MadePath(Shape):
    id: Uuid


class PathMade(Shape):
    data: _MadePath


class Ping(Shape):
    valid: bool
