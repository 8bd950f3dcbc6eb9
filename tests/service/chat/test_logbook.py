"""The log of a set: what it tells, in which pages, and what it keeps to itself."""

from __future__ import annotations

import random

import pytest

from domain import events
from domain.commands import Kick
from domain.events import AdminActed, Kicked, Over
from domain.games import GAMES
from domain.games.callbreak.events import CardPlayed
from service.chat.api import outbox
from service.chat.api.tokens import PageToken, write
from service.chat.board import paging
from service.sandbox.people import Group, Person
from service.text import cards, language, logbook
from service.text.logbook import Chapter, Stored
from tests.domain.play import SHORT, Sitting, started
from tests.golden.taichi import own_clock
from tests.service.chat.conftest import Running

TEXTS = language("en")
KNOWN = {f"person:{name}": name.title() for name in ("ann", "bob", "cat", "dan", "eve", "fay", "gus", "hal")}
DAY = 86_400_000  # ms


def stored(sitting: Sitting, until: int | None = None) -> list[Stored]:
    return [Stored(commit.time, events.encode(commit.events)) for commit in sitting.commits[:until]]


def told(sitting: Sitting, number: int | None = None, until: int | None = None) -> Chapter:
    return logbook.chapter(TEXTS, sitting.name, stored(sitting, until), KNOWN, number)


def trick(sitting: Sitting, lying: int) -> None:
    """Plays until so many cards lie in the second trick."""
    rng = random.Random(5)
    while sum(isinstance(event, CardPlayed) for event in sitting.events) < 4 + lying:
        sitting.any_move(rng)


def test_a_trick_is_one_line_and_the_calls_are_another() -> None:
    sitting = started(redeal="", min_total_calls="0")
    trick(sitting, 2)
    lines = told(sitting).lines
    assert lines[0].endswith("dealt")
    assert lines[1].count(" called ") == 4
    assert lines[2].startswith("Trick 1: ")
    assert lines[2].count("→") == 1
    assert lines[3].count(" played ") == 2, "the trick that is not taken yet"
    assert len(lines) == 4


def test_what_the_clock_played_is_marked_in_the_line_of_its_trick() -> None:
    sitting = started(redeal="", min_total_calls="0")
    trick(sitting, 1)
    seat = sitting.asked()
    sitting.expire()
    trick(sitting, 4)
    name = KNOWN[sitting.state.seats[seat].owner]
    assert f"Time was up for {name}" in told(sitting).lines
    second = next(line for line in told(sitting).lines if "Trick 2: " in line)
    assert second.endswith(f"(by the clock: {name})")


def test_what_somebody_does_in_one_turn_is_one_line() -> None:
    sitting = started("chinchon", cut_rule="threshold")
    sitting.any_move(random.Random(1))
    sitting.any_move(random.Random(1))
    name = KNOWN[sitting.state.seats[(sitting.asked() - 1) % 4].owner]
    assert told(sitting).lines[-1].startswith(f"{name} drew from the stock · discarded ")


def test_a_set_that_ended_says_its_scores_and_an_older_set_can_be_read() -> None:
    sitting = started(redeal="", min_total_calls="0", max_sets="2", tie="shared").random(random.Random(2))
    first, second = told(sitting, 1), told(sitting)
    assert (first.number, first.sets, second.number) == (1, 2, 2)
    assert sum(line.startswith("Trick ") for line in first.lines) == 13
    assert any(line.startswith("Set 1: ") for line in first.lines)
    assert any(line.startswith("Total: ") for line in first.lines)
    assert "The game is over" in second.lines[-1]
    assert not any("Set 1: " in line for line in second.lines)


def test_numbers_that_no_set_has_mean_the_nearest() -> None:
    sitting = started()
    assert told(sitting, 99_999).number == 1
    assert told(sitting, 0).lines[-1].startswith("The game begins")


def test_what_happened_on_another_day_stands_below_that_days_name() -> None:
    sitting = started(redeal="", min_total_calls="0")
    sitting.any_move(random.Random(1))
    sitting.time += DAY
    sitting.any_move(random.Random(1))
    chapter = logbook.chapter(TEXTS, "t-1", stored(sitting), KNOWN, day=lambda ms: f"day {ms // DAY}")
    assert [line for line in chapter.lines if line.startswith("—")] == ["— day 0 —", "— day 1 —"]
    assert "·" not in chapter.lines[-1], "the calls of two days share no line"


@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_told_in_words_and_in_pages_that_a_message_holds(game: str) -> None:
    sitting = started(game, f"log {game}", **SHORT.get(game, {}))
    rng = random.Random(game)
    for _ in range(400):
        if sitting.state.phase == "playing":
            sitting.any_move(rng)
    for number in range(sitting.state.sets + 1):
        chapter = told(sitting, number)
        pages = logbook.pages(chapter.lines)
        assert [line for page in pages for line in page] == list(chapter.lines)
        assert not any(tag in line for line in chapter.lines for tag in ("table.", f"{game}.")), (
            "an event without words"
        )
        for page in range(len(pages)):
            post = paging.log_page(TEXTS, "abcdefghjk-123456789", chapter, page)
            assert len(post.html) <= 4096
            assert sum(map(len, post.rows)) <= 4


@pytest.mark.parametrize("game", GAMES)
def test_a_log_is_made_without_a_key_and_tells_no_card_of_the_deal(game: str) -> None:
    """Log contains secret moves -> public and private event streams (boardgameio/boardgame.io#227)."""
    sitting = started(game, "a deal")
    lines = " ".join(told(sitting).lines)
    seen = sitting.state.rules.observe(sitting.state.set, None)
    spectator = sitting.state.rules.scene(seen)
    public = {placed.card for zone in spectator.zones for placed in zone.cards}
    rules = sitting.state.rules
    shown = {card: cards.card(language(), rules.card_name(card)) for card in range(56) if rules.slug != "taichi"}
    named = {card for card, text in shown.items() if f" {text}" in f" {lines}"}
    assert {rules.card_name(card) for card in named} <= public


def test_an_answer_by_ones_own_clock_is_not_told_before_all_have_answered() -> None:
    """A pass is as telling as a word: both wait for the end of the duel (TC-35)."""
    sitting = own_clock()
    hidden = 0
    for until in range(1, len(sitting.commits) + 1):
        facts = sitting.commits[until - 1].events
        tags = {event.__struct_config__.tag for event in facts}
        closes = "taichi.answer_told" in tags
        if not closes and tags & {"taichi.answer_hidden", "taichi.duel_passed"}:
            lines = told(sitting, until=until).lines
            assert lines[-1] == "(some answers are told when all have answered)"
            assert " answered" not in lines[-2]
            assert " passed" not in lines[-2]
            hidden += 1
    assert hidden > 2, "nobody answered by his own clock"
    words = [event.word.upper() for event in sitting.events if getattr(event, "word", "")]
    whole = " ".join(told(sitting).lines)
    assert any(word in whole for word in words)
    assert "(some answers" not in whole


def test_what_an_administrator_decided_is_told_with_what_it_was() -> None:
    sitting = started(redeal="", min_total_calls="0", persons=3)
    sitting.do("chat", Kick(2))
    kinds = {type(event) for event in sitting.commits[-1].events}
    assert {AdminActed, Kicked} <= kinds
    assert any(line == "An administrator decided: Cat had to go" for line in told(sitting).lines)


def test_an_unfinished_trick_stands_before_the_end_that_cut_it_short() -> None:
    sitting = started(redeal="", min_total_calls="0")
    trick(sitting, 2)
    over = [Stored(0, events.encode((Over("vote", ()),)))]
    lines = logbook.chapter(TEXTS, "t-1", [*stored(sitting), *over], KNOWN).lines
    assert lines[-2].count(" played ") == 2
    assert lines[-1].startswith("The game is over")


# In a group


async def dealt(running: Running, *people: Person) -> Group:
    """Call Break is dealt to the first two and two computer players."""
    group = running.world.group("Friday", people)
    people[0].say(group, "/callbreak")
    lobby = await running.until(lambda: people[0].find(group, "Join"))
    await running.press(people[1], group, "Join")
    for _ in range(2):
        await running.press(people[0], lobby, "Add computer player")
    people[0].say(group, "/options redeal= min_total_calls=0")  # every deal is played
    await running.until(lambda: people[0].find(group, "The rules are changed"))
    await running.press(people[0], lobby, "Start")
    await running.until(lambda: people[0].find(group, "My hand"))
    return group


async def test_anybody_in_the_group_turns_the_pages_of_the_one_message(running: Running) -> None:
    ann, bob, cat = (running.world.person(name) for name in ("Ann", "Bob", "Cat"))
    group = await dealt(running, ann, bob, cat)
    ann.say(group, "/log")
    log = await running.until(lambda: ann.find(group, "Call Break, set 1"))
    before = len(cat.sees(group))
    await running.press(cat, log, "⏮ Lobby")
    turned = await running.until(lambda: cat.find(group, "before the first deal"))
    assert turned.id == log.id
    assert "Bob sat down" in turned.text
    await running.press(bob, turned, "Set 1 ⏭")
    await running.until(lambda: cat.find(group, "Call Break, set 1"))
    assert len(cat.sees(group)) == before, "pages are edits"


async def test_a_forged_page_changes_no_other_message(running: Running) -> None:
    """A modified client sends the data of a page under the table's message: it must stay the table's."""
    ann, bob = running.world.person("Ann"), running.world.person("Bob")
    group = await dealt(running, ann, bob)
    table = await running.until(lambda: ann.find(group, "My hand"))
    name = next(b.value for row in table.keyboard for b in row if b.kind == "callback_data").partition(":")[2]
    name = name.partition(":")[0]
    answer = ann.tap_raw(table, write(PageToken(name, "log", 0, 0)))
    assert "does nothing any more" in (await running.until(lambda: answer.query.answer)).text
    edits = [call.params["text"] for call in running.world.calls("editMessageText", group)]
    assert not any("before the first deal" in text for text in edits), "computer players may have moved meanwhile"
    assert ann.find(group, "before the first deal") is None


async def test_a_number_that_is_none_is_asked_back_and_a_huge_one_is_the_last_set(running: Running) -> None:
    ann, bob = running.world.person("Ann"), running.world.person("Bob")
    group = await dealt(running, ann, bob)
    ann.say(group, "/log ²<b>")
    await running.until(lambda: ann.find(group, "“²<b>” is no number of a set"))
    pair = (await running.until(lambda: ann.find(group, "My hand"))).text.partition("· ")[2].split()[0]
    for text in (f"/log {pair} 0", f"/log 0 {pair}"):
        before = len(ann.sees(group))
        ann.say(group, text)
        await running.until(lambda: any("before the first deal" in m.text for m in ann.sees(group)[before:]))  # noqa: B023
    ann.say(group, "/log 0 red-fox" if pair != "red-fox" else "/log 0 blue-fox")
    await running.until(lambda: ann.find(group, "-fox"))
    ann.say(group, "/log 9999")
    await running.until(lambda: ann.find(group, "Call Break, set 1"))


async def test_turning_pages_all_day_leaves_room_for_the_game(running: Running) -> None:
    """Edits and sends share about 20 per minute per group -> one budget for both (tdlib/td#2592)."""
    ann, bob = running.world.person("Ann"), running.world.person("Bob")
    group = await dealt(running, ann, bob)
    ann.say(group, "/log 0")
    log = await running.until(lambda: ann.find(group, "before the first deal"))
    told = []
    for _ in range(20):
        [label] = next(one for one in bob.sees(group) if one.id == log.id).buttons
        told.append(await running.press(bob, log, label))
        if not told[-1]:  # the page is turned after the press is answered
            await running.until(lambda: bob.find(group, "⏮ Lobby" if label == "Set 1 ⏭" else "Set 1 ⏭"))  # noqa: B023
    assert told[-1] == "This chat is busy. Press again in a moment."
    sent = [*running.world.calls("sendMessage", group), *running.world.calls("editMessageText", group)]
    assert len(sent) <= outbox.GROUP.amount - outbox.KEPT_FOR_TABLES
