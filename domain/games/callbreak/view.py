"""What one seat may know of a set of Call Break (section 6), states that fit it, and what to show of it."""

from __future__ import annotations

from typing import ClassVar

from domain import cards
from domain.cards import SUIT_MASK
from domain.games.callbreak import offences, rules
from domain.games.callbreak.moves import notation
from domain.games.callbreak.options import Options
from domain.games.callbreak.state import SEATS, Accusation, Set, Trick, phase
from domain.scene import Choice, Fact, Placed, Scene, Zone
from domain.shuffle import Source
from domain.veiled import Veiled


class Observation(Veiled, frozen=True):
    """All that `seat` (None: a spectator) may know: public facts, and his own hand and legal moves."""

    _shown: ClassVar[tuple[str, ...]] = ("seat", "phase")

    seat: int | None
    options: Options
    dealer: int
    trump: int
    shown: int
    phase: str
    turn: int
    leader: int
    calls: tuple[int, ...]
    called: int
    trick: tuple[int, ...]
    top: int
    winner: int
    won: tuple[int, ...]
    tricks: tuple[Trick, ...]
    moves: int
    counts: tuple[int, ...]  # cards left in each hand
    reasons: tuple[tuple[int, str], ...]
    opened: tuple[tuple[int, tuple[int, ...]], ...]
    hand: tuple[int, ...] | None  # the seat's own cards, ascending
    legal: tuple[str, ...]  # the seat's own legal moves, in notation
    accusations: tuple[Accusation, ...] = ()
    convicted: tuple[int, ...] = ()
    votes: tuple[tuple[int, bool], ...] | None = None
    confirmed: tuple[int, ...] | None = None


def observe(state: Set, seat: int | None) -> Observation:
    """The observation of a seat, or of a spectator (None): an allow-list of fields."""
    own = state.hands[seat] if seat is not None and state.hands is not None else None
    played = [0] * SEATS
    for trick in state.tricks:
        for index in range(SEATS):
            played[(trick.leader + index) % SEATS] += 1
    for index in range(len(state.trick)):
        played[(state.leader + index) % SEATS] += 1
    return Observation(
        seat=seat,
        options=state.options,
        dealer=state.dealer,
        trump=state.trump,
        shown=state.shown,
        phase=phase(state),
        turn=state.turn,
        leader=state.leader,
        calls=state.calls,
        called=state.called,
        trick=state.trick,
        top=state.top,
        winner=state.winner,
        won=state.won,
        tricks=state.tricks,
        moves=state.moves,
        counts=tuple(13 - count for count in played),
        reasons=state.reasons,
        opened=state.opened,
        hand=None if own is None else cards.cards(own),
        legal=() if seat is None else tuple(notation(move) for move in rules.legal(state, seat)),
        accusations=state.accusations,
        convicted=state.convicted,
        votes=state.votes,
        confirmed=state.confirmed,
    )


def lawful(seen: Observation) -> int:
    """The cards of the observer's own hand that the rules allow now, a mask: also where the table takes any card."""
    hand = cards.mask(seen.hand or ())
    return rules.legal_hand(hand, seen.trick[0] if seen.trick else -1, seen.top, seen.trump, seen.options)


def possible(seen: Observation) -> tuple[int, ...]:
    """For each seat the cards (a mask) that it may still hold, as far as its plays, where they had to be legal, and the
    shown trump tell."""
    gone = own = 0
    history = offences.plays(seen)
    for play in history:
        gone |= 1 << play.card
    if seen.seat is not None and seen.hand is not None:
        own = cards.mask(seen.hand)
    unknown = cards.mask(cards.PACK) & ~gone & ~own
    found = [unknown] * SEATS
    if seen.shown >= 0 and unknown >> seen.shown & 1:
        for seat in range(SEATS):
            if seat != seen.dealer:
                found[seat] &= ~(1 << seen.shown)
    for play in history if seen.options.enforcement == "strict" else ():
        for other in cards.cards(found[play.seat]):
            if offences.betrays(play, other, seen.trump, seen.options):
                found[play.seat] &= ~(1 << other)
    if seen.seat is not None:
        found[seen.seat] = own
    return tuple(found)


def guess(seen: Observation, source: Source) -> Set:
    """A full state that fits the observation: every play so far was legal, hands that forbid the set avoided."""
    open_to = possible(seen)
    state = None
    for attempt in range(20):
        hands = _deal_unknown(seen, open_to, source.order(f"guess:{attempt}", cards.PACK))
        state = _state(seen, hands)
        first = list(hands)
        for play in offences.plays(seen):
            first[play.seat] |= 1 << play.card
        if not rules.redeal_reasons(first, seen.dealer, seen.trump, seen.options):
            break
    assert state is not None
    return state


def _state(seen: Observation, hands: tuple[int, int, int, int]) -> Set:
    return Set(
        options=seen.options,
        dealer=seen.dealer,
        trump=seen.trump,
        turn=seen.turn,
        leader=seen.leader,
        hands=hands,
        calls=seen.calls,
        called=seen.called,
        trick=seen.trick,
        top=seen.top,
        winner=seen.winner,
        won=seen.won,
        tricks=seen.tricks,
        moves=seen.moves,
        shown=seen.shown,
        reasons=seen.reasons,
        opened=seen.opened,
        accusations=seen.accusations,
        convicted=seen.convicted,
        votes=seen.votes,
        confirmed=seen.confirmed,
    )


def _deal_unknown(seen: Observation, open_to: tuple[int, ...], order: tuple[int, ...]) -> tuple[int, int, int, int]:
    """The unknown cards to seats that may hold them, each seat its number: a matching, found with augmenting paths."""
    hands = [0] * SEATS
    room = list(seen.counts)
    if seen.seat is not None and seen.hand is not None:
        hands[seen.seat] = open_to[seen.seat]
        room[seen.seat] = 0
    others = [seat for seat in range(SEATS) if seat != seen.seat]
    unknown = [card for card in order if any(open_to[seat] >> card & 1 for seat in others)]
    for card in sorted(unknown, key=lambda card: sum(open_to[seat] >> card & 1 for seat in others)):
        _place(card, hands, room, open_to, order, set())
    return hands[0], hands[1], hands[2], hands[3]


def _place(
    card: int, hands: list[int], room: list[int], open_to: tuple[int, ...], order: tuple[int, ...], tried: set[int]
) -> bool:
    seats = [order[(card + index) % 52] % SEATS for index in range(52)]
    for seat in dict.fromkeys(seats):
        if not open_to[seat] >> card & 1 or hands[seat] >> card & 1:
            continue
        if room[seat] > 0:
            hands[seat] |= 1 << card
            room[seat] -= 1
            return True
    for seat in dict.fromkeys(seats):
        if not open_to[seat] >> card & 1 or hands[seat] >> card & 1:
            continue
        for held in cards.cards(hands[seat]):
            if held in tried:
                continue
            tried.add(held)
            hands[seat] ^= 1 << held
            if _place_elsewhere(held, seat, hands, room, open_to, order, tried):
                hands[seat] |= 1 << card
                return True
            hands[seat] |= 1 << held
    return False


def _place_elsewhere(
    card: int,
    seat: int,
    hands: list[int],
    room: list[int],
    open_to: tuple[int, ...],
    order: tuple[int, ...],
    tried: set[int],
) -> bool:
    closed = tuple(0 if index == seat else cards_open for index, cards_open in enumerate(open_to))
    return _place(card, hands, room, closed, order, tried)


def suited(hand: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """A hand as people hold it: by suits, colours alternating (S H C D), high cards first; and where suits begin."""
    held = cards.mask(hand)
    found: list[int] = []
    groups = []
    for suit in (0, 1, 3, 2):
        row = cards.cards(held & SUIT_MASK[suit])[::-1]
        if row:
            groups.append(len(found))
            found += row
    return tuple(found), tuple(groups)


def scene(seen: Observation) -> Scene:
    """Zones `trump_card`, `trick`, `last_trick`, `opened`, `hand`; facts `trump`, `trick_number`, `dealer`; a seat's
    `call`, `won`."""
    zones = []
    if seen.shown >= 0:
        zones.append(Zone("trump_card", (Placed(cards.name(seen.shown), seen.dealer),), seen.dealer))
    if seen.phase == "play" or seen.trick:
        zones.append(Zone("trick", _placed(seen.leader, seen.trick), shape="trick"))
    if seen.tricks:
        last = seen.tricks[-1]
        zones.append(Zone("last_trick", _placed(last.leader, last.cards), last.winner, shape="trick"))
    for seat, opened in seen.opened:
        row, groups = suited(opened)
        zones.append(Zone("opened", tuple(Placed(cards.name(card)) for card in row), seat, groups))
    playable = set(seen.legal)
    if seen.hand is not None:
        row, groups = suited(seen.hand)
        names = [cards.name(card) for card in row]
        hand = tuple(Placed(name, seen.seat, f"play {name}" in playable) for name in names)
        zones.append(Zone("hand", hand, seen.seat, groups, private=True))
    facts = []
    if seen.trump >= 0:
        facts.append(Fact("trump", cards.SUITS[seen.trump]))
    if seen.phase == "play":
        facts.append(Fact("trick_number", len(seen.tricks) + 1))
    facts.append(Fact("dealer", seen.dealer))
    seats = []
    for seat in range(SEATS):
        line = []
        if seen.calls[seat]:
            line.append(Fact("call", seen.calls[seat]))
        if seen.called == SEATS:
            line.append(Fact("won", seen.won[seat]))
        seats.append(tuple(line))
    return Scene(tuple(zones), tuple(facts), tuple(seats), _choices(seen), "" if seen.phase == "over" else seen.phase)


def _choices(seen: Observation) -> tuple[Choice, ...]:
    if seen.phase in ("vote", "result"):
        return tuple(Choice(move, move.replace(" ", "_")) for move in seen.legal)
    if seen.phase == "calls":
        return tuple(Choice(move, "number", move.partition(" ")[2]) for move in seen.legal)
    order, _ = suited(seen.hand or ())
    names = [cards.name(card) for card in order]
    return tuple(Choice(f"play {name}", "card", name) for name in names if f"play {name}" in seen.legal)


def _placed(leader: int, trick: tuple[int, ...]) -> tuple[Placed, ...]:
    return tuple(Placed(cards.name(card), (leader + index) % SEATS) for index, card in enumerate(trick))
