"""People: names, addresses and habits of simulated learners."""

from random import Random
from typing import NamedTuple

from ..documents import Doc

FIRST = (
    "Ada", "Ahmed", "Aisha", "Alma", "Amir", "Anna", "Ayo", "Bela", "Bruno", "Camille", "Chen",
    "Clara", "David", "Deniz", "Elena", "Emeka", "Eva", "Farah", "Felix", "Grace", "Hana", "Henrik",
    "Imani", "Ivan", "Jana", "Jonas", "Julia", "Kofi", "Lara", "Leo", "Lin", "Luca", "Maja",
    "Marta", "Mateo", "Mia", "Milan", "Nina", "Noah", "Nora", "Olga", "Omar", "Pablo", "Priya",
    "Rafael", "Rana", "Rosa", "Samir", "Sara", "Sofia", "Tariq", "Tess", "Thomas", "Uma", "Viktor",
    "Wanda", "Yara", "Yuki", "Zeynep", "Zoltan",
)  # fmt: skip
LAST = (
    "Adeyemi", "Ali", "Andersen", "Baker", "Bauer", "Bianchi", "Carter", "Costa", "Diaz", "Dubois",
    "Eriksen", "Evans", "Fischer", "Fontaine", "Garcia", "Green", "Haas", "Hansen", "Hughes", "Ito",
    "Ivanov", "Jansen", "Jones", "Kaya", "Khan", "Kim", "Kowalski", "Kumar", "Larsen", "Lehmann",
    "Lopez", "Marino", "Mensah", "Meyer", "Moreau", "Nagy", "Ncube", "Nguyen", "Novak", "Okafor",
    "Olsen", "Patel", "Petrov", "Popescu", "Reid", "Rossi", "Santos", "Sato", "Schmidt", "Silva",
    "Singh", "Suzuki", "Tanaka", "Torres", "Varga", "Vogel", "Walker", "Weber", "Wright", "Yilmaz",
)  # fmt: skip
SITES = ("North", "South", "Head office", "Field")


class Person(NamedTuple):
    """Who learns, and how: `diligence` runs from 0 to 1."""

    number: int
    first: str
    last: str
    site: str
    diligence: float


def draw_person(random: Random, number: int) -> Person:
    first, last, site = (random.choice(names) for names in (FIRST, LAST, SITES))
    return Person(number, first, last, site, random.betavariate(4, 2))


def make_account(someone: Person, client: Doc | None) -> Doc:
    """The fields of the profile that are known of somebody before anything happens.

    The number makes the address unlike any other.
    """
    where = client["slug"] if client else "example"
    address = f"{someone.first}.{someone.last}.{someone.number}@{where}.example"
    return {
        "clientId": client["id"] if client else None,
        "roleKey": "student",
        "email": address.lower(),
        "firstName": someone.first,
        "lastName": someone.last,
        "externalCustomerId": f"L-{someone.number:06}",
        "language": (client or {}).get("defaultLanguage") or "en",
        "ref1": someone.site,
    }
