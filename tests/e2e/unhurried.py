"""`tabletalk` for tests, on a machine that may stall: neither a press nor a call to Telegram counts as late so soon."""

from __future__ import annotations

from functools import partial

from service import cli
from service.chat import queues, wire
from tests.patience import PATIENCE


def main(arguments: list[str]) -> None:
    """The command line, in which seconds are a minute."""
    queues._PRESS_PATIENCE = PATIENCE
    wire.Request = partial(  # type: ignore[assignment, misc]
        wire.Request, read_timeout=PATIENCE, write_timeout=PATIENCE, connect_timeout=PATIENCE, pool_timeout=PATIENCE
    )
    cli.main(arguments)
