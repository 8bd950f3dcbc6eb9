"""How the worked cases of Snitch are judged: every answer comes from the functions that judge real games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from domain import cards, options
from domain.cards import card_of
from domain.game import Rejected, SetEnded, Setup, Standing
from domain.games.snitch import SNITCH, pack, rules, view
from domain.games.snitch.moves import MOST_SEATS, Move, notation, read
from domain.games.snitch.options import Options
from domain.games.snitch.state import ChallengeWon, Discarded, Set, SetLaid, TopTaken, evolve, start
from tests.rules.cases import Judge

Given = Mapping[str, Any]

_KINDS = {"continue": "press", "give_up": "yield"}
_HAND = "4S 6H 8D"  # of which nothing is said
_STOCK = "3D 5D 7D 9D JD QD 3H 5H 7H 9H"  # a stock of which nothing is said is not empty
_PILE = ("TC",)  # nor is such a discard pile


class _Pack(msgspec.Struct, frozen=True):
    """A pack whose first cards somebody wrote down."""

    first: tuple[int, ...]

    def order(self, label: str, items: Sequence[int]) -> tuple[int, ...]:
        rest = Counter(items) - Counter(self.first)
        return (*self.first, *rest.elements())


def _seat(name: str) -> int:
    return int(name[1:]) - 1


def _cards(names: Sequence[str]) -> tuple[int, ...]:
    return tuple(map(card_of, names))


def _names(held: Sequence[int]) -> list[str]:
    return [cards.name(card) for card in held]


def options_of(given: Given) -> Options:
    """The case's options: what it does not name is the default."""
    allowed = options.bounds(Options)
    texts = given.get("options", {})
    assert set(texts) <= set(allowed), f"no such option: {set(texts) - set(allowed)}"
    return Options(
        **{name: options.read_value(name, options.text_of(value), allowed[name]) for name, value in texts.items()}
    )


def _laid(names: Sequence[str]) -> tuple[int, ...]:
    """A set, as the state keeps it: a natural card first."""
    found = _cards(names)
    first = next(card for card in found if pack.RANK[card] != pack.WILD)
    at = found.index(first)
    return (first, *found[:at], *found[at + 1 :])


def state_of(given: Given) -> Set:
    """The position of a case; a seat that it does not mention is not there."""
    hands, stacks = given.get("hands", {}), given.get("stacks", {})
    challenge = given.get("challenge") or {}
    named = [*hands, *stacks, *([given["turn"]] if "turn" in given else [])]
    live = tuple(sorted({_seat(name) for name in named}))
    seats = max(int(given.get("players", 3)), *(seat + 1 for seat in live))
    names = [f"P{seat + 1}" for seat in range(seats)]
    dealt = [_cards(hands.get(name, _HAND.split() if seat in live else ())) for seat, name in enumerate(names)]
    stock = _cards(given.get("stock", _STOCK.split()))
    turn = _seat(given.get("turn", "P1"))
    return Set(
        options=options_of(given),
        seats=seats,
        dealer=(turn - 1) % seats,
        playing=live,
        live=live,
        turn=turn,
        awaits=_seat(challenge["awaiting"]) if challenge else turn,
        left=len(stock),
        counts=tuple(map(len, dealt)),
        stacks=tuple(tuple(_laid(one) for one in stacks.get(name, ())) for name in names),
        hands=tuple(tuple(sorted(hand)) for hand in dealt),
        stock=stock,
        discards=_cards(given.get("discard", _PILE)),
        target=_seat(challenge["target"]) if challenge else -1,
        laid=_cards(challenge.get("cards", ())),
    )


def move_of(said: Any) -> Move:
    """`challenge:P2:KS`, `set:2S+9D`, `give_up`, or {kind, target, cards}."""
    if isinstance(said, Mapping):
        parts = [str(said["kind"]), *([said["target"]] if "target" in said else []), *said.get("cards", ())]
    else:
        parts = str(said).replace("+", ":").split(":")
    kind = _KINDS.get(parts[0], parts[0])
    return read(" ".join([kind, *(str(_seat(part)) if part[0] == "P" else part for part in parts[1:])]))


# Cards


def deck(given: Given, expect: Any) -> None:
    """SN-2."""
    found = SNITCH.packs(Setup(Options(), 3, 0, 1))["deal:1"]
    wild = [card for card in found if pack.RANK[card] == pack.WILD]
    has = {"cards": len(found), "points": pack.points(found), "wild": len(wild)}
    assert {key: has[key] for key in expect} == expect


def pair(given: Given, expect: Any) -> None:
    """SN-11: in both orders, and as a move of a hand that holds the two."""
    one, other = _cards(given["cards"])
    assert pack.is_pair(one, other) == pack.is_pair(other, one) == expect["legal"]
    state = state_of({"hands": {"P1": given["cards"], "P2": ["3S"], "P3": ["3H"]}, "turn": "P1"})
    assert _refused(state, read(f"set {cards.name(one)} {cards.name(other)}")) != expect["legal"]


def joins(given: Given, expect: Any) -> None:
    """SN-12: as a test, and as a challenge."""
    assert pack.joins(card_of(given["card"]), _laid(given["set"])) == expect["legal"]
    position = {"hands": {"P1": [given["card"]], "P2": ["3S"], "P3": ["3H"]}, "stacks": {"P2": [given["set"]]}}
    assert _refused(state_of({**position, "turn": "P1"}), read(f"challenge 1 {given['card']}")) != expect["legal"]


# Moves


def _refused(state: Set, move: Move) -> bool:
    """Whether a move is refused, which it is exactly when it is not listed."""
    listed = move in rules.legal(state, state.awaits)
    try:
        rules.decide(state, state.awaits, move)
    except Rejected:
        assert not listed
        return True
    assert listed
    return False


def legal_moves(given: Given, expect: Any) -> None:
    """SN-10 to SN-14, SN-22, SN-40."""
    state = state_of(given)
    due = {notation(move_of(said)) for said in expect["moves"]}
    assert {notation(move) for move in rules.legal(state, state.awaits)} == due
    assert set(view.observe(state, state.awaits).legal) == due
    assert not any(rules.legal(state, seat) for seat in range(state.seats) if seat != state.awaits)


def move(given: Given, expect: Any) -> None:
    """What some moves bring about, each by whoever is awaited: `timeout` is the clock's, `leave:P2` a leaver's."""
    state = state_of(given)
    told = given["move"]
    steps = told if isinstance(told, list) else [told]
    drew: Counter[int] = Counter()
    ended = None
    for number, step in enumerate(steps, 1):
        if str(step).startswith("leave:"):
            facts = rules.gone(state, _seat(str(step).partition(":")[2]), "left")
        else:
            chosen = rules.timeout(state, state.awaits) if step == "timeout" else move_of(step)
            refused = _refused(state, chosen)
            if number == len(steps) and "legal" in expect:
                assert refused != expect["legal"]
            if refused:
                assert expect == {"legal": False}
                return
            facts = rules.decide(state, state.awaits, chosen)
        for fact in facts:
            if isinstance(fact, SetEnded):
                ended = fact
                continue
            drew.update(_drew(state, fact))
            state = evolve(state, fact)
    _compare(state, ended, drew, expect)


def _drew(state: Set, fact: Any) -> dict[int, int]:
    match fact:
        case Discarded(seat=seat, drew=drew) | SetLaid(seat=seat, drew=drew) | TopTaken(seat=seat, drew=drew):
            return {seat: drew}
        case ChallengeWon(target=target, drew=drew, target_drew=target_drew):
            return {state.turn: drew, target: target_drew}
        case _:
            return {}


def _compare(state: Set, ended: SetEnded | None, drew: Counter[int], expect: Given) -> None:
    by_seat: dict[str, Callable[[int], Any]] = {
        "hand_size": lambda seat: state.counts[seat],
        "hands": lambda seat: sorted(_names((state.hands or ())[seat])),
        "drew": lambda seat: drew[seat],
        "stacks": lambda seat: [sorted(_names(laid)) for laid in state.stacks[seat]],
        "score": lambda seat: (ended.scores or ())[seat] if ended else rules.points_of(state, seat),
    }
    found: dict[str, Any] = {
        "legal": True,
        "turn": f"P{state.turn + 1}",
        "awaiting": f"P{state.awaits + 1}",
        "stock_size": state.left,
        "discard": sorted(_names(state.discards)),
        "over": ended is not None,
    }
    for key, value in expect.items():
        if key in by_seat:
            for name, due in value.items():
                assert by_seat[key](_seat(name)) == _in_any_order(key, due), (key, name)
        else:
            assert found[key] == _in_any_order(key, value), key


def _in_any_order(key: str, due: Any) -> Any:
    """The sets of a stack are in order; the cards of a set, of a hand and of the discard pile are not."""
    if key == "stacks":
        return [sorted(laid) for laid in due]
    return sorted(due) if key in ("hands", "discard") else due


# Scores and the match


def score(given: Given, expect: Any) -> None:
    """SN-50."""
    state = state_of(given)
    assert {name: rules.points_of(state, _seat(name)) for name in expect["score"]} == expect["score"]


def match(given: Given, expect: Any) -> None:
    """SN-60, SN-61; a match of rounds has had all of them unless the case says how many."""
    chosen = options_of(given)
    totals = tuple(given["totals"].values())
    played = int(given.get("rounds_played", chosen.rounds))
    final = state_of({"hands": {name: [] for name in given["totals"]}})
    left = tuple(name in given.get("left", ()) for name in given["totals"])
    verdict = rules.after_set(Standing(chosen, "scored", totals, totals, played, left, final))
    winners = [f"P{seat + 1}" for seat in verdict.winners] if verdict else []
    found: dict[str, Any] = {
        "winner": winners[0] if len(winners) == 1 else None,
        "winners": winners,
        "over": verdict is not None,
        "ended": verdict.ended if verdict else None,
    }
    assert {key: found[key] for key in expect} == expect


def deal(given: Given, expect: Any) -> None:
    """SN-1, SN-3, SN-4."""
    seats = int(given["players"])
    if not SNITCH.seats[0] <= seats <= SNITCH.seats[1] == MOST_SEATS:
        assert expect == {"legal": False}
        return
    dealer = _seat(given.get("dealer", "P1"))
    state = start(Setup(options_of(given), seats, dealer, 1), _Pack(_cards(given.get("deck", ()))))
    assert len(set(state.counts)) == 1
    found: dict[str, Any] = {
        "legal": True,
        "hands": {f"P{seat + 1}": sorted(_names(hand)) for seat, hand in enumerate(state.hands or ())},
        "hand_size": state.counts[0],
        "stock_size": state.left,
        "discard": _names(state.discards),
        "turn": f"P{state.turn + 1}",
    }
    for key, value in expect.items():
        due = {name: sorted(hand) for name, hand in value.items()} if key == "hands" else value
        assert found[key] == due, key


_POSITION = frozenset({"hands", "stacks", "discard", "stock", "turn", "challenge", "options", "players"})

JUDGES: dict[str, Judge] = {
    "deck": Judge(deck, frozenset(), frozenset({"cards", "points", "wild"})),
    "pair": Judge(pair, frozenset({"cards"}), frozenset({"legal"})),
    "joins": Judge(joins, frozenset({"card", "set"}), frozenset({"legal"})),
    "legal_moves": Judge(legal_moves, _POSITION, frozenset({"moves"})),
    "move": Judge(
        move,
        _POSITION | {"move"},
        frozenset(
            {
                *("legal", "turn", "awaiting", "stock_size", "discard", "over"),
                *("hand_size", "hands", "drew", "stacks", "score"),
            }
        ),
    ),
    "score": Judge(score, frozenset({"stacks", "hands", "options"}), frozenset({"score"})),
    "match": Judge(
        match,
        frozenset({"totals", "options", "rounds_played", "left"}),
        frozenset({"winner", "winners", "over", "ended"}),
    ),
    "deal": Judge(
        deal,
        frozenset({"players", "dealer", "deck", "options"}),
        frozenset({"legal", "hands", "hand_size", "stock_size", "discard", "turn"}),
    ),
}
