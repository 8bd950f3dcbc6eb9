"""What an account of a table tells of a set: every play against the rules that its cards prove (CB-50)."""

from __future__ import annotations

from domain.cards import BIT
from domain.game import Breach
from domain.games.callbreak.events import CardPlayed, Offence
from domain.games.callbreak.offences import plays, truly
from domain.games.callbreak.state import SEATS, Set, public_move


def breaches(state: Set) -> tuple[Breach, ...]:
    """Every offence that public cards prove, in the order of play: cards that were played, and hands that were opened.
    The hands that somebody knows who holds the seed are not looked at."""
    opened = dict(state.opened)
    hands = tuple(sum(BIT[card] for card in opened.get(seat, ())) for seat in range(SEATS))
    shown = {(play.seat, play.card) for play in plays(state)}
    found = [(seat, offence) for seat, offences in truly(state, hands).items() for offence in offences]
    return tuple(_breach(seat, offence, shown) for seat, offence in sorted(found, key=lambda one: one[1].trick))


def _breach(seat: int, offence: Offence, shown: set[tuple[int, int]]) -> Breach:
    by = _move(seat, offence.proof) if (seat, offence.proof) in shown else ""
    return Breach(seat, offence.label, _move(seat, offence.card), offence.proof, by)


def _move(seat: int, card: int) -> str:
    line = public_move(CardPlayed(seat, card))
    assert line is not None, "a card played is a move"
    return line.partition(" ")[2]
