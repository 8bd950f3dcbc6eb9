"""TC-43: what the players of a table decide about a word holds at the next tables of the same home."""

from __future__ import annotations

import pytest

from domain import options
from domain.commands import Join, Move, Open, Start
from domain.events import Dealt
from domain.game import Decided
from domain.games import GAMES
from domain.games.taichi.moves import read
from eventstore.store import StoreDown
from service.engine import Done, Engine
from service.overruled import Overruled
from service.words import lexicon
from tests.service.tables import PEOPLE, World, new_world

TAICHI = GAMES["taichi"]


@pytest.fixture
async def world() -> World:
    world = await new_world()
    world.engine = Engine(world.store, world.sealer, world.clock, kept=Overruled(world.directory))
    return world


async def _start(world: World, home: str, **given: str) -> Done:
    """Another table of the home, of four; its first deal."""
    name = await world.directory.new_table(home)
    await world.do(name, PEOPLE[0], Open("taichi", options.read(TAICHI, given)))
    for person in PEOPLE[1:]:
        await world.do(name, person, Join())
    done = await world.do(name, PEOPLE[0], Start())
    assert isinstance(done, Done)
    return done


def _kept(done: Done) -> tuple[Decided, ...]:
    (dealt,) = [event for event in done.events if isinstance(event, Dealt)]
    return dealt.kept


async def _move(world: World, name: str, seat: int, notation: str, command: str | None = None) -> Done:
    state = await world.state(name)
    done = await world.do(name, state.seats[seat].owner, Move(read(notation)), command)
    assert isinstance(done, Done)
    return done


async def _overrule(world: World, name: str) -> Decided:
    """The active player says a plural that fits, and all the others agree that it counts."""
    first = (await world.state(name)).set.turn
    await _move(world, name, first, "turn")
    state = await world.state(name)
    letter = TAICHI.card_name(state.set.open[0])[0].lower()
    words = lexicon(state.options.language)
    word = next(f"{head}s" for head in words.common(letter) if words.rule(f"{head}s").reason.startswith("plural"))
    await _move(world, name, first, f"word {word}")
    await _move(world, name, first, "object")
    for seat in range(4):
        if seat != first:
            await _move(world, name, seat, "agree", f"vote:{name}:{seat}")
    return Decided(word, "", True)


async def test_the_next_table_of_the_home_is_dealt_with_what_was_decided(world: World) -> None:
    first = await _start(world, "cards")
    assert _kept(first) == ()
    decided = await _overrule(world, first.table)
    assert _kept(await _start(world, "cards")) == (decided,)
    assert _kept(await _start(world, "elsewhere")) == ()


async def test_another_language_has_decisions_of_its_own(world: World) -> None:
    first = await _start(world, "cards")
    await _overrule(world, first.table)
    french = await _start(world, "cards", language="fr")
    assert _kept(french) == ()
    decided = await _overrule(world, french.table)
    assert _kept(await _start(world, "cards", language="fr")) == (decided,)


async def test_a_process_that_died_before_it_noted_the_decision_notes_it_when_the_update_comes_again(
    world: World,
) -> None:
    first = await _start(world, "cards")
    dying = Overruled(world.directory)
    world.engine = Engine(world.store, world.sealer, world.clock, kept=_Dying(world.directory))
    with pytest.raises(StoreDown):
        await _overrule(world, first.table)
    world.engine = Engine(world.store, world.sealer, world.clock, kept=dying)
    state = await world.state(first.table)
    assert await dying.known("cards-9", "en-1") == ()
    last = max(seat for seat in range(4) if seat != state.set.turn)
    again = await _move(world, first.table, last, "agree", f"vote:{first.table}:{last}")
    assert again.again
    assert await dying.known("cards-9", "en-1") == TAICHI.decided(state.set)


class _Dying(Overruled):
    async def keep(self, table: str, dictionary: str, decided: tuple[Decided, ...]) -> None:
        raise StoreDown("gone")


async def test_the_latest_decision_about_a_word_holds(world: World) -> None:
    kept = Overruled(world.directory)
    for _ in range(4):
        await world.directory.new_table("cards")
    await kept.keep("cards-1", "en-1", (Decided("mice", "", True), Decided("map", "may", True)))
    await kept.keep("cards-3", "en-1", (Decided("mice", "", False),))
    assert await kept.known("cards-4", "en-2") == (Decided("map", "may", True), Decided("mice", "", False))
    assert await kept.known("cards-3", "en-1") == (Decided("mice", "", True), Decided("map", "may", True))
