"""The sequence of conversation and what follows from it (CC-10, CC-11): topic, current card, steps, threats."""

from __future__ import annotations

import msgspec

from domain.games.chitchat.pack import VALUE


class Laid(msgspec.Struct, frozen=True):
    """A card of the sequence: who laid it (None: turned from the pile), and the seat towards which it was shifted
    (None: in line)."""

    card: int
    by: int | None = None
    step: int | None = None


Sequence = tuple[Laid, ...]
"""The card nearest the pile first. Never empty once the first card is turned (CC-5)."""


def topic(seq: Sequence) -> int:
    """The suit of the card nearest the pile; -1 before the first card is turned."""
    return seq[0].card // 13 if seq else -1


def current(seq: Sequence) -> int:
    """The current topic card: the last one of the topic's suit."""
    suit = seq[0].card // 13
    for laid in reversed(seq):
        if laid.card // 13 == suit:
            return laid.card
    raise AssertionError("the first card is of the topic")


def beat(seq: Sequence) -> int:
    """The value to beat: that of the last card, or zero for small talk."""
    last = seq[-1].card
    return VALUE[last] if last // 13 == seq[0].card // 13 else 0


def last_step(seq: Sequence) -> int | None:
    """The seat that the last step was made to; in-line cards leave no trace."""
    for laid in reversed(seq):
        if laid.step is not None:
            return laid.step
    return None


def threat(seq: Sequence) -> int | None:
    """The seat that makes a point unless it is blocked (CC-31): the last card was laid and stepped by it, and the step
    before that was its own too."""
    if not seq:
        return None
    last = seq[-1]
    if last.step is None or last.step != last.by or last_step(seq[:-1]) != last.by:
        return None
    return last.by


def to_take(seq: Sequence) -> int:
    """Where in the sequence the card lies that a point takes: the topic card before the last one (CC-32)."""
    suit = seq[0].card // 13
    for index in range(len(seq) - 2, -1, -1):
        if seq[index].card // 13 == suit:
            return index
    raise AssertionError("a threat has a card of the topic before it")


def alone(seq: Sequence) -> Sequence:
    """What a point leaves of the sequence: the last card, which is neutral now (CC-32)."""
    return (Laid(seq[-1].card, seq[-1].by),)


def follows(seq: Sequence, card: int) -> bool:
    """Whether small talk with `card` follows the suit of the small talk just before it (CC-23)."""
    last = seq[-1].card // 13
    return last == card // 13 and last != seq[0].card // 13


def steps(seq: Sequence, card: int) -> bool:
    """Whether `card` of the topic steps towards who lays it (CC-25)."""
    return VALUE[card] >= beat(seq)


def steps_on(card: int, before: int, *, step: bool = True) -> bool:
    """Whether the second of two cards that stay on a new topic steps (CC-23, CC-27), by face values. Who changes the
    topic may decline it in the source (`step`); the step can only help him, so nobody is asked (CC-28)."""
    return step and VALUE[card] >= VALUE[before]
