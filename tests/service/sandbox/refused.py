"""What a test says of a refused call."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Any

import pytest
from telegram.error import TelegramError


async def refusal(call: Awaitable[Any]) -> str:
    """The words of the refusal that the call ends in (python-telegram-bot takes "Bad Request: " off)."""
    with pytest.raises(TelegramError) as refused:
        await call
    return str(refused.value.message)
