"""The webhook: updates are posted with the secret, one chat's in order, each until it is answered by 200."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from service.sandbox.world import World
from tests.service.sandbox.conftest import Raw


class Bot:
    """A web server that notes what is posted to it and answers what `status` says."""

    def __init__(self) -> None:
        self.got: list[tuple[int, str | None]] = []
        self.status: Callable[[dict[str, Any]], int] = lambda update: 200
        bot = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                update = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                bot.got.append((update["update_id"], self.headers["X-Telegram-Bot-Api-Secret-Token"]))
                self.send_response(bot.status(update))
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, format: str, *args: object) -> None:
                return

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/hook"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def hooked() -> Iterator[Bot]:
    bot = Bot()
    yield bot
    bot.close()


def test_updates_are_posted_with_the_secret_and_then_gone(bot_api: World, raw: Raw, hooked: Bot) -> None:
    ann = bot_api.person("Ann")
    ann.start()  # what waits already comes first
    assert raw("setWebhook", url=hooked.url, secret_token="s-3cret")["ok"]
    ann.say(ann.private, "one")
    bot_api.wait_until(lambda: not bot_api.updates.waiting)
    first = hooked.got[0][0]
    assert hooked.got == [(first, "s-3cret"), (first + 1, "s-3cret")]
    info = raw("getWebhookInfo")["result"]
    assert (info["url"], info["pending_update_count"]) == (hooked.url, 0)


def test_an_update_comes_again_until_it_is_answered_and_holds_up_its_own_chat_alone(
    bot_api: World, raw: Raw, hooked: Bot
) -> None:
    ann, bob = bot_api.person("Ann"), bot_api.person("Bob")
    refused: list[int] = []

    def status(update: dict[str, Any]) -> int:
        hook = bot_api.hook
        assert hook is not None
        if update["message"]["text"] == "one" and (len(refused) < 3 or not hook.delivered):
            refused.append(update["update_id"])
            return 500
        return 200

    hooked.status = status
    raw("setWebhook", url=hooked.url, secret_token="s")
    ann.say(ann.private, "one")
    ann.say(ann.private, "two")
    bob.say(bob.private, "three")
    hook = bot_api.hook
    assert hook is not None
    bot_api.wait_until(lambda: len(hook.delivered) == 3)
    one = refused[0]
    assert len(refused) >= 3
    assert set(refused) == {one}
    assert hook.delivered == [one + 2, one, one + 1]
    assert "500" in raw("getWebhookInfo")["result"]["last_error_message"]


def test_there_is_no_polling_while_there_is_a_webhook(bot_api: World, raw: Raw, hooked: Bot) -> None:
    hooked.status = lambda update: 503
    raw("setWebhook", url=hooked.url, secret_token="s")
    answer = raw("getUpdates")
    assert answer["error_code"] == 409
    assert "can't use getUpdates method while webhook is active" in answer["description"]
    bot_api.person("Ann").start()
    bot_api.wait_until(lambda: hooked.got)
    assert raw("deleteWebhook")["ok"]
    assert len(raw("getUpdates")["result"]) == 1


def test_a_waiting_poll_ends_when_a_webhook_is_set(bot_api: World, raw: Raw, hooked: Bot) -> None:
    answers: list[dict[str, Any]] = []
    poll = threading.Thread(target=lambda: answers.append(raw("getUpdates", timeout=50)))
    poll.start()
    bot_api.wait_until(lambda: bot_api.poll)
    raw("setWebhook", url=hooked.url, secret_token="s")
    poll.join()
    assert answers[0]["error_code"] == 409


@pytest.mark.parametrize(
    ("params", "words"),
    [
        ({"url": "http://example.org/x"}, "An HTTPS URL must be provided"),
        ({"url": "https://example.org/x", "secret_token": "é"}, "secret token contains unallowed characters"),
        ({"url": "https://example.org/x", "secret_token": "s", "max_connections": 101}, "max_connections"),
    ],
)
def test_webhooks_that_telegram_refuses(bot_api: World, raw: Raw, params: dict[str, Any], words: str) -> None:
    assert words in raw("setWebhook", **params)["description"]
    assert raw("getWebhookInfo")["result"]["url"] == ""


def test_a_webhook_without_a_secret_is_a_violation(bot_api: World, raw: Raw, hooked: Bot) -> None:
    raw("setWebhook", url=hooked.url)
    assert bot_api.violations == ["setWebhook: without secret_token anybody may post updates"]
    bot_api.violations.clear()
