"""The people of the demo company: forty accounts of every role, some of them hard to tell apart.

Numbers 401 to 440; 408 has every field of the profile. Those that share an address: 411 and 412
are one person who learns and manages; 425 is a shadow account beside 424; 426 has the address of
427 as a second one. 431 and 432 share an `externalCustomerId`.
"""

from typing import Any, NamedTuple

from .ids import client_id, demo_id

Doc = dict[str, Any]
WHOLE = 408
LANGUAGES = {"brightwater": "en", "hillside": "de", "acme": "en", "golden": "fr"}


class _Person(NamedTuple):
    number: int
    name: str
    client: str | None = None
    role: str = "student"
    licenses: tuple[int, ...] = ()


_PEOPLE = (
    _Person(401, "Ines Albrecht", role="companyAdmin"),
    _Person(402, "Tomas Lindqvist", role="companyAdmin"),
    _Person(403, "Grace Holloway", "golden", "manager"),
    _Person(404, "Omar Said", "acme", "manager"),
    _Person(405, "Petra Vogel", "hillside", "manager"),
    _Person(406, "Ruth Okafor", role="instructor"),
    _Person(407, "Daniel Moreau", "brightwater", "instructor"),
    _Person(408, "Amara Nwosu", "brightwater", licenses=(611, 612)),
    _Person(409, "Ben Carter", "brightwater", licenses=(611, 612)),
    _Person(410, "Chloe Dubois", "brightwater", licenses=(611,)),
    _Person(411, "Dara Quinn", "brightwater", licenses=(611, 613)),
    _Person(412, "Dara Quinn", "brightwater", "manager"),
    _Person(413, "Elif Kaya", "brightwater", licenses=(611, 612)),
    _Person(414, "Femi Ade", "brightwater", licenses=(612,)),
    _Person(415, "Gita Rao", "brightwater", licenses=(611,)),
    _Person(416, "Hugo Jansen", "brightwater", licenses=(613,)),
    _Person(417, "Ida Berg", "brightwater", licenses=(614,)),
    _Person(418, "Jack Muller", "brightwater", licenses=(611,)),
    _Person(419, "Kenji Mori", "brightwater"),
    _Person(420, "Lena Fischer", "hillside", licenses=(621, 622)),
    _Person(421, "Marco Conti", "hillside", licenses=(621,)),
    _Person(422, "Nadia Haddad", "hillside", licenses=(621, 622)),
    _Person(423, "Oskar Nilsen", "hillside", licenses=(622,)),
    _Person(424, "Paula Reyes", "hillside", licenses=(621,)),
    _Person(425, "Paula Reyes", "brightwater"),
    _Person(426, "Quentin Roy", "hillside", licenses=(621,)),
    _Person(427, "Rosa Blanco", "hillside", licenses=(621,)),
    _Person(428, "Sven Dahl", "hillside"),
    _Person(429, "Tara Singh", "acme"),
    _Person(430, "Umar Farooq", "acme"),
    _Person(431, "Vera Novak", "acme"),
    _Person(432, "Will Archer", "acme"),
    _Person(433, "Xenia Popov", "acme"),
    _Person(434, "Yusuf Demir", "acme"),
    _Person(435, "Zoe Martin", "golden", licenses=(601, 602)),
    _Person(436, "Anton Weber", "golden", licenses=(601, 603)),
    _Person(437, "Bianca Rossi", "golden", licenses=(601,)),
    _Person(438, "Carlos Vega"),
    _Person(439, "Dina Cohen"),
    _Person(440, "Erik Holm"),
)

_SPECIAL: dict[int, Doc] = {
    411: {"managerUserId": demo_id(412)},
    412: {"learnerUserId": demo_id(411)},
    424: {"externalCustomerId": "EXT-424"},
    425: {"isShadow": True, "email": "paula.reyes@hillside.example"},
    426: {"secondaryEmails": ["rosa.blanco@hillside.example"]},
    431: {"externalCustomerId": "EXT-SHARED"},
    432: {"externalCustomerId": "EXT-SHARED"},
    434: {"disabled": True},
    439: {"externalCustomerId": "EXT-439"},
}
"""What some accounts have besides."""


_WHOLE: Doc = {
    "lastActiveAt": "2025-11-14T16:20:00.000Z",
    "crmAccountId": demo_id(491),
    "crmContactId": demo_id(492),
    "address1": "4 Harbour View",
    "address2": "Flat 2",
    "city": "Grimsby",
    "state": "Lincolnshire",
    "zipCode": "DN31 3LL",
    "country": "GB",
    "telephone": "+44 20 7946 0408",
    "paymentCustomerId": demo_id(493),
    "externalCustomerId": "EXT-408",
    "shippingName": "Amara Nwosu",
    "asset": "https://media.example/avatars/408.png",
    **{f"ref{number}": f"Reference {number}" for number in range(2, 11)},
    "customFields": {"shift": "night", "badges": ["forklift", "first-aid"]},
    "purchasedBundles": [{"bundleId": demo_id(201)}],
    "allocatedLearningPaths": [{"learningPathId": demo_id(101), "status": "started"}],
    "balance": 12.5,
    "preferredCurrency": "GBP",
}
"""What the account `WHOLE` has besides: every field of the profile."""


def users() -> list[Doc]:
    return [_account(person) for person in _PEOPLE]


def _account(person: _Person) -> Doc:
    first, last = person.name.split()
    home = person.client or "demo"
    return {
        "id": demo_id(person.number),
        "clientId": client_id(person.client) if person.client else None,
        "createdAt": f"2025-03-03T08:{person.number - 400:02}:00.000Z",
        "roleKey": person.role,
        "email": f"{first}.{last}@{home}.example".lower(),
        "firstName": first,
        "lastName": last,
        "language": LANGUAGES.get(home, "en") if person.role == "student" else None,
        "allocatedLicenses": [{"licenseId": demo_id(number)} for number in person.licenses],
        "ref1": f"P-{person.number}",
        **(_WHOLE if person.number == WHOLE else {}),
        **_SPECIAL.get(person.number, {}),
    }
