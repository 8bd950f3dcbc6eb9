"""The documented shuffle: a byte stream from a seed, unbiased numbers from it, Fisher-Yates with them.

Specified so that any language can reproduce it (docs/decisions/0003-shuffle.md, with vectors):

    key       = HMAC-SHA256(seed, digest || label)          label in UTF-8
    block(i)  = HMAC-SHA256(key, i)                         i = 0, 1, ... as 8 bytes, big-endian
    stream    = block(0) || block(1) || ...                 read as 4-byte big-endian words, each used once
    below(n)  = the first word w with w < 2**32 - 2**32 % n, then w mod n
    shuffle   = for i from last down to 1: swap items i and below(i + 1)
"""

from __future__ import annotations

import hashlib
import hmac
import struct
from collections.abc import Iterator, Sequence
from typing import Protocol

from domain.rejected import malformed
from domain.veiled import Veiled

_WORDS = 2**32
_eight = struct.Struct(">8I").unpack
NO_MOVES = bytes(32)  # the digest before the first public move


class Source(Protocol):
    """Where the order of a pack comes from."""

    def order(self, label: str, items: Sequence[int]) -> tuple[int, ...]:
        """`items` in the order that belongs to `label` (`deal:1`, `dealer`, `reshuffle:2`)."""
        ...


class Seeded(Veiled, frozen=True):
    """The shuffles of a table: its 32-byte seed and the digest of its public moves so far."""

    seed: bytes
    digest: bytes

    def order(self, label: str, items: Sequence[int]) -> tuple[int, ...]:
        """`items` shuffled under HMAC-SHA256(seed, digest || label)."""
        key = hmac.digest(self.seed, self.digest + label.encode(), "sha256")
        numbers = _words(key)
        shuffled = list(items)
        for last in range(len(shuffled) - 1, 0, -1):
            pick = _below(last + 1, numbers)
            shuffled[last], shuffled[pick] = shuffled[pick], shuffled[last]
        return tuple(shuffled)


class Given(Veiled, frozen=True):
    """Packs that somebody wrote down, by label: how a record is played again."""

    packs: dict[str, tuple[int, ...]]

    def order(self, label: str, items: Sequence[int]) -> tuple[int, ...]:
        """The pack of `label`; Rejected `wrong_pack` where it is missing or does not hold exactly `items`."""
        pack = self.packs.get(label)
        if pack is None or sorted(pack) != sorted(items):
            raise malformed("wrong_pack", label=label)
        return pack


def commitment(seed: bytes) -> bytes:
    """What is published before the deal: SHA-256 of the seed."""
    return hashlib.sha256(seed).digest()


def digest_of(digest: bytes, move: str) -> bytes:
    """The digest after one more public move, written as in a record (`3 play QS`)."""
    return hashlib.sha256(digest + move.encode()).digest()


def _words(key: bytes) -> Iterator[int]:
    block = 0
    while True:
        data = hmac.digest(key, block.to_bytes(8, "big"), "sha256")
        yield from _eight(data)
        block += 1


def _below(n: int, numbers: Iterator[int]) -> int:
    limit = _WORDS - _WORDS % n
    while True:
        number = next(numbers)
        if number < limit:
            return number % n
