"""Accusations and convictions at a table of honour (CB-50 to CB-55)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from domain import cards
from domain.game import Rejected, SetEnded
from domain.games.callbreak import offences
from domain.games.callbreak.events import (
    Accused,
    Convicted,
    Event,
    FoundFalse,
    HandsOpened,
)
from domain.games.callbreak.moves import Accuse
from domain.games.callbreak.offences import Proof
from domain.games.callbreak.state import SEATS, TRICKS, Set, evolve

MOST = 2  # accusations of a seat in a set
VOID = SetEnded("void_cheating", void=True)

if TYPE_CHECKING:
    from domain.games.callbreak.view import Observation

_replace = msgspec.structs.replace

Facts = tuple[Event | SetEnded, ...]


def after_play(state: Set, facts: Facts) -> Facts:
    """A card's facts with what it proves: the pending accusations are tested again, or, with `audit=auto`, everything.
    Where something is proved the set stops there and then (CB-51)."""
    options = state.options
    auto = options.audit == "auto"
    pending = [one for one in state.accusations if not one.false]
    if not auto and not pending:
        return facts
    ended = tuple(fact for fact in facts if isinstance(fact, SetEnded))
    happened = tuple(fact for fact in facts if not isinstance(fact, SetEnded))
    after = state
    for fact in happened:
        after = evolve(after, fact)
    accused = {(one.accused, one.trick) for one in pending}
    proofs = [found for found in offences.new_proofs(after) if auto or (found.seat, found.offence.trick) in accused]
    done = len(after.tricks) == TRICKS
    proven = {(found.seat, found.offence.trick) for found in proofs}
    false = tuple(
        FoundFalse(one.seat, one.accused, one.trick)
        for one in pending
        if done and (one.accused, one.trick) not in proven
    )
    if not proofs:
        return (*happened, *false, *ended)
    return (*happened, *false, *convict(after, proofs))


def accuse(state: Set, seat: int, move: Accuse) -> Facts:
    """The facts of an accusation, which public cards alone decide (CB-55). Rejected `honour_only`, `bad_accusation`."""
    _check(state, seat, move)
    facts: Facts = (Accused(seat, move.seat, move.trick),)
    proofs = [found for found in offences.proved(state) if (found.seat, found.offence.trick) == (move.seat, move.trick)]
    if proofs:
        return (*facts, *convict(state, proofs))
    if len(state.tricks) == TRICKS:
        return (*facts, FoundFalse(seat, move.seat, move.trick))
    return facts


def penalise(state: Set, move: Accuse) -> Facts:
    """The facts of a penalty that an administrator has written: where an accusation would be proved at once, and nobody
    made it. Rejected `honour_only`, `bad_accusation`, `not_proved`."""
    _check_what(state, move)
    proofs = [found for found in offences.proved(state) if (found.seat, found.offence.trick) == (move.seat, move.trick)]
    if not proofs:
        raise Rejected("not_proved", clause="CB-50")
    return convict(state, proofs)


def _check(state: Set, seat: int, move: Accuse) -> None:
    _check_what(state, move, seat)
    if any((one.accused, one.trick) == (move.seat, move.trick) for one in state.accusations):
        raise _bad("already")
    if sum(one.seat == seat for one in state.accusations) >= MOST:
        raise _bad("too_many", "CB-55")


def _check_what(state: Set, move: Accuse, seat: int | None = None) -> None:
    """Whether there is anything to judge by the cards: a play in a set that is open, by another than `seat`."""
    if state.options.enforcement != "honour":
        raise Rejected("honour_only", clause="CB-55")
    if state.options.audit == "auto":
        raise _bad("auto", "CB-55")
    if seat == move.seat:
        raise _bad("yourself")
    if state.convicted or (state.turn < 0 and len(state.tricks) < TRICKS):
        raise _bad("closed")
    if not any(play.seat == move.seat and play.trick == move.trick for play in offences.plays(state)):
        raise _bad("not_completed")


def _bad(why: str, clause: str = "CB-64") -> Rejected:
    return Rejected("bad_accusation", clause=clause, why=why)


def convict(state: Set, proofs: Sequence[Proof]) -> Facts:
    """The set is void: the hands are opened, and whoever has offended up to now is convicted, each once (CB-54)."""
    assert state.hands is not None, "only whoever holds the seed can open the hands"
    proven = {found.seat: found for found in reversed(proofs)}
    for found in sorted(offences.proved(state), key=lambda one: (one.trick, one.offence.trick)):
        proven.setdefault(found.seat, found)
    trick, by = _now(state)
    found_: list[Event | SetEnded] = []
    for seat, committed in sorted(offences.truly(state, state.hands).items()):
        proof = proven.get(seat)
        at = (trick, by) if proof is None else (proof.trick, proof.by)
        found_.append(Convicted(seat, committed, *at))
    if any(state.hands):
        found_.append(HandsOpened(tuple((seat, cards.cards(hand)) for seat, hand in enumerate(state.hands))))
    return (*found_, VOID)


def _now(state: Set) -> tuple[int, int]:
    """The last play: its trick (from 1) and its seat."""
    if state.trick:
        return len(state.tricks) + 1, (state.leader + len(state.trick) - 1) % SEATS
    return len(state.tricks), (state.tricks[-1].leader + SEATS - 1) % SEATS


def accusable(seen: Observation) -> tuple[Accuse, ...]:
    """An accusation of each seat for the last trick, where accusations are the table's way (CB-55)."""
    honour = seen.options.enforcement == "honour" and seen.options.audit == "accuse"
    if not honour or not seen.tricks or seen.convicted:
        return ()
    return tuple(Accuse(seat, len(seen.tricks)) for seat in range(SEATS))


def contestable(final: Set) -> bool:
    """Whether a played set may still be called in question (CB-55)."""
    options = final.options
    honour = options.enforcement == "honour" and options.audit == "accuse"
    return honour and len(final.tricks) == TRICKS and not final.convicted


def confirming(final: Set) -> Set:
    """The last set as it asks the seats to confirm the result."""
    return final if final.confirmed is not None else _replace(final, confirmed=())
