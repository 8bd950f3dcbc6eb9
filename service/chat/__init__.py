"""The Telegram chat: what people write and press, and what they are shown."""

import os

# PTB's way to have durations as timedelta; without it every 429 would warn of a deprecation.
os.environ.setdefault("PTB_TIMEDELTA", "true")
