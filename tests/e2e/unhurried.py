"""`tabletalk` for tests, on a machine that may stall: neither a press nor a call to Telegram counts as late so soon."""

from __future__ import annotations

from service import cli
from service.chat.api import connecting, queues
from tests.patience import PATIENCE


def main(arguments: list[str]) -> None:
    """The command line, in which seconds are a minute."""
    queues._PRESS_PATIENCE = PATIENCE
    connecting._SLOW = PATIENCE
    cli.main(arguments)
