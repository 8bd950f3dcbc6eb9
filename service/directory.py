"""The directory: names, chats, message ids, the tables of a home: outside the streams, so that people can be forgotten.

Hashes of the deployment's Redis, under `tt:dir:`. Nothing here is needed to fold a table; all of it can change.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any, Literal

from eventstore.redis_store import RedisStore

Fields = Literal["actor", "table", "message", "chat", "nobody"]
"""What a hash has a field for: an actor, a table (and more after a space), `<table> <whose>`, a chat's number, or
nothing that has to do with one person."""

HASHES: Mapping[str, Fields] = {
    "names": "actor",
    "private": "actor",
    "focus": "actor",
    "live": "table",
    "lost": "table",
    "told": "table",
    "threads": "table",
    "seeded": "table",
    "overruled": "table",
    "pairs": "table",
    "invites": "table",
    "rematches": "table",
    "stranded": "table",
    "heirs": "table",  # see `HEIRS`
    "reasons": "table",
    "wishes": "message",
    "sent_away": "message",
    "invited": "nobody",
    "plans": "message",
    "pinned": "table",
    "nudged": "table",
    "notices": "message",
    "looked": "message",
    "shown": "message",
    "again": "message",
    "announced": "table",
    "closed": "chat",
    "unsaid": "chat",
    "customs": "nobody",
    "habits": "actor",
    "alive": "nobody",
    "service": "nobody",
    "bans": "nobody",
    "announcements": "nobody",
    "updates": "nobody",
}
"""The service's own hashes; there are no others, so that `forget` finds whatever is kept of somebody. Identities and
homes (`people`, `homes`, both with `:back`, and `tables`) are the directory's."""

HEIRS = "heirs"
"""The private chat, by its number, in which a table goes on whose own chat was forgotten."""

_ALPHABET = "abcdefghjkmnpqrstvwxyz23456789"  # no look-alikes


def opaque(length: int = 10) -> str:
    """A random id that means nothing."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(length))


class Directory:
    """Random ids of people and homes, their names, and the tables of a home."""

    def __init__(self, store: RedisStore) -> None:
        self._store = store
        self._both_ways: set[tuple[str, str]] = set()  # what we know to be found by its id as well

    async def _do(self, command: str, key: str, *arguments: Any) -> Any:
        # All of them may be repeated: a number of a table that is skipped is no harm.
        servers = self._store.servers
        return await servers.harmless(lambda: getattr(servers.client(key), command)(key, *arguments))

    async def person(self, key: str) -> str:
        """The actor `person:<id>` of an outside identity (`tg:12345`, `local:ann`), made at the first call."""
        return f"person:{await self._opaque('tt:dir:people', key)}"

    async def person_key(self, actor: str) -> str | None:
        """The outside identity of an actor, or None when it was forgotten."""
        return _text(await self._do("hget", "tt:dir:people:back", actor.removeprefix("person:")))

    async def home(self, key: str) -> str:
        """The home of an outside place (`chat:-100123`, `local:ann`), made at the first call, never recomputed."""
        return await self._opaque("tt:dir:homes", key)

    async def home_key(self, home: str) -> str | None:
        """The outside place of a home, or None."""
        return _text(await self._do("hget", "tt:dir:homes:back", home))

    async def _opaque(self, name: str, key: str) -> str:
        known = _text(await self._do("hget", name, key))
        if known is None:
            await self._do("hsetnx", name, key, opaque())
            known = _text(await self._do("hget", name, key))
            assert known is not None
        if (known, key) not in self._both_ways:  # whoever made it may have been stopped in between
            await self._do("hset", f"{name}:back", known, key)
            self._both_ways.add((known, key))
        return known

    async def new_table(self, home: str) -> str:
        """The id `<home>-<n>` of a table that is about to be opened."""
        return f"{home}-{await self._do('hincrby', 'tt:dir:tables', home, 1)}"

    async def beyond(self, table: str) -> None:
        """From now on no new table of the home gets this id, or one with a lower number."""
        home, _, number = table.rpartition("-")
        missing = int(number) - int(await self._do("hget", "tt:dir:tables", home) or 0)
        if missing > 0:
            await self._do("hincrby", "tt:dir:tables", home, missing)

    async def tables(self, home: str) -> list[str]:
        """The ids of the home's tables, oldest first (some may never have been opened)."""
        count = int(await self._do("hget", "tt:dir:tables", home) or 0)
        return [f"{home}-{number}" for number in range(1, count + 1)]

    async def set_name(self, actor: str, name: str) -> None:
        """What a person is called."""
        await self._do("hset", "tt:dir:names", actor, name)

    async def names(self, actors: list[str]) -> dict[str, str]:
        """The names of people, as far as they are known."""
        if not actors:
            return {}
        found = await self._do("hmget", "tt:dir:names", actors)
        return {actor: text for actor, name in zip(actors, found, strict=True) if (text := _text(name)) is not None}

    async def get(self, name: str, field: str) -> str | None:
        """A field of one of the service's own hashes (`tt:dir:<name>`)."""
        return _text(await self._do("hget", f"tt:dir:{name}", field))

    async def several(self, name: str, fields: list[str]) -> list[str]:
        """What fields of one of the service's own hashes hold, in their order; those that are not there left out."""
        found = await self._do("hmget", f"tt:dir:{name}", fields) if fields else []
        return [text for one in found if (text := _text(one)) is not None]

    async def first(self, name: str, field: str, value: str) -> str:
        """What the field holds: `value`, unless it was set before."""
        _known(name)
        await self._do("hsetnx", f"tt:dir:{name}", field, value)
        return await self.get(name, field) or value

    async def put(self, name: str, field: str, value: str) -> None:
        """Sets a field of one of the service's own hashes."""
        _known(name)
        await self._do("hset", f"tt:dir:{name}", field, value)

    async def put_all(self, name: str, fields: Mapping[str, str]) -> None:
        """Sets some fields of one of the service's own hashes, at least one."""
        _known(name)
        await self._do("hset", f"tt:dir:{name}", None, None, None, [part for field in fields.items() for part in field])

    async def drop(self, name: str, field: str) -> bool:
        """Removes a field of one of the service's own hashes; says whether it was there."""
        return bool(await self._do("hdel", f"tt:dir:{name}", field))

    async def everything(self, name: str) -> dict[str, str]:
        """All fields of one of the service's own hashes."""
        found = await self._do("hgetall", f"tt:dir:{name}")
        return {str(_text(field)): str(_text(value)) for field, value in found.items()}


def _known(name: str) -> None:
    assert name in HASHES or name.partition(":")[0] in ("people", "homes"), f"say in HASHES what {name} has a field for"


def _text(value: bytes | str | None) -> str | None:
    return value.decode() if isinstance(value, bytes) else value
