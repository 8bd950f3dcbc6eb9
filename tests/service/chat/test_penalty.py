"""`/penalty`: an administrator has proved cheating punished, asked back once; and can do no more than the rules."""

from __future__ import annotations

from typing import Any

from tests.service.chat.conftest import Running
from tests.service.chat.test_accusing import go_on, honour, of_seat, revoke
from tests.service.chat.test_admin import asked
from tests.service.chat.test_views import state


async def test_an_administrator_has_punished_what_the_cards_prove_and_nothing_else(
    running: Running, monkeypatch: Any
) -> None:
    people, group, table = await honour(running, monkeypatch, max_sets="3")
    boss, other = people[0], people[1]
    seat, trick = await revoke(running, table)
    proved = (await state(running, table)).rules.breaches
    while not any(one.seat == seat for one in proved((await state(running, table)).set)):
        before = len((await state(running, table)).set.tricks)
        await go_on(running, table, before + 1, f"on {before} ")
    other.say(group, f"/penalty {seat + 1} {trick}")
    await running.until(lambda: other.find(group, "Only the administrators of this group may do that."))
    boss.say(group, "/penalty nobody")
    await running.until(lambda: boss.find(group, "Say whose card and in which trick"))
    innocent = (seat + 1) % 4
    honest, cheat = [await of_seat(running, table, people, one) for one in (innocent, seat)]
    boss.say(group, f"/penalty {innocent + 1} 1")
    await running.press(boss, await asked(running, boss, group, f"{honest.name} played to trick 1 "), "Yes")
    await running.until(lambda: boss.find(group, "The cards on the table do not prove that"))
    assert (await state(running, table)).sets == 1
    boss.say(group, f"/penalty {seat + 1} {trick} he was warned")
    question = await asked(running, boss, group, f"{cheat.name} played to trick {trick} ")
    await running.press(boss, question, "Yes")
    told = await running.until(lambda: other.find(group, f"for trick {trick}, as the rules say. Why: he was warned"))
    assert told.text.startswith("Ann has had")
    now = await state(running, table)
    assert now.sets == 2
    assert [row.kind for row in now.rows] == ["penalty"]
    await running.until(lambda: other.find(group, "The set is void: somebody cheated"))
    other.say(group, "/audit 1")
    audit = (await running.until(lambda: other.find(group, "🔎"))).text
    assert "had a penalty written that the rules say. Why: he was warned" in audit
    assert "due and applied" in audit
