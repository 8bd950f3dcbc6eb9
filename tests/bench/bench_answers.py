"""How long a press waits for its answer while 200 tables are played, beside a bare bot that only answers.

The bot is `tabletalk serve` on its embedded store, the peer a bot of python-telegram-bot, each a process of its own;
both talk to the Bot API server of our own by real sockets, and are pressed in turns by the same hand at random moments.
A press counts from when Telegram has it until the call that answers it arrives there.
"""

from __future__ import annotations

import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import msgspec

from domain.games import GAMES
from service.chat.api.tokens import HandToken, LobbyAct, LobbyToken, MoveToken, read, write
from service.sandbox.people import NotPossible, Person
from service.sandbox.places import Group
from service.sandbox.server import BotApiServer
from service.sandbox.state import Button, Message
from service.sandbox.world import World
from tests.bench import echo
from tests.bench.rows import Row, at_most, at_most_times

_PATIENCE = 120.0  # s, for what has to be there before the clock runs
_LAST_ANSWERS = 15.0  # s; Bot API: a press wants its answer within seconds
PEER = "a bare PTB bot that only answers"


class Sizes(msgspec.Struct, frozen=True):
    """How much is measured: tables, presses a second (of each of the two bots), for how long."""

    tables: int = 200
    presses: float = 10.0
    seconds: float = 60.0
    warm_up: float = 10.0


_FULL = Sizes()


class Found(msgspec.Struct, frozen=True):
    """Milliseconds that presses waited: for what they were, and for the peer's answer."""

    moves: list[float]
    looks: list[float]
    peer: list[float]


def run(sizes: Sizes = _FULL) -> list[Row]:
    """The rows. Raises AssertionError when a press got no answer."""
    found = measured(sizes)
    ours = [*found.moves, *found.looks]
    rows = []
    for said, goal, figure in (("median", 50, statistics.median), ("99th percentile", 200, percentile)):
        what = f"answer to a press, {sizes.tables} busy tables, {said}"
        rows.append(at_most(goal, what, figure(ours), "ms"))
        rows.append(at_most_times(None, what, figure(ours), "ms", PEER, figure(found.peer)))
    rows += [
        at_most_times(None, f"{what}, median", statistics.median(some), "ms", PEER, statistics.median(found.peer))
        for what, some in (("a move by button", found.moves), ("My hand", found.looks))
        if some
    ]
    return rows


def percentile(some: Sequence[float]) -> float:
    """The 99th."""
    return sorted(some)[max(0, -(-len(some) * 99 // 100) - 1)]


def measured(sizes: Sizes) -> Found:
    """Plays at so many tables, and presses."""
    with BotApiServer() as server, tempfile.TemporaryDirectory(prefix="bench-") as folder:
        bench = Bench(server, sizes, random.Random(1))
        ours = {"TABLETALK_DATA": folder, "PORT": ""}
        with (
            _process([sys.executable, "-c", "from service.cli import main; main()", "serve"], bench.world, **ours),
            _process([sys.executable, "-m", "tests.bench.echo"], bench.other),
        ):
            bench.sit_down()
            bench.press(sizes.warm_up)
            bench.forget()
            bench.press(sizes.seconds)
            return bench.found()


@contextmanager
def _process(command: Sequence[str], world: World, **more: str) -> Iterator[None]:
    environment = {**os.environ, "TELEGRAM_TOKEN": world.token, "TELEGRAM_API_URL": world.url, **more}
    environment.pop("REDIS_URL", None)
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(command, env=environment, stdout=said, stderr=said)
        try:
            yield
            assert process.poll() is None, "it had ended"
        except BaseException:
            said.seek(0)
            sys.stderr.write(said.read().decode(errors="replace")[-4000:])
            raise
        finally:
            process.terminate()
            process.wait(30)


class Bench:
    """The two worlds, and who presses what in them."""

    def __init__(self, server: BotApiServer, sizes: Sizes, rng: random.Random) -> None:
        self._rng = rng
        self._pressed: dict[str, float] = {}
        self._answered: dict[str, float] = {}
        self._kinds: dict[str, str] = {}
        self._sizes = sizes
        self.world = server.add(World(check_call=self._heard))
        self.other = server.add(World(check_call=self._heard, username="echo_bot"))
        self._presser = self.other.person("Pat")
        self._tables = [self._table(number) for number in range(sizes.tables)]

    def _table(self, number: int) -> tuple[Group, list[Person]]:
        people = [self.world.person(f"{name} {number}") for name in ("Ann", "Bob")]
        return self.world.group(f"Table {number}", people), people

    def _heard(self, method: str, params: dict[str, Any]) -> Sequence[str]:
        if method == "answerCallbackQuery":
            self._answered[params["callback_query_id"]] = time.perf_counter()
        return ()

    def sit_down(self) -> None:
        """Everybody starts the bot, and sits at a table that is being played."""
        self._presser.start()
        games = list(GAMES)
        for number, (group, people) in enumerate(self._tables):
            for person in people:
                person.start()
            people[0].say(group, f"/{games[number % len(games)]}")
        lobbies = [self._until(lambda group=group: _lobby(self.world, group)) for group, _ in self._tables]  # type: ignore[misc]
        self._echo = self._until(lambda: self._presser.find(self._presser.private, echo.BUTTON))
        for number, ((_, people), lobby) in enumerate(zip(self._tables, lobbies, strict=True)):
            fewest, _ = GAMES[games[number % len(games)]].seats
            self._arranged(people[1], lobby, "join")
            for _ in range(fewest - len(people)):
                self._arranged(people[0], lobby, "add")
            self._arranged(people[0], lobby, "start")
        for group, people in self._tables:
            self._until(lambda group=group, people=people: _hand_button(people[0], group))  # type: ignore[misc]

    def _arranged(self, person: Person, lobby: Message, act: LobbyAct) -> None:
        """Presses what the lobby will show in a moment."""
        token = next(read(button.value) for row in lobby.keyboard for button in row if _is_lobby(button))
        assert isinstance(token, LobbyToken)
        person.tap_raw(lobby, write(LobbyToken(token.table, act))).answered(_PATIENCE)

    def _until(self, holds: Callable[[], Any]) -> Any:
        return self.world.wait_until(holds, _PATIENCE)

    def press(self, seconds: float) -> None:
        """Presses at random moments, however long answers take."""
        end = due = time.perf_counter()
        end += seconds
        while (due := due + self._rng.expovariate(2 * self._sizes.presses)) < end:
            time.sleep(max(0.0, due - time.perf_counter()))
            if self._rng.random() < 0.5:
                self._note("peer", self._presser, self._echo, "echo")
            else:
                self._press_ours()
        until = time.perf_counter() + _LAST_ANSWERS
        while self._pressed.keys() - self._answered.keys() and time.perf_counter() < until:
            time.sleep(0.05)

    def _press_ours(self) -> None:
        """Somebody who is asked moves; nobody there, he looks at his hand."""
        group, people = self._rng.choice(self._tables)
        for person in people:
            moves = _moves(person)
            if moves and self._rng.random() < 0.8:
                message, data = self._rng.choice(moves)
                self._note("moves", person, message, data)
                return
        person = self._rng.choice(people)
        self._note("looks", person, group, "")

    def _note(self, kind: str, person: Person, where: Message | Group, data: str) -> None:
        """Presses the button with this data (without any: that of the hand)."""
        now = time.perf_counter()
        try:
            tap = person.tap(where, lambda one: one.value == data if data else isinstance(read(one.value), HandToken))
        except NotPossible:  # the message was just edited, or the table is over
            return
        self.pressed(tap.query.id, kind, now)

    def pressed(self, query: str, kind: str, moment: float) -> None:
        """Notes a press, whose answer is waited for."""
        self._pressed[query], self._kinds[query] = moment, kind

    def forget(self) -> None:
        """What was measured until now does not count."""
        self._pressed.clear()
        self._answered.clear()

    def found(self) -> Found:
        """The waits. Raises AssertionError for a press without an answer."""
        missing = self._pressed.keys() - self._answered.keys()
        assert not missing, f"{len(missing)} of {len(self._pressed)} presses without an answer"
        waits: dict[str, list[float]] = {"moves": [], "looks": [], "peer": []}
        for query, pressed in self._pressed.items():
            waits[self._kinds[query]].append((self._answered[query] - pressed) * 1000)
        return Found(**waits)


def _is_lobby(button: Button) -> bool:
    return isinstance(read(button.value), LobbyToken)


def _lobby(world: World, group: Group) -> Message | None:
    """The lobby's message in a group, once it is there."""
    posts = [post.now for post in world.chats[group.id].posts.values() if post.now.sender == world.bot.id]
    return next((one for one in posts if any(_is_lobby(button) for row in one.keyboard for button in row)), None)


def _hand_button(person: Person, group: Group) -> bool:
    return any(
        isinstance(read(button.value), HandToken)
        for message in person.sees(group)
        for row in message.keyboard
        for button in row
    )


def _moves(person: Person) -> list[tuple[Message, str]]:
    """The moves that somebody's private chat offers."""
    return [
        (message, button.value)
        for message in person.sees(person.private)
        for row in message.keyboard
        for button in row
        if isinstance(read(button.value), MoveToken)
    ]
