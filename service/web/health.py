"""`/health` and `/ready`, for whoever keeps processes running: whether this one lives, and whether it does its work."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from eventstore.redis_store import RedisStore
from eventstore.store import StoreDown, StoreUnfit

_PATIENCE = 2.0  # s that the store may take

Check = Callable[[], Awaitable[str]]
"""What is amiss, in words without secrets; "" for nothing."""


class Readiness:
    """What has to be so before this process does its work; checks are added as the parts come up."""

    def __init__(self) -> None:
        self._checks: dict[str, Check] = {}

    def needs(self, name: str, check: Check) -> None:
        """From now on the check belongs to it; one of the same name is replaced."""
        self._checks[name] = check

    def waits_for(self, name: str, why: str) -> None:
        """Until another check of this name comes, we are not ready, and this is why."""

        async def check() -> str:
            return why

        self.needs(name, check)

    def has(self, name: str) -> None:
        """What the name stands for is well."""
        self.waits_for(name, "")

    async def amiss(self) -> list[str]:
        """`name: what is amiss` of every check that does not hold, in the order they were added."""
        found = [(name, await check()) for name, check in list(self._checks.items())]
        return [f"{name}: {fault}" for name, fault in found if fault]


def answers(store: RedisStore) -> Check:
    """Whether the store answers in time."""

    async def check() -> str:
        try:
            async with asyncio.timeout(_PATIENCE):
                await store.servers.ask_one("HGET", store.prefix + ":meta", "format")
        except (StoreDown, StoreUnfit) as fault:
            return type(fault).__name__
        except TimeoutError:
            return "does not answer in time"
        return ""

    return check


def routes(readiness: Readiness) -> list[Route]:
    """`/health`: 200 as long as the process lives. `/ready`: 200, or 503 and what is amiss."""

    async def health(_request: Request) -> Response:
        return PlainTextResponse("ok\n")

    async def ready(_request: Request) -> Response:
        amiss = await readiness.amiss()
        return PlainTextResponse("\n".join(amiss or ["ready"]) + "\n", 503 if amiss else 200)

    return [Route("/health", health), Route("/ready", ready)]
