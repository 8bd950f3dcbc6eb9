"""The Telegram chat: what people write and press, and what they are shown.

`serve` runs it, `reception` handles an update, `talk` what was written and `presses` what was pressed; `hall` is what
all of them need. The rest by what it is about: `api` (Telegram), `tables`, `board` (what is shown of a table), `hands`,
`bells`, `people`, `proof`.
"""

import os

# PTB's way to have durations as timedelta; without it every 429 would warn of a deprecation.
os.environ.setdefault("PTB_TIMEDELTA", "true")
