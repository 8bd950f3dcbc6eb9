"""The engine: command -> fold -> decide -> append -> answer, once for each command id, whoever else is at work."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import pytest
import structlog

from domain import events, options
from domain.commands import Join, Move, Open
from domain.decide import legal
from domain.events import SeedRevealed
from domain.games.callbreak.moves import Call, PlayCard
from eventstore.chain import verify
from service.engine import Done, Engine, Refused, Unreadable
from service.sealing import Sealer
from tests.service.tables import CALLBREAK, PEOPLE, World, new_world, steady_seeds

TABLE = "home-1"


@pytest.fixture
async def world() -> World:
    return await new_world(steady_seeds)


async def test_a_move_is_one_commit_that_another_process_folds_to_the_same_state(world: World) -> None:
    """A crash loses the game; a log that can be run again would bring it back.

    Reports: terraforming-mars/terraforming-mars#1333.
    """
    await world.started(TABLE)
    before = (await world.engine.held(TABLE)).version
    done = await world.first_legal_move(TABLE)
    assert isinstance(done, Done)
    assert done.version == before + 1
    assert await world.another_engine().held(TABLE) == await world.engine.held(TABLE)
    assert verify(await world.store.read(TABLE)) == done.head


async def test_the_same_command_twice_changes_nothing_and_gives_the_first_answer_again(world: World) -> None:
    state = await world.started(TABLE)
    seat = state.decisions[0].seats[0]
    first = await world.do(TABLE, PEOPLE[seat], Move(Call(3)), "tg:1:77:home-1")
    again = await world.do(TABLE, PEOPLE[seat], Move(Call(3)), "tg:1:77:home-1")
    elsewhere = await world.another_engine().submit(TABLE, PEOPLE[seat], Move(Call(3)), "tg:1:77:home-1")
    assert isinstance(first, Done)
    assert again == elsewhere == msgspec.structs.replace(first, again=True)
    assert (await world.engine.held(TABLE)).version == first.version


async def test_a_refusal_is_remembered_sealed_and_given_again_though_the_move_would_be_legal_by_then(
    world: World,
) -> None:
    state = await world.started(TABLE)
    seat = state.decisions[0].seats[0]
    nxt = (seat + 1) % 4
    refused = await world.do(TABLE, PEOPLE[nxt], Move(Call(3)), "tg:1:5:home-1")
    assert refused == Refused("not_your_turn", clause="CB-20")
    await world.first_legal_move(TABLE)
    version = (await world.engine.held(TABLE)).version
    assert await world.do(TABLE, PEOPLE[nxt], Move(Call(3)), "tg:1:5:home-1") == refused
    assert (await world.engine.held(TABLE)).version == version
    sealed = await world.store.refusal(TABLE, "tg:1:5:home-1")
    assert sealed is not None
    assert b"not_your_turn" not in sealed


async def test_a_conflict_reads_the_tail_and_decides_again(world: World) -> None:
    """Two `/skip` at once skip two players (jh0ker/mau_mau_bot#136, jh0ker/mau_mau_bot#138)."""
    other = world.another_engine()
    await world.started(TABLE)
    await other.held(TABLE)
    state = await world.state(TABLE)
    seat = state.decisions[0].seats[0]
    await world.do(TABLE, PEOPLE[seat], Move(Call(3)))
    nxt = (seat + 1) % 4
    done = await other.submit(TABLE, PEOPLE[nxt], Move(Call(2)), "other")  # its memory is a commit behind
    assert isinstance(done, Done)
    assert verify(await world.store.read(TABLE)) == done.head


async def test_two_joins_at_once_take_two_seats(world: World) -> None:
    """Two join at once, and one join is overwritten (boardgameio/boardgame.io#1100)."""
    engines = [world.another_engine() for _ in range(3)]
    await world.do(TABLE, PEOPLE[0], Open("callbreak", options.read(CALLBREAK, {})))
    for engine in engines:
        await engine.held(TABLE)
    await asyncio.gather(
        *(
            engine.submit(TABLE, person, Join(), f"join:{person}")
            for engine, person in zip(engines, PEOPLE[1:], strict=True)
        )
    )
    state = (await world.engine.fresh(TABLE)).state
    assert state is not None
    assert sorted(seat.owner for seat in state.seats) == sorted(PEOPLE)


async def test_the_seed_comes_out_when_the_set_is_over_and_fits_its_commitment(world: World) -> None:
    await world.started(TABLE, {"max_sets": "1", "target": "0", "redeal": "", "min_total_calls": "0"})
    opened = events.decode((await world.store.read(TABLE))[0].events)[0]
    while (await world.state(TABLE)).phase == "playing":
        await world.first_legal_move(TABLE)
    last = events.decode((await world.store.read(TABLE))[-1].events)
    revealed = [fact for fact in last if isinstance(fact, SeedRevealed)]
    assert [fact.seed for fact in revealed] == [steady_seeds(TABLE, 1)]
    assert world.engine.unseal(opened.commitment, opened.sealed) == steady_seeds(TABLE, 1)


async def test_seeds_are_numbered_one_a_scored_set(world: World) -> None:
    """However the sets went, set k is dealt from seed k: what `--seed` promises."""
    await world.started(TABLE, {"max_sets": "3", "target": "0", "min_total_calls": "0"})
    while (await world.state(TABLE)).phase == "playing":
        await world.first_legal_move(TABLE)
    facts = [fact for commit in await world.store.read(TABLE) for fact in events.decode(commit.events)]
    revealed = [fact.seed for fact in facts if isinstance(fact, SeedRevealed)]
    assert revealed == [steady_seeds(TABLE, number) for number in (1, 2, 3)]


async def test_without_the_key_a_table_is_unreadable_to_the_engine_and_says_nothing_of_cards(world: World) -> None:
    await world.started(TABLE)
    stranger = Engine(world.store, Sealer(bytes(32)), world.clock)
    with pytest.raises(Unreadable, match="another key"):
        await stranger.held(TABLE)


async def test_a_changed_byte_stops_the_table_and_names_the_version(world: World) -> None:
    await world.started(TABLE)
    client: Any = world.store.servers.every()[0]
    key = world.store.key(world.store.partition_of(TABLE), "t", TABLE)
    entries = await client.xrange(key)
    last_id, fields = entries[-1]
    name, value = max(fields.items(), key=lambda item: len(item[1]))
    await client.delete(key)
    for at, kept in [*entries[:-1], (last_id, {**fields, name: value.replace(b"table", b"fable", 1)})]:
        await client.xadd(key, kept, id=at)
    with pytest.raises(Unreadable, match=f"{TABLE} version {len(entries)}"):
        await world.another_engine().held(TABLE)


async def test_a_table_that_does_not_exist_refuses_every_move(world: World) -> None:
    assert await world.do("nowhere-1", PEOPLE[0], Move(Call(3))) == Refused("no_such_table")
    assert (await world.engine.held("nowhere-1")).state is None


async def test_a_button_of_an_answered_decision_is_stale(world: World) -> None:
    state = await world.started(TABLE)
    seat = state.decisions[0].seats[0]
    stale = state.decisions[0].id
    assert isinstance(await world.do(TABLE, PEOPLE[seat], Move(Call(3))), Done)
    refused = await world.engine.submit(TABLE, PEOPLE[seat], Move(Call(3)), "second tap", decision=stale)
    assert refused == Refused("stale")
    assert legal(await world.state(TABLE), seat) == ()


async def test_a_command_to_no_table_leaves_nothing_behind(world: World) -> None:
    for number in range(50):
        assert await world.do(f"nowhere-{number}", PEOPLE[0], Move(Call(3))) == Refused("no_such_table")
        assert (await world.engine.held(f"elsewhere-{number}")).state is None
    assert not world.engine._locks
    assert not world.engine._ready


async def test_a_store_that_lost_commits_is_said_and_the_table_goes_on_from_what_it_has(world: World) -> None:
    await world.started(TABLE)
    state = await world.state(TABLE)
    await world.first_legal_move(TABLE)
    client: Any = world.store.servers.every()[0]
    key = world.store.key(world.store.partition_of(TABLE), "t", TABLE)
    entries = await client.xrange(key)
    await client.delete(key)
    for at, kept in entries[:-1]:
        await client.xadd(key, kept, id=at)
    with structlog.testing.capture_logs() as logged, pytest.raises(Unreadable, match="has lost commits"):
        await world.first_legal_move(TABLE)
    assert [line["known"] for line in logged if line["event"] == "the store has lost commits"] == [len(entries)]
    assert await world.state(TABLE) == state
    assert isinstance(await world.first_legal_move(TABLE), Done)


async def test_the_log_of_a_refusal_tells_nothing_of_the_hand(world: World) -> None:
    """`must_beat` would say what somebody holds."""
    await world.started(TABLE, {"redeal": "", "min_total_calls": "0"})
    with structlog.testing.capture_logs() as logged:
        for number in range(400):
            state = await world.state(TABLE)
            seat = state.decisions[0].seats[0]
            held = state.set.hands[seat]
            wrong = [card for card in range(52) if held >> card & 1 and PlayCard(card) not in legal(state, seat)]
            if state.set.called == 4 and wrong:
                refused = await world.do(TABLE, PEOPLE[seat], Move(PlayCard(wrong[0])), f"wrong {number}")
                assert isinstance(refused, Refused)
                assert refused.code in ("must_beat", "must_follow", "must_trump")
                break
            await world.first_legal_move(TABLE)
    assert logged
    assert "must_" not in str(logged)


async def test_a_refusal_given_again_equals_the_first_in_every_value(world: World) -> None:
    await world.started(TABLE)
    seat = (await world.state(TABLE)).decisions[0].seats[0]
    first = await world.do(TABLE, PEOPLE[seat], Move(Call(14)), "x")
    assert first == await world.do(TABLE, PEOPLE[seat], Move(Call(14)), "x")
    first = await world.do("home-9", PEOPLE[seat], Open("bridge", None), "y")
    assert isinstance(first, Refused)
    assert first == await world.do("home-9", PEOPLE[seat], Open("bridge", None), "y")
