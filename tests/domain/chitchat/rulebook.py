"""The rules of play a second time, as the rule text writes them down: slow, plain, and sharing nothing with ours."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import permutations

VALUE = {"A": 1, "2": 2, "3": 3, "4": 4, "5": 5, "6": 6}
Card = str
Laid = tuple[Card, int | None, int | None]  # the card, who laid it, towards whom it was shifted


def value(card: Card) -> int:
    return VALUE[card[0]]


@dataclass(frozen=True)
class Position:
    """What lies on the table and in the hands; `pile` from its top."""

    seq: list[Laid]
    hands: list[list[Card]]
    pile: list[Card]
    discards: list[Card] = field(default_factory=list)
    points: list[list[Card]] = field(default_factory=lambda: [[], []])


def topic(seq: list[Laid]) -> str:
    return seq[0][0][1]


def current(seq: list[Laid]) -> Card:
    return [card for card, _, _ in seq if card[1] == topic(seq)][-1]


def beat(seq: list[Laid]) -> int:
    last = seq[-1][0]
    return value(last) if last[1] == topic(seq) else 0


def threat(seq: list[Laid]) -> int | None:
    _, by, step = seq[-1]
    steps = [shifted for _, _, shifted in seq if shifted is not None]
    return by if step is not None and step == by and steps[-2:] == [by, by] else None


def plays(hand: list[Card], seq: list[Laid]) -> set[str]:
    """CC-20 to CC-22, CC-25, CC-27."""
    suit, limit = topic(seq), value(current(seq))
    found = {f"talk {card}" for card in hand if card[1] != suit and value(card) <= limit}
    found |= {f"argue {card}" for card in hand if card[1] == suit}
    found |= {f"change {a} {b}" for a, b in permutations(hand, 2) if a[1] == b[1] != suit}
    return found


def point(position: Position, seat: int) -> Position:
    """CC-32: the card before the current one is taken, the current one stays alone."""
    *before, (card, by, _) = position.seq
    suit = topic(position.seq)
    index = max(number for number, laid in enumerate(before) if laid[0][1] == suit)
    taken = before.pop(index)[0]
    points = [list(made) for made in position.points]
    points[seat].append(taken)
    discards = position.discards + [laid[0] for laid in before]
    return replace(position, seq=[(card, by, None)], discards=discards, points=points)


def play(position: Position, seat: int, move: str) -> Position:
    """The position after a play and its draw; an open threat is settled first. The pile must not run out."""
    word, *laid = move.split()
    seq = position.seq
    maker = threat(seq)
    if maker is not None and not (word == "argue" and value(laid[0]) >= value(seq[-1][0])):
        position = point(position, maker)
        seq = position.seq
    discards = list(position.discards)
    if word == "argue":
        step = seat if value(laid[0]) >= beat(seq) else None
        seq = [*seq, (laid[0], seat, step)]
    elif word == "change":
        discards += [card for card, _, _ in seq]
        first, second = laid
        seq = [(first, seat, None), (second, seat, seat if value(second) >= value(first) else None)]
    else:
        last = seq[-1][0]
        if last[1] != topic(seq) and last[1] == laid[0][1]:
            discards += [card for card, _, _ in seq[:-1]]
            step = seat if value(laid[0]) >= value(last) else None
            seq = [(last, seq[-1][1], None), (laid[0], seat, step)]
        else:
            seq = [*seq, (laid[0], seat, None)]
    hands = [list(held) for held in position.hands]
    for card in laid:
        hands[seat].remove(card)
    hands[seat].append(position.pile[0])
    return replace(position, seq=seq, hands=hands, pile=position.pile[1:], discards=discards)
