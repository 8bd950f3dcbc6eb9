"""The EventStore protocol: append-only streams of commits, a feed over many of them, remembered refusals."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import Protocol

import msgspec

from eventstore.record import Commit, Draft


class Appended(msgspec.Struct, frozen=True):
    """The draft is in, durably, as `commit`."""

    commit: Commit


class Already(msgspec.Struct, frozen=True):
    """A command of this id has been carried out: it made the table's commit `version`. Nothing was written."""

    version: int


class RefusedBefore(msgspec.Struct, frozen=True):
    """A command of this id was refused: `sealed` is what `refuse` remembered. Nothing was written."""

    sealed: bytes


class Conflict(msgspec.Struct, frozen=True):
    """The table is not where the draft expected it. Nothing was written.

    `version` is where it is; `tail` holds the commits after the version the draft expected: all of them, or none when
    the heads differ at that version or the table is behind (then read it anew).
    """

    version: int
    tail: tuple[Commit, ...]


class StoreDown(Exception):
    """The store cannot be reached or answers that it cannot write now; trying again later may help."""


class Unsettled(StoreDown):
    """The write is in, but on no replica yet; giving it again waits for one again."""


class Fenced(StoreDown):
    """Another process holds the lease on the table's partition: this one may not write there. Nothing was written."""


class StoreUnfit(Exception):
    """The store cannot be used at all: it would not keep data, belongs to another deployment, is no such server.

    The text says what is wrong and what to do, without secrets (no password of a URL).
    """


class Pointer(msgspec.Struct, frozen=True):
    """An entry of a partition's feed: commit `version` of `table`. `id` is its place (a Redis stream id)."""

    id: str
    table: str
    version: int


class EventStore(Protocol):
    """Streams of commits by table, in partitions. See docs/decisions for the keys."""

    partitions: int
    deployment: str  # a random id, made with the deployment

    async def append(self, draft: Draft) -> Appended | Already | RefusedBefore | Conflict:
        """Appends all of `draft` or nothing, in one round trip; concurrent appends share a flush (group commit).

        A draft that is in already, byte for byte, is Appended when given again: its answer may have been lost.
        """
        ...

    async def read(self, table: str, after: int = 0) -> list[Commit]:
        """The table's commits with a version above `after`, in order; empty when there are none. Not verified."""
        ...

    async def commit_of(self, table: str, command: str) -> int | None:
        """The version that the command made (within the days that ids are kept), or None."""
        ...

    async def refuse(self, table: str, command: str, sealed: bytes) -> None:
        """Remembers, three days, that the command was refused; the first refusal of an id stays."""
        ...

    async def refusal(self, table: str, command: str) -> bytes | None:
        """What `refuse` remembered, or None."""
        ...

    async def feed(
        self, after: Sequence[str], *, block_ms: int | None = None, count: int = 1000
    ) -> dict[int, list[Pointer]]:
        """New pointers by partition, each after its checkpoint `after[partition]` ("0-0" from the start).

        Waits up to `block_ms` for the first one; None answers at once. At most `count` a partition.
        """
        ...

    async def tables(self) -> list[str]:
        """Every table of the deployment, sorted."""
        ...

    async def close(self) -> None:
        """Lets go of connections; an embedded server that this process started is stopped (SIGTERM, waited for)."""
        ...


def home(table: str) -> str:
    """The opaque id that a table id `<home>-<n>` begins with."""
    return table.rpartition("-")[0]


def partition(table: str, partitions: int) -> int:
    """The partition of a table: CRC-32 of its home, modulo; all tables of a home share one."""
    return zlib.crc32(home(table).encode()) % partitions
