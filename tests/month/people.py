"""How people play for weeks: they sleep, think, move in all the ways there are, look things up, and slip at times."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from typing import TypeVar

from domain.table import Table, decision_of
from service.chat.api.tokens import AnyToken, HandToken, MoveToken, PlanToken, PlayToken, read, write
from service.chat.tables.pairs import Pairs
from service.sandbox.people import NotPossible, Person, Place, Private
from service.sandbox.state import Answer, Button, Message
from service.words import lexicon
from tests.month.bot import RunningBot

Value = TypeVar("Value")
Way = Callable[[str, int, str], Awaitable[bool]]
"""Tries a move (table, decision, notation); False where there is no such way now."""

_HOUR = 3600.0
_PATIENCE = 300.0  # s that something may take that people wait for
_LOOK = 2.0  # s between two looks, at first
_LONGEST_LOOK = 60.0  # s between two looks of whoever waits long
_IDLE = (
    *("/score", "/table", "/log", "/mytables", "/standings", "/hand", "/rules", "/help", "/nudge", "/away 2 days"),
    *("/back", "/scroe", "lol", "/play ZZ", "/export", "/help nudge", "/settings", "/reminders", "/cut 7"),
)


class Lost(AssertionError):
    """Somebody waited for something in vain."""


async def until(holds: Callable[[], Value | None], what: str, patience: float = _PATIENCE) -> Value:
    """What `holds` gives, once it does; Lost after `patience` seconds."""
    loop = asyncio.get_running_loop()
    begun = loop.time()
    while not (found := holds()):
        if (waited := loop.time() - begun) > patience:
            raise Lost(what)
        await asyncio.sleep(min(max(_LOOK, waited / 10), _LONGEST_LOOK))
    return found


def holds(fits: Callable[[AnyToken], bool]) -> Callable[[Button], bool]:
    """Whether a button does something that fits, whatever it says and in whatever language."""

    def does(button: Button) -> bool:
        token = read(button.value) if button.kind == "callback_data" else None
        return token is not None and fits(token)

    return does


class Player:
    """Somebody with habits of his own; `places` says where a table is played."""

    def __init__(self, person: Person, bot: RunningBot, places: dict[str, Place], rng: random.Random) -> None:
        self.person, self.bot, self.places, self._rng = person, bot, places, rng
        self.actor = ""
        self._wakes = rng.uniform(6, 9) * _HOUR  # after midnight UTC
        self._sleeps = rng.uniform(21, 24) * _HOUR
        self._pace = rng.choice((0.07, 0.25, 0.7)) * _HOUR
        self.moves = 0

    async def play(self) -> None:
        """Lives on until cancelled: looks at his tables now and then, and moves where he is asked."""
        self.actor = await self.bot.directory.person(f"tg:{self.person.id}")
        while True:
            await asyncio.sleep(self._rng.expovariate(1 / self._pace) + self._until_awake())
            for _ in range(self._rng.randint(1, 12)):  # whoever takes his telephone up makes some moves in a row
                if not await self._turn():
                    break
                await asyncio.sleep(self._rng.uniform(3, 60))
            if self._rng.random() < 0.1:
                await self._look_around()

    def _until_awake(self) -> float:
        now = (self.bot.world.clock() / 1000) % (24 * _HOUR)
        return 0.0 if self._wakes <= now < self._sleeps else (self._wakes - now) % (24 * _HOUR)

    async def _turn(self) -> bool:
        """Makes one move where he is asked; whether he did."""
        waiting = [one for one in self.bot.witness.asked(self.actor) if one[0] in self.places]
        if not waiting:
            return False
        name, seat = self._rng.choice(waiting)
        before = self.bot.witness.states[name]
        decision = decision_of(before, seat)
        assert decision is not None
        notation = self._choice(before, seat)
        ways = self._ways(before, isinstance(self.places[name], Private))
        self._rng.shuffle(ways)
        for way in ways:
            if self.bot.witness.states[name] is not before:
                return True
            if await way(name, decision.id, notation):
                try:
                    await until(lambda: self.bot.witness.states[name] is not before, f"{notation} at {name}", 90.0)
                    self.moves += 1
                    return True
                except Lost:
                    continue  # the bot was down, or the move came too late: he tries another way
        return False

    def _choice(self, state: Table, seat: int) -> str:
        rules = state.rules
        seen = rules.observe(state.set, seat)
        if rules.speaker is not None:
            assert rules.dictionary is not None
            words = lexicon(rules.dictionary(state.options).partition("-")[0])
            return rules.notation(rules.speaker("steady", seen, words))
        return rules.notation(rules.player("steady", seen))

    def _ways(self, state: Table, apart: bool) -> list[Way]:
        rules = state.rules
        alone = rules.alone is not None and rules.alone(state.set)
        races = rules.races is not None and rules.races(state.set)
        private: list[Way] = [self._by_button, self._by_writing]
        public: list[Way] = [self._by_command, self._by_reply, self._by_inline, self._by_slip]
        if apart:
            return [*private, self._by_command]
        return private if alone else public if races else [*private, *public]

    async def _by_button(self, name: str, decision: int, notation: str) -> bool:
        data = write(MoveToken(name, decision, notation)) if len(notation) < 25 else ""
        return await self.tap(self.person.private, lambda button: button.value == data) is not None

    async def _by_writing(self, name: str, decision: int, notation: str) -> bool:
        if not self.bot.world.chats[self.person.id].started:
            return False
        several = len(self.bot.witness.asked(self.actor)) > 1
        return self.say(self.person.private, f"{await self.pair(name)} {notation}" if several else notation)

    async def _by_command(self, name: str, decision: int, notation: str) -> bool:
        verb, _, rest = notation.partition(" ")
        which = await self.pair(name) if self._rng.random() < 0.8 else ""
        return self.say(self.places[name], " ".join(f"/{verb} {which} {rest}".split()))

    async def _by_reply(self, name: str, decision: int, notation: str) -> bool:
        place = self.places[name]
        pair = await self.pair(name)
        own = [one for one in self.person.sees(place) if one.sender == self.bot.world.bot.id and pair in one.text]
        return bool(own) and self.say(place, notation, own[-1])

    async def _by_inline(self, name: str, decision: int, notation: str) -> bool:
        """`@bot red-fox` in the chat's input line, and a tap on the move."""
        place = self.places[name]
        try:
            typed = self.person.type(place, await self.pair(name))
            answer = await until(lambda: typed.asked.answer, "results", 60.0)
            wanted = {f"{name}_{decision}_{notation.replace(' ', '-')}", write(MoveToken(name, decision, notation))}
            if any(result.id in wanted for result in answer.results):
                self.person.choose(place, typed, lambda result: result.id in wanted)
                return True
        except (NotPossible, Lost, AssertionError):  # a move that no button holds is none for this way
            return False
        return False

    async def _by_slip(self, name: str, decision: int, notation: str) -> bool:
        """The Play button, and a button of the message that it opens for one pair of eyes."""
        place = self.places[name]
        data = write(MoveToken(name, decision, notation)) if len(notation) < 25 else ""
        await self.tap(place, holds(lambda token: token == PlayToken(name)))
        await asyncio.sleep(10.0)
        return await self.tap(place, lambda button: button.value == data) is not None

    async def pair(self, name: str) -> str:
        """What the table is called."""
        return await Pairs(self.bot.directory).of(name)

    def say(self, place: Place, text: str, reply_to: Message | None = None) -> bool:
        """Writes something; False where he cannot: not in the group (any more), a topic that is closed, blocked."""
        try:
            self.person.say(place, text, reply_to=reply_to)
        except NotPossible:
            return False
        return True

    async def tap(self, where: Message | Place, fits: Callable[[Button], bool]) -> Answer | None:
        """Presses a button and waits for the answer; None where there is none, or it does not come (we are down)."""
        if self.bot.world.bot.id not in self.bot.world.chats[_chat(where)].present():
            return None
        try:
            tap = self.person.tap(where, fits)
        except NotPossible:
            return None
        try:
            return await until(lambda: tap.query.answer, f"an answer to {tap.query.data}", 60.0)
        except Lost:
            return None

    async def _look_around(self) -> None:
        """Something that people do beside moving."""
        place = self._rng.choice([*self.places.values()]) if self.places else self.person.private
        if not isinstance(place, Private) or self.bot.world.chats[self.person.id].started:
            self.say(place, self._rng.choice(_IDLE))
        if self._rng.random() < 0.5:
            await self.tap(place, holds(lambda token: isinstance(token, HandToken)))

    async def plan(self) -> bool:
        """Says in private what he will play when he is asked; whether there was something to plan."""
        waiting = {name for name, _ in self.bot.witness.asked(self.actor)}
        for name in self.places:
            state = self.bot.witness.states[name]
            if state.phase != "playing" or name in waiting or not self.bot.world.chats[self.person.id].started:
                continue
            self.say(self.person.private, f"/plan {await self.pair(name)}")
            await asyncio.sleep(60.0)
            fits = holds(lambda token, at=name: isinstance(token, PlanToken) and token.table == at)  # type: ignore[misc]
            if await self.tap(self.person.private, fits) is not None:
                return True
        return False


def _chat(where: Message | Place) -> int:
    return where.chat_id if isinstance(where, Message) else where.id
