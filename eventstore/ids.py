"""Command ids as the store keeps them: without the table that most of them name, and remembered by a digest."""

from __future__ import annotations

from hashlib import blake2b

_TABLE = "\0"  # stands for the table's id
_VERBATIM = "\0\0"  # before an id that holds a NUL of its own


def shortened(command: str, table: str) -> str:
    """The id as it stands in the stream of `table`; `restored` gives it back, whatever it is."""
    return _VERBATIM + command if _TABLE in command else command.replace(table, _TABLE, 1)


def restored(stored: str, table: str) -> str:
    """The id that was `shortened`."""
    return stored[2:] if stored[:2] == _VERBATIM else stored.replace(_TABLE, table, 1)


def field(command: str) -> bytes:
    """What an id is remembered by, among those of one table and day: 8 bytes.

    A listpack holds such a field with its version in 13 bytes, the whole id in a hash table takes 80. That two of a
    table's ids fall together: for a thousand of them, once in 10^13 tables.
    """
    return blake2b(command.encode(), digest_size=8).digest()
