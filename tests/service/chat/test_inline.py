from __future__ import annotations

import asyncio

import pytest

from service.chat.api.tokens import linked
from service.chat.tables.pairs import Pairs
from service.sandbox import objects
from service.sandbox.people import Group, Person, Typed
from service.sandbox.state import Message, Results
from service.text import cards, language
from tests.bot_api import NewWorld
from tests.service.chat.conftest import Running, serving
from tests.service.chat.leaks import hands_of, named
from tests.service.chat.test_ephemeral import actors, asked, shown, tight, whispers
from tests.service.chat.test_lobby import stranger
from tests.service.chat.test_views import four, move, started, state
from tests.service.chat.test_windows import started as opened


async def typed(running: Running, person: Person, group: Group, query: str = "") -> tuple[Typed, Results]:
    """Types the bot's name in the group: what she sees then."""
    found = person.type(group, query)
    return found, await asyncio.to_thread(found.answered)


async def all_called(running: Running, table: str) -> None:
    for number in range(4):
        await move(running, table, number)


def legal_titles(found: Results) -> list[str]:
    return [result.title for result in found.results if result.description.startswith("▶")]


async def test_the_input_line_lists_the_legal_moves_first_and_then_what_cannot_be_played(running: Running) -> None:
    """Stickers in the inline box are blank on some clients (jh0ker/mau_mau_bot#88)."""
    people = four(running)
    group = running.world.group("Friday", people)
    table, _ = await started(running, group, people)
    await all_called(running, table)
    await move(running, table, 9)
    player = await asked(running, table, people)
    _, found = await typed(running, player, group)
    now = await state(running, table)
    seat = now.decisions[0].seats[0]
    legal = now.rules.legal(now.set, seat)
    assert len(found.results) == 13
    assert [result.description.startswith("▶") for result in found.results] == [True] * len(legal) + [False] * (
        13 - len(legal)
    )
    assert all("cannot be played" in result.description for result in found.results[len(legal) :])
    call = running.world.calls("answerInlineQuery")[-1]
    assert (call.params["cache_time"], call.params["is_personal"]) == (0, True)
    await tight(running, table, people)


async def test_taking_a_result_plays_though_nobody_tells_the_bot_of_the_choice(running: Running) -> None:
    """The move is read from the message itself: feedback about choices is off in this world.

    Reports: jh0ker/mau_mau_bot#54, pengrad/java-telegram-bot-api#31.
    """
    people = four(running)
    group = running.world.group("Friday", people)
    table, _ = await started(running, group, people)
    await all_called(running, table)
    player = await asked(running, table, people)
    search, found = await typed(running, player, group)
    [first, *_] = found.results
    sent = player.choose(group, search, first.title)
    assert sent.text == f"▶ {first.title}"
    await running.until(lambda: f"{player.name} {first.title}" in (player.find(group, "My hand") or sent).text)
    assert (await state(running, table)).set.trick != ()
    await tight(running, table, people)


async def test_a_card_that_cannot_be_played_changes_nothing_and_names_no_card(new_world: NewWorld) -> None:
    async with serving(new_world(feedback=True)) as running:
        people = four(running)
        group = running.world.group("Friday", people)
        table, _ = await started(running, group, people)
        player = people[0] if await asked(running, table, people) is not people[0] else people[1]
        player.start()
        await running.until(lambda: any(map(named, player.texts(player.private))))
        search, found = await typed(running, player, group)
        before = (await running.service.engine.held(table)).version
        assert len(found.results) == 13
        sent = player.choose(group, search, found.results[3].title)
        assert not named(sent.text)
        assert found.results[3].title not in sent.text
        await running.until(lambda: player.find(player.private, "nothing was played"))
        assert (await running.service.engine.held(table)).version == before
        await tight(running, table, people)


async def test_a_message_that_is_sent_again_by_another_plays_nobodys_card(running: Running) -> None:
    """Reports: a forwarded or copied move counted for the wrong player."""
    people = four(running)
    group = running.world.group("Friday", people)
    table, _ = await started(running, group, people)
    await all_called(running, table)
    player = await asked(running, table, people)
    other = next(person for person in people if person is not player)
    search, found = await typed(running, player, group)
    card = found.results[0].title
    version = (await running.service.engine.held(table)).version
    chat = running.world.chats[group.id]
    with running.world.changing():
        running.world.post(chat, other.id, found.results[0].content, via=running.world.bot.id)
    await running.until(lambda: other.find(group, "not your turn"))
    assert (await running.service.engine.held(table)).version == version
    other.say(group, f"▶ {card}")  # typed by hand: talk among people
    player.choose(group, search, card)
    await running.until(lambda: f"{player.name} {card}" in player.find(group, "My hand").text)  # type: ignore[union-attr]


async def test_a_result_of_an_earlier_question_is_stale(running: Running) -> None:
    people = four(running)
    group = running.world.group("Friday", people)
    table, _ = await started(running, group, people)
    player = await asked(running, table, people)
    search, found = await typed(running, player, group)
    await move(running, table, 1)
    version = (await running.service.engine.held(table)).version
    player.choose(group, search, found.results[0].title)
    answer = await running.until(lambda: player.find(group, "answered already") or player.find(group, "not your turn"))
    assert not named(answer.text)
    assert (await running.service.engine.held(table)).version == version


async def test_a_result_that_is_taken_in_another_group_is_refused_there(running: Running) -> None:
    """Who sits in two groups plays into the wrong one (lamapgame/lamap-bot#63)."""
    people = four(running)
    group = running.world.group("Friday", people)
    elsewhere = running.world.group("Sunday", people)
    table, _ = await started(running, group, people)
    player = await asked(running, table, people)
    search, found = await typed(running, player, elsewhere)
    version = (await running.service.engine.held(table)).version
    player.choose(elsewhere, search, found.results[0].title)
    await running.until(lambda: player.find(elsewhere, "another chat"))
    assert (await running.service.engine.held(table)).version == version


async def test_words_narrow_the_list_to_the_move_they_mean(running: Running) -> None:
    people = four(running)
    group = running.world.group("Friday", people)
    table, _ = await started(running, group, people)
    player = await asked(running, table, people)
    _, found = await typed(running, player, group, "4")
    assert found.titles == ["4"]
    _, found = await typed(running, player, group, "nonsense")
    assert legal_titles(found) == [str(number) for number in range(1, 14)]


async def test_somebody_without_a_seat_sees_nothing_but_the_way_to_the_private_chat(running: Running) -> None:
    people = four(running)
    guest = running.world.person("Eve")
    group = running.world.group("Friday", [*people, guest])
    table, _ = await started(running, group, people)
    _, found = await typed(running, guest, group)
    assert found.results == ()
    assert "no such table" in found.button
    _, found = await typed(running, people[0], group, stranger(await pair_of(running, table)))
    assert found.results == ()
    await tight(running, table, people)


async def test_of_several_tables_the_named_one_is_shown(running: Running) -> None:
    people = four(running)
    groups = [running.world.group(title, people) for title in ("Friday", "Sunday")]
    tables = [(await started(running, group, people))[0] for group in groups]
    player = await asked(running, tables[1], people)
    for table in tables:
        pair = await pair_of(running, table)
        _, found = await typed(running, player, groups[0], pair)
        owner = table
        assert found.results
        assert all(owner in result.id for result in found.results)
        assert all(pair in result.description for result in found.results)


async def pair_of(running: Running, table: str) -> str:
    return await Pairs(running.service.directory).of(table)


@pytest.mark.parametrize("strange", ["", "abc", "abc-1_2_play QS", "a-1_99999999999_play-QS", "m:a-1:1:play QS"])
def test_a_link_that_is_none_of_ours_names_no_move(strange: str) -> None:
    assert linked(strange) is None


async def test_a_word_of_tai_chi_chuan_is_said_from_the_input_line(running: Running) -> None:
    ann, bob = running.world.person("Ann"), running.world.person("Bob")
    group = running.world.group("Friday", [ann, bob])
    name = await opened(running, group, [ann, bob], "taichi", "answer_seconds=600")
    player = await asked(running, name, [ann, bob])
    search, found = await typed(running, player, group)
    assert legal_titles(found) == ["🂠 Turn a card"]
    player.choose(group, search, "🂠 Turn a card")

    async def turned() -> bool:
        return bool((await state(running, name)).set.phase == "word")

    await running.eventually(turned)
    search, found = await typed(running, player, group, "Zzyzx")
    assert [result.description for result in found.results] == ["▶ word zzyzx"]
    player.choose(group, search, found.results[0].title)
    await running.until(lambda: refusal_of(running, player, group, "zzyzx"))


def refusal_of(running: Running, person: Person, group: Group, word: str) -> Message | None:
    """What the bot says to everybody about a word."""
    ours = (one for one in person.sees(group) if one.sender == running.world.bot.id)
    return next((one for one in ours if word in one.text.lower()), None)


async def test_the_button_below_the_table_puts_the_bots_name_into_the_input_line(running: Running) -> None:
    people = four(running)
    group = running.world.group("Friday", people)
    table, _ = await started(running, group, people)
    player = await asked(running, table, people)
    await running.until(lambda: player.find(group, "✍ Choose in the input line"))
    search = player.switch(group, "✍ Choose in the input line")
    found = await asyncio.to_thread(search.answered)
    assert legal_titles(found) == [str(number) for number in range(1, 14)]
    assert all(table in result.id for result in found.results)


async def test_a_bot_without_inline_mode_offers_no_such_button(new_world: NewWorld) -> None:
    async with serving(new_world(inline=False)) as running:
        people = four(running)
        group = running.world.group("Friday", people)
        _, message = await started(running, group, people)
        assert not any("input line" in button for button in message.buttons)


async def test_the_link_of_a_move_leads_to_the_table_and_plays_nothing(running: Running) -> None:
    """Whoever presses the link in another's message sees his own hand, and moves nobody's card."""
    people = four(running)
    group = running.world.group("Friday", people)
    table, _ = await started(running, group, people)
    player = await asked(running, table, people)
    version = (await running.service.engine.held(table)).version
    now = await state(running, table)
    player.start(f"{table}_{now.decisions[0].id}_call-3")
    await running.until(lambda: player.find(player.private, "Here is your hand"))
    assert (await running.service.engine.held(table)).version == version


async def test_two_people_who_type_the_same_see_each_their_own_hand(running: Running) -> None:
    """Reports: inline results kept by Telegram for everybody showed one player's cards to the next who typed.

    Reports: Taosky/telegram-search-bot#65.
    """
    people = four(running)
    group = running.world.group("Friday", people)
    table, _ = await started(running, group, people)
    await all_called(running, table)
    hands = hands_of(await state(running, table), people, await actors(running, people))
    for person in [*people, people[0]]:
        _, found = await typed(running, person, group)
        assert set().union(*map(named, found.titles)) == hands[person.id]
    await tight(running, table, people)


async def test_a_result_of_an_earlier_question_of_his_own_is_stale_though_the_card_could_be_played(
    running: Running,
) -> None:
    people = four(running)
    group = running.world.group("Friday", people)
    table, _ = await started(running, group, people)
    await all_called(running, table)
    player = await asked(running, table, people)
    actor = (await actors(running, people))[people.index(player)]
    search, found = await typed(running, player, group)
    old = set(legal_titles(found))
    for number in range(10, 62):
        await move(running, table, number)
        now = await state(running, table)
        seat = now.decisions[0].seats[0]
        able = {cards.move(language(), now.rules.notation(one)) for one in now.rules.legal(now.set, seat)}
        if now.seats[seat].owner == actor and old & able:
            break
    version = (await running.service.engine.held(table)).version
    player.choose(group, search, min(old & able))
    await running.until(lambda: player.find(group, "answered already"))
    assert (await running.service.engine.held(table)).version == version


async def test_a_message_that_is_forwarded_plays_nothing_though_its_sender_is_asked(running: Running) -> None:
    people = four(running)
    group = running.world.group("Friday", people)
    table, _ = await started(running, group, people)
    player = await asked(running, table, people)
    _, found = await typed(running, player, group)
    version, world = (await running.service.engine.held(table)).version, running.world
    with world.changing():
        chat = world.chats[group.id]
        message = world.post(chat, player.id, found.results[0].content, via=world.bot.id)
        world.updates.waiting.pop()  # what Telegram brings instead:
        body = objects.message_object(message, chat, world.users)
        origin = {"type": "user", "date": 1, "sender_user": objects.user_object(world.users[player.id])}
        world.enqueue("message", {**body, "forward_origin": origin})
    player.say(group, "/score")
    await running.until(lambda: player.find(group, "No set has been scored yet"))
    assert (await running.service.engine.held(table)).version == version


async def test_a_move_from_the_input_line_changes_the_hand_in_private_and_takes_the_one_in_the_group_away(
    running: Running,
) -> None:
    people = four(running)
    group = running.world.group("Friday", people)
    table, _ = await started(running, group, people)
    player = await asked(running, table, people)
    player.start()
    await running.until(lambda: next((m for m in player.sees(player.private) if "13" in m.buttons), None))
    await shown(running, player, group)
    search, _ = await typed(running, player, group)
    player.choose(group, search, "4")
    await running.until(lambda: not whispers(player, group))
    await running.until(lambda: not any("13" in message.buttons for message in player.sees(player.private)))
    await running.until(lambda: "called 4" in player.find(group, "My hand").text)  # type: ignore[union-attr]
