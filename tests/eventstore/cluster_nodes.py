"""Three masters and four replicas of the embedded binary on loopback: one cluster, all in a test's hands."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from functools import partial
from pathlib import Path

from redis import Redis as Blocking
from redis.asyncio import Redis
from redis.exceptions import ResponseError

from eventstore.embedded import server_binary
from eventstore.store import StoreDown
from eventstore.wire import Reply, ask_one
from tests.patience import PATIENCE
from tests.ports import free_ports

MASTERS = 3
REPLICAS = 4  # one to spare: with min-replicas-to-write, a master that was promoted needs a replica of its own
SLOTS = 16384
TIMEOUT = 1000  # ms until a node that is silent counts as failing, when one is about to
CALM = 120_000  # the same while all are well: then a machine that stands still changes no master
_AGAIN = 10.0  # s that an order may take, before it is given again
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
        self.buses: dict[int, int] = {}  # where servers talk among themselves
        self.processes: dict[int, subprocess.Popen[bytes]] = {}
        self.clients: dict[int, Redis] = {}

    @property
    def url(self) -> str:
        """As an operator would write it."""
        return "redis://" + ",".join(f"127.0.0.1:{port}" for port in list(self.processes)[:MASTERS])

    def start(self, port: int, bus: int) -> None:
        """Starts a server."""
        self.buses[port] = bus
        folder = self._folder / str(port)
        folder.mkdir(exist_ok=True)
        options = {
            "port": str(port),
            "cluster-port": str(bus),
            "bind": "127.0.0.1",
            "dir": str(folder),
            "cluster-enabled": "yes",
            "cluster-node-timeout": str(TIMEOUT),
            "cluster-replica-validity-factor": "0",
            "appendonly": "yes",
            "appendfsync": "always",
            "save": "",
            "min-replicas-to-write": "1",
            "min-replicas-max-lag": "60",
            "repl-diskless-sync-delay": "0",
            "repl-ping-replica-period": "1",
            "stream-node-max-bytes": "1024",
            "logfile": str(folder / "log"),
        }
        arguments = [part for name, value in options.items() for part in (f"--{name}", value)]
        command = [sys.executable, "-I", "-S", "-c", _BECOME, server_binary(), *arguments]
        self.processes[port] = subprocess.Popen(command, stdin=subprocess.DEVNULL)
        self.clients[port] = Redis(host="127.0.0.1", port=port, protocol=2, socket_timeout=PATIENCE)

    def kill(self, port: int) -> None:
        """SIGKILL, which the others notice soon."""
        self.watch([port])
        self.processes[port].send_signal(signal.SIGKILL)
        self.processes[port].wait()

    def watch(self, failing: Sequence[int]) -> None:
        """Has the servers take note soon of those that are about to be silent."""
        self._note_silence_after(TIMEOUT, failing)

    def be_calm(self) -> None:
        """Has no server take another's silence for its end any more."""
        self._note_silence_after(CALM)

    def _note_silence_after(self, milliseconds: int, but: Sequence[int] = ()) -> None:
        for port, process in self.processes.items():
            if port not in but and process.poll() is None:
                with Blocking(host="127.0.0.1", port=port, socket_timeout=PATIENCE) as client:
                    client.config_set("cluster-node-timeout", milliseconds)

    async def step_down(self, master: int) -> None:
        """One of the master's replicas takes its place, as before an upgrade, and nothing is lost; all know of it."""
        [replica, *_] = (await self.masters())[master]

        async def known() -> bool:
            if b"role:slave" not in await self.ask(master, "INFO", "replication"):
                return False
            seen = [await self.masters(port) for port in self.processes]
            return all(master not in masters and replica in masters for masters in seen)

        async def order() -> None:
            if b"role:slave" in await self.ask(replica, "INFO", "replication"):
                await self.ask(replica, "CLUSTER", "FAILOVER")

        self.watch([])  # they tell each other news more often then
        await _insist(order, known)
        self.be_calm()

    async def ask(self, port: int, *command: str | int) -> Reply:
        """A node's own answer."""
        return await ask_one(self.clients[port], *command)

    async def masters(self, seen_by: int | None = None) -> dict[int, list[int]]:
        """The ports of the masters that live, each with its replicas', as a node that lives sees it."""
        if seen_by is None:
            seen_by = next(port for port, process in self.processes.items() if process.poll() is None)
        ids: dict[str, int] = {}
        roles: dict[str, str] = {}
        for line in (await self.ask(seen_by, "CLUSTER", "NODES")).splitlines():
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
    async with AsyncExitStack() as ending:
        free_port = ending.enter_context(free_ports())
        ending.push_async_callback(nodes.close)
        ports = [free_port() for _ in range(MASTERS + REPLICAS)]
        for port in ports:
            nodes.start(port, free_port())
        for port in ports:
            await until(partial(nodes.ask, port, "PING"))
        masters, replicas = ports[:MASTERS], ports[MASTERS:]
        for number, port in enumerate(masters):
            first, last = SLOTS * number // MASTERS, SLOTS * (number + 1) // MASTERS - 1
            await nodes.ask(port, "CLUSTER", "ADDSLOTSRANGE", first, last)
            await nodes.ask(port, "CLUSTER", "SET-CONFIG-EPOCH", number + 1)
        await _insist(partial(_introduce, nodes, ports), partial(_acquainted, nodes))
        ids = {port: (await nodes.ask(port, "CLUSTER", "MYID")).decode() for port in ports}
        for number, port in enumerate(replicas):
            await until(partial(_replicate, nodes, port, ids[masters[number % MASTERS]]))
        await until(partial(healthy, nodes))
        nodes.be_calm()
        yield nodes


async def _introduce(nodes: Nodes, ports: Sequence[int]) -> None:
    """Makes all known to the first one, which tells them of each other."""
    for port in ports[1:]:
        await nodes.ask(ports[0], "CLUSTER", "MEET", "127.0.0.1", port, nodes.buses[port])


async def _acquainted(nodes: Nodes) -> bool:
    """Whether everybody knows everybody: whom a master does not know, it does not vote for."""
    for port in nodes.processes:
        known = (await nodes.ask(port, "CLUSTER", "NODES")).splitlines()
        if len(known) < len(nodes.processes) or any(b"handshake" in line.split()[2] for line in known):
            return False
    return True


async def _insist(order: Callable[[], Awaitable[object]], holds: Callable[[], Awaitable[object]]) -> None:
    """Returns when it holds. The order is given again when it was in vain: servers that stood still drop some."""
    async with asyncio.timeout(PATIENCE):
        while True:
            await order()
            with suppress(TimeoutError):
                return await until(holds, _AGAIN)


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


async def until(holds: Callable[[], Awaitable[object]], seconds: float = PATIENCE) -> None:
    """Returns when it holds; a server that does not answer, or refuses, is no yes."""
    async with asyncio.timeout(seconds):
        while True:
            with suppress(StoreDown, ResponseError):
                if await holds():
                    return
            await asyncio.sleep(_LOOK)
