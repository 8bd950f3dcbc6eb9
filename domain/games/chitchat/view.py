"""What one seat may know of a set of Chit Chat (CC-12 to CC-14), and what to show of it."""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import ClassVar, assert_never

from domain import cards
from domain.games.chitchat import rules, sequence
from domain.games.chitchat.moves import Argue, Change, Resign, Talk, notation, read
from domain.games.chitchat.options import Options
from domain.games.chitchat.pack import VALUE
from domain.games.chitchat.rules import Play
from domain.games.chitchat.state import SEATS, Hands, Set
from domain.scene import Choice, Fact, Placed, Scene, Zone
from domain.veiled import Veiled


class Observation(Veiled, frozen=True):
    """All that `seat` (None: a spectator) may know: public facts, and his own hand, king and legal moves."""

    _shown: ClassVar[tuple[str, ...]] = ("seat", "phase")

    seat: int | None
    options: Options
    dealer: int
    phase: str  # `talk`, `block` when a threat is to be answered, `over`
    turn: int
    seq: sequence.Sequence
    topic: int  # a suit, -1 before the first card is turned
    current: int  # the current topic card, -1 before that
    beat: int  # the value to beat
    threat: int | None  # the seat that makes a point unless it is blocked
    counts: tuple[int, int]  # cards in each hand
    piled: int
    discarded: int  # how many discards there are
    discards: tuple[int, ...] | None  # which; None when they are not open (CC-13)
    pool: tuple[int, ...] | None  # what the pile was last made of, ascending, () before that; None likewise
    reshuffles: int
    points: Hands  # each seat's point cards
    silent: tuple[int, int]
    moves: int
    opened: tuple[tuple[int, tuple[int, ...]], ...]
    kings: tuple[int, ...]  # at the end: seat 0's, seat 1's, the one set aside
    pet: int | None  # the seat's own king
    hand: tuple[int, ...] | None  # the seat's own cards, ascending
    legal: tuple[str, ...]  # the seat's own legal moves, in notation


def observe(state: Set, seat: int | None) -> Observation:
    """The observation of a seat, or of a spectator (None): an allow-list of fields."""
    seq, shown = state.seq, state.options.open_discards
    own = seat is not None and state.hands is not None and state.pets is not None
    threat = sequence.threat(seq)
    return Observation(
        seat=seat,
        options=state.options,
        dealer=state.dealer,
        phase="over" if state.turn < 0 else "talk" if threat is None else "block",
        turn=state.turn,
        seq=seq,
        topic=sequence.topic(seq),
        current=sequence.current(seq) if seq else -1,
        beat=sequence.beat(seq) if seq else 0,
        threat=threat,
        counts=state.counts,
        piled=state.piled,
        discarded=len(state.discards),
        discards=state.discards if shown else None,
        pool=state.pool if shown else None,
        reshuffles=state.reshuffles,
        points=state.points,
        silent=state.silent,
        moves=state.moves,
        opened=state.opened,
        kings=state.kings,
        pet=state.pets[seat] if own else None,  # type: ignore[index]
        hand=state.hands[seat] if own else None,  # type: ignore[index]
        legal=() if seat is None else tuple(notation(move) for move in rules.legal(state, seat)),
    )


def suited(hand: Iterable[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """A hand as people hold it: by suits (H S D), high cards first, the ace low; and where suits begin."""
    row = sorted(hand, key=lambda card: ((1, 0, 2)[card // 13], -VALUE[card]))
    groups = [index for index, card in enumerate(row) if index == 0 or row[index - 1] // 13 != card // 13]
    return tuple(row), tuple(groups)


def scene(seen: Observation) -> Scene:
    """Zones `sequence`, `points`, `discards`, `opened`, `pet`, `aside`, `hand`; facts `topic`, `beat`, `current`,
    `threat`, `pile`, `discarded`, `dealer`; a seat's `cards` and `points`."""
    line = tuple(Placed(cards.name(laid.card), laid.by, step=laid.step) for laid in seen.seq)
    zones = [Zone("sequence", line, shape="line")]
    zones += [_row("points", seen.points[seat], seat) for seat in range(SEATS) if seen.points[seat]]
    if seen.discards:
        zones.append(_row("discards", seen.discards))
    zones += [_row("opened", held, seat) for seat, held in seen.opened]
    if seen.kings:
        *pets, aside = seen.kings
        zones += [_row("pet", (king,), seat) for seat, king in enumerate(pets)]
        zones.append(_row("aside", (aside,)))
    elif seen.pet is not None:
        zones.append(_row("pet", (seen.pet,), seen.seat, private=True))
    if seen.hand is not None and not seen.opened:
        playable = {name for move in seen.legal for name in move.split()[1:]}
        zones.append(_row("hand", seen.hand, seen.seat, playable, private=True))
    facts = []
    if seen.seq:
        facts.append(Fact("topic", cards.SUITS[seen.topic]))
        facts.append(Fact("current", cards.name(seen.current)))
        facts.append(Fact("beat", seen.beat))
    if seen.threat is not None and seen.phase != "over":
        facts.append(Fact("threat", seen.threat))
    facts += [Fact("pile", seen.piled), Fact("discarded", seen.discarded), Fact("dealer", seen.dealer)]
    if seen.reshuffles:
        facts.append(Fact("reshuffles", seen.reshuffles))
    seats = tuple((Fact("cards", seen.counts[seat]), Fact("points", len(seen.points[seat]))) for seat in range(SEATS))
    return Scene(tuple(zones), tuple(facts), seats, _choices(seen), "" if seen.phase == "over" else seen.phase)


def _row(
    name: str,
    held: Iterable[int],
    owner: int | None = None,
    playable: Container[str] = (),
    *,
    private: bool = False,
) -> Zone:
    row, groups = suited(held)
    placed = tuple(Placed(cards.name(card), owner, cards.name(card) in playable) for card in row)
    return Zone(name, placed, owner, groups, private=private)


def _choices(seen: Observation) -> tuple[Choice, ...]:
    """The plays. Giving up is no button: one press too many would end the game."""
    return tuple(_choice(seen, move) for move in map(read, seen.legal) if not isinstance(move, Resign))


def _choice(seen: Observation, move: Play) -> Choice:
    """A legal move, with what it does beside the plain play: `block`, `threat`, `step`, `topic` (CC-23)."""
    text = notation(move)
    kind, _, value = text.partition(" ")
    return Choice(text, kind, value, effect(seen, move))


def effect(seen: Observation, move: Play) -> str:
    """What a legal play of the seat in turn does: it blocks, threatens, steps, or takes up a topic; "" for none."""
    seq = seen.seq
    match move:
        case Argue(card=card):
            if seen.threat is not None:
                return "block" if rules.blocks(seq, card) else ""
            if not sequence.steps(seq, card):
                return ""
            return "threat" if sequence.last_step(seq) == seen.turn else "step"
        case Talk(card=card):
            return "topic" if seen.threat is None and sequence.follows(seq, card) else ""
        case Change(first=first, second=second):
            return "step" if sequence.steps_on(second, first) else ""
        case _:
            assert_never(move)
