"""A game's record, `tabletalk-record/1`: one JSON document by which any program can play a game again and judge it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import msgspec

from domain import options, shuffle, table
from domain.events import (
    AdminActed,
    Dealt,
    Expired,
    Kicked,
    Left,
    Present,
    Returned,
    RowWritten,
    SeatTaken,
    SeedRevealed,
    SetUndone,
    StandInSet,
    Started,
)
from domain.game import Game, Gone, SetEnded, Setup
from domain.shuffle import Seeded
from domain.table import Row, Table, away, stood_in

FORMAT = "tabletalk-record/1"
KINDS = ("score", "penalty", "negated")
"""What a cell of the score sheet may be; points that no set gave are a penalty."""


def record(history: Iterable[Any]) -> dict[str, Any]:
    """The record of a table's events, with the seeds that are revealed in them and no other.

    A set whose seed is not revealed is left out with all that follows, and so is a set that was cut short: the record
    of a running table ends with the last set that everybody may read. Raises ValueError for a table that never started.
    """
    events = list(history)
    seeds = {shuffle.commitment(event.seed): event.seed for event in events if type(event) is SeedRevealed}
    state: Table | None = None
    started: Started | None = None
    sets: list[dict[str, Any]] = []
    open_set: dict[str, Any] | None = None
    left: set[int] = set()  # seats that the record says have left
    played_for: set[int] = set()  # seats of which it says in this set that a computer player plays for them
    known = True  # whether the seed of what is being played is
    for event in events:
        before = state
        if not known and (before is None or before.contested is None) and type(event) is not RowWritten:
            break
        if type(event) is Dealt:
            assert before is not None
            known = before.seed is not None
            open_set = _dealt(before, event) if known else None
            played_for = set()
        elif (late := _late(before, sets, event)) is not None:
            assert before is not None
            if type(event) is SetUndone:
                late |= {"outcome": event.outcome, "scores": None}
            else:
                late["moves"] += _moves(before, event, left, played_for)
        elif open_set is not None:
            assert before is not None
            open_set["moves"] += _moves(before, event, left, played_for)
            if type(event) is SetEnded:
                sets.append(_ended(before, open_set, event))
                open_set = None
        if type(event) is Started:
            started = event
        state = table.fold("record", state, [event], lambda promised, _: seeds.get(promised))
    if state is None or started is None:
        raise ValueError("the table never started")
    return _document(state, started, sets)


def _late(state: Table | None, sets: list[dict[str, Any]], event: Any) -> dict[str, Any] | None:
    """The set that an event is about though it has ended, or None."""
    if state is None:
        return None
    if state.contested is not None:
        about = type(event) is SetUndone or type(event) in state.rules.late or _punishes(event)
        return sets[state.contested_set] if about else None
    return sets[-1] if state.pending is not None else None


def _punishes(event: Any) -> bool:
    return type(event) is AdminActed and event.act == "penalty"


def _document(state: Table, started: Started, sets: list[dict[str, Any]]) -> dict[str, Any]:
    rules = state.rules
    tenths = rules.tenths(state.options)
    seats = len(state.seats)
    return {
        "format": FORMAT,
        "game": rules.slug,
        "ruleset": rules.ruleset,
        "options": options.everything(state.options),
        "seats": seats,
        "first_dealer": {"how": started.how, "seat": started.dealer, **_draws(rules, started)},
        "sets": sets,
        "rows": rows_of(state.rows if rules.sheet else (), seats, tenths),
        "totals": [written(total, tenths) for total in state.totals],
        "winners": list(state.winners),
        "ended": state.ended,
    }


def rows_of(rows: Iterable[Row], seats: int, tenths: bool) -> list[list[list[Any]]]:
    """The column of each seat: its cells that are not empty, [set index, value, kind]."""
    columns: list[list[list[Any]]] = [[] for _ in range(seats)]
    for row in rows:
        for seat, value in enumerate(row.values):
            if value is not None:
                kind = row.kind if row.kind in KINDS else "penalty"  # what a game calls it stays at the table
                columns[seat].append([row.set, written(value, tenths), kind])
    return columns


def written(score: int, tenths: bool) -> int | float:
    """A score as records write it: tenths as a number with one decimal."""
    return score / 10 if tenths else score


def _draws(rules: Game, started: Started) -> dict[str, list[str]]:
    """The cards drawn for the first dealer, where any were."""
    return {"draws": [rules.card_name(card) for card in started.draws]} if started.draws else {}


def _dealt(state: Table, event: Dealt) -> dict[str, Any]:
    rules = state.rules
    assert state.seed is not None
    source = Seeded(state.seed, state.digest)
    packs: dict[str, list[str]] = {}
    for label, pack in rules.packs(_setup(state, event)).items():
        packs[label.partition(":")[0]] = [rules.card_name(card) for card in source.order(label, pack)]
    deck = packs.pop("deal")
    return {"dealer": event.dealer, "deck": deck, "reshuffles": [], "extra": packs, "moves": []}


def _setup(state: Table, event: Dealt) -> Setup:
    return Setup(state.options, len(state.seats), event.dealer, event.deal, event.playing, kept=event.kept)


def _moves(state: Table, event: Any, left: set[int], played_for: set[int]) -> list[str | dict[str, Any]]:
    """The event as it stands among the moves of a set; nothing for an event that follows from others.

    `left` are the seats that have left as far as the record tells, `played_for` those for which a computer player
    plays; both are kept up to date.
    """
    rules = state.rules
    if type(event) in rules.events:
        line = rules.public_move(event)
        if line is None and (entry := rules.entry(event)) is not None:
            return [entry]
        return [] if line is None else [*_stand_in(state, event, line, played_for), line]
    match event:
        case AdminActed(act="penalty", what=what):
            return [{"penalty": what}]
        case Left(seat=seat):
            known = seat in left
            left.add(seat)
            return [] if known else [{"left": seat}]
        case Kicked(seat=seat) if not state.seats[seat].left:
            return _moves(state, Left(seat), left, played_for)
        case Returned(seat=seat) | Present(seat=seat) | SeatTaken(seat=seat) if seat in left or seat in played_for:
            left.discard(seat)
            played_for.discard(seat)
            return [{"returned": seat}]
        case Present(seat=seat) | SeatTaken(seat=seat) if away(state, seat) and _follows(state, seat, "returned"):
            return [{"returned": seat}]
        case Expired(seats=seats, counts=True) if not state.stand_in:
            due = rules.away_after - 1
            gone = [seat for seat in seats if not away(state, seat) and state.seats[seat].expiries == due]
            return _gone_away(state, left, gone)
        case StandInSet(on=on):
            absent = [seat for seat, held in enumerate(state.seats) if away(state, seat) and not held.left]
            if not on:
                return _gone_away(state, left, absent)
            back = [seat for seat in absent if _follows(state, seat, "returned")]
            left.difference_update(back)
            return [{"returned": seat} for seat in back]
        case _:
            return []


def _gone_away(state: Table, left: set[int], seats: Iterable[int]) -> list[str | dict[str, int]]:
    """Seats whose owners are away from now on, where anything follows from it in the game."""
    rules = state.rules
    found: list[str | dict[str, int]] = []
    for seat in seats:
        if facts := rules.gone(state.set, seat, "away"):
            same = facts == rules.gone(state.set, seat, "left")
            found.append({"left" if same else "away": seat})  # where it is the same, readers need one word
            left |= {seat} if same else set()
    return found


def _stand_in(state: Table, event: Any, line: str, played_for: set[int]) -> list[str | dict[str, int]]:
    """That a computer player plays for an absent owner from now on, before the first of its moves in a set."""
    seat = int(line.partition(" ")[0])
    if seat in played_for or getattr(event, "auto", False) or not stood_in(state, seat):
        return []
    played_for.add(seat)
    return [{"stand_in": seat}]


def _follows(state: Table, seat: int, what: Gone) -> bool:
    """Whether anything follows in the game from its being away, or back: only then a record tells it."""
    return bool(state.rules.gone(state.set, seat, what))


def _ended(state: Table, open_set: dict[str, Any], event: SetEnded) -> dict[str, Any]:
    rules = state.rules
    tenths = rules.tenths(state.options)
    scores = event.scores
    return {
        **open_set,
        "reshuffles": [[rules.card_name(card) for card in stock] for stock in rules.reshuffles(state.set)],
        "extra": {**open_set["extra"], **rules.extra(state.set)},
        "outcome": event.outcome,
        "scores": None if scores is None else [None if value is None else written(value, tenths) for value in scores],
    }


def write(document: dict[str, Any]) -> bytes:
    """The record's bytes, the same ones for the same record: JSON that a person can read and edit, a key a line."""
    lines = []
    for key, value in document.items():
        if key != "sets":
            lines.append(f"  {_json(key)}: {_json(value)}")
            continue
        blocks = [
            "    {\n" + ",\n".join(f"      {_json(name)}: {_json(part)}" for name, part in one.items()) + "\n    }"
            for one in value
        ]
        lines.append('  "sets": [\n' + ",\n".join(blocks) + "\n  ]" if blocks else '  "sets": []')
    return ("{\n" + ",\n".join(lines) + "\n}\n").encode()


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


class Corrupt(Exception):
    """Data that is no record: its text says where, in words of the format."""


class FoundDealer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the first dealer was found, and the cards drawn for it."""

    how: str
    seat: int
    draws: tuple[str, ...] = ()


class PlayedSet(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A set as a record tells it."""

    dealer: int
    deck: tuple[str, ...]
    moves: tuple[str | dict[str, Any], ...]
    outcome: str
    scores: tuple[int | float | None, ...] | None
    extra: dict[str, Any]
    reshuffles: tuple[tuple[str, ...], ...] = ()


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A record that was read: right in form, not yet judged."""

    format: str
    game: str
    ruleset: str
    options: dict[str, Any]
    seats: int
    first_dealer: FoundDealer
    sets: tuple[PlayedSet, ...]
    rows: tuple[tuple[tuple[int, int | float, str], ...], ...]
    totals: tuple[int | float, ...]
    winners: tuple[int, ...]
    ended: str | None


def read(data: bytes) -> Record:
    """The record of some bytes; raises Corrupt for anything that has not exactly its form: no key more, none twice."""
    try:
        found = msgspec.json.decode(data, type=Record)
        json.loads(data, object_pairs_hook=_once, parse_int=str, parse_float=str)  # for the keys alone
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Corrupt(str(error)[:200]) from None
    except RecursionError:
        raise Corrupt("too deep") from None
    return found


def _once(pairs: list[tuple[str, Any]]) -> None:
    keys = [key for key, _ in pairs]
    if len(set(keys)) < len(keys):
        twice = next(key for key in keys if keys.count(key) > 1)
        raise Corrupt(f"the key {twice[:80]!r} is there twice")
