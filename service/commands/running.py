"""What every command shares: its settings and output, and each fault as one clear line and an exit code."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from domain.rejected import Rejected
from eventstore.store import StoreDown, StoreUnfit
from service import logs, settings
from service.engine import Unreadable
from service.sealing import WrongKey
from service.settings import BadSetting, Settings
from service.terminal import looking
from service.terminal.play import Ended
from service.terminal.records import BadFolder
from service.terminal.screen import Screen, console
from service.text import faults, language, refusals

TEXTS = language("en")

Data = Annotated[str | None, Parameter(name="--data", help="Data folder (default: TABLETALK_DATA, or the platform's).")]


class Usage(Exception):
    """The command line asks for something that there is not: exit code 2."""


class Exit(Exception):
    """The command ends with this code; `text` (if any) goes to stderr."""

    def __init__(self, code: int, text: str = "") -> None:
        super().__init__(text)
        self.code = code
        self.text = text


def look(data: str | None, work: Callable[[looking.Sight], Awaitable[None]]) -> None:
    """Runs a command that only reads."""
    with reported():
        found = chosen(data)
        logs.quiet(logs.secrets(found))
        asyncio.run(looking.look(found, Screen(console(), TEXTS), work))


def chosen(data: str | None) -> Settings:
    """The settings, with the data folder that the command line names."""
    return settings.load(data=None if data is None else folder("--data", data))


def folder(option: str, path: str) -> Path:
    """The folder that an option names; an empty path would be the current one, which nobody means by it."""
    if not path:
        raise Usage(faults.no_path(TEXTS, option))
    return Path(path)


@contextmanager
def reported() -> Iterator[None]:
    """What may go wrong for a user, as a line and an exit code. Everything else is our fault: a traceback."""
    try:
        yield
    except Exception as error:
        known = _exit(_leaf(error))
        if known is None:
            raise
        raise known from None


def _leaf(error: BaseException) -> BaseException:
    """The one error inside groups of errors."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def _exit(error: BaseException) -> Exit | None:
    match error:
        case Exit():
            return error
        case Usage():
            return Exit(2, str(error))
        case Rejected():  # a game, an option or a preset that there is not, or that cannot be had
            return Exit(2, refusals.refusal(TEXTS, error))
        case WrongKey():
            return Exit(1, faults.wrong_key(TEXTS))
        case Unreadable():
            return Exit(1, faults.unreadable(TEXTS, str(error)))
        case BadFolder():
            return Exit(1, faults.bad_folder(TEXTS, str(error)))
        case looking.Wrong():
            return Exit(error.code, str(error))
        case StoreDown() | StoreUnfit() | BadSetting():
            return Exit(1, faults.one_line(error))
        case Ended():
            return Exit(error.code)
        case BrokenPipeError():
            return Exit(141)
        case OSError():
            return Exit(1, faults.system(TEXTS, error))
        case _:
            return None
