"""Section 9: options, their bounds, what goes together, presets."""

from __future__ import annotations

from typing import Any

import pytest

from domain import options
from domain.game import Rejected
from domain.games.chinchon import CHINCHON
from domain.games.chinchon.options import Options

DEFAULTS: dict[str, Any] = {
    "deck": "52",
    "jokers": 0,
    "joker_value": 25,
    "ace": "both",
    "ace_value": 10,
    "meld_max": 4,
    "cut_rule": "two_melds",
    "cut_max": 5,
    "no_cut_first_lap": False,
    "bonus_complete": -10,
    "chinchon_pays": "win",
    "noncutter_complete": 20,
    "noncutter_chinchon": 50,
    "laying_off": False,
    "target": 100,
    "end_mode": "first_loser",
    "rebuy": "none",
    "reshuffle": "all",
    "no_return": False,
    "first_dealer": "seven",
    "declare": "auto",
    "enforcement": "strict",
    "invalid_cut": "fine50",
    "pile_history": "on",
    "max_turns": 60,
    "turn_seconds": 86400,
}
SPANISH: dict[str, Any] = {
    "deck": "40",
    "ace": "low",
    "ace_value": 1,
    "meld_max": 7,
    "cut_rule": "threshold",
    "noncutter_complete": 0,
    "noncutter_chinchon": 0,
    "laying_off": True,
    "end_mode": "elimination",
    "reshuffle": "keep_top",
    "first_dealer": "random",
}


def _read(preset: str | None = None, **texts: str) -> Options:
    found: Options = options.read(CHINCHON, texts, preset)
    return found


def _refused(**texts: str) -> Rejected:
    with pytest.raises(Rejected) as refusal:
        _read(**texts)
    return refusal.value


def test_the_rulesets_defaults_are_those_of_the_source() -> None:
    """The limit of a match was 100 by default instead of 10 (johnameyer/cards-ts#96)."""
    assert options.everything(Options()) == DEFAULTS
    assert _read("source") == Options()
    assert options.differing(_read()) == {}


def test_the_preset_spanish_is_what_most_people_play() -> None:
    assert options.differing(_read("spanish")) == SPANISH
    assert _read("spanish").cut_max == 5


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("noncutter_complete", "-10", -10),
        ("noncutter_chinchon", "-50", -50),
        ("bonus_complete", "-25", -25),
        ("chinchon_pays", "-25", "-25"),
        ("deck", "48", "48"),
        ("max_turns", "0", 0),
        ("turn_seconds", "30", 30),
        ("cut_max", "20", 20),
        ("target", "500", 500),
        ("laying_off", "yes", True),
    ],
)
def test_options_are_read_from_their_texts(name: str, text: str, value: Any) -> None:
    assert getattr(_read(**{name: text}), name) == value


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("deck", "54"),
        ("jokers", "3"),
        ("meld_max", "3"),
        ("meld_max", "8"),
        ("cut_max", "21"),
        ("cut_max", "-1"),
        ("bonus_complete", "1"),
        ("noncutter_complete", "--10"),
        ("noncutter_complete", "-"),
        ("target", "19"),
        ("target", "501"),
        ("max_turns", "9"),
        ("turn_seconds", "29"),
        ("chinchon_pays", "-10"),
    ],
)
def test_a_value_outside_its_bounds_is_refused(name: str, text: str) -> None:
    assert _refused(**{name: text}).code == "bad_option"


@pytest.mark.parametrize(
    ("name", "text"),
    [("enforcement", "honour"), ("declare", "manual"), ("invalid_cut", "own20"), ("invalid_cut", "play_on")],
)
def test_what_belongs_to_section_7_is_on_offer(name: str, text: str) -> None:
    assert getattr(_read(**{name: text}), name) == text
    assert name in options.offered(CHINCHON)


def test_nobody_enters_again_where_nobody_drops_out() -> None:
    refusal = _refused(rebuy="highest")
    assert (refusal.code, refusal.clause) == ("rebuy_without_elimination", "CH-52")
    assert _read(rebuy="second", end_mode="elimination").rebuy == "second"
