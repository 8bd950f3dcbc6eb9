"""Computer players alone: as many games as wanted, one after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from domain import table
from eventstore.chain import fingerprint
from service.clock import HurriedClock
from service.keeper import Keeper
from service.terminal import operating
from service.terminal.records import write_record
from service.terminal.screen import Screen
from service.terminal.tables import OPERATOR, Seeds, open_table, patient
from service.text import people, sheet, terminal
from service.wiring import Service

if TYPE_CHECKING:
    from service.terminal.play import Wish


async def play(service: Service, seeds: Seeds, wish: Wish, screen: Screen) -> None:
    """Plays the games that `wish` asks for and prints a line for each."""
    keeper = Keeper(service.store, service.engine, service.directory, service.clock, "auto")
    home = await patient(screen, lambda: service.directory.home("auto"))
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=screen.out, transient=True, disable=not screen.out.is_terminal) as bar:
        games = bar.add_task(terminal.progress(screen.texts), total=wish.games)
        for number in range(wish.games):
            await patient(screen, lambda: operating.closed(service, screen))
            name = await patient(screen, lambda: service.directory.new_table(home))
            if wish.seed is not None:
                seeds.give(name, wish.seed, number)
            await _play_one(service, keeper, wish, screen, name)
            screen.say(await _line(service, screen, name, number + 1))
            await write_record(service, screen, wish.record, name, number + 1, quiet=True)
            bar.advance(games)


async def _play_one(service: Service, keeper: Keeper, wish: Wish, screen: Screen, name: str) -> None:
    clock = service.clock
    if isinstance(clock, HurriedClock):
        clock.rest()
    await patient(
        screen, lambda: open_table(service, name, OPERATOR, wish.game, wish.options, seats=wish.seats, seated=False)
    )
    reach = clock.reach if isinstance(clock, HurriedClock) else _stay
    await patient(screen, lambda: keeper.computers(name, reach))


def _stay(_moment: int) -> None:
    """Somebody else's clock is not ours to move."""


async def _line(service: Service, screen: Screen, name: str, number: int) -> str:
    held = await service.engine.held(name)
    assert held.state is not None
    view = table.observe(held.state, None)
    names = people.seat_names(screen.texts, view, {})
    scores = [sheet.points(total, view.tenths) for total in view.totals]
    winners = [names[seat] for seat in view.winners]
    return terminal.game_line(screen.texts, number, winners, scores, len(view.rows), fingerprint(held.head))
