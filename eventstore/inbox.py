"""Inboxes: what is to be done in a partition, put in by any process and done by the one that holds the partition."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec

from eventstore.redis_store import RedisStore
from eventstore.wire import Reply, value

_PUT = (Path(__file__).parent / "inbox.lua").read_bytes()
_DONE = (Path(__file__).parent / "inbox_done.lua").read_bytes()
_KEPT_MS = 3 * 86_400_000  # a mark; Telegram sends an update again for a day
_COUNT = 200  # parcels of a partition at a time
_START = "0-0"


class Parcel(msgspec.Struct, frozen=True):
    """What lies in a partition's inbox at the place `id`; `mark` is the outside's name for it, or empty."""

    partition: int
    id: str
    mark: str
    body: bytes


class Inbox:
    """The inboxes of all partitions. What is in stays in until it is `done`: whoever takes a partition over reads it
    from the beginning."""

    def __init__(self, store: RedisStore) -> None:
        self._store = store
        self._numbers = {store.key(number, "inbox").encode(): number for number in range(store.partitions)}
        self._keys = {number: key for key, number in self._numbers.items()}

    async def put(self, partition: int, body: bytes, mark: str = "") -> bool:
        """Puts something in; says whether it is new: what has a mark is put in once, however often it is repeated.

        Once it returns the server has it (and a replica, where the store promises that). Raises StoreDown, after which
        it may be in; without a mark it is then in twice when it is put in again.
        """
        keys = self._store.key(partition, "inbox"), self._store.key(partition, "seen")
        command = ("EVAL", _PUT, 2, *keys, mark, body, _KEPT_MS)
        [reply] = await self._store.servers.ask([command], settled=True)
        return bool(value(reply))

    async def news(self, after: Mapping[int, str], block_ms: int) -> list[Parcel]:
        """What came into these partitions' inboxes after a place of each ("0-0": all), in order within a partition.

        Waits up to `block_ms` for something. Raises StoreDown.
        """
        asked = [(self._keys[number], place) for number, place in after.items()]
        found = await self._store.servers.read_streams(asked, count=_COUNT, block_ms=block_ms)
        return [self._parcel(self._numbers[key], entry) for key, entries in found for entry in entries]

    async def done(self, parcel: Parcel, owner: str) -> bool:
        """Takes a parcel out, if the partition's lease is the owner's; else says False: another does it anew."""
        keys = self._store.key(parcel.partition, "inbox"), self._store.key(parcel.partition, "lease")
        return bool(await self._store.servers.ask_one("EVAL", _DONE, 2, *keys, owner, parcel.id))

    async def marks(self) -> set[str]:
        """The marks of everything that is not done yet, in all partitions."""
        commands = [("XRANGE", key, "-", "+") for key in self._keys.values()]
        replies = zip(self._keys, await self._store.servers.ask(commands), strict=True)
        return {self._parcel(number, entry).mark for number, reply in replies for entry in value(reply)}

    async def sizes(self) -> dict[int, int]:
        """How much waits in each partition's inbox."""
        replies = await self._store.servers.ask([("XLEN", key) for key in self._keys.values()])
        return dict(zip(self._keys, map(value, replies), strict=True))

    def _parcel(self, number: int, entry: Reply) -> Parcel:
        id, fields = entry
        return Parcel(number, id.decode(), fields[1].decode(), fields[3])


def from_the_beginning(partitions: Iterable[int]) -> dict[int, str]:
    """For `news`: everything that is in."""
    return dict.fromkeys(partitions, _START)
