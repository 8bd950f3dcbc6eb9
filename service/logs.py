"""Logs: one line an event, `key=value` on a terminal and JSON elsewhere; secrets are blotted out of every line."""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import IO, Any
from urllib.parse import unquote, urlsplit

import structlog

from service.settings import Settings

BLOT = "[secret]"
# A bot's token as it stands in URLs, and the password of a URL: also those that nobody told us of.
_TOKEN = re.compile(r"(?<!\d)\d{5,}(:|%3A)[A-Za-z0-9_-]{20,}", re.IGNORECASE)
_PASSWORD = re.compile(r"(\w://[^\s/@:]*:)[^\s/@]+@")
_SHORTEST = 4  # characters; a shorter "secret" would blot out ordinary words

_SHARED: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]


def secrets(settings: Settings) -> tuple[str, ...]:
    """What no log may show: the token, the key, the webhook's secret, the store's password."""
    password = _password(settings.redis_url)
    found = (
        settings.telegram_token,
        settings.tabletalk_key,
        settings.webhook_secret,
        password,
        unquote(password),
    )
    return tuple(secret for secret in found if len(secret) >= _SHORTEST)


def _password(url: str) -> str:
    try:
        return urlsplit(url).password or ""
    except ValueError:  # no URL: whoever opens the store says so
        return url


def blot(text: str, known: Iterable[str] = ()) -> str:
    """The text without secrets: those that are `known`, and whatever looks like a token or a password in a URL."""
    for secret in known:
        text = text.replace(secret, BLOT)
    return _PASSWORD.sub(rf"\1{BLOT}@", _TOKEN.sub(BLOT, text))


def to_stream(known: Iterable[str] = (), stream: IO[str] | None = None) -> None:
    """Logs of a service: our own from INFO, libraries' from WARNING, to stderr; JSON unless that is a terminal."""
    out = stream or sys.stderr
    _configure(logging.StreamHandler(out), tuple(known), json=not out.isatty(), level=logging.INFO)


def to_file(path: Path, known: Iterable[str] = ()) -> None:
    """Logs of a game in the terminal: warnings and worse, to a file that is made with the first of them."""
    _configure(_LateFile(path, delay=True, encoding="utf-8"), tuple(known), json=False, level=logging.WARNING)


def quiet(known: Iterable[str] = ()) -> None:
    """Logs of a command that prints something: errors only, to stderr."""
    _configure(logging.StreamHandler(sys.stderr), tuple(known), json=False, level=logging.ERROR)


class _LateFile(logging.FileHandler):
    """A log that cannot be written must not end a game: what it would say is dropped."""

    def emit(self, record: logging.LogRecord) -> None:
        """Writes the record, as far as that can be."""
        try:
            super().emit(record)
        except OSError:  # the file cannot be opened
            self.handleError(record)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - logging's name
        """Drops what the system did not let us write."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handleError(record)


def _configure(handler: logging.Handler, known: tuple[str, ...], *, json: bool, level: int) -> None:
    render: Any = structlog.processors.JSONRenderer(default=str, ensure_ascii=False) if json else _readable

    def clean(logger: Any, name: str, event: Any) -> str:
        return blot(render(logger, name, event), known)

    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=_SHARED,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.format_exc_info,
                clean,
            ],
        )
    )
    root = logging.getLogger()
    for old in list(root.handlers):
        if getattr(old, "tabletalk", False):
            root.removeHandler(old)
    handler.tabletalk = True  # type: ignore[attr-defined]
    root.addHandler(handler)
    root.setLevel(max(level, logging.WARNING))
    for ours in ("service", "eventstore"):
        logging.getLogger(ours).setLevel(level)
    for loud in ("httpx", "httpcore"):  # they log URLs, which hold the token
        logging.getLogger(loud).setLevel(logging.WARNING)
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *_SHARED,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        wrapper_class=structlog.stdlib.BoundLogger,
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=False,
    )


_LOGFMT = structlog.processors.LogfmtRenderer(key_order=["timestamp", "level", "event"], drop_missing=True)


def _readable(logger: Any, name: str, event: Any) -> str:
    trace = event.pop("exception", None)
    line = str(_LOGFMT(logger, name, event))
    return f"{line}\n{trace}" if trace else line
