"""Deals a table again whose ruleset is another version of rules that we know: its cards are judged, and no move.

What our own rules would have said is only asked about cards: which were dealt, drawn, turned or shown. Whether a move
was allowed, what it cost and who won hangs on rules that are not here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from domain.audit_commands import Commit, StillHidden, Unexplained
from domain.audit_history import Judge, promised
from domain.draft import SeedMissing
from domain.events import Dealt, SeedRevealed, Started
from domain.finding import Finding
from domain.rejected import Rejected

_NAMED = ("card", "cards", "draws", "hands", "kings")  # fields of events that name cards, in every game
_NOT_HELD = frozenset({"not_held", "not_your_card"})


def audit_deals(commits: Sequence[Commit]) -> tuple[int, Finding | None]:
    """How many sets were dealt again, and the first thing in the history that cannot be from its seeds.

    The commits may stop where an event is not known any more. What is judged is the first dealer, every deal, and every
    card that is named: it must be where the deals put it. What hangs on a seed that is still secret is left out; that
    each seed is the promised one is the caller's affair (`seed_that_does_not_fit`). Raises what evolving a table may
    raise where a history makes no sense.
    """
    dealer = _Dealer(promised(commits))
    for version, commit in enumerate(commits, 1):
        if not dealer.judge(version, commit):
            break
    return dealer.sets, dealer.finding


class _Dealer(Judge):
    """Folds all that it can, and stops at the first card that is not where it has to be."""

    def __init__(self, known: dict[bytes, bytes]) -> None:
        super().__init__(known, None)
        self.sets = 0  # of which the seed was revealed, and every card was where it had to be

    def judge(self, version: int, commit: Commit) -> bool:
        """Whether to go on."""
        if self.is_sealed():
            return False
        try:
            expected = self._decide(commit)
        except Rejected as refusal:
            if refusal.code in _NOT_HELD:
                self.finding = self._wrong_card(version)
                return False
            expected = ()
        except (StillHidden, Unexplained):
            expected = ()
        except SeedMissing as missing:
            expected = missing.facts
        if _other_cards(expected, commit.events):
            self.finding = self._wrong_card(version)
            return False
        for event in commit.events:
            before = self.state
            self._fold([event])
            if before is not None and not self._follows(before, event):
                self.finding = self._wrong_card(version)
                return False
        return True

    def _wrong_card(self, version: int) -> Finding:
        clause = None if self.state is None else self.state.rules.clauses["shuffle"]
        return self._found(version, "wrong_card", clause)

    def _follows(self, before: Any, event: Any) -> bool:
        """Whether a deal is counted rightly, and the cards of a move were in that hand before it, or are after it."""
        after = self.state
        assert after is not None
        if type(event) is Dealt:
            return bool(event.deal == before.deals + 1)
        if type(event) is SeedRevealed:
            self.sets = after.sets
        if type(event) not in before.rules.events or before.rules.public_move(event) is None:
            return True
        seat, card = getattr(event, "seat", None), getattr(event, "card", None)
        hands: list[Any] = [getattr(state.set, "hands", None) for state in (before, after)]
        if type(seat) is not int or type(card) is not int or card < 0 or None in hands:
            return True
        return any(_holds(hand[seat], card) for hand in hands)


def _holds(hand: Any, card: int) -> bool:
    """Whether a hand, a mask or the cards themselves, has a card."""
    return bool(hand >> card & 1) if isinstance(hand, int) else card in hand


def _other_cards(expected: Sequence[Any], found: Sequence[Any]) -> bool:
    """Whether an event of the same kind and seat, at the same place, names other cards; or another first dealer."""
    for ours, theirs in zip(expected, found, strict=False):
        if type(ours) is not type(theirs) or getattr(ours, "seat", None) != getattr(theirs, "seat", None):
            return False  # other rules from here on
        if any(getattr(ours, name, None) != getattr(theirs, name, None) for name in _NAMED):
            return True
        if type(ours) is Started and ours.how == theirs.how and ours.dealer != theirs.dealer:
            return True
    return False
