"""Nothing that was acknowledged is lost, whoever is killed and whenever: processes that play, and their server."""

from __future__ import annotations

import asyncio
import os
import random
import signal
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

from eventstore.chain import verify
from eventstore.open import open_store
from tests.eventstore.drafts import Clock
from tests.eventstore.processes import Player, Start, running, server_gone, server_of

PLAYERS = 3
KILLS = 12
APART = 40  # acknowledgements between two kills


async def test_nothing_acknowledged_is_lost_when_processes_and_servers_are_killed(
    start: Start, folder: Path, clock: Clock, record_property: Callable[[str, object], None]
) -> None:
    chance = random.Random(1)
    acknowledged: dict[str, dict[int, str]] = defaultdict(dict)
    heard = asyncio.Semaphore(0)

    async def listen(player: Player) -> None:
        assert player.process.stdout is not None
        while (line := await player.process.stdout.readline()).endswith(b"\n"):
            table, version, hash = line.decode().split()
            acknowledged[table][int(version)] = hash
            heard.release()

    async def begin(home: str) -> tuple[Player, asyncio.Task[None]]:
        player = await start()
        assert player.process.stdin is not None
        player.process.stdin.write(f"play {home}\n".encode())
        return player, asyncio.create_task(listen(player))

    playing = [await begin(f"home{number}-") for number in range(PLAYERS)]
    killed_servers = 0
    async with await open_store("", folder, now=clock) as store:
        for kill in range(KILLS):
            for _ in range(APART):
                await heard.acquire()
            if kill % 2:
                server = await server_of(store)
                os.kill(server, chance.choice([signal.SIGKILL, signal.SIGTERM]))
                killed_servers += 1
            else:
                player, listening = playing.pop(chance.randrange(PLAYERS))
                await player.kill()
                await listening
                playing.append(await begin(f"later{kill}-"))
    for player, listening in playing:
        await player.kill()
        await listening
    await server_gone(folder)
    async with await open_store("", folder, now=clock) as store:
        for table, versions in acknowledged.items():
            commits = await store.read(table)
            verify(commits)
            assert {commit.version: commit.hash.hex() for commit in commits}.items() >= versions.items()
        assert running(await server_of(store))
    figures = {"acknowledged": sum(map(len, acknowledged.values())), "kills": KILLS, "of servers": killed_servers}
    record_property("figures", str(figures))
    assert figures["acknowledged"] >= KILLS * APART
