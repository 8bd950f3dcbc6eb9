"""Telegram sends again what it was not told is done: the same updates once more change no table's history."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

from eventstore.record import Commit
from service.directory import Directory
from service.engine import Engine
from service.sandbox.people import Person
from service.sandbox.places import Group
from service.sandbox.state import Message
from service.sandbox.updates import Update
from service.sandbox.world import World
from service.sealing import Sealer
from service.wiring import Service
from tests.e2e.playing import by_button, open_table, play_on, start
from tests.service.chat.conftest import Running

ONE_SET = "max_sets=1 target=0 redeal=none min_total_calls=0"


def delivered(world: World) -> list[Update]:
    """Every update that the bot was ever given, in order."""
    found: dict[int, dict[str, Any]] = {}
    for call in world.calls("getUpdates"):
        for update in call.answer.get("result") or ():
            found[update["update_id"]] = update
    kinds = [(update, next(kind for kind in update if kind != "update_id")) for _, update in sorted(found.items())]
    return [Update(update["update_id"], kind, update[kind], world.clock()) for update, kind in kinds]


async def histories(running: Running) -> dict[str, list[Commit]]:
    store = running.service.store
    return await store.read_many(await store.tables())


class Unconfirmed(Directory):
    """What is noted of updates stays, as it does for a bot that dies before Telegram hears that they are done."""

    async def drop(self, name: str, field: str) -> bool:
        return name != "updates" and await super().drop(name, field)


async def restarted(running: Running, again: list[Update]) -> None:
    """A new process on the same store, which is given these updates, and is done with them."""
    await running.stop()
    store, clock = running.service.store, running.clock
    engine = Engine(store, Sealer(bytes(range(32))), clock)
    running.service = Service(running.service.settings, store, engine, Unconfirmed(store), clock)
    running.world.updates.waiting[:] = again
    await running.start()
    await running.until(lambda: not running.world.updates.waiting, "everything was confirmed")


async def test_all_updates_of_a_game_once_more_after_a_restart_leave_the_log_as_it_was(running: Running) -> None:
    """The offset is saved after the work, and a crash between them repeats it.

    Reports: DenchHQ/DenchClaw#56, anthropics/claude-plugins-official#3938.
    """
    world = running.world
    people = ann, bob = world.person("Ann"), world.person("Bob")
    group = world.group("Friday", people)
    await restarted(running, [])

    def game() -> None:
        ann.start()
        open_table(group, people, ONE_SET)
        for _ in range(2):
            ann.press(group, "Add computer player")
        bob.say(group, "/play AS")  # nobody's turn yet
        start(group, people)
        play_on(people, group, {ann.id: (by_button, ann.private)})
        bob.say(group, "/callbreak")
        lobby = bob.wait(lambda: bob.find(group, "Join"))
        for button in ("Join", "Leave", "Join"):  # each would be possible once more
            ann.press(lobby, button)

    await asyncio.to_thread(game)
    before = await histories(running)
    assert len(before) == 2
    everything = delivered(world)
    assert len(everything) > 100
    await restarted(running, everything)
    assert await histories(running) == before


def _lobby_of(person: Person, group: Group, game: str) -> Message | None:
    return next((one for one in person.sees(group) if f"{game} ·" in one.text and "Join" in one.buttons), None)


def _asked(person: Person, group: Group, words: str, after: Message) -> Message | None:
    return next((one for one in person.sees(group) if one.id > after.id and words in one.text), None)


async def test_what_was_asked_back_is_carried_out_once_however_often_the_answer_comes(running: Running) -> None:
    """`/restart` is delivered again: a restart loop (NousResearch/hermes-agent#11940)."""
    world = running.world
    people = ann, bob = world.person("Ann"), world.person("Bob")
    group = world.group("Friday", people)
    await restarted(running, [])

    def evening() -> None:
        for game in ("Chinchón", "Chit Chat"):
            ann.say(group, "/new")
            ann.press(ann.wait(lambda: ann.find(group, "Which game shall it be?")), game)
            lobby = bob.wait(partial(_lobby_of, bob, group, game))
            bob.press(lobby, "Join")
        said = bob.say(group, "/leave")
        which = bob.wait(partial(_asked, bob, group, "Which table do you mean", said))
        bob.press(which, lambda button: "Chit Chat" in button.text)
        bob.wait(lambda: bob.find(group, "Your seat is free again."))
        for command, question in (("/kick Bob", "Send Bob away"), ("/close", "for good, without a winner?")):
            said = ann.say(group, command)
            which = ann.wait(partial(_asked, ann, group, "Which table do you mean", said))
            ann.press(which, lambda button: "Chinchón" in button.text)
            ann.press(ann.wait(partial(_asked, ann, group, question, said)), "Yes")
            ann.wait(partial(_asked, ann, group, "Ann has ", said))
        ann.press(ann.wait(lambda: ann.find(group, "Once more")), "Once more")
        ann.wait(lambda: ann.find(group, "Join"))

    await asyncio.to_thread(evening)
    before = await histories(running)
    assert len(before) == 3
    await restarted(running, delivered(world))
    assert await histories(running) == before
