"""What is promised before a deal tells nothing of it."""

from __future__ import annotations

import random

from domain.shuffle import NO_MOVES, Seeded, commitment, digest_of

PACK = tuple(range(52))
MOVES = (NO_MOVES, digest_of(NO_MOVES, "cut 17"), digest_of(NO_MOVES, "call 4"))


def test_who_knows_the_promise_cannot_deal_with_it() -> None:
    """The promise was the hash that the result came from: everybody could foresee it (NovaDrake76/KaniCasino#152)."""
    for number in range(100):
        seed = random.Random(number).randbytes(32)
        promised = commitment(seed)
        assert promised != seed
        for digest in MOVES:
            for label in ("deal:1", "dealer"):
                dealt = Seeded(seed, digest).order(label, PACK)
                foreseen = {Seeded(promised, other).order(label, PACK) for other in (*MOVES, promised, seed)}
                assert dealt not in foreseen
                assert sorted(dealt) == list(PACK)
