from __future__ import annotations

import json
import logging

import httpx
import pytest
from telegram import Bot
from telegram.error import Forbidden, InvalidToken, NetworkError
from telegram.request import HTTPXRequest

from service.chat.api.wire import Request, Updates

TOKEN = "1234567:" + "x" * 35
READABLE = {"update_id": 8, "message": {"message_id": 1, "date": 1, "chat": {"id": 5, "type": "private"}}}


def bot(code: int, body: bytes, kind: str = "text/html") -> Bot:
    """A bot whose every call is answered with this."""

    def answer(_: httpx.Request) -> httpx.Response:
        return httpx.Response(code, content=body, headers={"content-type": kind})

    def line(made: type[HTTPXRequest]) -> HTTPXRequest:
        return made(httpx_kwargs={"transport": httpx.MockTransport(answer), "verify": False})

    return Bot(TOKEN, request=line(Request), get_updates_request=line(Updates))


@pytest.mark.parametrize("code", [200, 400, 401, 403, 404, 409, 500, 502])
@pytest.mark.parametrize("body", [b"<html>Bad gateway</html>", b"", b"null", b"[]", b"{}", b"\xff\xfe\x00"])
async def test_what_is_no_answer_of_the_bot_api_is_a_fault_of_the_network_and_not_logged(
    code: int, body: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    asked = bot(code, body)
    with caplog.at_level(logging.WARNING):
        for call in (asked.get_me(), asked.get_updates(), asked.send_message(5, "text")):
            with pytest.raises(NetworkError) as fault:
                await call
            assert type(fault.value) is NetworkError
            assert "gateway" not in str(fault.value)
    assert not caplog.records


@pytest.mark.parametrize("result", [b"3", b"null", b'"text"', b'{"a": 1}', b"[1]", b'[{"message": {}}]'])
async def test_a_result_that_holds_no_updates_is_a_fault_of_the_network(result: bytes) -> None:
    with pytest.raises(NetworkError):
        await bot(200, b'{"ok": true, "result": ' + result + b"}").get_updates()


async def test_an_update_that_nobody_can_read_is_passed_over_and_the_others_are_not() -> None:
    broken = {"update_id": 7, "message": {"message_id": 1}}
    body = json.dumps({"ok": True, "result": [broken, READABLE, {"update_id": 9, "something_new": 3}]}).encode()
    found = await bot(200, body).get_updates()
    assert [update.update_id for update in found] == [7, 8, 9]
    assert [update.message is not None for update in found] == [False, True, False]


@pytest.mark.parametrize(("code", "fault"), [(401, InvalidToken), (404, InvalidToken), (403, Forbidden)])
async def test_what_telegram_itself_says_is_taken_at_its_word(code: int, fault: type[Exception]) -> None:
    with pytest.raises(fault):
        await bot(code, b'{"ok": false, "error_code": 401, "description": "Unauthorized"}').get_me()
