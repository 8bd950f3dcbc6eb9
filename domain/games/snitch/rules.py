"""The rules of Snitch, clause by clause: what is legal, what a move causes, when a game ends, who deals next."""

from __future__ import annotations

from typing import Any

from domain import cards
from domain.game import PLAIN, Ask, Brought, Deal, FirstDealer, Gone, Rejected, SetEnded, Standing, Verdict
from domain.games.snitch.moves import (
    CHALLENGES,
    DEFENDS,
    DISCARDS,
    PRESSES,
    STOP,
    TAKES,
    YIELD,
    Challenge,
    Defend,
    Discard,
    LaySet,
    Move,
    Press,
    Stop,
    TakeTop,
    Yield,
    lay_set,
)
from domain.games.snitch.options import Options
from domain.games.snitch.pack import RANK, SIZE, THROW, WILD, in_order, is_pair, joins, points
from domain.games.snitch.state import (
    HAND,
    Challenged,
    ChallengeWon,
    Defended,
    Discarded,
    Event,
    Pressed,
    SeatGone,
    Set,
    SetLaid,
    Stopped,
    TopTaken,
    TurnedUp,
    Yielded,
    after,
    evolve,
)
from domain.shuffle import Source

AWAY_SECONDS = 60
"""How long a seat that is away has for anything (SN-72)."""

_LAY: tuple[tuple[LaySet | None, ...], ...] = tuple(
    tuple(lay_set(one, other) if is_pair(one, other) else None for other in range(SIZE)) for one in range(SIZE)
)
"""The set that two cards make, or None."""


# A turn


def opening(state: Set) -> tuple[Event, ...]:
    """The card that is turned after the deal (SN-3)."""
    assert state.discards, "only whoever holds the seed can say what follows from a deal"
    return (TurnedUp(state.discards[0]),)


def to_act(state: Set) -> tuple[Ask, ...]:
    """The active player (SN-72), or whoever is awaited in an open challenge (SN-22, SN-70); the key names the turn and,
    by the cards laid, the phase of the challenge (SN-75). Only late turns make a seat away (SN-72)."""
    awaits = state.awaits
    if awaits < 0:
        return ()
    options = state.options
    if state.target < 0:
        return (Ask(str(state.turns), (awaits,), options.turn_seconds or None, away_seconds=AWAY_SECONDS),)
    key = f"{state.turns}.{len(state.laid)}"
    return (Ask(key, (awaits,), options.defend_seconds, counts=False, away_seconds=AWAY_SECONDS),)


def guarded(state: Set) -> bool:
    """Whether a challenge is open: how quickly somebody answers it may tell what he holds (SN-22)."""
    return state.target >= 0


def legal(state: Set, seat: int) -> tuple[Move, ...]:
    """The moves of the seat, in the order discard, set, take, challenge (section 3), or those that answer a challenge
    (SN-22); empty when it is not to act."""
    if seat != state.awaits or state.hands is None:
        return ()
    hand = state.hands[seat]
    held = tuple(dict.fromkeys(hand))  # equal cards are one (SN-6)
    stacks = state.stacks
    if state.target >= 0:
        rank = RANK[stacks[state.target][-1][0]]
        plays, ends = (DEFENDS, YIELD) if seat == state.target else (PRESSES, STOP)
        return (*(plays[card] for card in held if RANK[card] in (WILD, rank)), ends)
    found: list[Move] = [DISCARDS[card] for card in held]
    found += _sets(hand)
    if state.left and state.discards:
        takes = _LAY[state.discards[-1]]
        found += [TAKES[card] for card in held if takes[card] is not None]
    for other, stack in enumerate(stacks):
        if stack and other != seat:
            rank, plays_at = RANK[stack[-1][0]], CHALLENGES[other]
            found += [plays_at[card] for card in held if RANK[card] in (WILD, rank)]
    return tuple(found)


def _sets(hand: tuple[int, ...]) -> list[LaySet]:
    """The sets of two cards of a hand, each once (SN-11b)."""
    if len(hand) < 2:
        return []
    one, two = hand[:2]
    laid = [_LAY[one][two]]
    if len(hand) > 2:
        three = hand[2]
        laid.append(_LAY[one][three] if three != two else None)
        laid.append(_LAY[two][three] if two != one else None)
    return [pair for pair in laid if pair is not None]


def decide(state: Set, seat: int, move: Move, brought: Brought = PLAIN) -> tuple[Event | SetEnded, ...]:
    """The facts that a move causes, or Rejected.

    `not_your_turn`; of the wrong word for the moment `no_challenge`, `answer_challenge`, `go_on_or_stop`; of what
    everybody sees `not_a_pair`, `pile_closed`, `pile_empty`, `no_such_seat`, `own_set`, `no_set_there`,
    `does_not_join`; of the hand, and so for its owner alone, `not_your_card`, `held_once`.
    """
    if seat != state.awaits:
        raise Rejected("not_your_turn", clause="SN-4" if state.target < 0 else "SN-22")
    assert state.hands is not None, "only whoever holds the seed can judge a card"
    if state.target >= 0:
        return _answer(state, seat, move, brought.auto)
    match move:
        case Discard(card=card):
            _holds(state, seat, card)
            return _ended(state, Discarded(seat, card, _drawn(state, seat, 1), brought.auto))
        case LaySet(first=first, second=second):
            if not is_pair(first, second):
                raise Rejected("not_a_pair", clause="SN-11", cards=_names(first, second))
            _holds(state, seat, first)
            _holds(state, seat, second)
            if first == second and state.hands[seat].count(first) < 2:
                raise Rejected("held_once", clause="SN-11b", card=cards.name(first))
            return _ended(state, SetLaid(seat, (first, second), _drawn(state, seat, 2)))
        case TakeTop(card=card):
            return _ended(state, _take(state, seat, card))
        case Challenge(seat=target, card=card):
            return _challenge(state, seat, target, card)
        case Defend() | Press() | Yield() | Stop():
            raise Rejected("no_challenge", clause="SN-22")


def _names(*some: int) -> list[str]:
    return [cards.name(card) for card in some]


def _holds(state: Set, seat: int, card: int) -> None:
    assert state.hands is not None
    if card not in state.hands[seat]:
        raise Rejected("not_your_card", clause="SN-10", card=cards.name(card))


def _drawn(state: Set, seat: int, played: int) -> int:
    """How many cards the active player draws after he has played so many of his hand (SN-23)."""
    return min(HAND - state.counts[seat] + played, state.left)


def _ended(state: Set, event: Discarded | SetLaid | TopTaken | ChallengeWon) -> tuple[Event | SetEnded, ...]:
    """The end of a turn; the round is over when no hand has a card (SN-44)."""
    if state.left:  # the active player draws, so he has some
        return (event,)
    final = evolve(state, event)
    return (event,) if final.turn >= 0 else (event, _end(final))


def _end(final: Set) -> SetEnded:
    """The end of a round: the points of each stack (SN-50), nothing for seats that are out; abandoned when all are."""
    if not final.live:
        return SetEnded("abandoned", None, void=True)
    return SetEnded(
        "scored", tuple(points_of(final, seat) if seat in final.live else None for seat in range(final.seats))
    )


def points_of(state: Set, seat: int) -> int:
    """The points in a seat's stack (SN-50)."""
    return sum(map(points, state.stacks[seat]))


def _take(state: Set, seat: int, card: int) -> TopTaken:
    if not state.left:
        raise Rejected("pile_closed", clause="SN-40")
    if not state.discards:
        raise Rejected("pile_empty", clause="SN-13")
    top = state.discards[-1]
    if not is_pair(card, top):
        raise Rejected("not_a_pair", clause="SN-13", cards=_names(card, top))
    _holds(state, seat, card)
    return TopTaken(seat, card, in_order(card, top), _drawn(state, seat, 1))


# A challenge


def _challenge(state: Set, seat: int, target: int, card: int) -> tuple[Event | SetEnded, ...]:
    if target >= state.seats:
        raise Rejected("no_such_seat", clause="SN-20", seats=state.seats)
    if target == seat:
        raise Rejected("own_set", clause="SN-20")
    if not state.stacks[target]:
        raise Rejected("no_set_there", clause="SN-20")
    _joins(state, target, card)
    _holds(state, seat, card)
    challenged = Challenged(seat, target, card)
    if state.counts[target]:
        return (challenged,)
    return (challenged, *_decided(evolve(state, challenged), seat))  # SN-43


def _joins(state: Set, target: int, card: int) -> None:
    top = state.stacks[target][-1]
    if not joins(card, top):
        raise Rejected("does_not_join", clause="SN-12", card=cards.name(card), cards=_names(*top))


def _answer(state: Set, seat: int, move: Move, auto: bool) -> tuple[Event | SetEnded, ...]:
    """What whoever is awaited may do in an open challenge (SN-22); it is over when the one awaited next has no card
    (SN-43)."""
    target, turn = state.target, state.turn
    match move:
        case Defend(card=card) if seat == target:
            _joins(state, target, card)
            _holds(state, seat, card)
            defended = Defended(seat, card)
            return (defended, *_unless_able(evolve(state, defended), turn, seat))
        case Yield() if seat == target:
            return (Yielded(seat, auto), *_decided(state, turn))
        case Press(card=card) if seat == turn:
            _joins(state, target, card)
            _holds(state, seat, card)
            pressed = Pressed(seat, card)
            return (pressed, *_unless_able(evolve(state, pressed), target, seat))
        case Stop() if seat == turn:
            return (Stopped(seat, auto), *_decided(state, target))
        case _ if seat == target:
            raise Rejected("answer_challenge", clause="SN-22")
        case _:
            raise Rejected("go_on_or_stop", clause="SN-22")


def _unless_able(state: Set, awaited: int, winner: int) -> tuple[Event | SetEnded, ...]:
    """The end of the challenge where whoever is awaited now has no card; this follows from the size of his hand alone,
    never from what is in it (SN-43, SN-71)."""
    return () if state.counts[awaited] else _decided(state, winner)


def _decided(state: Set, winner: int) -> tuple[Event | SetEnded, ...]:
    return _ended(state, challenge_won(state, winner))


def challenge_won(state: Set, winner: int) -> ChallengeWon:
    """The challenge as it is won now: who gets what (SN-24), and the drawing, the challenger first (SN-23)."""
    drew = _drawn(state, state.turn, 0)
    target_drew = min(HAND - state.counts[state.target], state.left - drew)
    laid = (*state.stacks[state.target][-1], *state.laid)
    return ChallengeWon(winner, state.target, laid, drew, target_drew)


# Absence


def timeout(state: Set, seat: int) -> Move:
    """What the clock does for a seat: discards the card with the fewest points (SN-72), gives up or stops (SN-70)."""
    if state.target >= 0:
        return YIELD if seat == state.target else STOP
    assert state.hands is not None
    return DISCARDS[min(state.hands[seat], key=THROW.__getitem__)]


def gone(state: Set, seat: int, what: Gone) -> tuple[Any, ...]:
    """A leaver's challenge is lost first, whichever side of it he is on (SN-74); then his hand and his stack are out of
    play (SN-73) until the next deal. Who is away stays in, and the clock plays for him (SN-72)."""
    if what != "left" or state.turn < 0 or seat not in state.live:
        return ()
    facts: list[Any] = []
    if state.target >= 0 and seat in (state.turn, state.target):
        facts.append(challenge_won(state, state.target if seat == state.turn else state.turn))
    facts.append(SeatGone(seat))
    for fact in facts:
        state = evolve(state, fact)
    if state.turn < 0:
        facts.append(_end(state))
    return tuple(facts)


# From round to round


def _present(standing: Standing) -> tuple[int, ...]:
    return tuple(seat for seat, left in enumerate(standing.left) if not left)


def too_few(standing: Standing) -> Verdict | None:
    """One left: he wins (SN-73)."""
    present = _present(standing)
    return Verdict("last_left", present) if len(present) < 2 else None


def after_set(standing: Standing) -> Verdict | None:
    """Whether the game is over: after its rounds (SN-60), shared by equals; or by points, unless the best are equal
    (SN-61). Who has left and not come back cannot win (SN-73)."""
    options: Options = standing.options
    present = _present(standing)
    if len(present) < 2:
        return Verdict("last_left", present)
    best = max(standing.totals[seat] for seat in present)
    winners = tuple(seat for seat in present if standing.totals[seat] == best)
    if options.match == "rounds":
        return Verdict("rounds", winners) if standing.scored_sets >= options.rounds else None
    return Verdict("target", winners) if best >= options.target and len(winners) == 1 else None


def next_deal(standing: Standing) -> Deal:
    """The deal moves left, to those who are there (SN-4, SN-73)."""
    final: Set = standing.final
    present = _present(standing)
    return Deal(after(final.dealer, present), present)


def first_dealer(options: Options, seats: int, source: Source) -> FirstDealer:
    """Any seat (SN-4)."""
    return FirstDealer("random", source.order("dealer", range(seats))[0])
