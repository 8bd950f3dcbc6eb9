"""`tabletalk serve`: the Telegram bot, by long polling or by webhook, until it is stopped."""

from __future__ import annotations

import asyncio
import gc
import os
import socket
from collections.abc import Callable
from contextlib import suppress
from functools import partial

import structlog
from telegram import Bot, User
from telegram.error import InvalidToken

from eventstore.leases import Leases
from eventstore.store import StoreDown
from service.chat.announcing import Announcer
from service.chat.api.alone import alone
from service.chat.api.connecting import introduce, new_bot
from service.chat.api.once import Once
from service.chat.api.outbox import Outbox
from service.chat.api.polling import Poller
from service.chat.api.rights import Rights
from service.chat.board.lists import Lists
from service.chat.board.places import Places
from service.chat.board.rounds import Rounds
from service.chat.board.seated import ABSENT, Seated
from service.chat.board.shown import Shown
from service.chat.board.unsaid import Unsaid
from service.chat.board.views import Views
from service.chat.hall import Hall
from service.chat.hands import inline
from service.chat.hands.ephemeral import Slips
from service.chat.hands.forced import Forced
from service.chat.hands.premoves import Plans
from service.chat.part import Part
from service.chat.people import members
from service.chat.people.customs import Preferences
from service.chat.proof.losses import Losses
from service.chat.reception import Reception
from service.chat.tables.wishes import Wishes
from service.clock import Clock
from service.keeper import Keeper
from service.operating import Operation
from service.outage import Outage
from service.processes.ending import PATIENCE, until_told
from service.settings import BadSetting, Settings
from service.web.app import serving
from service.web.health import Readiness, answers, routes
from service.web.posted import Posted
from service.web.webhook import Webhook
from service.wiring import Service, mend, open_service

log = structlog.get_logger()

_SAY_AFTER = 1.0  # s of standing by
_LEAVE_SECONDS = 1.5


async def serve(settings: Settings) -> int:
    """Serves until SIGTERM or SIGINT, then gives 0. Raises BadSetting for a token that is none, StoreUnfit."""
    needs_token(settings)
    return await until_told(partial(_serve, settings))


def needs_token(settings: Settings) -> None:
    """Raises BadSetting when there is no token."""
    if not settings.telegram_token:
        raise BadSetting("TELEGRAM_TOKEN", "is not set: @BotFather on Telegram gives a bot's token")


async def _serve(settings: Settings, stop: asyncio.Event, begun: asyncio.Event) -> None:
    outage, readiness = Outage(), Readiness()
    readiness.waits_for("store", "not open yet")
    readiness.waits_for("updates", "not received yet")
    webhook = Webhook(settings) if settings.webhook_url else None
    async with (
        alone(settings.data) as name,
        serving(settings, [*routes(readiness), *(() if webhook is None else webhook.routes())]),
        open_service(settings, waiting=outage.say) as service,
    ):
        outage.over()
        readiness.needs("store", answers(service.store))
        owner = name or f"{socket.gethostname()}.{os.getpid()}"
        async with Leases(service.store, owner, sole=name is not None) as leases:
            while not stop.is_set():
                readiness.waits_for("updates", "another process serves this store; standing by")
                await _stand_by(leases, stop)
                if not stop.is_set():
                    service.engine.forget(lambda _: True)  # another may have served in between
                    readiness.has("updates")
                    await _work(settings, service, leases, outage, webhook, stop, begun)


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
    settings: Settings,
    service: Service,
    leases: Leases,
    outage: Outage,
    webhook: Webhook | None,
    stop: asyncio.Event,
    begun: asyncio.Event,
) -> None:
    """Serves until `stop`, or until the store is another's: whatever was not confirmed then comes to that one."""
    halt = asyncio.Event()
    bot = new_bot(settings)
    working = asyncio.ensure_future(_serve_until(service, bot, outage, webhook, halt, begun))
    taken, stopped = asyncio.ensure_future(_taken_over(leases)), asyncio.ensure_future(stop.wait())
    try:
        await asyncio.wait((working, taken, stopped), return_when=asyncio.FIRST_COMPLETED)
        halt.set()
        if taken.done() and not working.done():
            log.error("another process has taken over this store; standing by", owner=taken.result())
            await asyncio.wait((working,), timeout=PATIENCE)
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


async def _serve_until(
    service: Service, bot: Bot, outage: Outage, webhook: Webhook | None, halt: asyncio.Event, begun: asyncio.Event
) -> None:
    me = await introduce(bot, halt)
    if me is not None:
        begun.set()
        gc.freeze()  # what is there now stays: no collection needs to look at it again while somebody waits
        part = None if webhook is None else Part(partial(_posted, webhook, bot, service.clock))
        await run(service, bot, me, outage, halt, part=part)


def _polling(bot: Bot, reception: Reception) -> Poller:
    return Poller(bot, reception.handle, reception.late, reception.confirmed)


def _posted(webhook: Webhook, bot: Bot, clock: Clock, reception: Reception) -> Posted:
    return Posted(webhook, bot, reception.handle, reception.late, reception.confirmed, clock.now)


async def run(
    service: Service,
    bot: Bot,
    me: User,
    outage: Outage,
    stop: asyncio.Event,
    absent: float = ABSENT,
    part: Part | None = None,
) -> None:
    """The bot on a deployment whose store answers, until `stop`. Raises BadSetting when the token is taken away.

    Whoever has not been heard of for `absent` seconds is called by a new message when it is his turn.
    """
    part = part or Part(partial(_polling, bot))
    places, shown, once = Places(service.directory, part.holds), Shown(service.directory), Once(service.directory)
    preferences = Preferences(service.directory)
    operation = Operation(service.directory, service.store.deployment, service.clock)
    service.engine.quiet, service.engine.door = preferences.quiet, operation.door
    out, seated = Outbox(bot, service.clock, part.windows), Seated(service.clock, absent)
    username = me.username or ""
    views = Views(service.engine, places, seated, shown, out, service.clock, preferences, username, part.elsewhere)
    losses = Losses(service.engine, service.directory, places, shown, views, out, service.clock, preferences)
    back = asyncio.Event()
    outage.ended = back.set
    keeper = Keeper(
        *(service.store, service.engine, service.directory, service.clock, "serve"),
        places.ours,
        outage,
        places.latest_message,
        part.partitions,
    )
    lists = Lists(service.store, service.engine, places, shown)
    slips = Slips(bot, out, service.engine, service.clock, views.names)
    plans = Plans(service.engine, service.directory, service.engine.sealer, places, views, preferences)
    views.beside = plans.beside
    if me.supports_inline_queries:
        views.below = partial(inline.below, places.pairs)
    planned = Rounds(service.clock, plans.look)
    forced = Rounds(service.clock, Forced(service.engine, service.clock, preferences.of_person).look)

    def changed(name: str) -> None:
        for one in (views, slips, planned, forced, watch):
            one.touch(name)

    hall = Hall(
        service.engine,
        places,
        seated,
        views,
        out,
        once,
        lists,
        preferences,
        me.id,
        username,
        slips,
        plans,
        forced,
        service.directory,
        places.pairs,
        Wishes(service.directory, service.engine.sealer, service.clock),
        Rights(out, service.clock),
        operation,
    )
    views.parting.lost = partial(members.lost_seat, hall)
    watch = Rounds(service.clock, partial(members.look, hall))
    unsaid = Unsaid(service.directory, service.engine.sealer)
    reception = Reception(hall, outage)
    source = part.source(reception)
    await reception.patiently(places.load)
    await reception.patiently(preferences.load)
    await reception.patiently(once.load)
    await reception.patiently(views.load)
    await reception.patiently(losses.load)
    await reception.patiently(keeper.start)
    for name in filter(places.ours, await shown.live()):
        for one in (planned, forced, watch):
            one.touch(name)
    log.info("serving", bot=username)
    async with asyncio.TaskGroup() as tasks:
        work = (
            views.run(),
            slips.run(),
            planned.run(),
            forced.run(),
            watch.run(),
            keeper.run(changed),
            losses.run(),
            Announcer(operation, places, out, service.clock).run(),
            _recheck(service, back, reception),
            unsaid.run(partial(_is_ours, places, part.holds), views.answer_later, reception.patiently),
        )
        others = [tasks.create_task(one) for one in work]
        try:
            await source.run(stop)
            await _leave(views, keeper)
        except InvalidToken:
            raise BadSetting("TELEGRAM_TOKEN", "Telegram does not know this token any more") from None
        finally:
            for other in others:
                other.cancel()
    with suppress(StoreDown, TimeoutError):
        async with asyncio.timeout(_LEAVE_SECONDS):
            await unsaid.keep(views.unsaid())


async def _is_ours(places: Places, holds: Callable[[str], bool], chat: int) -> bool:
    return holds(f"{await places.home(chat)}-0")


async def _leave(views: Views, keeper: Keeper) -> None:
    """Lets what is being sent arrive, and says until when we were there: soon taken over is not down in between."""
    with suppress(StoreDown, TimeoutError):
        async with asyncio.timeout(_LEAVE_SECONDS):
            await views.sent()
            await keeper.beat()


async def _recheck(service: Service, back: asyncio.Event, reception: Reception) -> None:
    """After each outage: another server may answer now, which has less than the one before had acknowledged."""
    while True:
        await back.wait()
        back.clear()
        if service.settings.redis_url:
            for client in service.store.servers.every():
                await reception.patiently(partial(mend, client))
        await reception.patiently(service.engine.recheck)
