"""Callback data: short tokens that name what a button does, the table, and the question it answers.

Forms (at most 64 bytes): `m:<table>:<decision>:<move>`, `<letter>:<table>`, `x:<table>:<switch>`,
`v:<table>:<proposal>:<yes|no>` and `w:<table>:<set>:<step>`, `z:<table>:<l|s>:<set>:<page>`,
`f:<table>:<set>:<accusation>`;
without a table `q:<update>:<answer>`, `g:<game>` and `c:<name>=<value>`.
A token proves nothing: whoever handles it checks who pressed, where, and what the table's state allows.
"""

from __future__ import annotations

import re
from typing import Literal

import msgspec

LONGEST = 64  # bytes; Bot API, InlineKeyboardButton

LobbyAct = Literal["join", "leave", "add", "remove", "cut", "start", "clock", "preset", "standin", "invite", "rematch"]
_LOBBY: dict[str, LobbyAct] = {
    "j": "join",
    "l": "leave",
    "a": "add",
    "r": "remove",
    "c": "cut",
    "s": "start",
    "k": "clock",
    "o": "preset",
    "u": "standin",
    "i": "invite",
    "n": "rematch",
}
_LETTERS = {act: letter for letter, act in _LOBBY.items()}
_TABLE = r"(?P<table>[a-z0-9]{1,20}-[0-9]{1,9})"
_TOKEN = re.compile(
    rf"m:{_TABLE}:(?P<decision>[0-9]{{1,9}}):(?P<move>[A-Za-z0-9_ ]{{1,24}})"
    rf"|v:{_TABLE.replace('table', 'voted')}:(?P<proposal>[0-9a-f]{{6}}):(?P<answer>yes|no)"
    rf"|x:{_TABLE.replace('table', 'set')}:(?P<switch>[0-9])"
    rf"|w:{_TABLE.replace('table', 'planned')}:(?P<number>[0-9]{{1,9}}):(?P<step>[A-Za-z0-9_ +]{{1,24}})"
    rf"|f:{_TABLE.replace('table', 'about')}:(?P<which>[0-9]{{1,9}}):(?P<fault>[a-z0-9 ]{{1,24}})"
    rf"|z:{_TABLE.replace('table', 'paged')}:(?P<what>[ls]):(?P<chapter>[0-9]{{1,5}}):(?P<page>[0-9]{{1,5}})"
    rf"|(?P<letter>[a-z]):{_TABLE.replace('table', 'at')}"
)
_WITHOUT_TABLE = re.compile(
    r"q:(?P<update>[0-9]{1,12}):(?P<answer>yes|no|[a-z0-9]{1,20}-[0-9]{1,9})"
    r"|g:(?P<game>[a-z_]{1,32})"
    r"|c:(?P<name>[a-z]{1,12})=(?P<value>[A-Za-z0-9_/:+-]{1,40})"
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
    """A button of the lobby message, or (`rematch`) of the message of a table that is over."""

    table: str
    act: LobbyAct


class SwitchToken(msgspec.Struct, frozen=True):
    """Gives an option of the lobby, of those with a switch (`Words.switches`), its next value."""

    table: str
    number: int


class HandToken(msgspec.Struct, frozen=True):
    """Shows the presser his own hand. `board`: it is a button of the table's own message in a group."""

    table: str
    board: bool = False


class PlayToken(msgspec.Struct, frozen=True):
    """Shows the presser his own hand with the moves as buttons, to him alone, in the group."""

    table: str


class PlanToken(msgspec.Struct, frozen=True):
    """A step in planning the next move of the set `number`: `new` offers what can be planned, `off` calls it off, `+`
    and a move's notation adds that as a wish, `if` and a game's word for it a plan of its own."""

    table: str
    number: int
    step: str


class AccuseToken(msgspec.Struct, frozen=True):
    """Of the set `number` (from 1): `new` asks whose conduct is meant, and an accusation in notation makes it."""

    table: str
    number: int
    step: str


class PageToken(msgspec.Struct, frozen=True):
    """Shows another page of a set's log, or of the score sheet (`set` is 0 then); pages count from 0."""

    table: str
    what: Literal["log", "score"]
    set: int
    page: int


class ChosenToken(msgspec.Struct, frozen=True):
    """In the private chat: shows this one of several tables."""

    table: str


class NextToken(msgspec.Struct, frozen=True):
    """In the private chat: shows the next of the other tables that wait for the presser."""

    table: str


class WishToken(msgspec.Struct, frozen=True):
    """Answers what we asked back about the update of this number (`wishes`): a table's id, `yes` or `no`."""

    update: int
    answer: str


class NewToken(msgspec.Struct, frozen=True):
    """Opens a table of this game."""

    game: str


class CustomToken(msgspec.Struct, frozen=True):
    """Gives one of a chat's, or a person's, customs this value."""

    name: str
    value: str


Token = (
    PageToken
    | AccuseToken
    | PlayToken
    | PlanToken
    | MoveToken
    | VoteToken
    | LobbyToken
    | SwitchToken
    | HandToken
    | ChosenToken
    | NextToken
)

AnyToken = Token | WishToken | NewToken | CustomToken


def write(token: AnyToken) -> str:
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
        case HandToken(table, board):
            data = f"{'b' if board else 'h'}:{table}"
        case PlayToken(table):
            data = f"p:{table}"
        case PlanToken(table, number, step):
            data = f"w:{table}:{number}:{step}"
        case AccuseToken(table, number, step):
            data = f"f:{table}:{number}:{step}"
        case PageToken(table, what, number, page):
            data = f"z:{table}:{what[0]}:{number}:{page}"
        case ChosenToken(table):
            data = f"t:{table}"
        case NextToken(table):
            data = f"y:{table}"
        case WishToken(update, answer):
            data = f"q:{update}:{answer}"
        case NewToken(game):
            data = f"g:{game}"
        case CustomToken(name, value):
            data = f"c:{name}={value}"
    assert len(data.encode()) <= LONGEST, "a token that Telegram would refuse"
    return data


def read(data: str) -> AnyToken | None:
    """The token of callback data, or None: no button of ours holds this."""
    if data.isascii() and (asked := _WITHOUT_TABLE.fullmatch(data)) is not None:
        if asked["update"]:
            return WishToken(int(asked["update"]), asked["answer"])
        return NewToken(asked["game"]) if asked["game"] else CustomToken(asked["name"], asked["value"])
    found = _TOKEN.fullmatch(data) if data.isascii() else None
    if found is None:
        return None
    if found["table"]:
        return MoveToken(found["table"], int(found["decision"]), found["move"])
    if found["voted"]:
        return VoteToken(found["voted"], found["proposal"], found["answer"] == "yes")
    if found["set"]:
        return SwitchToken(found["set"], int(found["switch"]))
    if found["planned"]:
        return PlanToken(found["planned"], int(found["number"]), found["step"])
    if found["about"]:
        return AccuseToken(found["about"], int(found["which"]), found["fault"])
    if found["paged"]:
        what: Literal["log", "score"] = "log" if found["what"] == "l" else "score"
        return PageToken(found["paged"], what, int(found["chapter"]), int(found["page"]))
    table, letter = found["at"], found["letter"]
    if letter == "p":
        return PlayToken(table)
    if letter == "y":
        return NextToken(table)
    if letter in _LOBBY:
        return LobbyToken(table, _LOBBY[letter])
    if letter in {"h", "b"}:
        return HandToken(table, board=letter == "b")
    return ChosenToken(table) if letter == "t" else None


# A move within a link, as a message carries it that was sent by inline mode (deep link: at most 64 of A-Za-z0-9_-)

_LINKED = re.compile(r"(?P<table>[a-z0-9]{1,20}-[0-9]{1,9})_(?P<decision>[0-9]{1,9})_(?P<move>[A-Za-z0-9_-]{1,48})")


def link(token: MoveToken) -> str | None:
    """The payload of a deep link that says the same as the token; None where it would be too long."""
    payload = f"{token.table}_{token.decision}_{token.move.replace(' ', '-')}"
    return payload if len(payload) <= LONGEST and _LINKED.fullmatch(payload) else None


def linked(payload: str) -> MoveToken | None:
    """The token that the payload of a deep link holds, or None. No more of a proof than any other."""
    found = _LINKED.fullmatch(payload)
    if found is None:
        return None
    return MoveToken(found["table"], int(found["decision"]), found["move"].replace("-", " "))
