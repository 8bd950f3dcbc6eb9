"""What is posted to the webhook: who may, what is refused, and when Telegram hears that an update is ours."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
import structlog
from starlette.applications import Starlette
from telegram import Update

from service.chat.api.polling import Poller
from service.sandbox.world import World
from service.settings import BadSetting, Settings, load
from service.web.webhook import MOST_BYTES, Webhook
from tests.bot_api import NewWorld
from tests.patience import PATIENCE
from tests.service.sandbox.client import client as connected

SECRET = "a-secret-of-this-webhook"
HEADER = "X-Telegram-Bot-Api-Secret-Token"
SETTINGS = Settings(webhook_url="https://bot.example/telegram/in", webhook_secret=SECRET, port="8080")
UPDATE = {"update_id": 7, "message": {"message_id": 1, "date": 1, "chat": {"id": 5, "type": "private"}, "text": "hi"}}


@pytest.fixture
def webhook() -> Webhook:
    return Webhook(SETTINGS)


@pytest.fixture
async def client(webhook: Webhook) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(Starlette(routes=webhook.routes()), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="https://bot.example") as made:
        yield made


async def post(client: httpx.AsyncClient, body: object, secret: str | None = SECRET) -> int:
    headers = {} if secret is None else {HEADER: secret}
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return (await client.post("/telegram/in", content=content, headers=headers)).status_code


@pytest.mark.parametrize("secret", [None, "", "wrong", SECRET[:-1], SECRET + "x", SECRET.upper()])
async def test_whoever_does_not_know_the_secret_is_forbidden_and_nothing_is_handled(
    webhook: Webhook, client: httpx.AsyncClient, secret: str | None
) -> None:
    got: list[Update] = []

    async def receive(update: Update) -> None:
        got.append(update)

    with webhook.open(receive), structlog.testing.capture_logs() as logs:
        assert await post(client, UPDATE, secret) == 403
    assert got == []
    assert SECRET not in str(logs)


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"{", 400),
        (b"[" * 100_000, 400),
        (b"\xff", 400),
        ([UPDATE], 400),
        ({}, 400),
        ({"update_id": "7"}, 400),
        ({"update_id": True}, 400),
        (b" " * (MOST_BYTES + 1), 413),
    ],
)
async def test_what_is_no_update_is_refused(
    webhook: Webhook, client: httpx.AsyncClient, body: object, status: int
) -> None:
    async def receive(update: Update) -> None:
        raise AssertionError("handled")

    with webhook.open(receive):
        assert await post(client, body) == status


async def test_an_update_that_nobody_can_read_does_not_come_for_ever(
    webhook: Webhook, client: httpx.AsyncClient
) -> None:
    got: list[Update] = []

    async def receive(update: Update) -> None:
        got.append(update)

    with webhook.open(receive):
        assert await post(client, {"update_id": 7, "message": "nonsense"}) == 200
    assert [(update.update_id, update.message) for update in got] == [(7, None)]


async def test_other_paths_and_methods_are_not_ours(webhook: Webhook, client: httpx.AsyncClient) -> None:
    assert (await client.post("/telegram", headers={HEADER: SECRET}, json=UPDATE)).status_code == 404
    assert (await client.get("/telegram/in", headers={HEADER: SECRET})).status_code == 405


async def test_telegram_hears_200_only_when_the_update_is_safe_and_once_is_enough(
    webhook: Webhook, client: httpx.AsyncClient
) -> None:
    """Offset saved after processing: crash repeats the action; saved before: it is lost. Neither happens."""
    safe, begun, got = asyncio.Event(), asyncio.Event(), []

    async def receive(update: Update) -> None:
        got.append(update.update_id)
        begun.set()
        await safe.wait()

    with webhook.open(receive):
        first = asyncio.create_task(post(client, UPDATE))
        again = asyncio.create_task(post(client, UPDATE))  # Telegram has lost patience with the first
        await begun.wait()
        await asyncio.wait((first, again), timeout=0.05)
        assert not first.done()
        assert not again.done()
        safe.set()
        assert (await first, await again) == (200, 200)
    assert got == [7]


async def test_telegram_is_told_to_come_again_while_nobody_deals_with_updates(
    webhook: Webhook, client: httpx.AsyncClient
) -> None:
    assert await post(client, UPDATE) == 503

    async def fails(update: Update) -> None:
        raise RuntimeError("♠Q")

    with webhook.open(fails), structlog.testing.capture_logs() as logs:
        assert await post(client, UPDATE) == 503
    assert "♠Q" not in str(logs)
    assert await post(client, UPDATE) == 503


async def test_telegram_is_told_the_url_the_secret_and_what_we_want_to_hear(bot_api: World) -> None:
    settings = Settings(webhook_url="http://127.0.0.1:1/hook", webhook_secret=SECRET, telegram_api_url=bot_api.url)
    bot_api.fault("broken", method="setWebhook")
    async with connected(bot_api) as bot:
        assert await Webhook(settings).announce(bot, asyncio.Event())
    (_, call) = bot_api.calls("setWebhook")
    assert (call.params["url"], call.params["secret_token"]) == ("http://127.0.0.1:1/hook", SECRET)
    assert {"message", "callback_query", "inline_query", "chat_member", "my_chat_member"} <= set(
        call.params["allowed_updates"]
    )
    assert "drop_pending_updates" not in call.params


async def test_a_url_that_telegram_does_not_take_is_a_bad_setting(bot_api: World) -> None:
    settings = Settings(webhook_url="http://bot.example/hook", webhook_secret=SECRET)
    async with connected(bot_api) as bot:
        with pytest.raises(BadSetting, match="WEBHOOK_URL: Telegram does not take it"):
            await Webhook(settings).announce(bot, asyncio.Event())


async def test_a_bot_that_polls_again_ends_the_webhook_and_gets_what_waited_there(new_world: NewWorld) -> None:
    world = new_world()
    got: list[Update] = []
    stop = asyncio.Event()

    async def handle(update: Update) -> None:
        got.append(update)
        stop.set()

    async def nothing(_: object) -> None:
        return

    async with connected(world) as bot:
        await bot.set_webhook("http://127.0.0.1:1/hook", secret_token=SECRET)
        world.person("Ann").start()
        await asyncio.wait_for(Poller(bot, handle, nothing, nothing).run(stop), PATIENCE)
    assert [update.message.text for update in got if update.message] == ["/start"]


async def test_a_webhook_that_is_set_while_a_bot_polls_is_left_alone(new_world: NewWorld) -> None:
    """A deploy that goes over to the webhook: the old process is still there, and must not undo it."""
    world = new_world()
    stop = asyncio.Event()

    async def nothing(_: object) -> None:
        return

    async with connected(world) as bot:
        polling = asyncio.create_task(Poller(bot, nothing, nothing, nothing, conflict_pause=0.01).run(stop))
        world.person("Ann").start()
        await asyncio.to_thread(world.wait_until, lambda: not world.updates.waiting)
        await bot.set_webhook("http://127.0.0.1:1/hook", secret_token=SECRET)
        await asyncio.to_thread(world.wait_until, lambda: sum(not call.ok for call in world.calls("getUpdates")) > 2)
        stop.set()
        await polling
    assert world.hook is not None
    assert world.calls("deleteWebhook") == []


GOOD: dict[str, Any] = {
    "WEBHOOK_URL": "https://bot.example/in",
    "WEBHOOK_SECRET": SECRET,
    "PORT": "8080",
}


@pytest.mark.parametrize(
    ("name", "value", "blamed"),
    [
        ("WEBHOOK_URL", "http://bot.example/in", "WEBHOOK_URL"),
        ("WEBHOOK_URL", "https://bot.example", "WEBHOOK_URL"),
        ("WEBHOOK_URL", "https://bot.example/", "WEBHOOK_URL"),
        ("WEBHOOK_SECRET", "", "WEBHOOK_SECRET"),
        ("WEBHOOK_SECRET", "short", "WEBHOOK_SECRET"),
        ("WEBHOOK_SECRET", "with spaces in between", "WEBHOOK_SECRET"),
        ("PORT", "", "PORT"),
    ],
)
def test_a_webhook_needs_all_of_its_settings(name: str, value: str, blamed: str) -> None:
    assert load(GOOD).webhook_url == "https://bot.example/in"
    with pytest.raises(BadSetting) as caught:
        load({**GOOD, name: value})
    assert caught.value.name == blamed
    assert not value or value not in str(caught.value)


def test_a_bot_api_server_of_ones_own_may_post_by_plain_http() -> None:
    found = load({**GOOD, "WEBHOOK_URL": "http://127.0.0.1:8080/in", "TELEGRAM_API_URL": "http://127.0.0.1:8081"})
    assert found.webhook_url == "http://127.0.0.1:8080/in"
