"""Offences of play (CB-50): what the cards that a seat shows later prove of what it played before."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple, Protocol

from domain import cards
from domain.games.callbreak.events import Offence
from domain.games.callbreak.lawful import legal_hand
from domain.games.callbreak.options import Options
from domain.games.callbreak.state import SEATS, Trick, beats


class History(Protocol):
    """What everybody has seen of a set: of the set itself and of an observation of it."""

    @property
    def options(self) -> Options: ...
    @property
    def dealer(self) -> int: ...
    @property
    def trump(self) -> int: ...
    @property
    def shown(self) -> int: ...
    @property
    def leader(self) -> int: ...
    @property
    def trick(self) -> tuple[int, ...]: ...
    @property
    def tricks(self) -> tuple[Trick, ...]: ...


class Play(NamedTuple):
    """A card that was played: the trick (from 1), who, which, and the cards led and winning before it (-1: none)."""

    trick: int
    seat: int
    card: int
    led: int
    top: int


class Proof(NamedTuple):
    """An offence that is proved by cards on the table, and the play that completed the proof: its trick and seat."""

    seat: int
    offence: Offence
    trick: int
    by: int


def plays(seen: History) -> list[Play]:
    """Every card played so far, in order."""
    found = []
    rows = [(trick.leader, trick.cards) for trick in seen.tricks] + [(seen.leader, seen.trick)]
    for number, (leader, row) in enumerate(rows, 1):
        led = top = -1
        for index, card in enumerate(row):
            found.append(Play(number, (leader + index) % SEATS, card, led, top))
            if led < 0:
                led = top = card
            elif beats(card, top, seen.trump):
                top = card
    return found


def betrays(play: Play, card: int, trump: int, options: Options) -> bool:
    """Whether `card`, held when another was played, proves that play against the rules: the one line of CB-50."""
    both = 1 << play.card | 1 << card
    return not legal_hand(both, play.led, play.top, trump, options) >> play.card & 1


def label(play: Play, proofs: Iterable[int], trump: int) -> str:
    """What a play is called that some cards prove against the rules: the first that fits."""
    led = play.led // 13
    if play.card // 13 == led:
        return "fail_to_beat"
    if any(card // 13 == led for card in proofs):
        return "revoke"
    return "fail_to_beat" if play.card // 13 == trump else "fail_to_trump"


def proved(seen: History) -> tuple[Proof, ...]:
    """Every offence that the cards on the table prove, in the order of the plays. In `last_card` mode the shown trump
    counts as a card of the dealer that is known already."""
    history = plays(seen)
    found = []
    for at, play in enumerate(history):
        proofs = [later for later in history[at + 1 :] if later.seat == play.seat and _betrays(seen, play, later.card)]
        if _shown_betrays(seen, play, history[: at + 1]):
            first, trick, by = seen.shown, play.trick, play.seat
        elif proofs:
            first, trick, by = proofs[0].card, proofs[0].trick, proofs[0].seat
        else:
            continue
        called = label(play, [first, *(later.card for later in proofs)], seen.trump)
        found.append(Proof(play.seat, Offence(play.trick, called, play.card, first), trick, by))
    return tuple(found)


def _betrays(seen: History, play: Play, card: int) -> bool:
    return betrays(play, card, seen.trump, seen.options)


def _shown_betrays(seen: History, play: Play, until: list[Play]) -> bool:
    """Whether the trump that the dealer showed, and still held after this play of his, proves it."""
    if seen.shown < 0 or play.seat != seen.dealer or any(one.card == seen.shown for one in until):
        return False
    return _betrays(seen, play, seen.shown)


def new_proofs(seen: History) -> tuple[Proof, ...]:
    """The offences that the last play has proved."""
    history = plays(seen)
    last = history[-1]
    return tuple(_proved_by(seen, history, last))


def _proved_by(seen: History, history: list[Play], last: Play) -> Iterator[Proof]:
    for at, play in enumerate(history):
        if play.seat != last.seat:
            continue
        if at == len(history) - 1:
            if _shown_betrays(seen, play, history):
                offence = Offence(play.trick, label(play, [seen.shown], seen.trump), play.card, seen.shown)
                yield Proof(play.seat, offence, last.trick, last.seat)
        elif _betrays(seen, play, last.card):
            offence = Offence(play.trick, label(play, [last.card], seen.trump), play.card, last.card)
            yield Proof(play.seat, offence, last.trick, last.seat)


def truly(seen: History, hands: tuple[int, ...]) -> dict[int, tuple[Offence, ...]]:
    """Every offence so far, by seat, of somebody who sees the cards that are left in the hands (masks)."""
    history = plays(seen)
    found: dict[int, list[Offence]] = {}
    for at, play in enumerate(history):
        later = [one.card for one in history[at + 1 :] if one.seat == play.seat]
        held = [*later, *cards.cards(hands[play.seat])]
        proofs = [card for card in held if _betrays(seen, play, card)]
        if proofs:
            offence = Offence(play.trick, label(play, proofs, seen.trump), play.card, proofs[0])
            found.setdefault(play.seat, []).append(offence)
    return {seat: tuple(offences) for seat, offences in found.items()}
