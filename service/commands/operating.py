"""Commands of the operator: acts at a table like an administrator's; bans, announcements, maintenance."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Annotated

from cyclopts import App, Parameter

from service import logs
from service.commands.running import TEXTS, Data, Usage, chosen, reported
from service.terminal import acts
from service.terminal import operating as terminal
from service.terminal.acts import Wanted
from service.terminal.screen import Screen, console
from service.text import operating
from service.wiring import Service, open_service

_Reason = Annotated[str, Parameter(name="--reason", help="Why: kept beside the history, and shown with the act.")]
_Yes = Annotated[bool, Parameter(name="--yes", help="Do not ask whether it is meant.")]


def add(app: App) -> None:
    """Adds the commands."""
    for command in (void, penalty, kick, replace, pause, resume, close, ban, unban, announce, maintenance):
        app.command(command)


def void(table: str, /, *, reason: _Reason = "", yes: _Yes = False, data: Data = None) -> None:
    """Have the set that is played at a table not count. Everybody sees it, as every act of an operator.

    Parameters
    ----------
    table
        The table's id, or the two words it is called by.
    """
    _act(data, Wanted("void", table, reason, sure=yes))


def penalty(
    table: str, seat: str, trick: str, /, *, reason: _Reason = "", yes: _Yes = False, data: Data = None
) -> None:
    """Have a card punished as the rules say, if the cards on the table prove it and it may still be objected to.

    Parameters
    ----------
    table
        The table's id, or the two words it is called by.
    seat
        Its number, from 1, or its owner's name.
    trick
        The number of the trick.
    """
    _act(data, Wanted("penalty", table, reason, seat, trick, sure=yes))


def kick(table: str, seat: str, /, *, reason: _Reason = "", yes: _Yes = False, data: Data = None) -> None:
    """Send the owner of a seat away.

    Parameters
    ----------
    table
        The table's id, or the two words it is called by.
    seat
        Its number, from 1, or its owner's name.
    """
    _act(data, Wanted("kick", table, reason, seat, sure=yes))


def replace(table: str, seat: str, user: str, /, *, reason: _Reason = "", yes: _Yes = False, data: Data = None) -> None:
    """Give a seat to somebody else, with its cards and its column.

    Parameters
    ----------
    table
        The table's id, or the two words it is called by.
    seat
        Its number, from 1, or its owner's name.
    user
        person:<id>, a Telegram number, or a name if only one person has it.
    """
    _act(data, Wanted("replace", table, reason, seat, user, sure=yes))


def pause(table: str, /, *, reason: _Reason = "", yes: _Yes = False, data: Data = None) -> None:
    """Pause a table: no clock runs, and nobody moves.

    Parameters
    ----------
    table
        The table's id, or the two words it is called by.
    """
    _act(data, Wanted("pause", table, reason, sure=yes))


def resume(table: str, /, *, reason: _Reason = "", yes: _Yes = False, data: Data = None) -> None:
    """Let a paused table go on.

    Parameters
    ----------
    table
        The table's id, or the two words it is called by.
    """
    _act(data, Wanted("resume", table, reason, sure=yes))


def close(table: str, /, *, reason: _Reason = "", yes: _Yes = False, data: Data = None) -> None:
    """Close a table without a winner.

    Parameters
    ----------
    table
        The table's id, or the two words it is called by.
    """
    _act(data, Wanted("close", table, reason, sure=yes))


def ban(user: str | None = None, /, *, until: str | None = None, reason: _Reason = "", data: Data = None) -> None:
    """Ban somebody: he opens and joins no table. Without a name: list who is banned.

    Parameters
    ----------
    user
        person:<id>, a Telegram number (also of somebody who has never been here), or a name if only one person has it.
    until
        The last day of it (2026-12-31, "5 days"); without it the ban has no end.
    """
    if user is None:
        _run(data, terminal.bans)
    else:
        _run(data, lambda service, screen: terminal.ban(service, screen, user, until, reason))


def unban(user: str, /, *, data: Data = None) -> None:
    """End a ban before its time.

    Parameters
    ----------
    user
        As `ban` takes it, or as it lists somebody who is not known here.
    """
    _run(data, lambda service, screen: terminal.unban(service, screen, user))


def announce(text: str | None = None, /, *, data: Data = None) -> None:
    """Have the bot tell every chat with a running table something, each once. Without words: how far that has come.

    Parameters
    ----------
    text
        What is told, as it stands. The same words are not told twice.
    """
    if text is None:
        _run(data, terminal.announcements)
    else:
        _run(data, lambda service, screen: terminal.announce(service, screen, text))


def maintenance(wanted: str | None = None, /, *, reason: _Reason = "", data: Data = None) -> None:
    """Let the deployment rest: running tables pause, no clock runs, and the bot says so. `off`: they go on.

    Parameters
    ----------
    wanted
        on or off; without it: whether it rests.
    """
    match wanted:
        case None:
            _run(data, terminal.state_of_rest)
        case "on":
            _run(data, lambda service, screen: terminal.rest(service, screen, reason))
        case "off":
            _run(data, terminal.go_on)
        case _:
            with reported():
                raise Usage(operating.on_or_off(TEXTS))


def _act(data: str | None, wanted: Wanted) -> None:
    _run(data, lambda service, screen: acts.carry_out(service, screen, wanted))


def _run(data: str | None, work: Callable[[Service, Screen], Awaitable[None]]) -> None:
    """Does it on the deployment, which may be running."""
    with reported():
        settings = chosen(data)
        logs.quiet(logs.secrets(settings))
        screen = Screen(console(), TEXTS)

        async def on_the_deployment() -> None:
            async with open_service(settings) as service:
                await work(service, screen)

        asyncio.run(on_the_deployment())
