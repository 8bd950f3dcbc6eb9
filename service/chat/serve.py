"""`tabletalk serve`: the Telegram bot, by long polling, until it is stopped."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import assert_never

import structlog
from telegram import (
    Bot,
    BotCommand,
    BotCommandScopeAllGroupChats,
    BotCommandScopeAllPrivateChats,
    Update,
    User,
)
from telegram.error import InvalidToken, NetworkError, RetryAfter, TelegramError
from telegram.ext import ApplicationBuilder

from eventstore.leases import Leases
from eventstore.store import StoreDown
from service.chat import incoming, presses, talk, wire
from service.chat.alone import alone
from service.chat.hall import Hall
from service.chat.incoming import Membership, Migrated, Pressed, Said
from service.chat.lists import Lists
from service.chat.losses import Losses
from service.chat.once import Once
from service.chat.outbox import Outbox
from service.chat.places import Places
from service.chat.polling import Poller
from service.chat.seated import ABSENT, Seated
from service.chat.shown import Shown
from service.chat.views import Views
from service.keeper import RETRY_SECONDS, Keeper
from service.outage import Outage
from service.settings import BadSetting, Settings
from service.text import language
from service.text.chat import commands
from service.wiring import Service, mend, open_service

log = structlog.get_logger()

_CONNECTIONS = 64  # to Telegram at once
_SAY_AFTER = 1.0  # s of standing by
_PATIENCE = 7.0  # s that the end may take to let what is in hand finish


async def serve(settings: Settings) -> int:
    """Serves until SIGTERM or SIGINT, then gives 0. Raises BadSetting for a token that is none, StoreUnfit."""
    if not settings.telegram_token:
        raise BadSetting("TELEGRAM_TOKEN", "is not set: @BotFather on Telegram gives a bot's token")
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    begun = asyncio.Event()
    serving = asyncio.ensure_future(_serve(settings, stop, begun))
    stopping = asyncio.ensure_future(stop.wait())
    await asyncio.wait((serving, stopping), return_when=asyncio.FIRST_COMPLETED)
    if not serving.done():
        if begun.is_set():
            await asyncio.wait((serving,), timeout=_PATIENCE)
        serving.cancel()
    stopping.cancel()
    with suppress(asyncio.CancelledError):
        await serving
    log.info("stopped")
    return 0


async def _serve(settings: Settings, stop: asyncio.Event, begun: asyncio.Event) -> None:
    outage = Outage()
    async with alone(settings.data) as name, open_service(settings, waiting=outage.say) as service:
        outage.over()
        owner = name or f"{socket.gethostname()}.{os.getpid()}"
        async with Leases(service.store, owner, sole=name is not None) as leases:
            while not stop.is_set():
                await _stand_by(leases, stop)
                if not stop.is_set():
                    await _work(settings, service, leases, outage, stop, begun)


async def _stand_by(leases: Leases, stop: asyncio.Event) -> None:
    """Returns when this store is ours to serve, or at `stop`: another process may serve it, on another machine."""
    ours, stopped = asyncio.ensure_future(leases.wait_for_all()), asyncio.ensure_future(stop.wait())
    try:
        done, _ = await asyncio.wait((ours, stopped), timeout=_SAY_AFTER, return_when=asyncio.FIRST_COMPLETED)
        if not done:
            other = leases.owner_of(0)
            if other is not None:
                log.warning("another tabletalk serve has this store; standing by", owner=other)
            done, _ = await asyncio.wait((ours, stopped), return_when=asyncio.FIRST_COMPLETED)
        if ours in done:
            ours.result()
    finally:
        ours.cancel()
        stopped.cancel()


async def _work(
    settings: Settings, service: Service, leases: Leases, outage: Outage, stop: asyncio.Event, begun: asyncio.Event
) -> None:
    """Serves until `stop`, or until the store is another's: whatever was not confirmed then comes to that one."""
    halt = asyncio.Event()
    bot = _bot(settings)
    working = asyncio.ensure_future(_serve_until(service, bot, outage, halt, begun))
    taken, stopped = asyncio.ensure_future(_taken_over(leases)), asyncio.ensure_future(stop.wait())
    try:
        await asyncio.wait((working, taken, stopped), return_when=asyncio.FIRST_COMPLETED)
        halt.set()
        if taken.done() and not working.done():
            log.error("another process has taken over this store; standing by", owner=taken.result())
            await asyncio.wait((working,), timeout=_PATIENCE)
            working.cancel()
        with suppress(asyncio.CancelledError):
            await working
    finally:
        for task in (working, taken, stopped):
            task.cancel()
        await bot.shutdown()


async def _taken_over(leases: Leases) -> str:
    """Returns, with whose they are, when a lease is another's. One that ran out while the store was away is not yet."""
    known = leases.epochs
    while True:
        known = await leases.changed(known)
        for number in range(leases.partitions):
            owner = leases.owner_of(number)
            if owner is not None and owner != leases.owner:
                return owner


async def _serve_until(service: Service, bot: Bot, outage: Outage, halt: asyncio.Event, begun: asyncio.Event) -> None:
    me = await _introduce(bot, halt)
    if me is not None:
        begun.set()
        await run(service, bot, me, outage, halt)


def _bot(settings: Settings) -> Bot:
    base = settings.telegram_api_url.rstrip("/")
    builder = ApplicationBuilder().token(settings.telegram_token).updater(None)
    builder = builder.base_url(f"{base}/bot").base_file_url(f"{base}/file/bot")
    return (
        builder.request(wire.Request(connection_pool_size=_CONNECTIONS)).get_updates_request(wire.Updates()).build().bot
    )


async def _introduce(bot: Bot, stop: asyncio.Event) -> User | None:
    """Who we are, once Telegram answers; None when we are stopped before."""
    said = False
    while not stop.is_set():
        try:
            await bot.initialize()
            for scope in (BotCommandScopeAllGroupChats(), BotCommandScopeAllPrivateChats()):
                known = commands(language())
                await bot.set_my_commands([BotCommand(name, words) for name, words in known], scope=scope)
            return bot.bot
        except InvalidToken:
            raise BadSetting("TELEGRAM_TOKEN", "Telegram does not know this token") from None
        except RetryAfter as error:
            await asyncio.sleep(error._retry_after.total_seconds())
        except NetworkError as error:
            if not said:
                log.warning("Telegram cannot be reached; waiting", fault=type(error.__cause__ or error).__name__)
                said = True
            await asyncio.sleep(1)
    return None


async def run(
    service: Service, bot: Bot, me: User, outage: Outage, stop: asyncio.Event, absent: float = ABSENT
) -> None:
    """The bot on a deployment whose store answers, until `stop`. Raises BadSetting when the token is taken away.

    Whoever has not been heard of for `absent` seconds is called by a new message when it is his turn.
    """
    texts = language()
    places, shown, once = Places(service.directory), Shown(service.directory), Once(service.directory)
    out, seated = Outbox(bot, service.clock), Seated(absent)
    username = me.username or ""
    views = Views(service.engine, places, seated, shown, out, service.clock, texts, username)
    losses = Losses(service.engine, service.directory, places, shown, views, out, service.clock, texts)
    back = asyncio.Event()
    outage.ended = back.set
    keeper = Keeper(
        *(service.store, service.engine, service.directory, service.clock, "serve"),
        places.ours,
        outage,
        places.latest_message,
    )
    lists = Lists(service.store, service.engine, places, texts)
    hall = Hall(service.engine, places, seated, views, out, once, lists, texts, me.id, username)
    reception = Reception(hall, outage)
    poller = Poller(bot, reception.handle, reception.late, reception.confirmed)
    await reception.patiently(places.load)
    await reception.patiently(once.load)
    await reception.patiently(views.load)
    await reception.patiently(losses.load)
    await reception.patiently(keeper.start)
    log.info("serving", bot=username)
    async with asyncio.TaskGroup() as tasks:
        work = (views.run(), keeper.run(views.touch), losses.run(), _recheck(service, back, reception))
        others = [tasks.create_task(one) for one in work]
        try:
            await poller.run(stop)
        except InvalidToken:
            raise BadSetting("TELEGRAM_TOKEN", "Telegram does not know this token any more") from None
        finally:
            for other in others:
                other.cancel()


async def _recheck(service: Service, back: asyncio.Event, reception: Reception) -> None:
    """After each outage: another server may answer now, which has less than the one before had acknowledged."""
    while True:
        await back.wait()
        back.clear()
        if service.settings.redis_url:
            for client in service.store.servers.every():
                await reception.patiently(partial(mend, client))
        await reception.patiently(service.engine.recheck)


class Reception:
    """Handles one update after the other, as long as it takes."""

    def __init__(self, hall: Hall, outage: Outage) -> None:
        self._hall = hall
        self._outage = outage

    async def handle(self, update: Update) -> None:
        """Handles an update; a store that is down is waited for, and the update then handled with the same ids."""
        found = incoming.read(update, self._hall.username)
        if found is None:
            return
        waited = False
        while True:
            try:
                await self._handle(found)
            except StoreDown as down:
                waited = True
                self._outage.say(str(down))
                await asyncio.sleep(RETRY_SECONDS)
                continue
            except TelegramError as error:
                log.warning("update not answered", fault=type(error).__name__)
            except Exception:  # one update must not stop the others
                log.exception("update not handled", kind=type(found).__name__)
            if waited:
                self._outage.over()
            return

    async def late(self, update: Update) -> None:
        """A press waits for the store, or for what was said before it in the chat."""
        if update.callback_query is not None:
            await self._hall.out.toast(update.callback_query.id, self._hall.say("kept"))

    async def confirmed(self, below: int) -> None:
        """Updates below will not come again."""
        try:
            await self._hall.once.forget(below)
        except StoreDown as down:
            self._outage.say(str(down))

    async def patiently(self, work: Callable[[], Awaitable[None]]) -> None:
        """Does something that needs the store, as soon as it answers."""
        while True:
            try:
                await work()
                return
            except StoreDown as down:
                self._outage.say(str(down))
                await asyncio.sleep(RETRY_SECONDS)

    async def _handle(self, found: incoming.Incoming) -> None:
        hall = self._hall
        if isinstance(found, Said | Pressed) and hall.places.closed(found.chat):
            await self._reopen(found.chat)  # people are there: perhaps we may write again
        match found:
            case Said():
                await talk.handle(hall, found)
            case Pressed():
                await presses.handle(hall, found)
            case Migrated(_, old, new):
                for name in await hall.places.move(old, new):
                    hall.views.touch(name)
            case Membership():
                await self._membership(found)
            case _:
                assert_never(found)

    async def _membership(self, found: Membership) -> None:
        hall = self._hall
        if found.private:
            actor = await hall.places.person(found.user.id, found.user.name)
            await (hall.places.started(actor, found.chat) if found.here else hall.places.stopped(actor))
        elif not found.here:
            await hall.places.close(found.chat)
        elif found.new or hall.places.closed(found.chat):
            await self._reopen(found.chat)
            if found.new:
                await hall.tell(found.update, "greeting", found.chat, hall.say("greeting"))

    async def _reopen(self, chat: int) -> None:
        """What should be shown in the chat is tried once more."""
        await self._hall.places.open(chat)
        for name in await self._hall.places.tables(chat):
            self._hall.views.touch(name)
