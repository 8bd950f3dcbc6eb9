"""How the worked cases of Call Break are judged: every answer comes from the functions that judge real games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import pytest

from domain import cards, options, record, sheet
from domain.cards import card_of, mask
from domain.game import BY_CLOCK, PLAIN, Rejected, Row, SetEnded, Setup, Standing
from domain.games.callbreak import CALLBREAK, judging, offences, rules
from domain.games.callbreak.events import (
    Called,
    CallJudged,
    CardPlayed,
    Convicted,
    DealerChecked,
    TrickTaken,
    TrumpShown,
    VoteOpened,
)
from domain.games.callbreak.moves import CALLS, PLAYS, Call, Move, PlayCard, notation
from domain.games.callbreak.options import Options
from domain.games.callbreak.state import NEXT, Set, evolve, start
from tests.rules.cases import Judge

Given = Mapping[str, Any]

_EVERYBODY: tuple[Any, ...] = ("all", "everyone", "everybody", [0, 1, 2, 3])
_SCORED_SETS = ("scored_sets", "sets_played", "sets_scored", "sets", "set_number")
_AWAY = ("away", "left", "leavers")


class _Pack(msgspec.Struct, frozen=True):
    """A deal that somebody wrote down; worked cases need not use a real pack."""

    deck: tuple[int, ...]

    def order(self, label: str, items: Sequence[int]) -> tuple[int, ...]:
        return self.deck


def options_of(given: Given) -> Options:
    """The case's options: what it does not name is the default, or follows from what it names."""
    allowed = options.bounds(Options)
    chosen = {}
    for name, value in given.get("options", {}).items():
        assert name in allowed, f"no such option: {name}"
        text = isinstance(value, str) and allowed[name].kind != "one_of"
        chosen[name] = options.read_value(name, value, allowed[name]) if text else value
    found: Options = options.stored(Options, {**CALLBREAK.implied(chosen), **chosen})
    return found


def _trump(given: Given) -> int:
    return cards.SUITS.index(given.get("trump") or options_of(given).fixed_trump)


def _calls_done(given: Given, seat: int, hand: int, dealer: int = 0) -> Set:
    """A set in which every seat has called and `seat` holds `hand`; the other hands do not matter."""
    hands = [0, 0, 0, 0]
    hands[seat] = hand
    a, b, c, d = hands
    return Set(
        options_of(given), dealer, _trump(given), seat, seat, hands=(a, b, c, d), calls=(3, 3, 3, 3), called=4, moves=4
    )


def _to_play(given: Given) -> tuple[Set, int]:
    """The set in which it is somebody's turn to add to the trick of the case, and his seat."""
    trick = [(int(seat), card_of(card)) for seat, card in given.get("trick", [])]
    seat = NEXT[trick[-1][0]] if trick else int(given.get("seat", 0))
    assert given.get("seat", seat) == seat, "the case's seat is not the one after the last card"
    state = _calls_done(given, seat, mask(map(card_of, given["hand"])))
    if trick:
        state = msgspec.structs.replace(state, turn=trick[0][0], leader=trick[0][0])
        for player, card in trick:
            assert player == state.turn, "a trick goes round in turn (CB-2)"
            state = evolve(state, CardPlayed(player, card))
    return state, seat


def _facts(state: Set, seat: int, move: Move) -> tuple[Any, ...] | Rejected:
    """What the move causes, or its refusal."""
    try:
        return rules.decide(state, seat, move)
    except Rejected as refusal:
        return refusal


def legal_moves(given: Given, expect: Any) -> None:
    """CB-31 to CB-36: what is listed, and that exactly this is accepted."""
    state, seat = _to_play(given)
    listed = rules.legal(state, seat)
    assert sorted(notation(move) for move in listed) == sorted(f"play {card}" for card in expect)
    accepted = []
    for move in PLAYS:
        facts = _facts(state, seat, move)
        if not isinstance(facts, Rejected):
            accepted.append(move)
            assert facts[0] == CardPlayed(seat, move.card)
    assert sorted(accepted, key=notation) == sorted(listed, key=notation)


def trick_winner(given: Given, expect: Any) -> None:
    """CB-37, by the function and by a trick that is played."""
    trick = [(int(seat), card_of(card)) for seat, card in given["trick"]]
    assert rules.trick_winner(trick, _trump(given)) == expect
    *before, (seat, card) = trick
    state, turn = _to_play({**given, "trick": [[s, cards.name(c)] for s, c in before], "hand": [cards.name(card)]})
    assert turn == seat
    facts = rules.decide(state, seat, PlayCard(card))
    if len(trick) == 4:
        assert facts[1:] == (TrickTaken(expect, 1),)


def deal(given: Given, expect: Any) -> None:
    """CB-10 and CB-12: who gets which card, what is trump, what is shown, who calls first."""
    deck = tuple(map(card_of, given["deck"]))
    state = start(Setup(options_of(given), 4, int(given["dealer"]), 1), _Pack(deck))
    assert state.hands is not None
    holder = {card: seat for seat, hand in enumerate(state.hands) for card in cards.cards(hand)}
    shown = next((fact for fact in rules.opening(state) if isinstance(fact, TrumpShown)), None)
    after = state if shown is None else evolve(state, shown)
    found = {
        "first_card_to": holder[deck[0]],
        "last_card_to": holder[deck[-1]],
        "trump": cards.SUITS[after.trump],
        "shown_card": None if shown is None else cards.name(shown.card),
        "caller_first": after.turn,
        "hands": [sorted(cards.names(hand)) for hand in state.hands],
        "dealer": after.dealer,
    }
    for key, value in expect.items():
        if key == "shown_to":
            assert value is None if shown is None else value in _EVERYBODY
        elif key == "hands":
            assert [sorted(hand) for hand in value] == found[key]
        else:
            assert found[key] == value, key
    assert all(holder[card] == (after.dealer + 1 + index) % 4 for index, card in enumerate(deck))


def _shown(given: Given) -> int:
    """The card that the dealer showed, written alone or with its seat; -1 for none."""
    shown = given.get("shown_card")
    if not shown:
        return -1
    return card_of(shown if isinstance(shown, str) else shown[1])


def redeal(given: Given, expect: Any) -> None:
    """CB-15: whether the deal may be played, and if not why and who deals next."""
    a, b, c, d = (mask(map(card_of, hand)) for hand in given["hands"])
    dealer = int(given["dealer"])
    shown = _shown(given)
    trump = _trump(given) if shown < 0 else cards.suit(shown)
    state = Set(options_of(given), dealer, trump, NEXT[dealer], NEXT[dealer], hands=(a, b, c, d), shown=shown)
    facts = rules.opening(state)
    void = bool(facts) and facts[-1] == SetEnded("redeal", void=True)
    reasons = rules.redeal_reasons((a, b, c, d), dealer, state.trump, state.options)
    found = {
        "redeal": void,
        "reasons": [list(reason) for reason in reasons],
        "next_dealer": _next_dealer(state, facts[-1]) if void else None,
    }
    assert {key: found[key] for key in expect} == expect


def _next_dealer(state: Set, ended: Any) -> int:
    standing = Standing(state.options, ended.outcome, ended.scores, (0,) * 4, 0, (False,) * 4, state)
    return CALLBREAK.next_deal(standing).dealer


def _after(given: Given, calls: Sequence[int]) -> tuple[Set, tuple[Any, ...]]:
    """The set after some calls in order from next(dealer), and what the last of them caused."""
    dealer = int(given["dealer"])
    first = NEXT[dealer]
    one, two, three, four = (mask(cards.PACK[index::4]) for index in range(4))
    state = Set(options_of(given), dealer, _trump(given), first, first, hands=(one, two, three, four))
    facts: tuple[Any, ...] = ()
    for number in calls:
        facts = rules.decide(state, state.turn, Call(number))
        for fact in facts:
            if not isinstance(fact, SetEnded):
                state = evolve(state, fact)
    return state, facts


def after_calls(given: Given, expect: Any) -> None:
    """CB-22: whether the set is played."""
    state, facts = _after(given, given["calls_in_order"])
    void = facts[-1] == SetEnded("low_calls", void=True)
    if void:
        assert isinstance(facts[1], DealerChecked)
        assert facts[1].seat == state.dealer
    found = {
        "status": "void_low_calls" if void else "play",
        "total": sum(state.calls),
        "leader": None if void else state.turn,
        "next_dealer": _next_dealer(state, facts[-1]) if void else None,
    }
    assert {key: found[key] for key in expect} == expect


def call(given: Given, expect: Any) -> None:
    """CB-20 and CB-21: whether a call is taken."""
    dealer, turn, chosen = int(given["dealer"]), int(given["turn"]), options_of(given)
    before = given.get("calls_in_order", [chosen.max_call] * ((turn - dealer - 1) % 4))
    state, _ = _after(given, before)
    assert state.turn == turn, "the case's turn is not the one after its calls"
    seat, move = int(given["seat"]), Call(int(given["call"]))
    facts = _facts(state, seat, move)
    if isinstance(facts, Rejected):
        assert expect == {"error": facts.code}
        assert move not in rules.legal(state, seat)
    else:
        assert expect == {"ok": True}
        assert facts[0] == Called(seat, move.number)
        assert move in rules.legal(state, seat)


def _scores(given: Given) -> tuple[int, ...]:
    """The scores of a set that ends with the last trick, as points or tenths."""
    return rules.set_scores(given["calls"], given["won"])


def _written(values: Sequence[int], given: Given) -> list[float]:
    return [value / 10 for value in values] if rules.tenths(options_of(given)) else list(values)


def set_scores(given: Given, expect: Any) -> None:
    """CB-40."""
    assert _written(_scores(given), given) == pytest.approx(expect)


def game_result(given: Given, expect: Any) -> None:
    """CB-43 to CB-45, CB-61: totals after a scored set, whether the game is over, who has won."""
    chosen = options_of(given)
    unit = 10 if rules.tenths(chosen) else 1
    totals = tuple(round(before * unit) + score for before, score in zip(given["totals"], _scores(given), strict=True))
    left = {seat for key in _AWAY for seat in given.get(key, [])}
    scored = next((int(given[key]) for key in _SCORED_SETS if key in given), 1)
    gone = tuple(seat in left for seat in range(4))
    verdict = rules.after_set(Standing(chosen, "scored", totals, totals, scored, gone, None))
    for key, value in expect.items():
        match key:
            case "totals":
                assert _written(totals, given) == pytest.approx(value)
            case "over":
                assert (verdict is not None) == value
            case "winner" | "winners":
                assert list(verdict.winners if verdict else ()) == value
            case "ended":
                assert (verdict.ended if verdict else None) == value
            case _:
                pytest.fail(f"not looked at: {key}")


def auto_play(given: Given, expect: Any) -> None:
    """CB-60: the card of an absent seat; its call, where a number is expected."""
    if isinstance(expect, int) or (isinstance(expect, Mapping) and "call" in expect):
        auto_call(given, expect)
        return
    state, seat = _to_play(given)
    move = rules.timeout(state, seat)
    assert notation(move) == f"play {expect}"
    assert move in rules.legal(state, seat)


def auto_call(given: Given, expect: Any) -> None:
    """CB-60 with the E of CB-56: the call of an absent seat."""
    seat = int(given.get("seat", 1))
    a, b, c, d = (mask(map(card_of, given["hand"])) if index == seat else 0 for index in range(4))
    state = Set(options_of(given), (seat + 3) % 4, _trump(given), seat, seat, hands=(a, b, c, d))
    move = rules.timeout(state, seat)
    assert move == CALLS[expect["call"] if isinstance(expect, Mapping) else expect]
    assert move in rules.legal(state, seat)


def _played(given: Given) -> tuple[Set, list[Convicted]]:
    """The set of a case with its tricks played as they were, and the first conviction that `audit=auto` comes to; each
    seat holds nothing but what it shows."""
    shown = _shown(given)
    tricks = [[(int(seat), card_of(card)) for seat, card in trick] for trick in given["tricks"]]
    hands = [0, 0, 0, 0]
    for seat, card in (play for trick in tricks for play in trick):
        hands[seat] |= cards.BIT[card]
    dealer = 0 if shown < 0 else int(given["shown_card"][0])
    if shown >= 0:
        hands[dealer] |= cards.BIT[shown]
    auto = msgspec.structs.replace(options_of(given), enforcement="honour", audit="auto")
    first = tricks[0][0][0]
    a, b, c, d = hands
    state = Set(auto, dealer, _trump(given), first, first, hands=(a, b, c, d), calls=(3,) * 4, called=4, shown=shown)
    convicted: list[Convicted] = []
    for seat, card in (play for trick in tricks for play in trick):
        facts = rules.decide(msgspec.structs.replace(state, turn=seat), seat, PlayCard(card))
        convicted = convicted or [fact for fact in facts if isinstance(fact, Convicted)]
        for fact in facts:
            if isinstance(fact, CardPlayed | TrickTaken):
                state = evolve(state, fact)
    return state, convicted


def audit(given: Given, expect: Any) -> None:
    """CB-50: the offences that the cards on the table prove; and that the engine convicts by the first of them."""
    state, convicted = _played(given)
    found = [
        {"seat": one.seat, "trick": one.offence.trick, "offence": one.offence.label, "provable_at": [one.trick, one.by]}
        for one in offences.proved(state)
    ]
    assert sorted(found, key=str) == sorted(expect, key=str)
    moments = [[one.trick, one.by] for one in convicted]
    assert bool(moments) == bool(expect)
    assert all(moment in [one["provable_at"] for one in expect] for moment in moments)


def _sheet(columns: Sequence[Sequence[int]]) -> tuple[Row, ...]:
    """A score sheet of columns, a row a set."""
    length = max(map(len, columns))
    padded = [[*column, *[None] * (length - len(column))] for column in columns]
    return tuple(Row(index, tuple(column[index] for column in padded), "score") for index in range(length))


def _punished(rows: tuple[Row, ...], chosen: Options, calls: Sequence[int], cheaters: Sequence[int]) -> tuple[Row, ...]:
    """The sheet after the convictions of a set that follows on it."""
    a, b, c, d = calls
    index = 1 + max((row.set for row in rows), default=-1)
    final = Set(chosen, 0, 0, -1, 0, calls=(a, b, c, d), called=4)
    for cheater in cheaters:
        totals = sheet.totals(rows, 4)
        standing = Standing(chosen, "", None, totals, index, (False,) * 4, final, rows=rows, set=index)
        for row in CALLBREAK.penal(standing, Convicted(cheater, (), 1, 0)):
            rows = sheet.written(rows, Row(index if row.set is None else row.set, row.values, row.kind))
    return rows


def _columns(rows: tuple[Row, ...]) -> list[list[int]]:
    return [[int(value) for _, value, _ in column] for column in record.rows_of(rows, 4, False)]


def penalty(given: Given, expect: Any) -> None:
    """CB-52 to CB-54: the column of a cheater, whose offences in a set cost him once."""
    assert int(given["offences_in_set"]) >= 1
    calls = (int(given["call_in_void_set"]), 3, 3, 3)
    before = _sheet([given["rows"], *[[0] * len(given["rows"])] * 3]) if given["rows"] else ()
    rows = _punished(before, options_of(given), calls, [0])
    assert {"rows": _columns(rows)[0], "total": sheet.totals(rows, 4)[0]} == expect


def void_set(given: Given, expect: Any) -> None:
    """CB-51 to CB-54: nobody scores it, each cheater is penalised once, the next dealer deals."""
    rows = _punished(_sheet(given["rows"]), options_of(given), given["calls"], given["cheaters"])
    state = Set(options_of(given), int(given["dealer"]), 0, -1, 0)
    found = {
        "set_scores": judging.VOID.scores,
        "rows": _columns(rows),
        "totals": list(sheet.totals(rows, 4)),
        "next_dealer": _next_dealer(state, judging.VOID),
    }
    assert {key: found[key] for key in expect} == expect


def hidden_call(given: Given, expect: Any) -> None:
    """CB-56: the sure tricks, the estimate, the total, and the verdict that comes with the dealer's call."""
    hand, trump = mask(map(card_of, given["dealer_hand"])), _trump(given)
    one, two, three = given["other_calls"]
    call = Call(int(given["dealer_call"]))
    chosen_ = options_of(given)
    before = Set(chosen_, 3, trump, 3, 0, hands=(0, 0, 0, hand), calls=(one, two, three, 0), called=3, moves=3)
    facts = rules.decide(before, 3, call, BY_CLOCK if given.get("auto") else PLAIN)
    verdict = next((fact for fact in facts if isinstance(fact, CallJudged)), None)
    voting = any(isinstance(fact, VoteOpened) for fact in facts)
    for key, value in expect.items():
        match key:
            case "total":
                assert one + two + three + call.number == value
            case "certain":
                assert rules.certain_tricks(hand, trump) == value
            case "estimate":
                assert rules.estimate(hand, trump) == value
            case "verdict" if value in ("vote", "vote_offered"):
                assert voting
            case "verdict":
                assert value in ("guilty", "not_proved", "not_guilty", "innocent")
                assert (verdict is not None and verdict.guilty) == (value == "guilty")
            case _:
                pytest.fail(f"not looked at: {key}")


_TRICK = frozenset({"hand", "trick", "trump", "options", "seat"})

JUDGES: dict[str, Judge] = {
    "legal_moves": Judge(legal_moves, _TRICK),
    "trick_winner": Judge(trick_winner, frozenset({"trick", "trump", "options"})),
    "deal": Judge(
        deal,
        frozenset({"deck", "dealer", "options"}),
        frozenset(
            {"first_card_to", "last_card_to", "trump", "shown_card", "shown_to", "caller_first", "hands", "dealer"}
        ),
    ),
    "redeal": Judge(
        redeal,
        frozenset({"hands", "dealer", "trump", "options", "shown_card"}),
        frozenset({"redeal", "reasons", "next_dealer"}),
    ),
    "after_calls": Judge(
        after_calls,
        frozenset({"dealer", "calls_in_order", "options", "trump"}),
        frozenset({"status", "total", "leader", "next_dealer"}),
    ),
    "call": Judge(
        call,
        frozenset({"dealer", "turn", "seat", "call", "options", "calls_in_order"}),
        frozenset({"ok", "error"}),
    ),
    "set_scores": Judge(set_scores, frozenset({"calls", "won", "options"})),
    "game_result": Judge(
        game_result,
        frozenset({"totals", "calls", "won", "options", *_SCORED_SETS, *_AWAY}),
        frozenset({"totals", "over", "winner", "winners", "ended"}),
    ),
    "auto_play": Judge(auto_play, _TRICK, frozenset({"call"})),
    "auto_call": Judge(auto_call, _TRICK, frozenset({"call"})),
    "audit": Judge(audit, frozenset({"tricks", "trump", "shown_card", "options"})),
    "penalty": Judge(
        penalty,
        frozenset({"rows", "call_in_void_set", "offences_in_set", "options"}),
        frozenset({"rows", "total"}),
    ),
    "void_set": Judge(
        void_set,
        frozenset({"dealer", "calls", "won", "cheaters", "rows", "options"}),
        frozenset({"set_scores", "rows", "totals", "next_dealer"}),
    ),
    "hidden_call": Judge(
        hidden_call,
        frozenset({"dealer_hand", "other_calls", "dealer_call", "trump", "options", "auto"}),
        frozenset({"total", "certain", "estimate", "verdict"}),
    ),
}
