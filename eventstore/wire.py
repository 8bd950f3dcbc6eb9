"""Many commands in one round trip, leaner than the client's own pipeline: raw replies, errors as values."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any, TypeVar, cast

import hiredis
from redis.asyncio import Redis
from redis.asyncio.connection import AbstractConnection
from redis.exceptions import AuthenticationError, BusyLoadingError, ConnectionError, ResponseError

from eventstore.faults import heed_cancellation, meaning, store_faults
from eventstore.store import Unsettled

Part = bytes | str | int
Command = tuple[Part, ...]
Reply = Any  # what RESP2 holds: bytes, int, None, lists of these, or a ResponseError

T = TypeVar("T")

_BECAME_A_REPLICA = ("UNBLOCKED", "WAIT cannot be used with replica")  # answers to WAIT, before it or meanwhile


def key_of(command: Command) -> bytes:
    """The first key of a command that we send."""
    match command[0]:
        case "EVALSHA" | "EVAL":
            key = command[3]
        case "XREAD":
            key = command[command.index("STREAMS") + 1]
        case _:
            key = command[1]
    return key if isinstance(key, bytes) else str(key).encode()


async def ask(client: Redis, commands: Sequence[Command]) -> list[Reply]:
    """The replies to `commands`, which must be harmless to repeat: a connection that breaks has them sent once more.

    Raises StoreDown when that fails too, StoreUnfit when the server can never be used; other errors of the server are
    values among the replies.
    """
    packed = b"".join(map(hiredis.pack_command, cast("Iterable[Any]", commands)))
    return await harmless(lambda: _exchange(client, packed, len(commands)))


async def ask_settled(client: Redis, commands: Sequence[Command], settling: Command) -> list[Reply]:
    """As `ask`, and returns only when a replica has what was written, and all that was before.

    `settling` is WAIT, on the same connection: elsewhere it would know nothing of these writes. On a connection that
    wrote nothing it returns at once, so it comes behind a write of its own, beside the first command's key.

    Raises Unsettled when no replica has it in time.
    """
    key = key_of(commands[0])
    note: Command = ("SET", key[: key.index(b"}") + 1] + b":wait", 1)
    *replies, noted, waited = await ask(client, [*commands, note, settling])
    taken = [place for place, reply in enumerate(replies) if not isinstance(reply, ResponseError)]
    if not taken:
        return replies  # a server that has become a replica, say, which may not even be asked to WAIT
    if isinstance(noted, ResponseError):
        if len(taken) == len(replies):
            value(noted)
        # The first key has moved, others are still here: WAIT may have had nothing of ours to wait for.
        again = await ask_settled(client, [commands[place] for place in taken], settling)
        for place, reply in zip(taken, again, strict=True):
            replies[place] = reply
    elif isinstance(waited, ResponseError) and meaning(waited) is not None:
        value(waited)
    elif isinstance(waited, ResponseError) and any(words in str(waited) for words in _BECAME_A_REPLICA):
        # It says where the keys are now when it is asked again, and there everything is found as it was written here.
        return await ask_settled(client, commands, settling)
    elif isinstance(waited, ResponseError) or waited < 1:
        raise Unsettled("no replica of the store has it yet")
    return replies


async def harmless(operation: Callable[[], Awaitable[T]]) -> T:
    """What `operation` gives, which must be harmless to repeat: when its connection breaks it is run once more.

    A server that was restarted breaks every connection once. Raises StoreDown and StoreUnfit for the client's errors.
    """
    with store_faults():
        try:
            return await operation()
        except (BusyLoadingError, AuthenticationError):
            raise
        except ConnectionError:
            return await operation()


async def ask_one(client: Redis, *command: Part) -> Reply:
    """The reply to one command, by `ask`; raises what `ask` and `value` raise."""
    [reply] = await ask(client, [command])
    return value(reply)


def value(reply: Reply) -> Reply:
    """The reply itself; an error among the replies is raised, as StoreDown or StoreUnfit where it means that."""
    if isinstance(reply, ResponseError):
        with store_faults():
            raise reply
    return reply


async def _exchange(client: Redis, packed: bytes, count: int) -> list[Reply]:
    pool = client.connection_pool
    connection: AbstractConnection = await pool.get_connection()  # type: ignore[no-untyped-call]
    try:
        await connection.send_packed_command(packed)
        heed_cancellation()
        replies: list[Reply] = []
        for _ in range(count):
            try:
                replies.append(await connection.read_response(disable_decoding=True))
            except ResponseError as error:
                replies.append(error)
        return replies
    except BaseException:
        await connection.disconnect(nowait=True)  # replies may be under way: nobody else may read them
        raise
    finally:
        await pool.release(connection)
