"""`tabletalk play`: a game against computer players, gone on with where it was left; or computer players alone."""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path
from typing import Any

import msgspec

from domain import table
from domain.commands import Close
from domain.game import Game
from domain.table import Table, seat_of
from service.clock import HurriedClock
from service.keeper import Keeper
from service.settings import Settings
from service.terminal import auto, operating
from service.terminal.lines import Lines
from service.terminal.records import write_record
from service.terminal.screen import Screen
from service.terminal.session import Session, is_quit
from service.terminal.tables import (
    OPERATOR,
    Seeds,
    do,
    open_table,
    patient,
    recall_seed,
    remember_seed,
    unfinished,
    user,
)
from service.text import history, people, terminal
from service.text.words import game_name
from service.wiring import Service, open_service


class Wish(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody asked for on the command line. `chosen`: options, a preset, seats or a seed were given."""

    game: Game
    options: Any
    seats: int
    chosen: bool = False
    auto: bool = False
    games: int = 1
    seed: bytes | None = None
    record: Path | None = None
    new: bool = False


class Ended(Exception):
    """The terminal was closed, or the program was told to end: exit code 128 and the signal's number."""

    def __init__(self, number: int) -> None:
        super().__init__(f"signal {number}")
        self.code = 128 + number


async def play(settings: Settings, wish: Wish, screen: Screen) -> None:
    """Plays until the games are over or somebody leaves. Raises what `open_service` raises, Ended, Wrong."""
    ended: list[int] = []
    _end_on_signals(ended)
    seeds = Seeds()
    try:
        async with open_service(
            settings,
            clock=HurriedClock() if wish.auto else None,
            seeds=seeds,
            waiting=lambda fault: screen.say(terminal.store_down(screen.texts, fault)),
        ) as service:
            await patient(screen, lambda: operating.closed(service, screen))
            if wish.auto:
                await auto.play(service, seeds, wish, screen)
            else:
                await person(service, seeds, wish, screen, Lines())
    except asyncio.CancelledError:
        if not ended:  # Ctrl-C
            screen.newline()
            if not wish.auto:
                screen.say(terminal.kept(screen.texts))
            raise
        raise Ended(ended[0]) from None


def _end_on_signals(ended: list[int]) -> None:
    """A closed terminal ends the game like `quit`: the store is closed, nothing is lost."""
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    assert task is not None

    def end(number: int) -> None:
        ended.append(number)
        task.cancel()

    for number in (signal.SIGHUP, signal.SIGTERM):
        loop.add_signal_handler(number, end, number)


async def person(service: Service, seeds: Seeds, wish: Wish, screen: Screen, lines: Lines) -> None:
    """The games of this computer's user: the one in progress first, then new ones, until he leaves."""
    name, directory = user(), service.directory
    actor = await patient(screen, lambda: directory.person(f"local:{name}"))
    home = await patient(screen, lambda: directory.home(f"local:{name}"))
    await patient(screen, lambda: directory.set_name(actor, people.plain(name)))
    news, mine = asyncio.Event(), set[str]()
    keeper = Keeper(service.store, service.engine, directory, service.clock, f"play:{home}", mine.__contains__)
    try:
        old = await patient(screen, lambda: unfinished(service, home, actor, wish.game))
        if old is not None:
            goes_on = await _goes_on(old, actor, wish, screen, lines)
            if goes_on is None:
                return
            if not goes_on:
                await _close(service, screen, old.id)
                old = None
        first = 0  # the number of the game to begin with
        if old is not None:
            mine.add(old.id)
            first = await recall_seed(service, seeds, old.id, wish.seed)
        await patient(screen, keeper.start)
        async with asyncio.TaskGroup() as tasks:
            watching = tasks.create_task(keeper.run(lambda _: news.set()))
            for number in range(first, max(wish.games, first + 1)):
                if old is not None and number == first:
                    name = old.id
                else:
                    name = await _open(service, seeds, wish, screen, actor, home, number)
                mine.add(name)
                session = Session(service, keeper, lines, screen, name, actor, news)
                if old is not None and number == first:
                    await session.resume()
                if await session.play() != "over":
                    screen.say(terminal.kept(screen.texts))
                    break
                await write_record(service, screen, wish.record, name, number + 1)
            watching.cancel()
    finally:
        lines.close()


async def _close(service: Service, screen: Screen, name: str) -> None:
    await patient(screen, lambda: do(service, name, OPERATOR, Close(), f"close:{name}"))
    screen.say(terminal.abandoned(screen.texts))


async def _goes_on(old: Table, actor: str, wish: Wish, screen: Screen, lines: Lines) -> bool | None:
    """Whether the game in progress goes on; None when nobody says so before the input ends."""
    texts = screen.texts
    view = table.observe(old, seat_of(old, actor))
    names = people.seat_names(texts, view, {actor: terminal.you(texts)})
    scores = history.scores(view.totals, names, view.tenths) if view.rows else ""
    screen.say(terminal.in_progress(texts, view.sets, scores))
    if wish.new:
        return False
    if not screen.tty:
        screen.say(terminal.goes_on(texts))
        answer: str | None = ""
    else:
        screen.prompt(terminal.question(texts))
        answer = await lines.next()
    if answer is None:
        screen.newline()
        return None
    if is_quit(answer):
        return None
    if terminal.is_no(texts, answer):
        return False
    if wish.chosen:
        screen.say(terminal.given_options_wait(texts))
    return True


async def _open(service: Service, seeds: Seeds, wish: Wish, screen: Screen, actor: str, home: str, number: int) -> str:
    """A new table of this computer's user, for the game number `number` (from 0). Raises Wrong: maintenance."""
    await patient(screen, lambda: operating.closed(service, screen))
    name = await patient(screen, lambda: service.directory.new_table(home))
    if (seed := wish.seed) is not None:
        seeds.give(name, seed, number)
        await patient(screen, lambda: remember_seed(service, name, seed, number))
    screen.title(game_name(screen.texts, wish.game.slug))
    if number == 0:
        screen.say(terminal.welcome(screen.texts, wish.game.slug))
    await patient(
        screen, lambda: open_table(service, name, actor, wish.game, wish.options, seats=wish.seats, seated=True)
    )
    return name
