"""What one seat may know of a round of Snitch (SN-65), states that fit it, and what to show of it."""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import ClassVar

from domain import cards
from domain.games.snitch import pack, rules
from domain.games.snitch.moves import notation
from domain.games.snitch.options import Options
from domain.games.snitch.pack import PACK, RANK, WILD
from domain.games.snitch.state import Laid, Set
from domain.scene import Choice, Fact, Placed, Scene, Zone
from domain.shuffle import Source
from domain.veiled import Veiled


class Observation(Veiled, frozen=True):
    """All that `seat` (None: a spectator) may know: what was laid open, and his own hand and legal moves.

    Every card of a stack and of the discard pile was laid open, and the log of it is public: whoever remembers it may
    use it (SN-65). What is put before everybody's eyes of it is the scene's affair.
    """

    _shown: ClassVar[tuple[str, ...]] = ("seat", "phase")

    seat: int | None
    options: Options
    seats: int
    dealer: int
    playing: tuple[int, ...]
    live: tuple[int, ...]
    phase: str  # `turn`; `defend` or `press` while a challenge is open; `over`
    turn: int
    awaits: int
    turns: int
    left: int  # cards in the stock
    counts: tuple[int, ...]
    stacks: tuple[tuple[Laid, ...], ...]
    discards: tuple[int, ...]
    target: int
    laid: tuple[int, ...]
    removed: tuple[int, ...]
    hand: tuple[int, ...] | None  # the seat's own cards
    legal: tuple[str, ...]  # its own legal moves, in notation


def observe(state: Set, seat: int | None) -> Observation:
    """The observation of a seat, or of a spectator (None): an allow-list of fields."""
    own = seat is not None and state.hands is not None and seat in state.live
    return Observation(
        seat=seat,
        options=state.options,
        seats=state.seats,
        dealer=state.dealer,
        playing=state.playing,
        live=state.live,
        phase=phase(state),
        turn=state.turn,
        awaits=state.awaits,
        turns=state.turns,
        left=state.left,
        counts=state.counts,
        stacks=state.stacks,
        discards=state.discards,
        target=state.target,
        laid=state.laid,
        removed=state.removed,
        hand=state.hands[seat] if own else None,  # type: ignore[index]
        legal=() if seat is None else tuple(notation(move) for move in rules.legal(state, seat)),
    )


def phase(state: Set) -> str:
    """`turn`, `defend`, `press`, or `over`."""
    if state.awaits < 0:
        return "over"
    if state.target < 0:
        return "turn"
    return "defend" if state.awaits == state.target else "press"


def unseen(seen: Observation) -> list[int]:
    """The cards that the observer has not seen: those of the stock and of the other hands, in order."""
    pool = list(PACK)
    for card in (*(seen.hand or ()), *seen.discards, *seen.laid, *seen.removed):
        pool.remove(card)
    for stack in seen.stacks:
        for laid in stack:
            for card in laid:
                pool.remove(card)
    return pool


def guess(seen: Observation, source: Source) -> Set:
    """A full state that fits the observation: what is not seen is dealt to the other hands and to the stock."""
    pool = list(source.order("guess", unseen(seen)))
    hands = []
    for seat, count in enumerate(seen.counts):
        if seat == seen.seat and seen.hand is not None:
            hands.append(seen.hand)
        else:
            hands.append(tuple(sorted(pool[:count])))
            del pool[:count]
    return Set(
        options=seen.options,
        seats=seen.seats,
        dealer=seen.dealer,
        playing=seen.playing,
        live=seen.live,
        turn=seen.turn,
        awaits=seen.awaits,
        left=seen.left,
        counts=seen.counts,
        stacks=seen.stacks,
        hands=tuple(hands),
        stock=tuple(pool),
        discards=seen.discards,
        target=seen.target,
        laid=seen.laid,
        turns=seen.turns,
        removed=seen.removed,
    )


# What to show


def scene(seen: Observation) -> Scene:
    """Zones `pile` (its top card), `set` (each seat's top set), `challenge`, at the end `sets` (whole stacks), and
    `hand`; facts `stock`, `dealer`, `challenged`; a seat's `cards`, `beneath`, `points`, `out`; prompts `turn`,
    `defend`, `press`. Points of what lies beneath are shown at the end, or by the option `open_points` (SN-65)."""
    over = seen.phase == "over"
    words = [move.split()[0] for move in seen.legal]
    zones = []
    if seen.discards:
        zones.append(Zone("pile", (Placed(cards.name(seen.discards[-1]), playable="take" in words),)))
    for seat, stack in enumerate(seen.stacks):
        if stack and over:
            zones.append(_stack(stack, seat))
        elif stack:
            zones.append(Zone("set", _placed(stack[-1]), seat))
    if seen.laid:
        sides = (seen.turn, seen.target)
        laid = tuple(Placed(cards.name(card), sides[at % 2]) for at, card in enumerate(seen.laid))
        zones.append(Zone("challenge", laid, shape="trick"))
    if seen.hand is not None and not over:
        playable = {name for move in seen.legal for name in move.split()[1:]}
        zones.append(Zone("hand", _placed(in_hand(seen.hand), seen.seat, playable), seen.seat, private=True))
    facts = [Fact("stock", seen.left), Fact("dealer", seen.dealer)]
    if seen.target >= 0:
        facts.append(Fact("challenged", seen.target))
    seats = tuple(_seat_facts(seen, seat) for seat in range(seen.seats))
    return Scene(tuple(zones), tuple(facts), seats, _choices(seen), "" if over else seen.phase)


def in_hand(hand: Iterable[int]) -> tuple[int, ...]:
    """A hand as it is shown: by rank from the three to the ace, then twos and jokers."""
    return tuple(sorted(hand, key=lambda card: (RANK[card] == WILD, RANK[card], card)))


def _placed(row: Iterable[int], by: int | None = None, playable: Container[str] = ()) -> tuple[Placed, ...]:
    return tuple(Placed(cards.name(card), by, cards.name(card) in playable) for card in row)


def _stack(stack: tuple[Laid, ...], seat: int) -> Zone:
    """All sets of a seat, from the bottom."""
    row: list[int] = []
    groups = []
    for laid in stack:
        groups.append(len(row))
        row += laid
    return Zone("sets", _placed(row), seat, tuple(groups))


def _seat_facts(seen: Observation, seat: int) -> tuple[Fact, ...]:
    if seat not in seen.live:
        return (Fact("out", 1),)
    found = [Fact("cards", seen.counts[seat])]
    stack = seen.stacks[seat]
    if len(stack) > 1 and seen.phase != "over":
        found.append(Fact("beneath", len(stack) - 1))
    if seen.options.open_points or seen.phase == "over":
        found.append(Fact("points", sum(map(pack.points, stack))))
    return tuple(found)


def _choices(seen: Observation) -> tuple[Choice, ...]:
    """The legal moves, those of a kind in the order of the hand. The value is the card of the hand, or both cards of a
    set, also where one of them is the top of the pile; the note of a challenge is the seat."""
    found = []
    for move in seen.legal:
        kind, *arguments = move.split()
        match kind:
            case "challenge":
                found.append(Choice(move, kind, arguments[1], arguments[0]))
            case "take":
                found.append(Choice(move, kind, f"{arguments[0]} {cards.name(seen.discards[-1])}"))
            case _:
                found.append(Choice(move, kind, " ".join(arguments)))
    kinds = list(dict.fromkeys(choice.kind for choice in found))
    names = [cards.name(card) for card in in_hand(seen.hand or ())]
    place = {name: at for at, name in enumerate(names)}
    return tuple(sorted(found, key=lambda one: (kinds.index(one.kind), one.note, place.get(one.value[:2], 0))))
