"""Log lines: whole, on their way to the right place, and never with a secret in them."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog

from service import logs
from service.settings import Settings
from tests.service.logging_state import logging_restored

TOKEN = "123456789:AAEhBOweik6ad9r_QXMENQjcrGbqCr4K-bc"
SETTINGS = Settings(telegram_token=TOKEN, tabletalk_key="ab" * 32, redis_url="redis://me:p%40ss-word@host:6379/0")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def _restored() -> Iterator[None]:
    with logging_restored():
        yield


@pytest.mark.parametrize("stream", [io.StringIO(), Terminal()], ids=["pipe", "terminal"])
def test_no_secret_reaches_a_log_however_it_gets_there(stream: io.StringIO) -> None:
    """The deck is logged when it is shuffled (keyteki/keyteki#3365)."""
    logs.to_stream(logs.secrets(SETTINGS), stream)
    log = structlog.get_logger("service.chat")
    log.warning("a token", url=f"https://api.telegram.org/bot{TOKEN}/getMe", key="ab" * 32)
    log.info(f"in the words: {TOKEN}", nested={"url": SETTINGS.redis_url, "list": [TOKEN.replace(":", "%3A")]})
    logging.getLogger("telegram").error("of a library: %s, %s", TOKEN, "p@ss-word")
    try:
        raise ValueError(TOKEN)
    except ValueError:
        log.exception("a failure")
    with structlog.contextvars.bound_contextvars(token=TOKEN):
        log.warning("bound")
    text = stream.getvalue()
    for secret in (TOKEN, TOKEN.partition(":")[2], "ab" * 32, "p@ss-word", "p%40ss-word"):
        assert secret not in text
    assert text.count(logs.BLOT) >= 7
    assert "Traceback" in text


def test_the_password_in_a_url_that_cannot_be_read_is_secret_too() -> None:
    broken = "redis://:geheim@[::1"
    known = logs.secrets(Settings(redis_url=broken))
    assert "geheim" not in logs.blot(f"cannot read {broken}", known)


def test_a_token_that_nobody_told_us_of_is_blotted_out_too() -> None:
    stream = io.StringIO()
    logs.to_stream((), stream)
    logging.getLogger("httpcore").warning("GET /file/bot%s/photo.jpg", TOKEN)
    assert "AAEhBO" not in stream.getvalue()
    assert "GET /file/bot[secret]/photo.jpg" in stream.getvalue()


def test_where_nobody_sits_a_line_is_json() -> None:
    stream = io.StringIO()
    logs.to_stream((), stream)
    structlog.get_logger("service.engine").info("refused", code="must_beat", table="home-1")
    [line] = stream.getvalue().splitlines()
    found = json.loads(line)
    assert found.pop("timestamp").endswith("Z")
    assert found == {"event": "refused", "level": "info", "code": "must_beat", "table": "home-1"}


def test_on_a_terminal_a_line_is_for_people() -> None:
    stream = Terminal()
    logs.to_stream((), stream)
    structlog.get_logger("service.engine").info("store is back", table="home-1")
    assert 'level=info event="store is back" table=home-1' in stream.getvalue()


def test_libraries_are_heard_from_warnings_on() -> None:
    stream = io.StringIO()
    logs.to_stream((), stream)
    for name in ("httpx", "redis", "telegram"):
        logging.getLogger(name).info("chatter")
        logging.getLogger(name).warning("trouble")
    assert stream.getvalue().count("trouble") == 3
    assert "chatter" not in stream.getvalue()


def test_a_game_logs_warnings_into_a_file_made_with_the_first_of_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "tabletalk.log"
    logs.to_file(path)
    structlog.get_logger("service.engine").info("refused")
    assert not path.exists()
    structlog.get_logger("service.keeper").warning("store down, waiting")
    assert "store down, waiting" in path.read_text(encoding="utf-8")
    assert capsys.readouterr() == ("", "")


def test_a_log_file_that_cannot_be_made_ends_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    logs.to_file(tmp_path / "none" / "tabletalk.log")
    structlog.get_logger("service.keeper").warning("store down, waiting")
    assert capsys.readouterr() == ("", "")


def test_setting_up_again_does_not_say_everything_twice() -> None:
    stream = io.StringIO()
    logs.to_stream((), stream)
    logs.to_stream((), stream)
    structlog.get_logger("service.x").warning("once")
    assert stream.getvalue().count("once") == 1
