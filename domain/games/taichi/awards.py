"""Who gets which open cards when a turn is over (TC-28, TC-31, TC-32, TC-36, TC-37, TC-52)."""

from __future__ import annotations

from collections.abc import Sequence

from domain.games.taichi.deck import by_symbol, commonest
from domain.games.taichi.events import Gain
from domain.games.taichi.options import Options

Cards = tuple[int, ...]


def unchallenged(options: Options, active: int, cards: Cards) -> tuple[Gain, ...]:
    """One card, that with the commonest letter (TC-31), or under `unchallenged=symbol` those of the symbol that is most
    represented (TC-32)."""
    if options.unchallenged == "symbol":
        return one_symbol(active, cards)
    return (Gain(active, (cards[commonest(cards, options.language)],)),)


def one_symbol(seat: int, cards: Cards) -> tuple[Gain, ...]:
    """All the cards of the symbol of which there are most (TC-36, TC-52); nothing where no card is open."""
    most = by_symbol(cards)[0]
    return (Gain(seat, most),) if most else ()


def beaten(winner: int, active: int | None, cards: Cards) -> tuple[Gain, ...]:
    """The winner takes all cards of one symbol, the challenged seat (None: it has left) those of another (TC-37)."""
    most, second, _ = by_symbol(cards)
    consolation = (Gain(active, second),) if active is not None and second else ()
    return (Gain(winner, most), *consolation)


def rescue(found: Sequence[int], cards: Cards) -> tuple[Gain, ...]:
    """A card each, in the order turned, to those who found a word, in the order of the table while there are cards
    (TC-28)."""
    return tuple(Gain(seat, (card,)) for seat, card in zip(found, cards, strict=False))


def discarded(cards: Cards, gains: Sequence[Gain]) -> Cards:
    """The open cards that nobody takes; of equal cards it does not matter which."""
    rest = list(cards)
    for gain in gains:
        for card in gain.cards:
            rest.remove(card)
    return tuple(rest)
