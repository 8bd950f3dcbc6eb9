"""Callback data: short tokens that name what a button does, the table, and the question it answers.

Forms (at most 64 bytes): `m:<table>:<decision>:<move>`, `<letter>:<table>`, `x:<table>:<switch>` and
`v:<table>:<proposal>:<yes|no>`.
A token proves nothing: whoever handles it checks who pressed, where, and what the table's state allows.
"""

from __future__ import annotations

import re
from typing import Literal

import msgspec

LONGEST = 64  # bytes; Bot API, InlineKeyboardButton

LobbyAct = Literal["join", "leave", "add", "remove", "cut", "start"]
_LOBBY: dict[str, LobbyAct] = {"j": "join", "l": "leave", "a": "add", "r": "remove", "c": "cut", "s": "start"}
_LETTERS = {act: letter for letter, act in _LOBBY.items()}
_TABLE = r"(?P<table>[a-z0-9]{1,20}-[0-9]{1,9})"
_TOKEN = re.compile(
    rf"m:{_TABLE}:(?P<decision>[0-9]{{1,9}}):(?P<move>[A-Za-z0-9_ ]{{1,24}})"
    rf"|v:{_TABLE.replace('table', 'voted')}:(?P<proposal>[0-9a-f]{{6}}):(?P<answer>yes|no)"
    rf"|x:{_TABLE.replace('table', 'set')}:(?P<switch>[0-9])"
    rf"|(?P<letter>[a-z]):{_TABLE.replace('table', 'at')}"
)
TABLE_ID = re.compile(r"[a-z0-9]{1,20}-[0-9]{1,9}")


class MoveToken(msgspec.Struct, frozen=True):
    """A legal move of the seat that is asked `decision`, in notation."""

    table: str
    decision: int
    move: str


class VoteToken(msgspec.Struct, frozen=True):
    """Agrees, or not, to the proposal of this mark."""

    table: str
    proposal: str
    agree: bool


class LobbyToken(msgspec.Struct, frozen=True):
    """A button of the lobby message."""

    table: str
    act: LobbyAct


class SwitchToken(msgspec.Struct, frozen=True):
    """Gives an option of the lobby, of those with a switch (`Words.switches`), its next value."""

    table: str
    number: int


class HandToken(msgspec.Struct, frozen=True):
    """Shows the presser his own hand."""

    table: str


class ChosenToken(msgspec.Struct, frozen=True):
    """In the private chat: shows this one of several tables."""

    table: str


Token = MoveToken | VoteToken | LobbyToken | SwitchToken | HandToken | ChosenToken


def write(token: Token) -> str:
    """The token as callback data."""
    match token:
        case MoveToken(table, decision, move):
            data = f"m:{table}:{decision}:{move}"
        case VoteToken(table, proposal, agree):
            data = f"v:{table}:{proposal}:{'yes' if agree else 'no'}"
        case LobbyToken(table, act):
            data = f"{_LETTERS[act]}:{table}"
        case SwitchToken(table, number):
            data = f"x:{table}:{number}"
        case HandToken(table):
            data = f"h:{table}"
        case ChosenToken(table):
            data = f"t:{table}"
    assert len(data.encode()) <= LONGEST, "a token that Telegram would refuse"
    return data


def read(data: str) -> Token | None:
    """The token of callback data, or None: no button of ours holds this."""
    found = _TOKEN.fullmatch(data) if data.isascii() else None
    if found is None:
        return None
    if found["table"]:
        return MoveToken(found["table"], int(found["decision"]), found["move"])
    if found["voted"]:
        return VoteToken(found["voted"], found["proposal"], found["answer"] == "yes")
    if found["set"]:
        return SwitchToken(found["set"], int(found["switch"]))
    table, letter = found["at"], found["letter"]
    if letter in _LOBBY:
        return LobbyToken(table, _LOBBY[letter])
    if letter == "h":
        return HandToken(table)
    return ChosenToken(table) if letter == "t" else None
