"""Commands that bring histories in and out whole: import, backup, restore; and forget."""

from __future__ import annotations

import asyncio

from cyclopts import App

from service import logs
from service.commands.running import TEXTS, Data, Usage, chosen, look, reported
from service.settings import Settings
from service.terminal import backups, forgetting, importing
from service.terminal.screen import Screen, console
from service.text import history_tools
from service.wiring import open_service


def add(app: App) -> None:
    """Adds the commands."""
    app.command(import_, name="import")
    app.command(backup)
    app.command(restore)
    app.command(forget)


def import_(file: str, /, *, finished: bool = False, data: Data = None) -> None:
    """Bring the tables of an export into this deployment, after all of it was verified.

    Parameters
    ----------
    file
        What `tabletalk export` wrote.
    finished
        Leave out tables in play whose seeds are sealed with another key.
    """
    with reported():
        settings = _quiet(data)
        screen = Screen(console(), TEXTS)

        async def work() -> None:
            async with open_service(settings) as service:
                await importing.import_file(service, screen, file, opened, finished)

        with importing.reading(TEXTS, file) as opened:
            asyncio.run(work())


def backup(
    file: str, /, *, without_key: bool = False, anyway: bool = False, force: bool = False, data: Data = None
) -> None:
    """Write everything into one file, while the bot runs: histories, names, settings, the sealing key.

    Parameters
    ----------
    file
        The file to write.
    without_key
        Leave the sealing key out, and keep it elsewhere.
    anyway
        Leave out tables that are damaged: the exit code is 1 then, and the file is written.
    force
        Overwrite a file that is there.
    """
    with reported():
        if not file:
            raise Usage(history_tools.no_file(TEXTS, "FILE"))
        settings = _quiet(data)
    look(data, lambda sight: backups.back_up(sight, settings, file, not without_key, anyway, over=force))


def restore(file: str, /, *, data: Data = None) -> None:
    """Put a backup back into a new data folder, or onto an empty server. Killed, it goes on when it is run again.

    Parameters
    ----------
    file
        What `tabletalk backup` wrote.
    """
    with reported():
        settings = _quiet(data)
        with importing.reading(TEXTS, file) as opened:
            asyncio.run(backups.restore(settings, Screen(console(), TEXTS), file, opened))


def forget(user: str, /, *, anyway: bool = False, data: Data = None) -> None:
    """Remove a person's name, chats and settings. Histories keep an id that means nothing, and still verify.

    Parameters
    ----------
    user
        person:<id>, a Telegram number, or a name if only one person has it.
    anyway
        Even if he has a seat in a game that goes on.
    """
    look(data, lambda sight: forgetting.forget(sight, user, anyway))


def _quiet(data: str | None) -> Settings:
    found = chosen(data)
    logs.quiet(logs.secrets(found))
    return found
