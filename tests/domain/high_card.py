"""High Card, a whole game in one file, for the tests and as the example of docs/adding-a-game.md.

Twelve hearts, three to each of two to four players. In turn everybody plays a card, any card; the highest takes the
trick and leads to the next. A trick is a point, and who has enough points after a set wins.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

import msgspec

from domain import cards
from domain.game import CLAUSES, PLAIN, Ask, Brought, Deal, FirstDealer, Game, SetEnded, Setup, Standing, Verdict
from domain.rejected import Rejected, malformed
from domain.scene import Choice, Fact, Placed, Scene, Zone
from domain.shuffle import Source
from domain.veiled import Veiled

PACK = cards.PACK[13:25]  # 2H to KH
HELD = 3


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """Points to play for, and seconds for a move (0: no clock)."""

    target: Annotated[int, msgspec.Meta(ge=1, le=20)] = 5
    turn_seconds: Annotated[int, msgspec.Meta(ge=0, le=259200, extra={"low": 30, "also": (0,)})] = 86400


class PlayCard(msgspec.Struct, frozen=True):
    """The only move: `play 5H`."""

    card: int


class CardPlayed(msgspec.Struct, frozen=True, tag="high_card.card_played", omit_defaults=True):
    """A seat played a card."""

    seat: int
    card: int
    auto: bool = False


class TrickTaken(msgspec.Struct, frozen=True, tag="high_card.trick_taken", omit_defaults=True):
    """A seat took the trick."""

    seat: int


class Set(Veiled, frozen=True):
    """A set. `hands` are masks by seat, None for whoever has no seed."""

    _shown: ClassVar[tuple[str, ...]] = ("dealer", "played")

    options: Options
    seats: int
    dealer: int
    turn: int  # -1: nobody's
    hands: tuple[int, ...] | None = None
    trick: tuple[tuple[int, int], ...] = ()  # (seat, card)
    last: tuple[tuple[int, int], ...] = ()
    won: tuple[int, ...] = ()
    played: int = 0


class Seen(Veiled, frozen=True):
    """What a seat (None: a spectator) may know of a set."""

    seat: int | None
    turn: int
    dealer: int
    trick: tuple[tuple[int, int], ...]
    last: tuple[tuple[int, int], ...]
    won: tuple[int, ...]
    played: int
    options: Options
    hand: int | None
    legal: tuple[str, ...]


_replace = msgspec.structs.replace


def start(setup: Setup, source: Source | None) -> Set:
    """The set after the deal; without a source nobody's cards are known."""
    first = (setup.dealer + 1) % setup.seats
    hands = None
    if source is not None:
        pack = source.order(f"deal:{setup.deal}", PACK)
        dealt = [cards.mask(pack[index : HELD * setup.seats : setup.seats]) for index in range(setup.seats)]
        hands = tuple(dealt[(seat - first) % setup.seats] for seat in range(setup.seats))
    return Set(setup.options, setup.seats, setup.dealer, first, hands, won=(0,) * setup.seats)


def to_act(state: Set) -> tuple[Ask, ...]:
    """Whose turn it is."""
    if state.turn < 0:
        return ()
    return (Ask(str(state.played), (state.turn,), state.options.turn_seconds or None),)


def legal(state: Set, seat: int) -> tuple[PlayCard, ...]:
    """Any card of one's hand, in turn."""
    if seat != state.turn or state.hands is None:
        return ()
    return tuple(map(PlayCard, cards.cards(state.hands[seat])))


def decide(state: Set, seat: int, move: PlayCard, brought: Brought = PLAIN) -> tuple[Any, ...]:
    """The card, the trick if it is full, the set if that was the last. Rejected `not_your_turn`, `not_held`."""
    if seat != state.turn:
        raise Rejected("not_your_turn")
    assert state.hands is not None
    if not state.hands[seat] >> move.card & 1:
        raise Rejected("not_held", card=cards.name(move.card))
    played = CardPlayed(seat, move.card, brought.auto)
    trick = (*state.trick, (seat, move.card))
    if len(trick) < state.seats:
        return (played,)
    winner = max(trick, key=lambda one: one[1])[0]
    if state.played + 1 < HELD * state.seats:
        return (played, TrickTaken(winner))
    scores = tuple(won + (index == winner) for index, won in enumerate(state.won))
    return (played, TrickTaken(winner), SetEnded("scored", scores))


def evolve(state: Set, event: Any, source: Source | None = None) -> Set:
    """The state after an event."""
    match event:
        case CardPlayed(seat=seat, card=card):
            hands = state.hands
            if hands is not None:
                hands = tuple(hand & ~(1 << card) if index == seat else hand for index, hand in enumerate(hands))
            trick = (*state.trick, (seat, card))
            turn = (seat + 1) % state.seats if len(trick) < state.seats else -1
            return _replace(state, hands=hands, trick=trick, turn=turn, played=state.played + 1)
        case TrickTaken(seat=seat):
            won = tuple(count + (index == seat) for index, count in enumerate(state.won))
            over = state.played == HELD * state.seats
            return _replace(state, trick=(), last=state.trick, won=won, turn=-1 if over else seat)
        case _:
            raise AssertionError(event)


def public_move(event: Any) -> str | None:
    """`0 play 5H`, `0 auto play 5H`."""
    if not isinstance(event, CardPlayed):
        return None
    return f"{event.seat} {'auto ' if event.auto else ''}play {cards.name(event.card)}"


def after_set(standing: Standing) -> Verdict | None:
    """Who has enough points; all who share the best."""
    best = max(standing.totals)
    if best < standing.options.target:
        return None
    return Verdict("target", tuple(seat for seat, total in enumerate(standing.totals) if total == best))


def observe(state: Set, seat: int | None) -> Seen:
    """Built up from what the seat may know."""
    own = state.hands[seat] if seat is not None and state.hands is not None else None
    moves = () if seat is None else tuple(map(notation, legal(state, seat)))
    return Seen(
        seat, state.turn, state.dealer, state.trick, state.last, state.won, state.played, state.options, own, moves
    )


def guess(seen: Seen, source: Source) -> Set:
    """Hands that fit: the seat's own, and the other cards that were not seen in as many as each seat holds.

    Tricks before the last are forgotten here, so some of their cards may be dealt again.
    """
    seats = len(seen.won)
    known = cards.mask(card for _, card in (*seen.trick, *seen.last)) | (seen.hand or 0)
    unknown = [card for card in source.order("guess", PACK) if not known >> card & 1]
    hands = []
    for seat in range(seats):
        count = HELD - sum(seen.won) - any(seat == one for one, _ in seen.trick)
        hands.append(seen.hand if seat == seen.seat and seen.hand is not None else cards.mask(unknown[:count]))
        unknown = unknown[0 if seat == seen.seat else count :]
    return Set(seen.options, seats, seen.dealer, seen.turn, tuple(hands), seen.trick, seen.last, seen.won, seen.played)


def scene(seen: Seen) -> Scene:
    """Zones `trick`, `last_trick`, `hand`; a seat's `won`."""
    zones = [Zone("trick", tuple(Placed(cards.name(card), seat) for seat, card in seen.trick), shape="trick")]
    if seen.last:
        row = tuple(Placed(cards.name(card), seat) for seat, card in seen.last)
        zones.append(Zone("last_trick", row, max(seen.last, key=lambda one: one[1])[0], shape="trick"))
    if seen.hand is not None:
        hand = tuple(Placed(name, seen.seat, bool(seen.legal)) for name in cards.names(seen.hand))
        zones.append(Zone("hand", hand, seen.seat, private=True))
    choices = tuple(Choice(move, "card", move.partition(" ")[2]) for move in seen.legal)
    won = tuple((Fact("won", count),) for count in seen.won)
    return Scene(tuple(zones), (Fact("dealer", seen.dealer),), won, choices, "play" if seen.turn >= 0 else "")


def notation(move: PlayCard) -> str:
    """`play 5H`."""
    return f"play {cards.name(move.card)}"


def read(text: str) -> PlayCard:
    """The move of an exact notation; Rejected `not_a_move`."""
    word, _, argument = text.partition(" ")
    if word != "play" or cards.card_of(argument) >= len(cards.PACK):
        raise malformed("not_a_move", text=text[:80], forms=("play 5H",))
    return PlayCard(cards.card_of(argument))


def parse(text: str, seen: Seen) -> PlayCard:
    """`play 5H`, `5h`, `five of hearts`; Rejected `not_a_card`, `which_card`."""
    words = text[:80].split()
    card = cards.read_card(" ".join(words[1:] if words[:1] and words[0].lower() == "play" else words), seen.hand or 0)
    if card >= len(cards.PACK):
        raise malformed("not_a_card", text=text[:40])
    return PlayCard(card)


def player(level: str, seen: Seen) -> PlayCard:
    """The lowest card that wins the trick so far, else the lowest."""
    held = [read(move) for move in seen.legal]
    top = max((card for _, card in seen.trick), default=-1)
    return next((move for move in held if move.card > top), held[0])


def timeout(state: Set, seat: int) -> PlayCard:
    """The clock plays the lowest card."""
    return legal(state, seat)[0]


HIGH_CARD = Game(
    slug="high_card",
    ruleset="high_card/1",
    seats=(2, 4),
    options=Options,
    presets={"source": {}},
    implied=lambda chosen: {},
    check=lambda options: None,
    events=(CardPlayed, TrickTaken),
    away_after=3,
    examples={"play": "play 5H"},
    clauses=dict.fromkeys((*CLAUSES, "scored", "target", "too_few_players"), "HC-1"),
    first_dealer=lambda options, seats, source: FirstDealer("random", source.order("dealer", range(seats))[0]),
    start=start,
    opening=lambda state: (),
    to_act=to_act,
    legal=legal,
    decide=decide,
    evolve=evolve,
    public_move=public_move,
    timeout=timeout,
    too_few=lambda standing: Verdict("too_few_players", ()) if standing.left.count(False) < 2 else None,
    after_set=after_set,
    next_deal=lambda standing: Deal((standing.final.dealer + 1) % standing.final.seats),
    observe=observe,
    guess=guess,
    scene=scene,
    parse=parse,
    notation=notation,
    read=read,
    player=player,
    packs=lambda setup: {f"deal:{setup.deal}": PACK},
    extra=lambda final: {},
    card_name=cards.name,
    tenths=lambda options: False,
)
