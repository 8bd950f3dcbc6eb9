"""`/accuse` and its buttons: who may say that somebody cheated, where, and what everybody reads of it."""

from __future__ import annotations

from typing import Any

import msgspec

from domain import options
from domain.commands import Move
from domain.games import GAMES
from domain.games.callbreak import view
from domain.games.callbreak.moves import PlayCard
from domain.table import Table, observe
from service.chat.api.tokens import AccuseToken, write
from service.chat.board import show
from service.engine import Done
from service.sandbox.people import Group, Person
from service.text import language
from tests.service.chat import test_views
from tests.service.chat.conftest import Running
from tests.service.chat.test_ephemeral import actors
from tests.service.chat.test_views import four, started, state

HONOUR = {
    "max_sets": "1",
    "target": "0",
    "redeal": "",
    "min_total_calls": "0",
    "enforcement": "honour",
    "tie": "shared",
}
ASK = "⚖ Somebody cheated"


async def honour(running: Running, monkeypatch: Any, **more: str) -> tuple[list[Person], Group, str]:
    """A table of honour of four in a group."""
    chosen = options.read(GAMES["callbreak"], {**HONOUR, **more})
    monkeypatch.setattr(test_views, "PLAIN", chosen)
    people = four(running)
    group = running.world.group("Friday", people)
    table, _ = await started(running, group, people)
    return people, group, table


async def play(running: Running, table: str, move: Any, number: str) -> None:
    now = await state(running, table)
    [seat] = now.decisions[0].seats
    done = await running.service.engine.submit(table, now.seats[seat].owner, Move(move), f"play {number}")
    assert isinstance(done, Done)


async def go_on(running: Running, table: str, tricks: int, word: str = "") -> Table:
    """Honest moves, past the chat, until so many tricks are taken or the set is over."""
    for number in range(60):
        now = await state(running, table)
        if len(now.set.tricks) >= tricks or now.sets > 1 or now.pending is not None:
            return now
        seen = now.rules.observe(now.set, now.decisions[0].seats[0])
        await play(running, table, now.rules.player("steady", seen), f"{word}{number}")
    raise AssertionError("the set does not end")


async def revoke(running: Running, table: str) -> tuple[int, int]:
    """Somebody revokes in one of the first tricks: who, and in which."""
    for number in range(40):
        now = await state(running, table)
        seat = now.decisions[0].seats[0]
        seen = now.rules.observe(now.set, seat)
        led = seen.trick[0] // 13 if seen.trick else -1
        wrong = [card for card in seen.hand if card // 13 != led]
        if seen.phase == "play" and led >= 0 and wrong and len(wrong) < len(seen.hand):
            await play(running, table, PlayCard(wrong[0]), f"revoke {number}")
            return seat, len(seen.tricks) + 1
        await play(running, table, now.rules.player("steady", seen), f"before {number}")
    raise AssertionError("nobody can revoke")


async def of_seat(running: Running, table: str, people: list[Person], seat: int) -> Person:
    owner = (await state(running, table)).seats[seat].owner
    return people[(await actors(running, people)).index(owner)]


async def test_an_accusation_by_command_is_answered_before_everybody(running: Running, monkeypatch: Any) -> None:
    people, group, table = await honour(running, monkeypatch)
    seat, trick = await revoke(running, table)
    accuser = await of_seat(running, table, people, (seat + 1) % 4)
    accused = await of_seat(running, table, people, seat)
    accuser.say(group, f"/accuse {accused.name} {trick}")
    said = f"says that {accused.name} played wrong to trick {trick}"
    await running.until(lambda: people[0].find(group, said))
    assert [one.accused for one in (await state(running, table)).set.accusations] == [seat]
    await go_on(running, table, 13)
    now = await state(running, table)
    assert [row.kind for row in now.rows] == ["penalty"]
    await running.until(lambda: people[0].find(group, "somebody cheated"))
    told = await running.until(lambda: people[0].find(group, "could have followed suit"))
    assert accused.name in told.text
    assert "Fingerprint" in told.text


async def test_it_is_asked_back_by_buttons_whom_one_means(running: Running, monkeypatch: Any) -> None:
    people, group, table = await honour(running, monkeypatch)
    seat, trick = await revoke(running, table)
    now = await go_on(running, table, trick, "on ")
    accuser = await of_seat(running, table, people, (seat + 1) % 4)
    accused = await of_seat(running, table, people, seat)
    await running.until(lambda: people[0].find(group, ASK))
    assert await running.press(accuser, group, ASK) == ""
    panel = await running.until(lambda: people[0].find(group, f"trick {len(now.set.tricks)}: who"))
    assert sorted(button for button in panel.buttons) == sorted(person.name for person in people)
    assert "everybody reads it" in await running.press(accuser, panel, accused.name)
    await running.until(lambda: people[0].find(group, f"says that {accused.name} played wrong"))
    refusal = await running.press(people[0], panel, accused.name)
    assert "cannot accuse here" in refusal


async def test_the_button_is_there_whatever_anybody_holds_and_at_tables_of_honour_alone(
    running: Running, monkeypatch: Any
) -> None:
    people, _group, table = await honour(running, monkeypatch)
    now = await go_on(running, table, 1)
    shown = observe(now, None)
    assert ASK in str(show.table(language(), shown, [person.name for person in people], "bot"))
    for rules in ("strict", "auto"):
        changed = {"enforcement": "strict"} if rules == "strict" else {"audit": "auto"}
        other = msgspec.structs.replace(
            shown, set=msgspec.structs.replace(shown.set, options=msgspec.structs.replace(now.options, **changed))
        )
        assert ASK not in str(show.table(language(), other, [person.name for person in people], "bot"))
    hands = view.guess(now.rules.observe(now.set, None), _Packed())
    same = observe(msgspec.structs.replace(now, set=hands), None)
    names = [person.name for person in people]
    assert show.table(language(), same, names, "bot") == show.table(language(), shown, names, "bot")


class _Packed:
    def order(self, label: str, items: Any) -> tuple[int, ...]:
        return tuple(range(52))


async def test_forged_and_stale_presses_change_nothing(running: Running, monkeypatch: Any) -> None:
    people, group, table = await honour(running, monkeypatch)
    await go_on(running, table, 1)
    stranger = running.world.person("Eve")
    running.world.group("Friday 2", [stranger])
    message = await running.until(lambda: people[0].find(group, ASK))
    before = await state(running, table)
    for data in (
        write(AccuseToken(table, 7, "new")),
        write(AccuseToken(table, 7, "accuse 1 1")),
        write(AccuseToken(table, 1, "play 1")),
        write(AccuseToken(table, 1, "accuse 0 13")),
        write(AccuseToken(table, 1, "accuse 9 1")),
        write(AccuseToken(table, 1, "confirm")),
        f"f:{table}:1:accuse -1 2",
    ):
        said = await running.until(lambda data=data: people[0].press_raw(message, data).text)  # type: ignore[misc]
        assert said, data
    assert await state(running, table) == before
    people[0].say(group, "/accuse Nobody 77777777777777777777")
    people[0].say(group, "/accuse")
    await running.until(lambda: people[0].find(group, "trick 1: who"))
    assert await state(running, table) == before


async def test_at_a_strict_table_there_is_nothing_to_accuse(running: Running) -> None:
    people = four(running)
    group = running.world.group("Friday", people)
    table, _ = await started(running, group, people)
    await go_on(running, table, 1)
    people[0].say(group, "/accuse")
    await running.until(lambda: people[0].find(group, "nothing that could be called in question"))
    people[1].say(group, "/accuse Ann 1")
    await running.until(lambda: people[0].find(group, "lets nobody cheat"))


async def test_the_result_waits_for_a_minute_and_may_be_undone_till_then(running: Running, monkeypatch: Any) -> None:
    people, group, table = await honour(running, monkeypatch)
    seat, trick = await revoke(running, table)
    with running.clock.standing():
        await go_on(running, table, 13)
        await running.until(lambda: people[0].find(group, "unless somebody objects"))
        accuser = await of_seat(running, table, people, (seat + 2) % 4)
        accused = await of_seat(running, table, people, seat)
        accuser.say(group, f"/accuse {accused.name} {trick}")
        await running.until(lambda: people[0].find(group, "That set does not count any more"))
    now = await state(running, table)
    assert (now.phase, now.sets, now.pending, now.scored) == ("playing", 2, None, 0)
    assert [row.kind for row in now.rows] == ["penalty"]


async def test_everybody_confirms_and_the_game_is_over(running: Running, monkeypatch: Any) -> None:
    people, group, table = await honour(running, monkeypatch)
    await go_on(running, table, 13)
    await running.until(lambda: people[0].find(group, "to confirm the result"))
    for person in people:
        person.say(group, "/confirm")
    await running.until(lambda: people[0].find(group, "The game is over"))
    assert (await state(running, table)).phase == "over"
