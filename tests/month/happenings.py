"""What happens to groups and people in a month: they come and go, pause, travel, plan; administrators do their work.

Everything is undone again after a while, so that play goes on; what a chat did not let somebody do is let be.
"""

from __future__ import annotations

import asyncio
import math
import random
from collections.abc import Awaitable, Callable, Sequence

from domain.table import Table
from service.chat.api.tokens import WishToken
from service.sandbox.people import Group, NotPossible, Place, Topic
from tests.month.people import Player, holds

_HOUR = 3600.0
_TRIES = 30


class Happenings:
    """One after the other, each of them again and again. `done` counts them by name."""

    def __init__(
        self, players: Sequence[Player], groups: Sequence[Group], topics: Sequence[Topic], seed: float
    ) -> None:
        self._players, self._groups, self._topics = players, groups, topics
        self._rng = random.Random(seed)
        self._witness, self._world = players[0].bot.witness, groups[0].world
        self.done: dict[str, int] = {}
        self._disturbed: dict[int, float] = {}  # chat -> until when (the loop's clock) not everything worked

    async def customs(self) -> None:
        """What groups and people choose at the beginning: hours of quiet, languages, reminders, forced moves."""
        quiet, spoken = self._groups[0], self._groups[1]
        await self._by_admin(quiet, "/settings zone=Europe/Madrid quiet=23:00-07:00")
        await self._by_admin(spoken, "/language es")
        chosen = ("/forced on", "/reminders half", "/reminders late", "/reminders none", "/language fr")
        for player, text in zip(self._players, (*chosen, *chosen[:2]), strict=False):
            player.say(player.person.private, text)
            await asyncio.sleep(30.0)

    async def run(self, seconds: float) -> None:
        """Goes on until cancelled; within so many seconds each has happened twice."""
        kinds: list[Callable[[], Awaitable[bool]]] = [
            *(self._pause, self._kick_and_replace, self._travel, self._nudge, self._plan, self._topic),
            *(self._bot_leaves, self._member_leaves, self._block, self._rights, self._leave_table, self._delete),
        ]
        mean = min(6 * _HOUR, seconds / (2.5 * len(kinds)))
        while True:
            self._rng.shuffle(kinds)
            for happens in kinds:
                await asyncio.sleep(self._rng.expovariate(1 / mean))
                try:
                    done = await happens()
                except NotPossible:  # somebody else was quicker: it is so already
                    continue
                name = happens.__name__.strip("_")
                self.done[name] = self.done.get(name, 0) + done

    def disturbed(self, chat: int, since: float) -> bool:
        """Whether not everything could work in a chat, now or at a time since."""
        return self._disturbed.get(chat, -math.inf) >= since

    # At a table

    async def _pause(self) -> bool:
        """An administrator pauses a table, and lets it go on."""
        found = self._table()
        if found is None:
            return False
        state, place = found
        pair = await self._players[0].pair(state.id)
        await self._by_admin(place, f"/pause {pair} dinner & wine")
        await asyncio.sleep(self._rng.uniform(0.1, 3) * _HOUR)
        for _ in range(_TRIES):
            now = self._witness.states[state.id]
            if now.paused is None or now.phase == "over":
                return True
            await self._by_admin(place, f"/resume {pair}")
            await asyncio.sleep(_HOUR / 4)
        return False

    async def _kick_and_replace(self) -> bool:
        """An administrator sends a player away and gives the seat to somebody else of the group."""
        found = self._table()
        if found is None:
            return False
        state, place = found
        seat = next((number for number, one in enumerate(state.seats) if not one.computer and not one.left), None)
        seated = {one.owner for one in state.seats}
        other = next((one for one in self._members(place) if one.actor not in seated), None)
        if seat is None or other is None:
            return False
        pair = await other.pair(state.id)
        await self._by_admin(place, f"/kick {pair} {seat + 1} asleep")
        await asyncio.sleep(_HOUR / 4)
        other.say(place, "May I?")
        asked = other.person.find(place, "May I?")
        await self._by_admin(place, f"/replace {pair} {seat + 1}", reply_to=asked)
        await asyncio.sleep(_HOUR / 6)
        if any(one.owner == other.actor for one in self._witness.states[state.id].seats):
            other.places[state.id] = place
            return True
        return False

    async def _leave_table(self) -> bool:
        """A player gives his seat up, thinks better of it, and takes it again."""
        found = self._table()
        if found is None:
            return False
        state, place = found
        seated = {one.owner for one in state.seats}
        player = next((one for one in self._members(place) if one.actor in seated), None)
        if player is None:
            return False
        pair = await player.pair(state.id)
        player.say(place, f"/leave {pair}")
        await asyncio.sleep(_HOUR)
        return player.say(place, f"/back {pair}")

    async def _travel(self) -> bool:
        player = self._rng.choice(self._players)
        if not self._world.chats[player.person.id].started or not player.places:
            return False
        player.say(player.person.private, self._rng.choice(("/away 1 day", "/away until tomorrow", "/away")))
        await asyncio.sleep(self._rng.uniform(1, 12) * _HOUR)
        return player.say(player.person.private, "/back")

    async def _nudge(self) -> bool:
        found = self._table()
        return found is not None and self._rng.choice(self._members(found[1])).say(found[1], "/nudge")

    async def _plan(self) -> bool:
        players = list(self._players)
        self._rng.shuffle(players)
        for player in players:
            if await player.plan():
                return True
        return False

    # In a chat

    async def _topic(self) -> bool:
        topic = self._rng.choice(self._topics)
        topic.close()
        await self._disturb(topic.id, 2.0)
        topic.reopen()
        return True

    async def _bot_leaves(self) -> bool:
        """The bot is removed from a group, and added again."""
        group = self._rng.choice(self._groups)
        was = self._world.chats[group.id].members[self._world.bot.id]
        group.remove_bot()
        await self._disturb(group.id, 4.0)
        group.add_bot()
        if was == "administrator":
            group.promote_bot()
        return True

    async def _rights(self) -> bool:
        """The bot loses its rights in a group, even that to write, and gets them back."""
        group = self._rng.choice(self._groups)
        was = self._world.chats[group.id].members[self._world.bot.id]
        (group.mute_bot if self._rng.random() < 0.5 else group.demote_bot)()
        await self._disturb(group.id, 2.0)
        (group.promote_bot if was == "administrator" else group.demote_bot)()
        return True

    async def _member_leaves(self) -> bool:
        """Somebody leaves a group, with all his seats, and joins again later."""
        group = self._rng.choice(self._groups)
        creator = self._world.chats[group.id].creator
        player = self._rng.choice([one for one in self._members(group) if one.person.id != creator])
        player.person.leave(group)
        await self._disturb(group.id, 6.0)
        group.add(player.person)
        return True

    async def _block(self) -> bool:
        """Somebody blocks the bot, and starts it again."""
        player = self._rng.choice(self._players)
        chat = self._world.chats[player.person.id]
        if not chat.started or chat.blocked:
            return False
        player.person.block()
        await self._disturb(player.person.id, 5.0)
        player.person.start()
        return True

    async def _delete(self) -> bool:
        """An administrator deletes one of the bot's last messages."""
        group = self._rng.choice(self._groups)
        admin = self._admin(group)
        own = [one for one in admin.person.sees(group) if one.sender == self._world.bot.id and one.receiver is None]
        if not own:
            return False
        admin.person.delete(self._rng.choice(own[-3:]))
        return True

    # Who does it, and where

    async def _disturb(self, chat: int, hours: float) -> None:
        self._disturbed[chat] = math.inf
        await asyncio.sleep(self._rng.uniform(0.2, hours) * _HOUR)
        self._disturbed[chat] = asyncio.get_running_loop().time() + 60.0

    def _table(self) -> tuple[Table, Place] | None:
        """A table that is played in a group, and where."""
        places = {name: place for player in self._players for name, place in player.places.items() if place.id < 0}
        playing = [state for state in self._witness.states.values() if state.phase == "playing" and state.id in places]
        state = self._rng.choice(playing) if playing else None
        return None if state is None else (state, places[state.id])

    def _members(self, place: Place) -> list[Player]:
        present = self._world.chats[place.id].present()
        return [player for player in self._players if player.person.id in present]

    def _admin(self, place: Place) -> Player:
        creator = self._world.chats[place.id].creator
        return next(player for player in self._players if player.person.id == creator)

    async def _by_admin(self, place: Place, text: str, **more: object) -> None:
        """The creator writes a command, and says yes when he is asked whether he means it."""
        admin = self._admin(place)
        admin.say(place, text, **more)  # type: ignore[arg-type]
        await asyncio.sleep(90.0)
        await admin.tap(place, holds(lambda token: isinstance(token, WishToken) and token.answer == "yes"))
