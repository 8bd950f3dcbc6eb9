"""The bot's webhook: set, deleted, told of; and updates posted to it until it answers 200 (Bot API, setWebhook)."""

from __future__ import annotations

import asyncio
import re
from functools import partial
from typing import TYPE_CHECKING, Any

import httpx
import msgspec

from service.sandbox.refusals import Refused, bad_request
from service.sandbox.updates import Update
from service.sandbox.waiting import until

if TYPE_CHECKING:
    from service.sandbox.world import World

Params = dict[str, Any]
SECRET_HEADER = "X-Telegram-Bot-Api-Secret-Token"
ACTIVE = "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first"
MOST_CONNECTIONS = 100
_SECRET = re.compile(r"[A-Za-z0-9_-]{1,256}")
_LOCAL = re.compile(r"http://(?:127\.0\.0\.1|localhost)(?::\d+)?/")
_PATIENCE = 10.0  # s for an answer
_FIRST_PAUSE, _LONGEST_PAUSE = 0.05, 1.0  # s between attempts; Telegram's are longer


class Hook(msgspec.Struct):
    """Where updates are posted to, and how that went."""

    url: str
    secret: str
    connections: int
    served: bool = False
    attempts: int = 0
    delivered: list[int] = []  # update ids, in the order of their 200
    refusal: str = ""
    refused_at: int = 0  # seconds


def set_webhook(world: World, params: Params) -> Any:
    """Bot API, setWebhook; an empty URL deletes it. Plain HTTP only to this machine, as a local server allows."""
    url = params.get("url", "")
    _drop(world, params, "setWebhook")
    allowed = params.get("allowed_updates")
    if isinstance(allowed, list):
        world.updates.allow(str(kind) for kind in allowed)
    if not url:
        world.hook = None
        return True
    if not url.startswith("https://") and not _LOCAL.match(url):
        raise bad_request("bad webhook: An HTTPS URL must be provided for webhook")
    secret = params.get("secret_token", "")
    if secret and not _SECRET.fullmatch(secret):
        raise bad_request("secret token contains unallowed characters")
    if not secret:
        world.violate("setWebhook: without secret_token anybody may post updates")
    connections = params.get("max_connections", 40)
    if not 1 <= connections <= MOST_CONNECTIONS:
        raise bad_request("max_connections must be between 1 and 100")
    if world.hook is None or world.hook.url != url or world.hook.secret != secret:
        world.hook = Hook(url, secret, connections)
    world.hook.connections = connections
    return True


def delete_webhook(world: World, params: Params) -> Any:
    """Bot API, deleteWebhook; what was not delivered stays for getUpdates."""
    _drop(world, params, "deleteWebhook")
    world.hook = None
    return True


def get_webhook_info(world: World, params: Params) -> Any:
    """Bot API, getWebhookInfo."""
    hook = world.hook
    info = {
        "url": "" if hook is None else hook.url,
        "has_custom_certificate": False,
        "pending_update_count": len(world.updates.waiting),
    }
    if hook is not None:
        info["max_connections"] = hook.connections
        if hook.refusal:
            info |= {"last_error_date": hook.refused_at, "last_error_message": hook.refusal}
    return info


def no_webhook(world: World) -> None:
    """409 for getUpdates while there is a webhook."""
    if world.hook is not None:
        raise Refused(409, ACTIVE)


async def deliver(world: World, hook: Hook) -> None:
    """Posts updates while this is the world's webhook: one chat's in order, chats side by side, each until its 200."""
    busy: dict[int, asyncio.Task[None]] = {}  # by update
    lanes: dict[int, int] = {}  # update -> chat

    def stale() -> bool:
        return world.closed or world.hook is not hook

    def next_one() -> Update | None:
        if len(busy) >= hook.connections:
            return None
        taken = set(lanes.values())
        for update in world.updates.waiting:
            if _lane(update) not in taken:
                return update
        return None

    async with httpx.AsyncClient(timeout=_PATIENCE, verify=not _LOCAL.match(hook.url)) as client:
        try:
            while not stale():
                await until(world, lambda: stale() or next_one() is not None, None)
                with world.changed:
                    update = None if stale() else next_one()
                if update is not None:
                    lanes[update.id] = _lane(update)
                    busy[update.id] = asyncio.create_task(_post(world, hook, client, update))
                    busy[update.id].add_done_callback(partial(_free, world, busy, lanes, update.id))
        finally:
            hook.served = False
            for task in busy.values():
                task.cancel()


def _free(
    world: World, busy: dict[int, asyncio.Task[None]], lanes: dict[int, int], number: int, done: asyncio.Task[None]
) -> None:
    busy.pop(number, None)
    lanes.pop(number, None)
    with world.changing():
        return


async def _post(world: World, hook: Hook, client: httpx.AsyncClient, update: Update) -> None:
    pause = _FIRST_PAUSE
    while not world.closed and world.hook is hook:
        hook.attempts += 1
        try:
            headers = {SECRET_HEADER: hook.secret} if hook.secret else {}
            answer = await client.post(hook.url, json=update.object(), headers=headers)
            refusal = "" if answer.status_code == 200 else f"Wrong response from the webhook: {answer.status_code}"
        except httpx.HTTPError as error:
            refusal = f"Connection failed: {type(error).__name__}"
        with world.changing():
            if not refusal:
                world.updates.waiting = [one for one in world.updates.waiting if one.id != update.id]
                hook.delivered.append(update.id)
                return
            hook.refusal, hook.refused_at = refusal, world.clock() // 1000
        await asyncio.sleep(pause)
        pause = min(pause * 2, _LONGEST_PAUSE)


def _lane(update: Update) -> int:
    """The chat (or person) whose updates come one after the other."""
    body = update.body
    chat = body.get("chat") or body.get("message", {}).get("chat") or body["from"]
    return int(chat["id"])


def _drop(world: World, params: Params, method: str) -> None:
    if params.get("drop_pending_updates"):
        world.violate(f"{method}: drop_pending_updates loses what people did")
        world.updates.waiting.clear()
