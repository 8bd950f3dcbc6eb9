"""`tabletalk worker`: handles the updates in its partitions' inboxes, and looks after their tables."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from typing import Literal

import structlog
from telegram import Bot, User

from eventstore.inbox import Inbox
from eventstore.leases import Leases
from service.chat.api.connecting import introduce, new_bot
from service.chat.api.windows import SharedWindows
from service.chat.part import Part
from service.chat.reception import Reception
from service.chat.serve import run
from service.outage import Outage
from service.processes.consuming import Consumer
from service.processes.ending import PATIENCE, until_told
from service.processes.guests import Guests
from service.processes.routing import Router
from service.processes.settled import needs_store
from service.projections.rows import Rows, through
from service.projections.tables import TABLES_BY_PLAYER
from service.settings import Settings
from service.web.app import serving
from service.web.health import Readiness, answers, routes
from service.wiring import Service, open_service

log = structlog.get_logger()

LEASE_SECONDS = 6.0
"""A partition whose worker was killed waits that long; one that is handed over, a third of it."""


async def worker(settings: Settings) -> int:
    """Works until SIGTERM or SIGINT, then gives 0. Raises BadSetting, StoreUnfit. All workers share the partitions."""
    needs_store(settings)
    return await until_told(partial(_worker, settings))


async def _worker(settings: Settings, stop: asyncio.Event, begun: asyncio.Event) -> None:
    outage, readiness = Outage(), Readiness()
    readiness.waits_for("store", "not open yet")
    readiness.waits_for("partitions", "none yet")
    async with serving(settings, routes(readiness)), open_service(settings, waiting=outage.say) as service:
        outage.over()
        readiness.needs("store", answers(service.store))
        bot = new_bot(settings)
        try:
            me = await introduce(bot, stop, told=False)
            if me is not None:
                begun.set()
                owner = f"{socket.gethostname()}.{os.getpid()}"
                async with Leases(service.store, owner, share="fair", seconds=LEASE_SECONDS) as leases:
                    # What a person says in private may be a move at another worker's table: there versions decide.
                    service.store.epoch_of = lambda number: leases.epoch_of(number) or None
                    await Shift(service, bot, me, outage, leases, readiness).run(stop)
        finally:
            await bot.shutdown()


class Shift:
    """Works on whatever partitions are ours, until that changes; then begins anew with what is ours then."""

    def __init__(
        self, service: Service, bot: Bot, me: User, outage: Outage, leases: Leases, readiness: Readiness
    ) -> None:
        self._service = service
        self._bot = bot
        self._me = me
        self._outage = outage
        self._leases = leases
        self._readiness = readiness
        self._known: Mapping[int, int] = {}  # what we had when we last began

    async def run(self, stop: asyncio.Event) -> None:
        """Returns soon after `stop`, when what is in hand is finished."""
        epochs: Mapping[int, int] = self._leases.epochs
        stopped = asyncio.ensure_future(stop.wait())
        try:
            while not stop.is_set():
                changed = asyncio.ensure_future(self._changed(epochs))
                if epochs:
                    await self._work(epochs, changed, stopped)
                else:
                    self._readiness.waits_for("partitions", "all are other workers'")
                    await asyncio.wait((changed, stopped), return_when=asyncio.FIRST_COMPLETED)
                if changed.done():
                    epochs = changed.result()
                    if self._leases.fault is None:
                        epochs = self._leases.epochs  # more may have changed while we finished
                changed.cancel()
        finally:
            stopped.cancel()

    async def _changed(self, epochs: Mapping[int, int]) -> Mapping[int, int]:
        """What we hold, when that is not what it was. Leases that run out while the store is away are still ours to
        wait with: somebody else can only take them when it is back."""
        known = epochs
        while True:
            known = await self._leases.changed(known)
            if self._leases.fault is None and known != epochs:
                return known

    async def _work(
        self,
        epochs: Mapping[int, int],
        changed: asyncio.Future[Mapping[int, int]],
        stopped: asyncio.Future[Literal[True]],
    ) -> None:
        log.info("at work", partitions=len(epochs))
        kept = {number for number, epoch in epochs.items() if self._known.get(number) == epoch}
        self._service.engine.forget(lambda table: self._service.store.partition_of(table) not in kept)
        self._known = epochs
        self._readiness.has("partitions")
        halt = asyncio.Event()
        working = asyncio.ensure_future(self._part(frozenset(epochs), halt))
        try:
            await asyncio.wait((working, changed, stopped), return_when=asyncio.FIRST_COMPLETED)
            halt.set()
            await asyncio.wait((working,), timeout=PATIENCE)
        finally:
            working.cancel()
        with suppress(asyncio.CancelledError):
            await working

    async def _part(self, partitions: frozenset[int], halt: asyncio.Event) -> None:
        part = share(self._service, self._bot, partitions, self._leases.owner)
        await run(self._service, self._bot, self._me, self._outage, halt, part=part)


def share(service: Service, bot: Bot, partitions: frozenset[int], owner: str) -> Part:
    """The part of a worker that holds these partitions, under leases of this owner."""
    store, inbox = service.store, Inbox(service.store)
    router = Router(store, service.directory, inbox)
    consumers: list[Consumer] = []

    def source(reception: Reception) -> Consumer:
        guests = Guests(reception.hall, service.directory, Rows(store, TABLES_BY_PLAYER, through(service.engine)))
        consumers.append(Consumer(reception, inbox, router, guests, bot, partitions, owner))
        return consumers[-1]

    def holds(table: str) -> bool:
        return store.partition_of(table) in partitions

    def elsewhere(table: str) -> None:
        if not holds(table):
            consumers[-1].elsewhere(table)

    return Part(source, partitions, holds, elsewhere, SharedWindows(store))
