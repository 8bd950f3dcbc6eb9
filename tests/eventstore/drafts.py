"""Drafts for the store's tests, and a clock that stands where it is put."""

from __future__ import annotations

from eventstore.record import NO_HEAD, Commit, Draft
from eventstore.redis_store import RedisStore
from eventstore.store import Appended

NOON = 20_000 * 86_400_000 + 43_200_000  # ms UTC; a day has 86,400,000
DAY = 86_400_000


class Clock:
    """Milliseconds UTC that a test moves by hand."""

    def __init__(self) -> None:
        self.time = NOON

    def __call__(self) -> int:
        return self.time


def draft(
    table: str = "home-1",
    version: int = 1,
    previous: bytes = NO_HEAD,
    *,
    command: str | None = None,
    events: bytes = b'[{"type":"table.opened"}]',
    actor: str = "person:a",
) -> Draft:
    """A draft; its command id follows from table and version unless given."""
    return Draft(
        table=table,
        version=version,
        previous=previous,
        time=NOON + version,
        actor=actor,
        command=command or f"tg:1:{version}:{table}",
        events=events,
    )


async def append(store: RedisStore, table: str = "home-1", commits: int = 1) -> list[Commit]:
    """Appends so many commits after the table's last one; gives the new ones."""
    made = await store.read(table)
    after = len(made)
    for version in range(after + 1, after + commits + 1):
        answer = await store.append(draft(table, version, made[-1].hash if made else NO_HEAD))
        assert isinstance(answer, Appended)
        made.append(answer.commit)
    return made[after:]
