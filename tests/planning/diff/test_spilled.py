"""What a look has proven is kept until it is written."""

from lmssync.planning.diff import ProofBuffer
from lmssync.resource import Address
from lmssync.state import Counts, Proof

A, B = Address("course", "a"), Address("course", "b")


def test_proofs_come_back_as_they_were():
    """In their order, with their marks and counts."""
    marks = {"sections[start].lessons[welcome].topics[hello]": "2026-01-02T03:04:05Z"}
    proofs = [
        Proof(A, "f", ("course.read",), marks=marks, counts=Counts(10, 6, 1, 3)),
        Proof(B, "g", ("course.full", "group.read"), counts=Counts(4, 4)),
    ]
    spilled = ProofBuffer()
    for proof in proofs:
        spilled.add(proof)
    assert proofs == list(spilled)
    assert {A: Counts(10, 6, 1, 3), B: Counts(4, 4)} == spilled.counts
