"""Whether the stored bytes of a commit are in the one form that there is of them: two readers must see the same."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from typing import Any

import msgspec

from domain import events

LARGEST = 2**53 - 1
"""The greatest integer in a history, and as a negative number the least: one that every reader of JSON can hold."""
_perhaps_too_big = re.compile(rb"[0-9]{16}|[0-9][.eE]").search


def is_stored_form(data: bytes, known: Sequence[Any]) -> bool:
    """Whether `data` is just what is stored for the events `known`, which were read from it.

    Any other spelling of them is none: a key twice or escaped, a space, a field that no event has, one at its default,
    another order; and no number but integers from -LARGEST to LARGEST.
    """
    return events.encode(known) == data and not any(map(_tells_a_default, known)) and are_small(data)


def _tells_a_default(event: Any) -> bool:
    """Whether a field was written out that need not be: it is equal to its default, and yet another object.

    (The encoder leaves out what is the default itself; a text that was read is never that.)
    """
    return any(
        (value := getattr(event, name)) == default and value is not default
        for name, default in _defaults(event.__class__)
    )


@functools.cache
def _defaults(kind: Any) -> tuple[tuple[str, Any], ...]:
    fields = msgspec.structs.fields(kind)
    return tuple((field.name, field.default) for field in fields if field.default is not msgspec.NODEFAULT)


def is_compact(data: bytes) -> bool:
    """The same for events that this release does not know: without what only their own fields could tell.

    False for what is no JSON at all.
    """
    try:
        return msgspec.json.encode(msgspec.json.decode(data)) == data and are_small(data)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return False


def are_small(data: bytes) -> bool:
    """Whether all numbers in some JSON are integers that every reader can hold."""
    return _perhaps_too_big(data) is None or _small(msgspec.json.decode(data))


def _small(value: Any) -> bool:
    if isinstance(value, dict):
        return all(map(_small, value.values()))
    if isinstance(value, list):
        return all(map(_small, value))
    return not isinstance(value, float) and (not isinstance(value, int) or -LARGEST <= value <= LARGEST)
