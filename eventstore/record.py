"""What a stream holds: one entry per commit, the events that one command caused, appended together."""

from __future__ import annotations

import msgspec


class Draft(msgspec.Struct, frozen=True, kw_only=True):
    """A commit that somebody wants appended at `version` after a head whose hash is `previous`.

    `events` are the stored bytes (a JSON list), never to be re-encoded; `time` is integer milliseconds UTC; `actor` is
    opaque (`person:<id>`, `computer:<level>`, `clock`, ...); `command` is the id of the command that caused it.
    """

    table: str
    version: int  # from 1; the table's number of commits once this one is in
    previous: bytes  # the head's hash, 32 bytes; NO_HEAD before the first commit
    time: int
    actor: str
    command: str
    events: bytes


class Commit(msgspec.Struct, frozen=True, kw_only=True):
    """A commit as it stands in a table's stream. `hash` is the chain's link, 32 raw bytes (`chain.link`)."""

    table: str
    version: int
    time: int
    actor: str
    command: str
    events: bytes
    hash: bytes


NO_HEAD = bytes(32)
