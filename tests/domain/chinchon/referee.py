"""A second referee of Chinchón, for tables of honour and for hands that players lay out themselves: written from
sections 4, 5 and 7 of the rules alone, plainly.

It knows a round by its record only: pack, new stocks, moves, options. Cards are texts, hands are lists.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from domain.cards import card_of, mask
from domain.games.chinchon.options import Options
from tests.domain.chinchon import plain


class Round:
    """One round, told move by move: how it has to end, and what was done against the rules."""

    def __init__(self, told: dict[str, Any], seats: int, options: Options) -> None:
        self.options = options
        self.seats = seats
        deck = list(told["deck"])
        self.hands: list[list[str]] = [[] for _ in range(seats)]
        for at in range(7 * seats):
            self.hands[(told["dealer"] + 1 + at) % seats].append(deck.pop(0))
        self.pile = [deck.pop(0)]
        self.stock = deck
        self.stocks = [list(stock) for stock in told["reshuffles"]]
        self.turns = 0
        self.offences: list[tuple[int, str]] = []
        self.open: set[int] = set()  # seats that play with open cards
        self.outcome: str | None = None
        self.scores: list[int] | None = None
        self.cutter: int | None = None
        self.shown: dict[int, tuple[int, bool]] = {}  # seat: its points, whether it is fined
        for line in told["moves"]:
            assert self.outcome is None, "a move after the end"
            words = [word for word in line.split() if word != "auto"]
            self._move(int(words[0]), words[1], words[2:])

    def _move(self, seat: int, what: str, arguments: list[str]) -> None:
        hand = self.hands[seat]
        match what:
            case "draw":
                hand.append(self.stock.pop(0) if arguments == ["stock"] else self.pile.pop())
            case "discard":
                self._shed(seat, arguments[0])
            case "cut":
                self._cut(seat, arguments[0])
            case "meld":
                self._show(seat, [] if arguments == ["none"] else [_cards(group) for group in arguments])
            case _:
                raise AssertionError(what)

    def _shed(self, seat: int, card: str) -> None:
        self.hands[seat].remove(card)
        self.pile.append(card)
        self.turns += 1
        if self.options.max_turns and self.turns == self.options.max_turns * self.seats:
            self.outcome = "dead"
        elif not self.stock:
            self.stock = self.stocks.pop(0)
            self.pile = self.pile[-1:] if self.options.reshuffle == "keep_top" else []

    def _cut(self, seat: int, card: str) -> None:
        kept = [other for other in self.hands[seat] if other != card]
        worth = self._cut_value(kept)
        if worth is not None:
            self.hands[seat] = kept
            self.cutter = seat
            if self.options.declare == "auto" or (worth == plain.WIN and self.options.chinchon_pays == "win"):
                self._end()
            return
        self.offences.append((seat, "invalid_cut"))
        if self.options.invalid_cut == "play_on":
            self.open.add(seat)
            self._shed(seat, card)
            return
        fine = 50 if self.options.invalid_cut == "fine50" else 20 + self._best(kept)[0]
        self.outcome = "invalid_cut"
        self.scores = [fine if other == seat else 0 for other in range(self.seats)]

    def _show(self, seat: int, groups: list[list[str]]) -> None:
        """CH-62: what is shown counts if it is true; a complete hand is one whatever is shown."""
        hand = self.hands[seat]
        named = [card for group in groups for card in group]
        if len(set(named)) < len(named):
            self.offences.append((seat, "card_in_two_melds"))
            self.shown[seat] = self._worth(seat), True
        elif not all(plain.is_meld(group, self.options) or plain.is_chinchon(group, self.options) for group in groups):
            self.offences.append((seat, "not_a_meld"))
            self.shown[seat] = self._worth(seat), True
        else:
            loose = [card for card in hand if card not in named]
            enough = seat != self.cutter or self._allows(len(groups), loose)
            complete = self._best(hand)[1] == 0
            counts = enough and not complete
            self.shown[seat] = self._points(loose) if counts else self._worth(seat), False
        waiting = set(range(self.seats)) - set(self.shown)
        if waiting == ({self.cutter} if self._cut_value(self.hands[self.cutter or 0]) == plain.WIN else set()):
            self._end()

    def _end(self) -> None:
        assert self.cutter is not None
        chinchon = self._cut_value(self.hands[self.cutter]) == plain.WIN
        self.outcome = "chinchon" if chinchon else "cut"
        if chinchon and self.options.chinchon_pays == "win":
            return
        points = [self.shown.get(seat, (self._worth(seat), False)) for seat in range(self.seats)]
        self.scores = [value + (10 if fined else 0) for value, fined in points]

    def _worth(self, seat: int) -> int:
        """What a hand gets at a cut, laid out as is best for its owner (CH-50)."""
        hand = self.hands[seat]
        if seat == self.cutter:
            value = self._cut_value(hand)
            if isinstance(value, str):
                return 0 if self.options.chinchon_pays == "win" else int(self.options.chinchon_pays)
            assert value is not None
            return value
        if plain.is_chinchon(hand, self.options):
            return self.options.noncutter_chinchon
        points, loose = self._best(hand)
        return points if loose else self.options.noncutter_complete

    def _allows(self, melds: int, loose: Sequence[str]) -> bool:
        if self.options.cut_rule == "threshold":
            return self._points(loose) <= self.options.cut_max
        return melds == 2 and len(loose) < 2

    def _best(self, hand: Sequence[str]) -> tuple[int, int]:
        return plain.best(_mask(hand), self.options)

    def _cut_value(self, kept: Sequence[str]) -> int | str | None:
        held = _mask(kept)
        return plain.cut_value(held, plain.melds(held, self.options), self.options)

    def _points(self, loose: Sequence[str]) -> int:
        return sum(plain.value(card, self.options) for card in loose)


def _cards(group: str) -> list[str]:
    return [group[at : at + 2] for at in range(0, len(group), 2)]


def _mask(some: Sequence[str]) -> int:
    return mask(map(card_of, some))
