"""The cards of Chit Chat: conversation cards A to 6 of three suits, every one twice, and three kings (CC-1, CC-2)."""

from __future__ import annotations

from domain import cards

SUITS = (0, 1, 2)  # spades: politics, hearts: sport, diamonds: economy
VALUE: tuple[int, ...] = tuple(1 if card % 13 == 12 else card % 13 + 2 for card in range(52))
"""A card's value by card: the ace is always low (CC-1)."""
CONVERSATION: tuple[int, ...] = tuple(card for card in range(39) if VALUE[card] <= 6)
"""The eighteen different conversation cards, ascending."""
PACK: tuple[int, ...] = tuple(sorted(2 * CONVERSATION))
KINGS: tuple[int, ...] = tuple(cards.card_of("K" + cards.SUITS[suit]) for suit in SUITS)
