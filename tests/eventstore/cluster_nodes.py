"""Three masters and four replicas of the embedded binary on loopback: one cluster, all in a test's hands."""

from __future__ import annotations

import asyncio
import random
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path

from redis.asyncio import Redis
from redis.exceptions import ResponseError

from eventstore.embedded import server_binary
from eventstore.store import StoreDown
from eventstore.wire import Reply, ask_one

MASTERS = 3
REPLICAS = 4  # one to spare: with min-replicas-to-write, a master that was promoted needs a replica of its own
SLOTS = 16384
TIMEOUT = 1000  # ms until a node that is silent counts as failing
PATIENCE = 60.0  # s
_LOOK = 0.05  # s
# The servers end with the thread that started them (Linux), so that a test run that is killed leaves none.
_BECOME = """
import ctypes, os, sys
if sys.platform == "linux":
    ctypes.CDLL(None).prctl(1, 9)
os.execv(sys.argv[1], sys.argv[1:])
"""


class Nodes:
    """The servers of a cluster, by port."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.processes: dict[int, subprocess.Popen[bytes]] = {}
        self.clients: dict[int, Redis] = {}

    @property
    def url(self) -> str:
        """As an operator would write it."""
        return "redis://" + ",".join(f"127.0.0.1:{port}" for port in list(self.processes)[:MASTERS])

    def start(self, port: int) -> None:
        """Starts a server, for the first time or again."""
        folder = self._folder / str(port)
        folder.mkdir(exist_ok=True)
        options = {
            "port": str(port),
            "bind": "127.0.0.1",
            "dir": str(folder),
            "cluster-enabled": "yes",
            "cluster-node-timeout": str(TIMEOUT),
            "cluster-replica-validity-factor": "0",
            "appendonly": "yes",
            "appendfsync": "always",
            "save": "",
            "min-replicas-to-write": "1",
            "min-replicas-max-lag": "10",
            "repl-diskless-sync-delay": "0",
            "repl-ping-replica-period": "1",
            "stream-node-max-bytes": "1024",
            "logfile": str(folder / "log"),
        }
        arguments = [part for name, value in options.items() for part in (f"--{name}", value)]
        command = [sys.executable, "-I", "-S", "-c", _BECOME, server_binary(), *arguments]
        self.processes[port] = subprocess.Popen(command, stdin=subprocess.DEVNULL)
        self.clients[port] = Redis(host="127.0.0.1", port=port, protocol=2, socket_timeout=5)

    def kill(self, port: int) -> None:
        """SIGKILL."""
        self.processes[port].send_signal(signal.SIGKILL)
        self.processes[port].wait()

    async def ask(self, port: int, *command: str | int) -> Reply:
        """A node's own answer."""
        return await ask_one(self.clients[port], *command)

    async def masters(self) -> dict[int, list[int]]:
        """The ports of the masters that live, each with its replicas', as a node that lives sees it."""
        port = next(port for port, process in self.processes.items() if process.poll() is None)
        ids: dict[str, int] = {}
        roles: dict[str, str] = {}
        for line in (await self.ask(port, "CLUSTER", "NODES")).splitlines():
            id, address, flags, master = line.decode().split()[:4]
            if "fail" not in flags.split(","):
                ids[id] = int(address.partition("@")[0].rpartition(":")[2])
                roles[id] = master if "slave" in flags else ""
        return {ids[id]: [ids[other] for other, of in roles.items() if of == id] for id, of in roles.items() if not of}

    async def close(self) -> None:
        for client in self.clients.values():
            await client.aclose()
            await client.connection_pool.disconnect()
        for process in self.processes.values():
            process.kill()
            process.wait()


@asynccontextmanager
async def cluster_nodes(folder: Path) -> AsyncIterator[Nodes]:
    """A cluster that works: every slot has a master, every master a replica that is in step."""
    nodes = Nodes(folder)
    try:
        ports = _free_ports(MASTERS + REPLICAS)
        for port in ports:
            nodes.start(port)
        for port in ports:
            await until(partial(nodes.ask, port, "PING"))
        masters, replicas = ports[:MASTERS], ports[MASTERS:]
        for number, port in enumerate(masters):
            first, last = SLOTS * number // MASTERS, SLOTS * (number + 1) // MASTERS - 1
            await nodes.ask(port, "CLUSTER", "ADDSLOTSRANGE", first, last)
            await nodes.ask(port, "CLUSTER", "SET-CONFIG-EPOCH", number + 1)
        for port in ports[1:]:
            await nodes.ask(ports[0], "CLUSTER", "MEET", "127.0.0.1", port)
        ids = {port: (await nodes.ask(port, "CLUSTER", "MYID")).decode() for port in ports}
        for number, port in enumerate(replicas):
            await until(partial(_replicate, nodes, port, ids[masters[number % MASTERS]]))
        await until(partial(healthy, nodes))
        yield nodes
    finally:
        await nodes.close()


async def _replicate(nodes: Nodes, port: int, master: str) -> bool:
    """Works as soon as the node has heard of its master."""
    return bool(await nodes.ask(port, "CLUSTER", "REPLICATE", master))


async def healthy(nodes: Nodes) -> bool:
    """Whether all servers that live agree that the cluster is whole, and every master has a replica in step."""
    for port, process in nodes.processes.items():
        if process.poll() is None and b"cluster_state:ok" not in await nodes.ask(port, "CLUSTER", "INFO"):
            return False
    masters = await nodes.masters()
    for master in masters:
        facts = (await nodes.ask(master, "INFO", "replication")).decode()
        if "state=online" not in facts or "min_slaves_good_slaves:0" in facts:
            return False
    return len(masters) == MASTERS


async def until(holds: Callable[[], Awaitable[object]]) -> None:
    """Returns when it holds; a server that does not answer, or refuses, is no yes."""
    async with asyncio.timeout(PATIENCE):
        while True:
            with suppress(StoreDown, ResponseError):
                if await holds():
                    return
            await asyncio.sleep(_LOOK)


def _free_ports(count: int) -> list[int]:
    """Ports of which the one 10,000 above is free too: there servers of a cluster talk among themselves."""
    found: list[int] = []
    chance = random.SystemRandom()
    while len(found) < count:
        port = chance.randrange(20_000, 30_000)
        if port not in found and all(map(_free, (port, port + 10_000))):
            found.append(port)
    return found


def _free(port: int) -> bool:
    with socket.socket() as trial:
        try:
            trial.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True
