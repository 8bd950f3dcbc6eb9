"""What people do while nobody is there to hear it is heard afterwards."""

from __future__ import annotations

from tests.bot_api import NewWorld
from tests.service.chat.conftest import Running, serving
from tests.service.chat.test_views import four, started, state

TOO_LATE_MS = 20_000  # the sandbox takes an answer to a press for fifteen seconds


async def test_a_move_made_while_the_bot_was_down_is_carried_out_when_it_is_back(running: Running) -> None:
    """Pending updates are never dropped: what people did meanwhile counts (ClickHouse/nerve#171)."""
    people = four(running)
    group = running.world.group("Friday", people)
    table, _ = await started(running, group, people)
    await running.stop()
    [seat] = (await state(running, table)).decisions[0].seats
    people[seat].say(group, "/call 5")
    await running.start()
    await running.until(lambda: people[0].find(group, "called 5"), "the call on the table")


async def test_a_press_that_can_be_answered_no_more_is_carried_out_all_the_same(new_world: NewWorld) -> None:
    """`query is too old` ends nothing: the press counts, its answer is let go.

    Reports: nutgram/nutgram#725, chelaxian/tg-ytdlp-bot#470.
    """
    ahead = [1_800_000_000_000]
    world = new_world(clock=lambda: ahead[0])
    ann, bob = world.person("Ann"), world.person("Bob")
    group = world.group("Friday", [ann, bob])
    async with serving(world) as running:
        ann.say(group, "/chinchon")
        lobby = await running.until(lambda: ann.find(group, "Join"))
        await running.stop()
        tap = bob.tap(lobby, "Join")
        ahead[0] += TOO_LATE_MS
        await running.start()
        await running.until(lambda: "2. Bob" in (ann.find(group, "Join") or lobby).text, "Bob's seat")
        refused = [call for call in world.calls("answerCallbackQuery") if not call.ok]
        assert ["query is too old" in str(call.answer) for call in refused] == [True]
        assert tap.query.answer is None
