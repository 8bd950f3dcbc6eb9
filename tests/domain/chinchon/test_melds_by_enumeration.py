"""The tables of `melds.py` against the plain enumeration, on many random hands and on hands that are almost runs."""

from __future__ import annotations

import random

import pytest

from domain import cards
from domain.cards import card_of, mask
from domain.games.chinchon import melds
from domain.games.chinchon.melds import CHINCHON
from domain.games.chinchon.options import PRESETS, Options
from tests.domain.chinchon import plain
from tests.domain.play import chosen

_SPANISH: Options = chosen("chinchon", {}, "spanish")
_OTHERS: dict[str, Options] = {
    "jokers": Options(jokers=2),
    "jokers spanish": chosen("chinchon", {"jokers": "2", "deck": "48"}, "spanish"),
    "cheap jokers": Options(jokers=1, joker_value=1, cut_rule="threshold", cut_max=20),
    "ace low": Options(ace="low", ace_value=1),
    "deck 40": Options(deck="40"),
    "deck 48": Options(deck="48", meld_max=5),
    "long melds": Options(meld_max=7),
    "long melds and jokers": Options(meld_max=7, jokers=2, ace="low"),
    "threshold": Options(cut_rule="threshold", cut_max=7, bonus_complete=-25),
    "threshold of nothing": Options(cut_rule="threshold", cut_max=0, ace_value=1),
    "threshold of twenty": Options(cut_rule="threshold", cut_max=20, meld_max=7, jokers=2, joker_value=10),
}


def _hands(options: Options, number: int, seed: str) -> list[list[str]]:
    """Eight cards each: from the whole pack, or from a small corner of it, where melds meet."""
    rng = random.Random(seed)
    pack = plain.pack(options)
    jokers = [card for card in pack if card[0] == "X"]
    order = plain.line(options)[1:]
    found = []
    for at in range(number):
        corner = pack
        if at % 2:
            suits = rng.sample("SHDC", rng.randint(1, 3))
            begin = rng.randrange(len(order) - 5)
            ranks = {*order[begin : begin + rng.randint(6, 9)], rng.choice("A2K")}
            corner = [rank + suit for suit in suits for rank in ranks] + jokers
            if len(corner) < 8:
                corner = pack
        found.append(rng.sample(sorted(corner), 8))
    return found


def _compare(hand: list[str], options: Options) -> None:
    held = mask(map(card_of, hand))
    kept = mask(map(card_of, hand[:7]))
    laid = melds.arrangement(kept, options)
    assert (laid.points, laid.loose.bit_count()) == plain.best(kept, options), hand
    assert kept & ~laid.loose == sum(laid.melds)
    assert all(plain.is_meld(cards.names(meld), options) for meld in laid.melds)
    ours = {
        cards.name(card): plain.WIN if result == CHINCHON else result
        for card, result in melds.cuts(held, options).items()
    }
    assert ours == plain.cuts(held, options), hand


@pytest.mark.parametrize("chunk", range(5))
@pytest.mark.parametrize("options", [Options(), _SPANISH], ids=["source", "spanish"])
def test_a_hundred_thousand_hands_are_arranged_and_cut_as_by_plain_enumeration(options: Options, chunk: int) -> None:
    """The points of a hand are wrong, or their computation crashes (datamllab/rlcard#81)."""
    for hand in _hands(options, 10_000, f"{options.deck}/{chunk}"):
        _compare(hand, options)


@pytest.mark.parametrize("name", list(_OTHERS))
def test_other_options_are_arranged_and_cut_as_by_plain_enumeration(name: str) -> None:
    for hand in _hands(_OTHERS[name], 1_000, name):
        _compare(hand, _OTHERS[name])


@pytest.mark.parametrize("name", list(_OTHERS))
def test_the_closing_of_seven_cards_is_what_the_cut_of_eight_promises(name: str) -> None:
    options = _OTHERS[name]
    for hand in _hands(options, 400, f"closing {name}"):
        kept = mask(map(card_of, hand[:7]))
        closing = melds.closing(kept, options)
        assert (None if closing is None else closing[0]) == melds.cuts(mask(map(card_of, hand)), options).get(
            card_of(hand[7])
        ), hand


@pytest.mark.parametrize("name", list(_OTHERS))
def test_exactly_the_melds_are_melds_and_the_chinchons_chinchons(name: str) -> None:
    """With the ace high and low, bots meld KC KD AD (ichabod801/t_games#487)."""
    options = _OTHERS[name]
    rng = random.Random(name)
    for hand in _hands(options, 500, f"melds {name}"):
        some = hand[: rng.randint(2, 7)]
        held = mask(map(card_of, some))
        assert melds.is_meld(held, options) == plain.is_meld(some, options), some
        assert melds.is_chinchon(mask(map(card_of, hand[:7])), options) == plain.is_chinchon(hand[:7], options), hand


def test_the_spanish_preset_is_the_one_of_the_rules() -> None:
    assert PRESETS["spanish"]["meld_max"] == "7"
