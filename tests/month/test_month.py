"""Half a day of the month, and proof that what looks at it is not blind."""

from __future__ import annotations

import asyncio
import time

import msgspec
import pytest

from domain.table import Table, seat_of
from service.chat.board.chores import TABLE
from service.chat.board.shown import Shown
from service.sandbox.state import Answer, Call, Query, Sight
from service.sandbox.world import World
from service.text import cards, language
from tests.month import chat, checks, virtual
from tests.month.bot import unhurried
from tests.month.month import Month, Report
from tests.month.people import Player
from tests.month.witness import EVERYBODY
from tests.patience import PATIENCE
from tests.service.logging_state import logging_restored


class HalfADay(Month):
    """Also plants faults when all is over, and notes what is found of them."""

    planted: dict[str, list[str]]

    async def _look(self) -> None:
        await super()._look()
        self.planted = {
            **{f"a card in a {kind}": await self._with_a_leak(kind) for kind in ("message", "button", "alert", "data")},
            "a line of the log": list(checks.lines('{"event": "the hand is QS", "level": "info"}')),
            "a traceback": list(checks.lines("Traceback (most recent call last):")),
            "a message": await self._with_a_message_that_was_changed(),
            "a second message": await self._with_a_second_message(),
            "a press": self._with_a_press_that_nobody_answers(),
            "a minute": self._with_a_busy_minute(),
        }

    async def _leaks(self, *sights: Sight) -> list[str]:
        """What is found of sights that somebody had after everything else."""
        actors = {user: player.actor for user, player in self.players.items()}
        before = len(self.world.sights)
        self.world.sights += sights
        about = await checks.About.opened(self.bot, actors)
        nothing = [Sight(0, 0, "message", "")] * before
        found = self.bot.witness.leaks([*nothing, *sights], (), self.world.bot.id, about)
        del self.world.sights[before:]
        return found

    async def _with_a_leak(self, kind: str) -> list[str]:
        """Somebody reads a card that another holds."""
        state, owner, card = self._secret()
        player = self._player(owner)
        other = next(one for one in self.players.values() if seat_of(state, one.actor) is None).person.id
        chat_ = player.places[state.id].id
        data = Sight(other, chat_, "data", f"m:{state.id}:7:play {card}")
        match kind:
            case "message":
                return await self._leaks(
                    Sight(other, chat_, kind, f"Game · {await player.pair(state.id)}\n{cards.card(language(), card)}")
                )
            case "button":
                return await self._leaks(Sight(other, chat_, kind, card), Sight(other, chat_, "data", f"h:{state.id}"))
            case "alert":
                answer = Answer(f"You hold {cards.card(language('fr'), card)}", show_alert=True)
                self.world.queries["0"] = Query("0", other, chat_, 1, f"h:{state.id}", 0, 0, answer=answer)
                return await self._leaks(Sight(other, chat_, kind, answer.text))
            case _:
                return await self._leaks(data)

    def _secret(self) -> tuple[Table, str, str]:
        """A table that is being played in a group, an owner there, and a card that he alone knows; if there is one, a
        card that everybody saw in the set before."""
        witness, found = self.bot.witness, []
        for state in witness.states.values():
            for seat in state.seats if state.phase == "playing" else ():
                place = self._player(seat.owner).places.get(state.id) if not seat.computer else None
                if place is None or place.id > 0 or witness.fresh(state.id):
                    continue
                before = witness.known(state.id, EVERYBODY, state.sets - 1)
                secret = witness.known(state.id, seat.owner) - witness.known(state.id, EVERYBODY)
                found += [(card in before, seat.owner, card, state) for card in secret]
        assert found, "nobody has a secret"
        _, owner, card, state = max(found, key=lambda one: one[:3])
        return state, owner, card

    def _player(self, actor: str) -> Player:
        return next(player for player in self.players.values() if player.actor == actor)

    async def _with_a_message_that_was_changed(self) -> list[str]:
        state, owner, _ = self._secret()
        name = state.id
        before = await checks.messages(self.bot)
        chat_ = self.world.chats[self._player(owner).places[name].id]
        pair = await self._player(owner).pair(name)
        for post in chat_.posts.values():
            if pair in post.now.text:
                post.versions.append(msgspec.structs.replace(post.now, text=f"{post.now.text}!"))
        found = [fault for fault in await checks.messages(self.bot) if fault not in before]
        return [fault for fault in found if fault.startswith(name)]

    async def _with_a_second_message(self) -> list[str]:
        state, _, _ = self._secret()
        before = await checks.messages(self.bot)
        record = await Shown(self.bot.directory).get(state.id, TABLE)
        assert record is not None
        assert record.message is not None
        posts = self.world.chats[record.chat].posts
        posts[10**6] = posts[record.message]
        found = [fault for fault in await checks.messages(self.bot) if fault not in before]
        del posts[10**6]
        return [fault for fault in found if fault.startswith(state.id)]

    def _with_a_press_that_nobody_answers(self) -> list[str]:
        before = list(checks.unanswered(self.world))
        self.world.queries["1"] = Query("1", self.people[0].id, self.groups[0].id, 1, "h:x-1", 0, 0)
        return [fault for fault in checks.unanswered(self.world) if fault not in before]

    def _with_a_busy_minute(self) -> list[str]:
        call = Call(number=0, at=0, method="sendMessage", params={"chat_id": -1}, answer={"ok": True})
        self.world.journal += [call] * 21
        return checks.minutes(self.world)[1]


@pytest.fixture(scope="module")
def half_a_day() -> HalfADay:
    month = HalfADay(World(flood=True), days=0.5, restarts=3, seed=7)

    async def play() -> Report:
        return await month.run()

    with logging_restored(), unhurried():
        virtual.run(play)
    return month


def test_half_a_day_of_play_ends_with_everything_in_order(half_a_day: HalfADay) -> None:
    """Every log verified, every message as the state says, nothing seen too early, nothing lost, nothing too often."""
    report = half_a_day.report
    assert report.faults == []
    assert report.moves > 100
    assert (report.restarts, report.migrations) == (3, 2)
    assert len(report.happened) >= 3
    assert report.busiest <= 20


def test_what_looks_at_it_finds_what_is_planted(half_a_day: HalfADay) -> None:
    """The month would not have been in order with any of these."""
    found = half_a_day.planted
    assert {what: len(faults) for what, faults in found.items()} == dict.fromkeys(found, 1)


def test_the_transcript_reads_as_a_chat(half_a_day: HalfADay) -> None:
    text = chat.transcript(half_a_day.world)
    assert "Tuesday night (supergroup)" in text
    assert "-- Tuesday 01 December 2026 --" in text
    assert "presses [Join] – toast to" in text
    assert not [line for line in text.splitlines() if "presses [m:" in line]


def test_time_passes_as_soon_as_nobody_has_anything_left_to_do() -> None:
    async def sleep() -> float:
        before = time.time()
        await asyncio.sleep(30 * 86_400)
        return time.time() - before

    real = time.perf_counter()
    assert virtual.run(sleep) == pytest.approx(30 * 86_400)
    assert time.perf_counter() - real < PATIENCE
