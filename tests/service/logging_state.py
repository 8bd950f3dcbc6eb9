"""Logging is the process's own: tests that set it up put it back."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

import structlog

_NAMES = ("", "service", "eventstore", "httpx", "httpcore")


@contextmanager
def logging_restored() -> Iterator[None]:
    """Whatever happens to logging inside is undone at the end."""
    root = logging.getLogger()
    handlers, levels = list(root.handlers), [logging.getLogger(name).level for name in _NAMES]
    before = structlog.get_config()
    try:
        yield
    finally:
        for handler in set(root.handlers) - set(handlers):
            handler.close()
        root.handlers[:] = handlers
        for name, level in zip(_NAMES, levels, strict=True):
            logging.getLogger(name).setLevel(level)
        structlog.configure(**before)
        structlog.contextvars.clear_contextvars()
