"""How the worked cases of Chit Chat are judged: every answer comes from the functions that judge real games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from domain import cards, options
from domain.cards import card_of
from domain.game import Brought, Rejected, SetEnded
from domain.games.chitchat import CHITCHAT, rules, view
from domain.games.chitchat.moves import Argue, Move, notation, read
from domain.games.chitchat.options import Options
from domain.games.chitchat.pack import SUITS
from domain.games.chitchat.sequence import Laid
from domain.games.chitchat.state import NEXT, PointMade, Reshuffled, Set, evolve
from tests.rules.cases import Judge

Given = Mapping[str, Any]

_KINDS = {"small_talk": "talk", "continue": "argue", "give_up": "resign"}
_BLOCKING = "6H 6D 6S AH AD AS"  # a hand of which nothing is said: it has a play and a block whatever lies there
_PILE = "4H 4D 4S 5H 5D 5S 3H 3D 3S"  # and a pile of which nothing is said is not empty


class _AsItIs(msgspec.Struct, frozen=True):
    """A shuffle that leaves the order: the cases do not say how it falls."""

    def order(self, label: str, items: Sequence[int]) -> tuple[int, ...]:
        return tuple(items)


def _seat(name: str | None) -> int | None:
    return None if name is None else int(name[1:]) - 1


def _name(seat: int | None) -> str | None:
    return None if seat is None else f"P{seat + 1}"


def _cards(names: Sequence[str]) -> tuple[int, ...]:
    return tuple(card_of(name) for name in names)


def _names(held: Sequence[int]) -> list[str]:
    return sorted(cards.name(card) for card in held)


def state_of(given: Given) -> Set:
    """The set of the case: what it does not mention is filled in so that nothing follows from it."""
    seq = tuple(Laid(card_of(card), _seat(by), _seat(step)) for card, by, step in _laid(given["seq"]))
    last = seq[-1].by
    turn = _seat(given.get("to_move")) if "to_move" in given else 0 if last is None else NEXT[last]
    assert turn is not None
    told = given.get("hands", {})
    hands = [tuple(sorted(_cards(told.get(f"P{seat + 1}", _BLOCKING.split())))) for seat in range(2)]
    points = [_cards(given.get("points", {}).get(f"P{seat + 1}", ())) for seat in range(2)]
    pile = _cards(given.get("pile", _PILE.split()))
    return Set(
        options=options.stored(Options, given.get("options", {})),
        dealer=NEXT[turn],
        turn=turn,
        hands=(hands[0], hands[1]),
        pile=pile,
        pets=_pets(given, points),
        counts=(len(hands[0]), len(hands[1])),
        piled=len(pile),
        seq=seq,
        discards=_cards(given.get("discards", ())),
        points=(points[0], points[1]),
        moves=len(seq),
    )


def _laid(seq: Sequence[Sequence[str | None]]) -> list[tuple[str, str | None, str | None]]:
    """A step may be left out where there is none."""
    return [(str(laid[0]), laid[1], laid[2] if len(laid) > 2 else None) for laid in seq]


def _pets(given: Given, points: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """The kings; one that is not told is of the suit in which its owner has the fewest points."""
    told = given.get("pets", {})
    found = []
    for seat in range(2):
        made = [card // 13 for card in points[seat]]
        suit = told.get(f"P{seat + 1}") or cards.SUITS[min(SUITS, key=made.count)]
        found.append(card_of("K" + suit[-1]))
    return (*found, next((king for king in map(card_of, ("KS", "KH", "KD")) if king not in found), found[0]))


def move_of(told: str | Mapping[str, Any]) -> Move:
    """A move of a case, `change:2D+3D` or `{kind, cards}`."""
    if isinstance(told, str):
        kind, _, argument = told.partition(":")
        laid = [card for card in argument.split("+") if card]
    else:
        kind, laid = told["kind"], list(told.get("cards", ()))
    return read(" ".join([_KINDS.get(kind, kind), *laid]))


def _written(move: Move) -> str:
    kind, _, argument = notation(move).partition(" ")
    names = {ours: theirs for theirs, ours in _KINDS.items()}
    return f"{names.get(kind, kind)}:{argument.replace(' ', '+')}"


def legal_moves(given: Given, expect: Any) -> None:
    """CC-20 to CC-27: what is listed, and that exactly this is accepted."""
    state = state_of(given)
    wanted = expect["moves"] if isinstance(expect, Mapping) else expect
    listed = [move for move in rules.legal(state, state.turn) if move not in CHITCHAT.gives_up]
    assert sorted(map(_written, listed)) == sorted(wanted)
    held = {card for hand in state.hands or () for card in hand}
    for move in map(read, _every_line(held)):
        assert isinstance(_facts(state, state.turn, move), Rejected) == (move not in listed), notation(move)


def _every_line(held: set[int]) -> list[str]:
    named = [cards.name(card) for card in held]
    return [
        *(f"{kind} {card}" for kind in ("talk", "argue") for card in named),
        *(f"change {first} {second}" for first in named for second in named),
    ]


def _facts(state: Set, seat: int, made: Move, *, auto: bool = False) -> tuple[Any, ...] | Rejected:
    """What the move causes, or its refusal."""
    try:
        return rules.decide(state, seat, made, Brought(auto=auto, source=_AsItIs()))
    except Rejected as refusal:
        return refusal


def move(given: Given, expect: Any) -> None:
    """CC-20 to CC-52: whether a move is legal, and all that it causes."""
    state = state_of(given)
    seat, made = state.turn, move_of(given["move"])
    facts = _facts(state, seat, made, auto=bool(given.get("auto")))
    if isinstance(facts, Rejected):
        assert made not in rules.legal(state, seat)
        assert expect == {"legal": False}
        return
    assert made in rules.legal(state, seat)
    after = state
    for fact in facts:
        if type(fact) is not SetEnded:
            after = evolve(after, fact, _AsItIs())
    found = {**_seen(after), **_caused(state, made, facts), **_topic_changed(state, after)}
    for key, value in expect.items():
        if key in ("discards", "hand", "hands"):
            _same_cards(found[key], value)
        elif key in ("hand_size", "points"):
            assert {name: _sorted(found[key][name]) for name in value} == {n: _sorted(v) for n, v in value.items()}, key
        elif key == "seq":
            assert found[key] == _laid(value)
        else:
            assert found[key] == value, key


def _sorted(value: Any) -> Any:
    return sorted(value) if isinstance(value, list) else value


def _same_cards(ours: Any, theirs: Any) -> None:
    if isinstance(theirs, Mapping):
        assert {name: sorted(ours[name]) for name in theirs} == {name: sorted(held) for name, held in theirs.items()}
    else:
        assert sorted(ours) == sorted(theirs)


def _seen(state: Set) -> dict[str, Any]:
    """What everybody may look at, and the hands."""
    seen = view.observe(state, None)
    hands = {f"P{seat + 1}": _names(held) for seat, held in enumerate(state.hands or ())}
    return {
        "seq": [(cards.name(laid.card), _name(laid.by), _name(laid.step)) for laid in seen.seq],
        "topic": cards.SUITS[seen.topic],
        "current": cards.name(seen.current),
        "beat": seen.beat,
        "threat": _name(seen.threat),
        "steps": [_name(laid.step) for laid in seen.seq if laid.step is not None],
        "hand_size": {f"P{seat + 1}": count for seat, count in enumerate(seen.counts)},
        "hands": hands,
        "hand": hands,
        "points": {f"P{seat + 1}": _names(made) for seat, made in enumerate(seen.points)},
        "discards": _names(seen.discards or ()),
        "discard_count": seen.discarded,
        "pile_size": seen.piled,
        "to_move": _name(None if seen.turn < 0 else seen.turn),
        "over": seen.phase == "over",
    }


def _caused(state: Set, made: Move, facts: Sequence[Any]) -> dict[str, Any]:
    """What a move did beside: points, blocks, the end."""
    point = next((fact for fact in facts if type(fact) is PointMade), None)
    ended = next((fact for fact in facts if type(fact) is SetEnded), None)
    winner = None if ended is None or ended.scores is None else ended.scores.index(1)
    threatened = view.observe(state, None).threat is not None
    return {
        "legal": True,
        "point": None if point is None else {"by": _name(point.seat), "card": cards.name(point.card)},
        "blocked": threatened and isinstance(made, Argue) and rules.blocks(state.seq, made.card),
        "winner": _name(winner),
        "lag": ended is not None and ended.outcome == "lag",
        "outcome": None if ended is None else ended.outcome,
        "scores": None if ended is None else list(ended.scores or ()),
        "reshuffled": any(type(fact) is Reshuffled for fact in facts),
    }


def _topic_changed(before: Set, after: Set) -> dict[str, bool]:
    """Whether the sequence begins anew on another topic (CC-23, CC-27)."""
    return {"topic_changed": before.seq[0].card // 13 != after.seq[0].card // 13}


def seen(given: Given, expect: Any) -> None:
    """CC-11 and CC-26: what follows from the sequence."""
    found = _seen(state_of(given))
    for key, value in expect.items():
        assert found[key] == (_laid(value) if key == "seq" else value), key


def winner(given: Given, expect: Any) -> None:
    """CC-41: who has won with the points that were made."""
    state = state_of(given)
    assert state.pets is not None
    won = [seat for seat in range(2) if rules.wins(state.points[seat], state.pets[seat])]
    assert len(won) < 2
    found = {"winner": _name(won[0]) if won else None, "over": bool(won)}
    assert {key: found[key] for key in expect} == expect


_STATE = frozenset({"seq", "to_move", "hands", "pile", "discards", "points", "pets", "options"})
_VIEW = frozenset(
    {"topic", "current", "beat", "threat", "steps", "seq", "hand_size", "points", "pile_size", "discard_count"}
)

JUDGES: dict[str, Judge] = {
    "move": Judge(
        move,
        _STATE | {"move", "auto"},
        _VIEW
        | {"legal", "topic_changed", "hand", "hands", "discards", "to_move", "over"}
        | {"point", "blocked", "winner", "lag", "outcome", "scores", "reshuffled"},
    ),
    "legal_moves": Judge(legal_moves, _STATE, frozenset({"moves"})),
    "view": Judge(seen, _STATE, _VIEW),
    "winner": Judge(winner, _STATE, frozenset({"winner", "over"})),
}
