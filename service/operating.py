"""What the operator decides for a whole deployment: who is banned, whether it rests, what its chats are told.

It stands in the directory, so that the bot hears of it while it runs. Nothing here touches a game: tables are paused by
commands like any other (`service/terminal/acts.py`).
"""

from __future__ import annotations

import hashlib

import msgspec

from domain.commands import Act, Join, Open, Propose, Replace
from service.clock import Clock
from service.directory import Directory
from service.engine import Refused

REST = "maintenance"
"""The reason that a table gives for a pause of maintenance, where the operator gave none."""
LISTENS_MS = 2_000
"""For how long the bot may not have heard of a rest yet."""
KEEPS_MS = 7 * 86_400_000
"""How long an announcement is worth telling."""
_SHOWN = 12  # characters of the mark of a ban by which somebody is called who is not known here
_BANS, _SERVICE, _ANNOUNCEMENTS, _ANNOUNCED = "bans", "service", "announcements", "announced"


class Ban(msgspec.Struct, frozen=True, omit_defaults=True):
    """Somebody may open and join no table: since when, until when (ms UTC; None: for good), and why."""

    since: int
    until: int | None = None
    reason: str = ""


class Rest(msgspec.Struct, frozen=True, omit_defaults=True):
    """The deployment rests since then (ms UTC): running tables pause, and nobody opens, joins or moves."""

    since: int
    reason: str = ""

    @property
    def words(self) -> str:
        """The reason that a table gives for its pause; its history has the hash of it."""
        return f"{REST}: {self.reason}" if self.reason else REST


class Announcement(msgspec.Struct, frozen=True):
    """What chats are told: the words, since when, and a table of each chat, by which it is found."""

    text: str
    since: int
    tables: tuple[str, ...]


class Operation:
    """The operator's decisions. `deployment` is the store's id: by it a ban is kept of a person and tells of none."""

    def __init__(self, directory: Directory, deployment: str, clock: Clock) -> None:
        self._directory = directory
        self._deployment = deployment
        self._clock = clock
        self._rest: Rest | None = None
        self._heard = 0

    # Bans

    async def ban(self, key: str, until: int | None, reason: str) -> None:
        """Bans an outside identity (`tg:12345`); again changes end and reason."""
        ban = Ban(self._clock.now(), until, reason)
        await self._directory.put(_BANS, self._mark(key), msgspec.json.encode(ban).decode())

    async def unban(self, key: str) -> bool:
        """Whether the identity was banned until now."""
        return await self._directory.drop(_BANS, self._mark(key))

    async def unban_unknown(self, mark: str) -> bool:
        """Ends the ban of somebody who is not known here, by what `bans` calls him; whether there was one."""
        known = {self._mark(key) for key in await self._directory.everything("people")}
        found = [one for one in await self._directory.everything(_BANS) if one[:_SHOWN] == mark and one not in known]
        return len(found) == 1 and await self._directory.drop(_BANS, found[0])

    async def banned(self, key: str) -> Ban | None:
        """The ban of an identity, if one is in force."""
        found = await self._directory.get(_BANS, self._mark(key))
        ban = None if found is None else msgspec.json.decode(found, type=Ban)
        return None if ban is None or (ban.until is not None and ban.until <= self._clock.now()) else ban

    async def bans(self) -> dict[str, Ban]:
        """Every ban in force, by whose it is: an identity that is known here, or the mark of one that was forgotten."""
        keys = {self._mark(key): key for key in await self._directory.everything("people")}
        found = {}
        for mark, text in (await self._directory.everything(_BANS)).items():
            ban = msgspec.json.decode(text, type=Ban)
            if ban.until is None or ban.until > self._clock.now():
                found[keys.get(mark, mark[:_SHOWN])] = ban
        return found

    def _mark(self, key: str) -> str:
        """What a ban is kept under: it outlives that its owner is forgotten, and does not say who he was."""
        return hashlib.sha256(f"{self._deployment} {key}".encode()).hexdigest()

    async def door(self, actor: str, act: Act) -> Refused | None:
        """Why somebody may not take a seat now, or None: whoever is banned, and anybody while the deployment rests."""
        match act:
            case Open() | Join() | Propose(what="seat"):
                who = actor
            case Replace(owner=owner):
                who = owner
            case _:
                return None
        if await self.rest() is not None:
            return Refused("maintenance")
        key = await self._directory.person_key(who) if who.startswith("person:") else None
        ban = None if key is None else await self.banned(key)
        if ban is None:
            return None
        if who != actor:
            return Refused("other_banned")
        return Refused("banned", values={}) if ban.until is None else Refused("banned_until", values={"day": ban.until})

    # Maintenance

    async def rest(self) -> Rest | None:
        """Since when the deployment rests, as of `LISTENS_MS` ago at most; None: it does not."""
        now = self._clock.now()
        if now - self._heard >= LISTENS_MS or now < self._heard:
            self._rest = await self.rest_now()
            self._heard = now
        return self._rest

    async def rest_now(self) -> Rest | None:
        """The same, as it stands."""
        found = await self._directory.get(_SERVICE, REST)
        return None if found is None else msgspec.json.decode(found, type=Rest)

    async def begin_rest(self, reason: str) -> Rest:
        """From now on the deployment rests; again changes nothing."""
        rest = msgspec.json.encode(Rest(self._clock.now(), reason)).decode()
        return msgspec.json.decode(await self._directory.first(_SERVICE, REST, rest), type=Rest)

    async def end_rest(self) -> bool:
        """Whether it rested until now."""
        return await self._directory.drop(_SERVICE, REST)

    # Announcements

    async def announced(self, text: str) -> bool:
        """Whether these words were announced before."""
        return await self._directory.get(_ANNOUNCEMENTS, _words_mark(text)) is not None

    async def announce(self, text: str, tables: tuple[str, ...]) -> tuple[str, Announcement, bool]:
        """Has chats told something, once for the same words; gives its id, what is told, and whether that is new."""
        mark = _words_mark(text)
        told = msgspec.json.encode(Announcement(text, self._clock.now(), tables)).decode()
        known = await self._directory.get(_ANNOUNCEMENTS, mark)
        kept = await self._directory.first(_ANNOUNCEMENTS, mark, told)
        return mark, msgspec.json.decode(kept, type=Announcement), known is None

    async def announcements(self) -> dict[str, Announcement]:
        """Those that are still worth telling, by id."""
        found = {}
        for mark, text in (await self._directory.everything(_ANNOUNCEMENTS)).items():
            one = msgspec.json.decode(text, type=Announcement)
            if self._clock.now() - one.since < KEEPS_MS:
                found[mark] = one
            else:
                await self._forget(mark, one)
        return found

    async def _forget(self, mark: str, one: Announcement) -> None:
        for table in one.tables:
            await self._directory.drop(_ANNOUNCED, f"{table} {mark}")
        await self._directory.drop(_ANNOUNCEMENTS, mark)

    async def told(self, mark: str, one: Announcement) -> dict[str, str]:
        """What became of an announcement, by table: `sent`, `gone` (the chat cannot be written to), `trying`."""
        fields = {f"{table} {mark}": table for table in one.tables}
        kept = await self._directory.everything(_ANNOUNCED)
        return {table: kept[field] for field, table in fields.items() if field in kept}

    async def claim(self, mark: str, table: str, run: str) -> bool:
        """Whether whoever asks (`run`, a process) is to tell this table's chat: one process alone, and once."""
        return await self._directory.first(_ANNOUNCED, f"{table} {mark}", f"trying {run}") == f"trying {run}"

    async def note(self, mark: str, table: str, what: str) -> None:
        """What became of it: `sent` or `gone`; "" when it was surely not told, and is to be tried again."""
        if what:
            await self._directory.put(_ANNOUNCED, f"{table} {mark}", what)
        else:
            await self._directory.drop(_ANNOUNCED, f"{table} {mark}")


def _words_mark(text: str) -> str:
    """The id of an announcement."""
    return hashlib.sha256(text.encode()).hexdigest()[:12]
