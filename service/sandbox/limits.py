"""What can go wrong on the way: faults that a test orders, and Telegram's limits on sending."""

from __future__ import annotations

from collections import deque
from typing import Literal

import msgspec

from service.sandbox.parameters import SIGNATURES

Trouble = Literal["too_many", "forbidden", "broken", "unanswered", "lost", "delayed"]
SENDING = frozenset(  # nothing says that ephemeral messages and their edits do not count: the careful reading
    one.name for one in SIGNATURES if one.name.startswith(("send", "edit")) and one.name != "sendChatAction"
)
GROUP_CALLS, GROUP_WINDOW_MS = 20, 60_000
ALL_CALLS, ALL_WINDOW_MS = 30, 1_000


class Fault(msgspec.Struct, kw_only=True):
    """The next `times` calls that fit (None: any method, any chat) are

    - `too_many`: 429 with `retry_after` seconds; `forbidden`: 403 with `description`; `broken`: 500;
    - `unanswered`: carried out, the connection closed without an answer; `lost`: the same, not carried out;
    - `delayed`: carried out, the answer held back until `release` or for `seconds`.
    """

    trouble: Trouble
    method: str | None = None
    chat_id: int | None = None
    times: int = 1
    retry_after: int = 1
    description: str = ""
    seconds: float = 60.0
    played: int = 0
    released: bool = False

    def fits(self, method: str, chat_id: object) -> bool:
        """Whether it befalls this call."""
        return (
            self.played < self.times
            and self.method in {None, method}
            and (self.chat_id is None or str(self.chat_id) == str(chat_id))
        )


class Flood:
    """20 sends and edits a minute in a group, 30 calls a second overall, in sliding windows."""

    def __init__(self) -> None:
        self._group: dict[int, deque[int]] = {}
        self._all: deque[int] = deque()

    def wait(self, method: str, chat_id: int, now: int) -> int:
        """Seconds the call must wait, 0 when it may pass; only what passes counts. `now` in milliseconds."""
        if method not in SENDING:
            return 0
        windows = [(self._all, ALL_CALLS, ALL_WINDOW_MS)]
        if chat_id < 0:
            windows.append((self._group.setdefault(chat_id, deque()), GROUP_CALLS, GROUP_WINDOW_MS))
        wait_ms = 0
        for times, most, window in windows:
            while times and now - times[0] >= window:
                times.popleft()
            if len(times) >= most:
                wait_ms = max(wait_ms, times[0] + window - now)
        if wait_ms:
            return -(-wait_ms // 1000)
        for times, _, _ in windows:
            times.append(now)
        return 0
