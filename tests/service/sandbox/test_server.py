from __future__ import annotations

import json
import threading
from typing import Any

import httpx
import pytest

from service.sandbox.server import BotApiServer, application
from service.sandbox.waiting import PATIENCE
from service.sandbox.world import World
from tests.service.sandbox.conftest import Raw

KEYBOARD = json.dumps({"inline_keyboard": [[{"text": "Join", "callback_data": "join"}]]})


@pytest.mark.parametrize("form", ["json", "data", "params", "files"])
def test_parameters_come_in_any_form(bot_api: World, form: str) -> None:
    ann = bot_api.person("Ann")
    group = bot_api.group("Friday", [ann])
    fields: dict[str, Any] = {"chat_id": str(group.id), "text": "♠ 😀", "reply_markup": KEYBOARD}
    if form == "files":
        fields = {name: (None, value) for name, value in fields.items()}
    url = f"{bot_api.url}/bot{bot_api.token}/sendMessage"
    answer = httpx.request("POST", url, verify=False, timeout=PATIENCE, **{form: fields})  # type: ignore[arg-type]
    assert answer.json()["result"]["text"] == "♠ 😀"
    assert ann.sees(group)[-1].buttons == ["Join"]


def test_method_names_have_no_case_and_get_is_as_good_as_post(bot_api: World) -> None:
    answer = httpx.get(f"{bot_api.url}/bot{bot_api.token}/GETME", verify=False, timeout=PATIENCE)
    assert answer.json()["result"]["id"] == bot_api.bot.id


@pytest.mark.parametrize(
    ("path", "code", "description"),
    [
        ("/bot123:{}/getMe".format("A" * 35), 401, "Unauthorized"),
        ("/botnonsense/getMe", 404, "Not Found"),
        ("/bot/getMe", 404, "Not Found"),
        ("/elsewhere", 404, "Not Found"),
    ],
)
def test_other_tokens_and_paths(bot_api: World, path: str, code: int, description: str) -> None:
    answer = httpx.post(bot_api.url + path, verify=False, timeout=PATIENCE)
    assert (answer.status_code, answer.json()) == (
        code,
        {"ok": False, "error_code": code, "description": description},
    )


def test_an_unknown_method_is_not_found_and_a_violation(bot_api: World, raw: Raw) -> None:
    assert raw("sendPigeon") == {"ok": False, "error_code": 404, "description": "Not Found: method not found"}
    assert bot_api.violations == ["sendPigeon: no method that this server carries out"]
    bot_api.violations.clear()


def test_an_unknown_parameter_is_ignored_but_a_violation(bot_api: World, raw: Raw) -> None:
    group = bot_api.group("Friday", [bot_api.person("Ann")])
    assert raw("sendMessage", chat_id=group.id, text="x", colour="red")["ok"]
    with pytest.raises(AssertionError, match="'colour' is not one that this server carries out"):
        bot_api.assert_clean()
    bot_api.violations.clear()


def test_a_lenient_world_lets_pass_what_telegram_lets_pass(bot_api_server: BotApiServer) -> None:
    world = bot_api_server.add(World(strict=False))
    group = world.group("Friday", [world.person("Ann")])
    fields = {"chat_id": group.id, "text": "Tom & Jerry", "parse_mode": "HTML", "colour": "red"}
    url = f"{world.url}/bot{world.token}/sendMessage"
    assert httpx.post(url, json=fields, verify=False, timeout=PATIENCE).json()["ok"]
    world.assert_clean()
    bot_api_server.remove(world)


def test_broken_json_is_refused(bot_api: World, raw: Raw) -> None:
    group = bot_api.group("Friday", [bot_api.person("Ann")])
    answer = raw("sendMessage", chat_id=group.id, text="x", reply_markup="{")
    assert answer["description"] == "Bad Request: can't parse reply keyboard markup JSON object"
    assert bot_api.calls("sendMessage")[0].answer == answer
    url = f"{bot_api.url}/bot{bot_api.token}/sendMessage"
    headers = {"Content-Type": "application/json"}
    broken = httpx.post(url, content="{", headers=headers, verify=False, timeout=PATIENCE)
    assert broken.status_code == 400


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("sendMessage", {"chat_id": [1], "text": {"a": 1}}),
        ("sendMessage", {"chat_id": None, "text": "x", "reply_markup": {"inline_keyboard": [1]}}),
        ("sendMessage", {"text": "\ud83d"}),
        ("editMessageText", {"chat_id": {}, "message_id": "x", "text": "x"}),
        ("getChatMember", {"user_id": "x"}),
        ("setMyCommands", {"commands": "3"}),
        ("setMyCommands", {"commands": [], "scope": {"type": "chat", "chat_id": [1]}}),
        ("answerCallbackQuery", {"callback_query_id": 3, "url": 3}),
    ],
)
def test_nonsense_is_refused_not_crashed_on(bot_api: World, method: str, params: dict[str, Any]) -> None:
    url = f"{bot_api.url}/bot{bot_api.token}/{method}"
    headers = {"Content-Type": "application/json"}
    answer = httpx.post(url, content=json.dumps(params), headers=headers, verify=False, timeout=PATIENCE).json()
    assert (answer["ok"], answer["error_code"]) == (False, 400)
    bot_api.violations.clear()  # the second reader minds as well


def test_the_journal_holds_what_was_asked_and_answered(bot_api: World, raw: Raw) -> None:
    friday, sunday = (bot_api.group(title, [bot_api.person("Ann")]) for title in ("Friday", "Sunday"))
    raw("sendMessage", chat_id=friday.id, text="x")
    raw("sendMessage", chat_id=sunday.id, text="")
    raw("getMe")
    assert [(call.method, call.ok) for call in bot_api.journal] == [
        ("sendMessage", True),
        ("sendMessage", False),
        ("getMe", True),
    ]
    (call,) = bot_api.calls("sendMessage", friday)
    assert call.params == {"chat_id": friday.id, "text": "x"}
    assert call.answer["result"]["text"] == "x"
    bot_api.violations.clear()  # an empty text is none: the second reader minds


def stopped_while_a_poll_waits() -> tuple[World, int]:
    """A world and its port, which is free again."""
    world, answers = World(), []
    with BotApiServer() as server:
        server.add(world)
        url, port = f"{world.url}/bot{world.token}", int(server.url.rpartition(":")[2])

        def poll() -> None:
            answers.append(httpx.get(f"{url}/getUpdates?timeout=50", verify=False, timeout=2 * PATIENCE).json())

        poller = threading.Thread(target=poll)
        poller.start()
        world.wait_until(lambda: world.poll)
    poller.join()
    assert answers == [{"ok": True, "result": []}]
    return world, port


def test_a_server_stops_while_a_poll_waits_and_its_port_can_be_taken_again() -> None:
    for attempt in range(5):  # somebody else may take the port first, but not each time
        world, port = stopped_while_a_poll_waits()
        try:
            again = BotApiServer(port)
        except OSError:
            assert attempt < 4, "no port can be taken again"
            continue
        with again:
            again.add(world)
            url = f"{world.url}/bot{world.token}"
            assert httpx.get(f"{url}/getMe", verify=False, timeout=PATIENCE).json()["ok"]
        return


async def test_the_application_serves_without_a_server_too() -> None:
    world = World()
    ann = world.person("Ann")
    transport = httpx.ASGITransport(application({world.token: world}))
    async with httpx.AsyncClient(transport=transport, base_url="http://sandbox") as client:
        ann.start()
        updates = (await client.post(f"/bot{world.token}/getUpdates", json={"timeout": 5})).json()["result"]
        assert [update["message"]["text"] for update in updates] == ["/start"]
        world.fault("unanswered")
        with pytest.raises(ConnectionAbortedError):
            await client.post(f"/bot{world.token}/sendMessage", json={"chat_id": ann.id, "text": "x"})
    assert ann.texts(ann.private) == ["/start", "x"]
