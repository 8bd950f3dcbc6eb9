"""A walk as people who know nothing: only what they can see is pressed, and only what they could read is written.

`python -m tests.service.chat.walking` prints it as a chat (`chinchon` after it: that game).
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable

from domain import table
from domain.games import GAMES
from domain.table import Table
from service.chat.api.tokens import HandToken, MoveToken, read
from service.sandbox.people import Group, Person, Place
from service.sandbox.server import BotApiServer
from service.sandbox.state import Button, Message
from service.sandbox.transcript import transcript
from service.sandbox.waiting import PATIENCE
from service.sandbox.world import World
from service.text.words import words
from tests.service.chat.conftest import Running, serving


class Walk:
    """Two people in a group; the one who made it adds the bot."""

    def __init__(self, running: Running, game: str) -> None:
        self.running = running
        self.game = game
        self.ann, self.bob = (running.world.person(name) for name in ("Ann", "Bob"))
        self.group: Group = running.world.group("Friday", [self.ann, self.bob], with_bot=False)
        self.steps: list[str] = []

    async def press(self, person: Person, place: Place, label: str) -> str:
        """Presses a button that the person sees and gives what came of it: the alert or toast."""
        await self.running.until(lambda: self._button(person, place, lambda button: button.text == label), label)
        answer = await self.running.press(person, place, label)
        self.steps.append(f"{person.name}: [{label}]")
        return answer

    async def write(self, person: Person, place: Place, text: str) -> None:
        """Writes something that a message which the person sees told him to write, word for word."""
        assert any(text in message.text for message in person.sees(place)), f"nobody told {person.name} of {text!r}"
        person.say(place, text)
        self.steps.append(f"{person.name}: {text}")

    async def to_the_cards(self) -> None:
        """From adding the bot to the deal, by buttons alone."""
        self.group.add_bot()
        await self.press(self.ann, self.group, words(self.game).name)
        await self.press(self.bob, self.group, "Join")
        for _ in range(GAMES[self.game].seats[0] - 2):
            await self.press(self.ann, self.group, "Add computer player")
        await self.press(self.ann, self.group, "Start")
        await self.running.until(lambda: self.ann.find(self.group, "My hand"), "the cards")

    async def state(self) -> Table:
        """The table as it stands: the one that Ann's newest buttons are about."""
        for place in (self.group, self.ann.private):
            found = self._button(self.ann, place, lambda button: isinstance(read(button.value), HandToken | MoveToken))
            token = None if found is None else read(found.value)
            if isinstance(token, HandToken | MoveToken):
                state = (await self.running.service.engine.fresh(token.table)).state
                assert state is not None
                return state
        raise AssertionError("no table is shown")

    async def asked(self) -> Person:
        """The person who is to move, as soon as one is."""
        async with asyncio.timeout(PATIENCE):
            while True:
                state = await self.state()
                for seat, person in enumerate((self.ann, self.bob)):
                    if table.decision_of(state, seat) is not None:
                        return person
                await asyncio.sleep(0.01)

    async def move(self, person: Person, place: Place) -> str:
        """Presses the first move that the person is offered there; gives what the button says."""

        def move(button: Button) -> bool:
            return isinstance(read(button.value), MoveToken)

        found = await self.running.until(lambda: self._button(person, place, move), "a move to press")
        before = await self.state()
        answer = await self.running.press(person, place, found.__eq__)
        assert "✓" in answer, answer
        self.steps.append(f"{person.name}: [{found.text}]")
        after = (await self.running.service.engine.fresh(before.id)).state
        assert after != before
        return found.text

    def shown(self) -> str:
        """What all of them saw, as a chat."""
        world = self.running.world
        ids = [self.group.id, *(person.id for person in (self.ann, self.bob) if person.sees(person.private))]
        return "\n\n".join(transcript(world, world.chats[number]) for number in ids)

    def _button(self, person: Person, place: Place, fits: Callable[[Button], bool]) -> Button | None:
        seen: list[Message] = person.sees(place)
        buttons = [button for message in reversed(seen) for row in message.keyboard for button in row]
        return next(filter(fits, buttons), None)


async def first_moves(walk: Walk) -> None:
    """From nothing to the first move in the group, and to one in the private chat."""
    await walk.to_the_cards()
    mover = await walk.asked()
    await walk.press(mover, walk.group, "My hand")
    await walk.press(mover, walk.group, "Play")
    await walk.move(mover, walk.group)
    mover = await walk.asked()
    mover.follow(walk.group, "Play in private")
    walk.steps.append(f"{mover.name}: [Play in private]")
    await walk.move(mover, mover.private)


async def _print(game: str) -> None:
    world = World()
    with BotApiServer() as server:
        async with serving(server.add(world)) as running:
            walk = Walk(running, game)
            try:
                await first_moves(walk)
                await asyncio.sleep(2)  # until the table shows it
            finally:
                print(walk.shown(), "\n\n" + "\n".join(walk.steps))  # noqa: T201 - it is what the command is for


if __name__ == "__main__":
    asyncio.run(_print(sys.argv[1] if len(sys.argv) > 1 else "callbreak"))
