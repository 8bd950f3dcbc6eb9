"""How tables come to be: opened in a group by command or button, by an invitation in private, and once more."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Callable, Sequence
from functools import partial

from domain.games import GAMES
from service.chat.api.tokens import LobbyAct, LobbyToken, NewToken
from service.sandbox.people import NotPossible, Place
from tests.month.people import Lost, Player, holds, until
from tests.month.witness import Witness

_LONGEST_DOWN = 4 * 3600.0  # s; the bot is away for three hours at times
_TRIES = 40


async def seated(players: Sequence[Player], place: Place, game: str, rng: random.Random) -> str | None:
    """The first player opens a table in a chat, the others join, computer players fill it up, and it is started.

    Gives the table's id; None where the chat did not let them. Raises Lost when nothing came of what they did there.
    """
    host = players[0]
    async with host.bot.opening:
        before = set(host.bot.witness.states)
        if rng.random() < 0.3:
            if not host.say(place, "/new"):
                return None
            for number in range(_TRIES):  # the bot may be down, and then has no button to press yet
                await asyncio.sleep(min(20.0 * (number + 1), 600.0))
                if _opened(host.bot.witness, before) is not None:
                    break
                await host.tap(place, holds(lambda token: token == NewToken(game)))
        elif not host.say(place, f"/{game}"):
            return None
        name = await until(partial(_opened, host.bot.witness, before), f"a lobby of {game}", _LONGEST_DOWN)
    host.places[name] = place
    for player in players[1:]:
        if await _pressed(player, place, name, "join", partial(_sits, host.bot.witness, name, player)):
            player.places[name] = place
    return await _started(host, place, name, GAMES[game].seats[0])


async def invited(players: Sequence[Player], game: str) -> str | None:
    """The first player opens a table in his private chat; the others come by the link that he sends them."""
    host, witness = players[0], players[0].bot.witness
    private = host.person.private
    async with host.bot.opening:
        before = set(witness.states)
        if not host.say(private, f"/{game}"):
            return None
        name = await until(partial(_opened, witness, before), f"a lobby of {game} in private", _LONGEST_DOWN)
    host.places[name] = private
    link: re.Match[str] | None = None
    for _ in range(_TRIES):
        await host.tap(private, holds(lambda token: token == LobbyToken(name, "invite")))
        await asyncio.sleep(30.0)
        texts = host.person.texts(private)
        link = next((found for text in texts[::-1] if (found := re.search(r"start=(join_[\w-]+)", text))), None)
        if link is not None:
            break
    if link is None:
        raise Lost(f"an invitation to {name}")
    for player in players[1:]:
        player.person.start(link[1])
        await until(partial(_sits, witness, name, player), f"{player.person} at {name}", _LONGEST_DOWN)
        player.places[name] = player.person.private
    return await _started(host, private, name, GAMES[game].seats[0])


async def again(players: Sequence[Player], place: Place, old: str) -> str | None:
    """Somebody presses Rematch under the table's last message; gives the new table, None where there is no button."""
    witness = players[0].bot.witness
    sat = [player for player in players if _sits(witness, old, player)]
    async with players[0].bot.opening:
        before = set(witness.states)
        for player in sat:
            await player.tap(place, holds(lambda token: token == LobbyToken(old, "rematch")))
            await asyncio.sleep(30.0)
            if _opened(witness, before) is not None:
                break
        name = _opened(witness, before)
    if name is None:
        return None
    for player in sat:
        if _sits(witness, name, player):
            player.places[name] = place
    host = next((player for player in sat if player.actor == witness.states[name].host), sat[0])
    return await _started(host, place, name, witness.states[old].rules.seats[0])


async def _started(host: Player, place: Place, name: str, fewest: int) -> str | None:
    witness = host.bot.witness
    for number in range(len(witness.states[name].seats), fewest):
        await _pressed(host, place, name, "add", partial(_has_seats, witness, name, number + 1))
    if await _pressed(host, place, name, "start", lambda: witness.states[name].phase != "lobby"):
        return name
    host.say(place, f"/end {await host.pair(name)}")
    return None


def _opened(witness: Witness, before: set[str]) -> str | None:
    return next((name for name in witness.states if name not in before), None)


def _sits(witness: Witness, name: str, player: Player) -> bool:
    return any(seat.owner == player.actor and not seat.left for seat in witness.states[name].seats)


def _has_seats(witness: Witness, name: str, number: int) -> bool:
    return len(witness.states[name].seats) >= number


async def _pressed(player: Player, place: Place, name: str, act: LobbyAct, done: Callable[[], bool]) -> bool:
    """Presses the button, again if nothing came of it (the bot may be down); whether it was done."""
    for number in range(_TRIES):
        if done():
            return True
        try:
            await player.tap(place, holds(lambda token: token == LobbyToken(name, act)))
        except NotPossible:
            return False
        await asyncio.sleep(min(2.0 + number * 30.0, 600.0))
    return done()
