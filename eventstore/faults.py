"""What an error of the Redis client means to whoever uses the store: down for now, or unfit for good."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from contextlib import contextmanager

from redis import exceptions

from eventstore.store import StoreDown, StoreUnfit

# By the server's error code. The client turns some codes into classes and cuts them off the text; the error of a script
# holds the code inside its text.
_DOWN = {
    "BUSY": "is busy with a script that does not end",
    "CLUSTERDOWN": "is part of a cluster that is down",
    "ASK": "has handed these keys to another server",
    "LOADING": "is still loading its data",
    "MASTERDOWN": "is a replica without its master",
    "MOVED": "has handed these keys to another server",
    "MISCONF": "cannot write to its disk",
    "NOREPLICAS": "has too few replicas to write",
    "OOM": "has no memory left to write",
    "READONLY": "is a replica, which must not be written to",
    "TRYAGAIN": "is moving these keys to another server",
}
_UNFIT = {
    "cluster support disabled": "is no Redis Cluster: name a single server in the URL",
    "DB index is out of range": "has no database of that number: look at the end of the URL",
    "NOAUTH": "wants a password: put it into the URL",
    "NOPERM": "does not let this user do what is needed",
    "WRONGPASS": "refused the user name or the password",
    "WRONGTYPE": "holds keys of these names that are not a store's",
}
_CODES: tuple[tuple[type[Exception], str], ...] = (
    (exceptions.AskError, "ASK"),
    (exceptions.MovedError, "MOVED"),
    (exceptions.ClusterDownError, "CLUSTERDOWN"),
    (exceptions.MasterDownError, "MASTERDOWN"),
    (exceptions.TryAgainError, "TRYAGAIN"),
    (exceptions.BusyLoadingError, "LOADING"),
    (exceptions.OutOfMemoryError, "OOM"),
    (exceptions.ReadOnlyError, "READONLY"),
    (exceptions.NoPermissionError, "NOPERM"),
    (exceptions.AuthorizationError, "NOPERM"),
)
_CODE = re.compile(r"\b(" + "|".join([*_DOWN, *_UNFIT]) + r")\b")


def _code(error: BaseException) -> str | None:
    for known, code in _CODES:
        if isinstance(error, known):
            return code
    if isinstance(error, exceptions.AuthenticationError):
        return "NOAUTH" if "required" in str(error) else "WRONGPASS"
    if isinstance(error, exceptions.ResponseError) and (found := _CODE.search(str(error))):
        return found[1]
    return None


def meaning(error: BaseException) -> StoreDown | StoreUnfit | None:
    """The store's error for one of the Redis client or the operating system; None for any other (a fault of ours)."""
    if isinstance(error, StoreDown | StoreUnfit):
        return error
    if (code := _code(error)) is not None:
        return StoreDown(f"the store {_DOWN[code]}") if code in _DOWN else StoreUnfit(f"the store {_UNFIT[code]}")
    if isinstance(error, exceptions.InvalidResponse):
        return StoreUnfit("what answers in the store's place does not speak the Redis protocol")
    if error.__cause__ is not None and (cause := meaning(error.__cause__)) is not None:
        return cause  # the client wraps whatever fails while it connects
    if isinstance(error, exceptions.TimeoutError | TimeoutError):
        return StoreDown("the store does not answer in time")
    if isinstance(error, exceptions.ConnectionError | OSError):
        return StoreDown(f"the store cannot be reached ({str(error).rstrip('.')})")
    return None


@contextmanager
def store_faults() -> Iterator[None]:
    """Raises StoreDown or StoreUnfit in place of the client's errors; for whoever uses `RedisStore.client` directly."""
    try:
        yield
    except (exceptions.RedisError, OSError) as error:
        if (found := meaning(error)) is None:
            raise
        raise found from error
    heed_cancellation()


def heed_cancellation() -> None:
    """Raises CancelledError in a task that was cancelled and goes on all the same.

    The client sends with asyncio.wait_for, which before Python 3.12 swallows a cancellation that comes when it is done.
    """
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError
