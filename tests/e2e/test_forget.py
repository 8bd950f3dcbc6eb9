"""Somebody who played, pressed and wrote everywhere is forgotten: nothing in the store says any more who it was."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
from pathlib import Path

from eventstore.open import open_store
from eventstore.redis_store import RedisStore
from service.clock import SystemClock
from service.directory import Directory
from service.sandbox.world import World
from tests.e2e.conftest import Bot
from tests.e2e.playing import by_button, finds, open_table, play_on, start
from tests.patience import PROGRAM

NAME = "Zenobia"
SHORT = "max_sets=1 target=0 redeal=none min_total_calls=0"


def forget(bot: Bot, *arguments: str) -> subprocess.CompletedProcess[str]:
    program = f"from service.cli import main; main({['forget', *arguments]!r})"
    return subprocess.run(
        [sys.executable, "-c", program],
        env=bot.environment,
        capture_output=True,
        text=True,
        timeout=PROGRAM,
        check=False,
    )


async def actor_of(data: Path, user: int) -> str:
    async with await open_store("", data, now=SystemClock().now) as store:
        return await Directory(store).person(f"tg:{user}")


async def kept(data: Path) -> dict[str, bytes]:
    """Everything that the store holds, by key."""
    async with await open_store("", data, now=SystemClock().now) as store:
        [client] = store.servers.every()
        keys: list[bytes] = [key async for key in client.scan_iter()]
        found = {key.decode(): await _content(store, key) for key in sorted(keys)}
        return {key: content for key, content in found.items() if content is not None}


async def _content(store: RedisStore, key: bytes) -> bytes | None:
    """What a key holds; None where there is none any more: the bot is at work meanwhile."""
    ask = store.servers.ask_one
    kind: bytes = await ask("TYPE", key)
    match kind:
        case b"hash":
            found = await ask("HGETALL", key)
        case b"stream":
            found = await ask("XRANGE", key, "-", "+")
        case b"set":
            found = await ask("SMEMBERS", key)
        case b"zset":
            found = await ask("ZRANGE", key, 0, -1, "WITHSCORES")
        case b"string":
            found = await ask("GET", key)
        case b"list":
            found = await ask("LRANGE", key, 0, -1)
        case b"none":
            return None
        case other:
            raise AssertionError(f"{key!r} is a {other!r}")
    return repr(found).encode()


def traces(data: Path, user: int, actor: str) -> list[str]:
    """The keys that tell of somebody: name and number anywhere, the opaque id outside streams and projections."""
    number = re.compile(rb"(?<!\d)%d(?!\d)" % user)
    found = []
    for key, content in asyncio.run(kept(data)).items():
        whole = key.encode() + content
        built = re.search(r"}:(t|view):", key) is not None
        if (
            NAME.encode() in whole
            or number.search(whole)
            or (actor.removeprefix("person:").encode() in whole and not built)
        ):
            found.append(key)
    return found


def test_whoever_did_everything_is_gone_from_the_store_and_does_not_come_back(bot_api: World, bot: Bot) -> None:
    zoe, *others = people = [bot_api.person(name) for name in (NAME, "Bob", "Cleo", "Dan")]
    group = bot_api.group("Friday", people)
    zoe.start()
    open_table(group, people, SHORT)
    start(group, people)
    play_on(people, group, {zoe.id: (by_button, zoe.private)})
    for place in (group, zoe.private):
        finds(zoe, place, "Winner: ")
    finds(zoe, group, "Once more?")
    zoe.say(zoe.private, "/callbreak")
    lobby = finds(zoe, zoe.private, "Join")
    for _ in range(3):
        zoe.press(lobby, "Add computer player")
    zoe.press(lobby, "Start")
    finds(zoe, zoe.private, "trump ♠")
    zoe.wait(lambda: any("3" in one.buttons for one in zoe.sees(zoe.private)), what="her turn: all wait for her")
    actor = asyncio.run(actor_of(bot.data, zoe.id))
    assert traces(bot.data, zoe.id, actor) != []
    before = bot.tabletalk("export", "--all")

    done = forget(bot, str(zoe.id))
    assert (done.returncode, done.stdout) == (1, "")
    assert f"{actor} has a seat at " in done.stderr
    done = forget(bot, NAME.lower(), "--anyway")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[0].startswith(f"{actor} is forgotten: ")
    assert "restart it now" in done.stdout
    assert traces(bot.data, zoe.id, actor) == []

    assert bot.stop() == 0
    bot.start()
    open_table(group, others, SHORT)
    others[0].press(finds(others[0], group, "Join"), "Add computer player")
    start(group, others)
    play_on(others, group, {}, most=3)
    assert traces(bot.data, zoe.id, actor) == []
    after = bot.tabletalk("export", "--all")
    assert set(before.splitlines()[1:-1]) <= set(after.splitlines())
    assert bot.tabletalk("audit", "--all").startswith("ok:")
    assert bot.tabletalk("store", "check").startswith("ok:")
    assert forget(bot, str(zoe.id)).returncode == 1
