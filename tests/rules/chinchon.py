"""How the worked cases of Chinchón are judged: every answer comes from the functions that judge real games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from domain import cards, options
from domain.cards import card_of, mask
from domain.game import Rejected, SetEnded, Setup, Standing
from domain.games.chinchon import CHINCHON, melds, rules
from domain.games.chinchon.events import HandsOpened, Reshuffled
from domain.games.chinchon.moves import CUTS, DISCARDS, DRAW_PILE, DRAW_STOCK, Cut, Discard, Move, notation
from domain.games.chinchon.options import Options
from domain.games.chinchon.state import HAND, Set, evolve, start
from domain.options import Bounds
from tests.rules.cases import Judge

Given = Mapping[str, Any]

_PILES: dict[str, Move] = {"pot": DRAW_STOCK, "stock": DRAW_STOCK, "shack": DRAW_PILE, "pile": DRAW_PILE}
_FULL = "2H 3H 4H 5H 9S 9H 9D KC"
"""Eight cards of which every sort of move is legal: a hand of a case that gives none."""


class _Pack(msgspec.Struct, frozen=True):
    """A pack whose first cards somebody wrote down; worked cases need not use a real one."""

    first: tuple[int, ...]

    def order(self, label: str, items: Sequence[int]) -> tuple[int, ...]:
        return (*self.first, *(item for item in items if item not in self.first))


def _value(given: Any, allowed: Bounds) -> Any:
    return options.read_value("", options.text_of(given), allowed)


def options_of(given: Given) -> Options:
    """The case's options: what it does not name is the default."""
    allowed = options.bounds(Options)
    texts = given.get("options", {})
    assert set(texts) <= set(allowed), f"no such option: {set(texts) - set(allowed)}"
    chosen = {name: _value(value, allowed[name]) for name, value in texts.items()}
    found: Options = options.stored(Options, chosen)
    CHINCHON.check(found)
    return found


def _hand(names: Sequence[str]) -> int:
    return mask(map(card_of, names))


def _first(given: Given, *names: str) -> Any:
    """The value of the first of some keys that the case has."""
    return next((given[name] for name in names if name in given), None)


# Melds


def is_meld(given: Given, expect: Any) -> None:
    """CH-30 and CH-31."""
    hand = _hand(given["cards"])
    found = hand.bit_count() == len(given["cards"]) and melds.is_meld(hand, options_of(given))
    assert found == expect


def is_chinchon(given: Given, expect: Any) -> None:
    """CH-33."""
    assert melds.is_chinchon(_hand(given["cards"]), options_of(given)) == expect


_COMPLETE = "6S 6C 6D TS TC TD TH"


def noncutter(given: Given, expect: Any) -> None:
    """CH-34, CH-50, CH-51: the loose cards of a hand, and what it scores when another seat cuts."""
    chosen = options_of(given)
    hand = _hand(given["hand"])
    laid = melds.arrangement(hand, chosen)
    found = {
        "deadwood": laid.points,
        "loose": sorted(cards.names(laid.loose)),
        "complete": laid.complete,
        "chinchon": melds.is_chinchon(hand, chosen),
    }
    cutter = _hand(_first(given, "cutter_hand", "cutter") or _COMPLETE.split())
    shed = next(card for card in melds.pack(chosen) if not cutter >> card & 1)
    state = _round(chosen, (hand, cutter | 1 << shed), 1)
    _, opened, ended = rules.decide(state, 1, CUTS[shed])
    assert isinstance(ended, SetEnded)
    assert isinstance(opened, HandsOpened)
    assert ended.scores is not None
    found["score"] = ended.scores[0]
    for key, value in expect.items():
        assert found[key] == (sorted(value) if isinstance(value, list) else value), key


def _round(chosen: Options, hands: Sequence[int], turn: int, **values: Any) -> Set:
    """A round in which `turn` has drawn from the stock; what is not named is of no account."""
    seats = len(hands)
    usual: dict[str, Any] = {
        "left": 20,
        "known": (0,) * seats,
        "pile": (card_of("3D"),),
        "turns": 2 * seats,
        "drew": "stock",
        "drawn": cards.cards(hands[turn])[0],
    }
    usual |= {"dealer": seats - 1, "playing": tuple(range(seats)), "hands": tuple(hands), **values}
    return Set(options=chosen, seats=seats, turn=turn, **usual)


def _facts(state: Set, seat: int, move: Move) -> tuple[Any, ...] | Rejected:
    """What the move causes, or its refusal."""
    try:
        return rules.decide(state, seat, move)
    except Rejected as refusal:
        return refusal


def cut_options(given: Given, expect: Any) -> None:
    """CH-40: the cards with which one may cut, each with its result; exactly these are listed and accepted."""
    chosen = options_of(given)
    hand = _hand(given["hand8"])
    other = _hand(_COMPLETE.split())
    found: dict[str, Any] = {}
    state = _round(chosen, (hand, other), 0)
    listed = [move.card for move in rules.legal(state, 0) if isinstance(move, Cut)]
    for card in cards.cards(hand):
        facts = _facts(state, 0, CUTS[card])
        if isinstance(facts, Rejected):
            assert facts.code == "cannot_cut"
            assert card not in listed
            continue
        assert card in listed
        ended = facts[-1]
        assert isinstance(ended, SetEnded)
        result = "chinchon" if ended.outcome == "chinchon" else ended.scores[0] if ended.scores else None
        found[cards.name(card)] = result
        kept = melds.closing(hand & ~(1 << card), chosen)
        assert kept is not None
        assert result == "chinchon" or kept[0] == result
    assert found == expect
    shown = CHINCHON.observe(state, 0).cuts
    assert {cards.name(card) for card, _ in shown} == set(expect)


# The end of a round


def round_result(given: Given, expect: Any) -> None:
    """CH-43, CH-50 to CH-53, CH-71: what a cut scores, whether the game is over, who has won and lost."""
    chosen = options_of(given)
    hands = [_hand(hand) for hand in given["hands"]]
    seats, cutter = len(hands), int(given["cutter"])
    playing = tuple(seat for seat in range(seats) if hands[seat])
    taken = sum(hands)
    closing = _first(given, "closing", "shed", "closing_card")
    shed = card_of(closing) if closing else next(card for card in melds.pack(chosen) if not taken >> card & 1)
    gone = tuple(_first(given, "gone", "away") or ())
    dealt = [hand | 1 << shed if seat == cutter else hand for seat, hand in enumerate(hands)]
    state = _round(chosen, dealt, cutter, playing=playing, gone=gone, dealer=int(given.get("dealer", seats - 1)))
    facts = rules.decide(state, cutter, CUTS[shed])
    for fact in facts:
        state = state if isinstance(fact, SetEnded) else evolve(state, fact)
    ended = facts[-1]
    if not isinstance(ended, SetEnded):  # an invalid cut that lets the round go on (CH-61)
        goes_on: dict[str, Any] = {"totals": given["totals"], "outcome": None, "over": False, "ended": None}
        goes_on |= {"winners": [], "winner": None, "losers": [], "scores": None}
        assert {key: goes_on[key] for key in expect} == expect
        return
    left = tuple(seat in given.get("left", ()) for seat in range(seats))
    totals = tuple(
        before + (score or 0) for before, score in zip(given["totals"], ended.scores or (0,) * seats, strict=True)
    )
    standing = Standing(chosen, ended.outcome, ended.scores, totals, 1, left, state)
    for row in rules.adjust(standing) if ended.scores is not None else ():
        totals = tuple(total + (value or 0) for total, value in zip(totals, row.values, strict=True))
        standing = msgspec.structs.replace(standing, totals=totals, adjusted=(row,))
    verdict = rules.after_set(standing)
    winners = verdict.winners if verdict else ()
    deal = rules.next_deal(standing)
    found: dict[str, Any] = {
        "totals": list(totals),
        "outcome": ended.outcome,
        "over": verdict is not None,
        "ended": verdict.ended if verdict else None,
        "winners": list(winners),
        "winner": winners[0] if len(winners) == 1 else None,
        "losers": list(rules.losers(standing, winners)),
        "next_dealer": deal.dealer if verdict is None else None,
        "playing": list(deal.playing),
        "out": [seat for seat in playing if seat not in deal.playing],
    }
    for key, value in expect.items():
        if key == "scores":
            assert _no_scores(value) if ended.scores is None else list(ended.scores) == value, key
        else:
            assert found[key] == value, key


def _no_scores(value: Any) -> bool:
    """No scores are written after a chinchón (CH-43), in the ways to say so."""
    return not value or not any(value)


# Turns


def _position(given: Given) -> tuple[Set, int]:
    """The position of a case, and the seat that moves in it."""
    chosen = options_of(given)
    seats = int(given.get("players", 2))
    turn = int(given.get("turn", given.get("seat", 0)))
    drawing = given.get("phase", "draw") == "draw"
    names = _first(given, "hand8", "hand") or _FULL.split()[: HAND if drawing else HAND + 1]
    card = _card_in(given)
    if "hand8" not in given and "hand" not in given and card is not None and card not in names:
        names = [*names[:-1], card]
    hand = _hand(names)
    spare = [card for card in melds.pack(chosen) if not hand >> card & 1]
    hands = [mask(spare[at * HAND : (at + 1) * HAND]) for at in range(seats)]
    hands[turn] = hand
    pile = _pile(given, spare)
    pot = _first(given, "pot", "stock")
    left = 20 if pot is None else pot if isinstance(pot, int) else len(pot)
    taken = _first(given, "taken", "drawn")
    from_ = _first(given, "from_", "from") or "pot"
    values: dict[str, Any] = {"left": left, "pile": pile, "stock": tuple(spare[:left])}
    values["turns"] = int(given.get("turns", 0 if given.get("lap") == 1 or given.get("first_lap") else 2 * seats))
    if drawing:
        values |= {"drew": "", "drawn": -1}
    else:
        values["drew"] = "pile" if _PILES[from_] is DRAW_PILE else "stock"
        values["drawn"] = card_of(taken) if taken else cards.cards(hand)[-1]
    return _round(chosen, hands, turn, **values), turn


def _pile(given: Given, spare: Sequence[int]) -> tuple[int, ...]:
    """The discard pile, from the bottom; a missing one is not empty."""
    pile = _first(given, "shack", "pile")
    if isinstance(pile, list):
        return tuple(map(card_of, pile))
    size = _first(given, "shack_size", "pile_size")
    if size is None:
        size = 1 if pile is None else int(pile)
    size -= given.get("phase") == "after_discard" and not given.get("cut")  # the card that is discarded
    return tuple(spare[index % len(spare)] for index in range(size))


def _card_in(given: Given) -> str | None:
    """The card of the move of a case."""
    move = _first(given, "action", "move")
    card = given.get("card")
    if card is None and isinstance(move, Mapping):
        card = next(iter(move.get("cards", ())), None)
    if card is None and isinstance(move, str):
        card = next((part for part in move.replace(":", " ").split()[1:] if part in cards.NAMES), None)
    return None if card is None else str(card)


def _move(given: Given, state: Set) -> Move:
    """The move of a case: `draw_stock`, `draw:pot`, `cut`, `discard 5H`, {kind, cards}; some card if none is named."""
    said = _first(given, "action", "move")
    text = str(said["kind"]) if isinstance(said, Mapping) else str(said)
    words = text.replace(":", " ").replace("_", " ").split()
    if words[0] in ("draw", "take"):
        return _PILES[words[1]]
    card = _card_in(given)
    assert state.hands is not None
    number = card_of(card) if card is not None else cards.cards(state.hands[state.turn])[-1]
    if words[0] == "cut":
        return CUTS[number]
    assert words[0] == "discard"
    return DISCARDS[number]


def turn(given: Given, expect: Any) -> None:
    """CH-10, CH-13, CH-20 to CH-27: what may be done in a turn, and what its end brings about."""
    if given.get("phase") == "deal":
        _deal(given, expect)
        return
    state, seat = _position(given)
    listed = rules.legal(state, seat)
    found: dict[str, Any] = {
        "legal": sorted(name for name in ("pot", "shack") if _PILES[name] in listed),
        "legal_discards": sorted(cards.name(move.card) for move in listed if isinstance(move, Discard)),
        "legal_cuts": sorted(cards.name(move.card) for move in listed if isinstance(move, Cut)),
    }
    if given.get("phase") == "after_discard":
        found |= _ended_turn(given, state, seat)
    for key, value in expect.items():
        assert found[key] == (sorted(value) if isinstance(value, list) else value), key


def _ended_turn(given: Given, state: Set, seat: int) -> dict[str, Any]:
    """A turn that ends with a discard, or a cut: what lies on the table then, and what happened."""
    assert state.hands is not None
    cut = [move for move in rules.legal(state, seat) if isinstance(move, Cut)]
    discard = [move for move in rules.legal(state, seat) if isinstance(move, Discard)]
    move: Move = cut[0] if given.get("cut") else discard[0]
    facts = rules.decide(state, seat, move)
    event = None
    for fact in facts:
        match fact:
            case SetEnded(outcome=outcome):
                event = "showdown" if outcome in ("cut", "chinchon") else outcome
            case _:
                state = evolve(state, fact, _Pack(()))
                event = "reshuffle" if isinstance(fact, Reshuffled) else event
    asked = rules.to_act(state)
    return {
        "pot": state.left,
        "stock": state.left,
        "shack_size": len(state.pile),
        "pile_size": len(state.pile),
        "shack": [cards.name(card) for card in state.pile],
        "event": event,
        "turn": asked[0].seats[0] if asked else None,
    }


def _deal(given: Given, expect: Any) -> None:
    seats = int(given["players"])
    fewest, most = CHINCHON.seats
    if not fewest <= seats <= most:
        assert expect == {"error": f"players_{fewest}_to_{most}"}
        return
    deal(given, expect)


def deal(given: Given, expect: Any) -> None:
    """CH-13, CH-14: who gets what, what is turned up, who begins."""
    chosen = options_of(given)
    seats = int(given.get("players", 2))
    dealer = int(given.get("dealer", 0))
    deck = tuple(map(card_of, given.get("deck", ())))
    state = start(Setup(chosen, seats, dealer, 1), _Pack(deck))
    assert state.hands is not None
    sizes = {hand.bit_count() for hand in state.hands}
    found: dict[str, Any] = {
        "hands": [sorted(cards.names(hand)) for hand in state.hands],
        "hand_size": sizes.pop() if len(sizes) == 1 else None,
        "pot": state.left,
        "stock": state.left,
        "shack": [cards.name(card) for card in state.pile],
        "shack_size": len(state.pile),
        "first_player": state.turn,
        "dealer": state.dealer,
    }
    for key, value in expect.items():
        due = [sorted(hand) for hand in value] if key == "hands" and isinstance(value, list) else value
        assert found[key] == due, key


def first_dealer(given: Given, expect: Any) -> None:
    """CH-12, CH-14: who deals first, who begins."""
    chosen = options_of(given)
    seats = int(given["players"])
    drawn = _Pack(tuple(map(card_of, given["draws"])))
    first = CHINCHON.first_dealer(chosen, seats, drawn)
    state = start(Setup(chosen, seats, first.seat, 1), None)
    found: dict[str, Any] = {
        "dealer": first.seat,
        "first_player": state.turn,
        "draws": [cards.name(card) for card in first.draws],
        "drawn": len(first.draws),
    }
    assert {key: found[key] for key in expect} == expect


def act(given: Given, expect: Any) -> None:
    """CH-20 to CH-24, CH-40: whether a move is taken, and that it is listed exactly then."""
    state, turn = _position(given)
    seat = int(given.get("seat", turn))
    move = _move(given, state)
    facts = _facts(state, seat, move)
    refused = isinstance(facts, Rejected)
    assert refused == (move not in rules.legal(state, seat))
    assert expect == ({"error": facts.code} if isinstance(facts, Rejected) else {"ok": True})


def timeout(given: Given, expect: Any) -> None:
    """CH-70: what the clock does."""
    state, seat = _position(given)
    move = rules.timeout(state, seat)
    assert move in rules.legal(state, seat)
    due = expect.get("move") if isinstance(expect, Mapping) else expect
    assert notation(move) == str(due).replace("pot", "stock").replace(":", " ").replace("_", " ")


_TURN = frozenset(
    {
        *("phase", "players", "options", "hand8", "hand", "seat", "turn", "turns", "lap", "first_lap", "cut"),
        *("pot", "stock", "shack", "pile", "shack_size", "pile_size", "taken", "drawn", "from_", "from"),
    }
)
_DEAL = frozenset({"hands", "hand_size", "pot", "stock", "shack", "shack_size", "first_player", "dealer"})

JUDGES: dict[str, Judge] = {
    "is_meld": Judge(is_meld, frozenset({"cards", "options"})),
    "is_chinchon": Judge(is_chinchon, frozenset({"cards", "options"})),
    "noncutter": Judge(
        noncutter,
        frozenset({"hand", "options", "cutter_hand", "cutter"}),
        frozenset({"deadwood", "score", "loose", "complete", "chinchon"}),
    ),
    "cut_options": Judge(cut_options, frozenset({"hand8", "options"}), frozenset(cards.NAMES)),
    "round_result": Judge(
        round_result,
        frozenset(
            {
                *("totals", "cutter", "hands", "options", "closing", "shed", "closing_card"),
                *("gone", "away", "left", "dealer"),
            }
        ),
        frozenset(
            {
                *("scores", "totals", "outcome", "over", "ended", "winners", "winner", "losers", "next_dealer"),
                *("playing", "out"),
            }
        ),
    ),
    "turn": Judge(
        turn,
        _TURN | {"dealer", "deck"},
        _DEAL | {"legal", "legal_discards", "legal_cuts", "pile_size", "event", "turn", "error"},
    ),
    "deal": Judge(deal, frozenset({"players", "dealer", "deck", "options"}), _DEAL),
    "first_dealer": Judge(
        first_dealer,
        frozenset({"players", "draws", "options"}),
        frozenset({"dealer", "first_player", "draws", "drawn"}),
    ),
    "act": Judge(act, _TURN | {"action", "card"}, frozenset({"ok", "error"})),
    "move": Judge(act, _TURN | {"move", "card"}, frozenset({"ok", "error"})),
    "timeout": Judge(timeout, _TURN, frozenset({"move"})),
}
