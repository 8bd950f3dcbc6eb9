"""`tabletalk web`: receives updates and stores each in an inbox before Telegram hears that we have it."""

from __future__ import annotations

import asyncio
import os
import socket
from functools import partial
from typing import Literal

import structlog
from telegram import Bot, Update
from telegram.error import InvalidToken

from eventstore.duty import Duty
from eventstore.inbox import Inbox
from eventstore.store import StoreDown
from service.chat.api.connecting import introduce, new_bot
from service.chat.api.polling import Poller
from service.keeper import RETRY_SECONDS
from service.outage import Outage
from service.processes.ending import PATIENCE, until_told
from service.processes.routing import Router
from service.processes.settled import needs_store
from service.settings import BadSetting, Settings
from service.web.app import serving
from service.web.health import Readiness, answers, routes
from service.web.webhook import Webhook
from service.wiring import Service, open_service

log = structlog.get_logger()

_FINISH = 2.0  # s that posts may still wait for the store at the end


async def web(settings: Settings) -> int:
    """Receives until SIGTERM or SIGINT, then gives 0. Raises BadSetting, StoreUnfit.

    Of several that poll one does, and the others stand by.
    """
    needs_store(settings)
    return await until_told(partial(_web, settings))


async def _web(settings: Settings, stop: asyncio.Event, begun: asyncio.Event) -> None:
    outage, readiness = Outage(), Readiness()
    readiness.waits_for("store", "not open yet")
    readiness.waits_for("updates", "not received yet")
    webhook = Webhook(settings) if settings.webhook_url else None
    every = [*routes(readiness), *(() if webhook is None else webhook.routes())]
    async with serving(settings, every), open_service(settings, waiting=outage.say) as service:
        outage.over()
        readiness.needs("store", answers(service.store))
        bot = new_bot(settings)
        try:
            if await introduce(bot, stop) is not None:
                begun.set()
                intake = Intake(service, outage)
                if webhook is None:
                    await _poll_in_turn(intake, bot, readiness, stop)
                else:
                    await _be_posted(intake, webhook, bot, readiness, stop)
        finally:
            await bot.shutdown()


class Intake:
    """Stores what Telegram brings, as soon as the store answers."""

    def __init__(self, service: Service, outage: Outage) -> None:
        self.store = service.store
        self._router = Router(service.store, service.directory, Inbox(service.store))
        self._outage = outage

    async def receive(self, update: Update) -> None:
        """Returns when the update is stored (and not before); may be given one again."""
        while True:
            try:
                await self._router.update(update)
            except StoreDown as down:
                self._outage.say(str(down))
                await asyncio.sleep(RETRY_SECONDS)
            else:
                self._outage.over()
                return


async def _be_posted(intake: Intake, webhook: Webhook, bot: Bot, readiness: Readiness, stop: asyncio.Event) -> None:
    """Stores what is posted to the webhook until `stop`; any number of processes do so at once."""
    storing: set[asyncio.Task[None]] = set()

    async def receive(update: Update) -> None:
        task = asyncio.ensure_future(intake.receive(update))
        storing.add(task)
        task.add_done_callback(storing.discard)
        await task

    with webhook.open(receive):
        try:
            if await webhook.announce(bot, stop):
                readiness.has("updates")
                await stop.wait()
        except InvalidToken:
            raise BadSetting("TELEGRAM_TOKEN", "Telegram does not know this token any more") from None
    if storing:
        await asyncio.wait(storing, timeout=_FINISH)
    for task in storing:  # Telegram hears that it is not safe, and sends it again
        task.cancel()


async def _poll_in_turn(intake: Intake, bot: Bot, readiness: Readiness, stop: asyncio.Event) -> None:
    """Polls while it is our duty, until `stop`. Raises BadSetting when the token is taken away."""
    duty = Duty(intake.store, "poller", f"{socket.gethostname()}.{os.getpid()}")
    stopped = asyncio.ensure_future(stop.wait())
    try:
        while not stop.is_set():
            readiness.waits_for("updates", "another process polls; standing by")
            waiting = asyncio.ensure_future(duty.wait())
            await asyncio.wait((waiting, stopped), return_when=asyncio.FIRST_COMPLETED)
            if not waiting.done():
                waiting.cancel()
                break
            log.info("polling")
            readiness.has("updates")
            await _poll(intake, bot, duty, stopped)
    finally:
        stopped.cancel()
        await duty.give_back()


async def _poll(intake: Intake, bot: Bot, duty: Duty, stopped: asyncio.Future[Literal[True]]) -> None:
    async def nothing(_: object) -> None:
        """A press that waits is told so by the worker, and its notes are dropped there."""

    halt = asyncio.Event()
    polling = asyncio.ensure_future(Poller(bot, intake.receive, nothing, nothing).run(halt))
    keeping = asyncio.ensure_future(duty.keep())
    try:
        await asyncio.wait((polling, keeping, stopped), return_when=asyncio.FIRST_COMPLETED)
        if keeping.done() and not stopped.done():
            log.warning("another process polls now; standing by", owner=duty.other)
        halt.set()
        await asyncio.wait((polling,), timeout=PATIENCE)
        if polling.done():
            polling.result()
    except InvalidToken:
        raise BadSetting("TELEGRAM_TOKEN", "Telegram does not know this token any more") from None
    finally:
        polling.cancel()
        keeping.cancel()
