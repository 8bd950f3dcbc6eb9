"""Inline mode: who is shown what, what the cache gives to whom, and what the bot hears of a choice."""

from __future__ import annotations

from typing import Any

import pytest

from service.sandbox.people import Group, NotPossible, Person
from service.sandbox.world import World
from tests.bot_api import NewWorld
from tests.service.sandbox.conftest import Raw, call_raw


def at_a_table(world: World) -> tuple[Person, Person, Group]:
    ann, bob = world.person("Ann"), world.person("Bob")
    return ann, bob, world.group("Friday", [ann, bob])


def article(number: int, title: str, text: str = "/play", **more: Any) -> dict[str, Any]:
    content = {"message_text": text}
    return {"type": "article", "id": f"r{number}", "title": title, "input_message_content": content, **more}


def updates(raw: Raw, kind: str) -> list[dict[str, Any]]:
    return [update[kind] for update in raw("getUpdates")["result"] if kind in update]


def test_a_query_is_asked_answered_and_seen_by_who_typed_it_alone(bot_api: World, raw: Raw) -> None:
    ann, bob, group = at_a_table(bot_api)
    typed = ann.type(group, "hand")
    (query,) = updates(raw, "inline_query")
    assert (query["query"], query["chat_type"], query["from"]["id"]) == ("hand", "group", ann.id)
    results = [article(1, "Queen of Spades", description="legal"), article(2, "Ten of Hearts")]
    assert raw("answerInlineQuery", inline_query_id=query["id"], results=results, cache_time=0, is_personal=True)["ok"]
    assert typed.answered().titles == ["Queen of Spades", "Ten of Hearts"]
    assert "Queen of Spades" in bot_api.everything_seen_by(ann)
    assert "Queen of Spades" not in bot_api.everything_seen_by(bob)
    assert "Ann types @tabletalk_bot hand: shown to Ann alone: Queen of Spades | Ten of" in bot_api.transcript(group)


@pytest.mark.parametrize("feedback", [False, True])
def test_the_chosen_message_comes_by_way_of_the_bot_which_may_hear_of_the_choice(
    new_world: NewWorld, feedback: bool
) -> None:
    world = new_world(feedback=feedback)
    raw = call_raw(world)
    ann, bob, group = at_a_table(world)
    typed = ann.type(group, "q")
    raw("answerInlineQuery", inline_query_id=typed.asked.id, results=[article(1, "Queen", "plays a card")])
    ann.choose(group, typed, "Queen")
    assert bob.texts(group) == ["plays a card"]
    message = updates(raw, "message")[-1]
    assert (message["text"], message["via_bot"]["id"], message["from"]["id"]) == ("plays a card", world.bot.id, ann.id)
    chosen = [(one["result_id"], one["query"]) for one in updates(raw, "chosen_inline_result")]
    assert chosen == ([("r1", "q")] if feedback else [])


def test_a_button_under_a_message_sent_via_the_bot_names_no_chat(bot_api: World, raw: Raw) -> None:
    ann, bob, group = at_a_table(bot_api)
    typed = ann.type(group)
    markup = {"inline_keyboard": [[{"text": "Join", "callback_data": "join"}]]}
    raw("answerInlineQuery", inline_query_id=typed.asked.id, results=[article(1, "Invite", reply_markup=markup)])
    ann.choose(group, typed, "Invite")
    bob.tap(group, "Join")
    query = updates(raw, "callback_query")[-1]
    assert "message" not in query
    assert query["inline_message_id"]


@pytest.mark.parametrize(
    ("personal", "same", "other"), [({}, True, True), ({"is_personal": True}, True, False), ({"cache_time": 0}, 0, 0)]
)
def test_telegram_shows_a_cached_answer_to_whomever_the_bot_let_it(
    new_world: NewWorld, personal: dict[str, Any], same: bool, other: bool
) -> None:
    """Inline result cached for 300 s shown to a non-member: a wrong `cache_time` or `is_personal` leaks here too."""
    now = [1_800_000_000_000]
    world = new_world(clock=lambda: now[0])
    raw = call_raw(world)
    ann, bob, group = at_a_table(world)
    typed = ann.type(group, "hand")
    raw("answerInlineQuery", inline_query_id=typed.asked.id, results=[article(1, "Queen")], **personal)
    now[0] += 299_000
    assert ann.type(group, "hand").asked.cached is bool(same)
    assert bob.type(group, "hand").asked.cached is bool(other)
    assert ("Queen" in world.everything_seen_by(bob)) is bool(other)
    assert not bob.type(group, "another").asked.cached
    now[0] += 1_000
    assert not ann.type(group, "hand").asked.cached


@pytest.mark.parametrize(
    ("results", "words"),
    [
        ([article(number, "x") for number in range(51)], "RESULTS_TOO_MUCH"),
        ([article(1, "x"), article(1, "y")], "RESULT_ID_DUPLICATE"),
        ([article(1, "x") | {"id": "é" * 33}], "RESULT_ID_INVALID"),
        ([article(1, "x") | {"id": ""}], "RESULT_ID_INVALID"),
        ([article(1, " ")], "ARTICLE_TITLE_EMPTY"),
        ([article(1, "x", "")], "message text is empty"),
        ([article(1, "x") | {"type": "game"}], "can't parse inline query result: Unsupported type specified"),
    ],
)
def test_results_that_telegram_refuses(bot_api: World, raw: Raw, results: list[Any], words: str) -> None:
    ann, _, group = at_a_table(bot_api)
    typed = ann.type(group)
    answer = raw("answerInlineQuery", inline_query_id=typed.asked.id, results=results)
    assert answer["description"] == f"Bad Request: {words}"
    bot_api.violations.clear()  # the second reader minds some of it as well
    assert raw("answerInlineQuery", inline_query_id=typed.asked.id, results=[article(1, "x")])["ok"]


def test_a_query_is_answered_once_and_soon(new_world: NewWorld) -> None:
    now = [1_800_000_000_000]
    world = new_world(clock=lambda: now[0])
    raw = call_raw(world)
    ann, _, group = at_a_table(world)
    one, two = ann.type(group, "one"), ann.type(group, "two")
    assert raw("answerInlineQuery", inline_query_id=one.asked.id, results=[])["ok"]
    now[0] += world.query_lifetime_ms + 1
    for typed in (one, two):
        answer = raw("answerInlineQuery", inline_query_id=typed.asked.id, results=[])
        assert "query is too old" in answer["description"]


def test_a_button_puts_a_query_into_the_input_line_of_its_chat(bot_api: World, raw: Raw) -> None:
    ann, _, group = at_a_table(bot_api)
    row = [{"text": "Play", "switch_inline_query_current_chat": "t7 "}, {"text": "Join", "callback_data": "join"}]
    raw("sendMessage", chat_id=group.id, text="Table", reply_markup={"inline_keyboard": [row]})
    assert ann.switch(group, "Play").asked.query == "t7 "
    with pytest.raises(NotPossible, match="is a callback_data button"):
        ann.switch(group, "Join")


def test_people_choose_only_what_they_see(bot_api: World, raw: Raw) -> None:
    ann, bob, group = at_a_table(bot_api)
    typed = ann.type(group)
    with pytest.raises(NotPossible, match="sees no result"):
        ann.choose(group, typed, "Queen")
    start = {"text": "Open your hand", "start_parameter": "hand"}
    raw("answerInlineQuery", inline_query_id=typed.asked.id, results=[article(1, "Queen")], button=start)
    assert (typed.answered().button, typed.answered().start) == ("Open your hand", "hand")
    with pytest.raises(NotPossible, match="Bob sees no result"):
        bob.choose(group, typed, "Queen")
    with pytest.raises(NotPossible):
        ann.choose(ann.private, typed, "Queen")


def test_a_bot_without_inline_mode_is_asked_nothing(new_world: NewWorld) -> None:
    world = new_world(inline=False)
    ann, _, group = at_a_table(world)
    assert call_raw(world)("getMe")["result"]["supports_inline_queries"] is False
    with pytest.raises(NotPossible):
        ann.type(group)
