"""What somebody asked for and was asked back about: which table he means, or whether he means it seriously.

A wish is kept in the directory, sealed (what he wrote may tell of his hand), until a button answers it, once; then it
is carried out as if he had just written it.
"""

from __future__ import annotations

import base64

import msgspec

from service.chat.api.incoming import Said
from service.clock import Clock
from service.directory import Directory
from service.sealing import Sealer, WrongKey

_KEPT = "wishes"
_KEPT_MS = 86_400_000  # after which nobody is asked any more
_SWEEP_MS = 3_600_000
CHAT = "chat"  # the actor that is the group itself: whose wish an anonymous administrator's is


class Wish(msgspec.Struct, frozen=True, omit_defaults=True):
    """`said` at `at` (ms UTC); the `tables` it may mean (none: it awaits yes or no); `done`: `<update>:<answer>` of
    the press that answered it."""

    said: Said
    at: int
    tables: tuple[str, ...] = ()
    done: str = ""

    def takes(self, answer: str) -> bool:
        """Whether this can be the answer."""
        return answer == "no" or (answer in self.tables if self.tables else answer == "yes")


class Wishes:
    """Wishes by the update that brought them, and by whose they are."""

    def __init__(self, directory: Directory, sealer: Sealer, clock: Clock) -> None:
        self._directory = directory
        self._sealer = sealer
        self._clock = clock
        self._swept = 0

    async def keep(self, whose: str, said: Said, tables: tuple[str, ...] = ()) -> None:
        """Keeps a wish until it is answered; kept before, it stays as it is."""
        if self._clock.now() - self._swept > _SWEEP_MS:
            self._swept = self._clock.now()
            await self.sweep()
        wish = Wish(said, self._clock.now(), tables)
        field = f"{said.update} {whose}"
        await self._directory.first(_KEPT, field, self._sealed(field, wish))

    async def get(self, update: int, whose: str) -> Wish | None:
        """Somebody's wish, unless it is too old."""
        field = f"{update} {whose}"
        found = await self._directory.get(_KEPT, field)
        wish = None if found is None else self._opened(field, found)
        return None if wish is None or self._clock.now() - wish.at > _KEPT_MS else wish

    async def answered(self, update: int, whose: str, wish: Wish, press: int, answer: str) -> bool:
        """Notes the answer that the update `press` brought; False when another press has answered before."""
        mark = f"{press}:{answer}"
        if wish.done:
            return wish.done == mark
        done = msgspec.structs.replace(wish, done=mark)
        field = f"{update} {whose}"
        await self._directory.put(_KEPT, field, self._sealed(field, done))
        return True

    async def sweep(self) -> None:
        """Drops what is too old to be answered."""
        for field, found in (await self._directory.everything(_KEPT)).items():
            wish = self._opened(field, found)
            if wish is None or self._clock.now() - wish.at > _KEPT_MS:
                await self._directory.drop(_KEPT, field)

    def _sealed(self, field: str, wish: Wish) -> str:
        return base64.b64encode(self._sealer.seal(msgspec.json.encode(wish), f"wish {field}".encode())).decode()

    def _opened(self, field: str, stored: str) -> Wish | None:
        """The wish, or None for one that was sealed with another key."""
        try:
            return msgspec.json.decode(self._sealer.open(base64.b64decode(stored), f"wish {field}".encode()), type=Wish)
        except (WrongKey, ValueError):
            return None
