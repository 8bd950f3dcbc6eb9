"""SN-60, SN-61, SN-65: rounds and points, ties, totals; the options."""

from __future__ import annotations

import random

import pytest

from domain import options
from domain.events import RowWritten
from domain.game import Rejected, Verdict
from domain.games.snitch import SNITCH, pack, rules
from tests.domain.play import started
from tests.domain.snitch.positions import standing


def test_sn_60_one_round_is_the_default_and_the_most_points_win() -> None:
    assert rules.after_set(standing(105, 100, 30)) == Verdict("rounds", (0,))


@pytest.mark.parametrize("played", [1, 2])
def test_sn_60_a_match_of_three_rounds_goes_on_until_all_are_played(played: int) -> None:
    assert rules.after_set(standing(1200, 100, 30, rounds_played=played, rounds=3)) is None
    assert rules.after_set(standing(1200, 100, 30, rounds_played=3, rounds=3)) == Verdict("rounds", (0,))


def test_sn_61_equal_after_the_last_round_is_shared() -> None:
    assert rules.after_set(standing(100, 30, 100)) == Verdict("rounds", (0, 2))


def test_sn_60_first_to_a_thousand() -> None:
    assert rules.after_set(standing(995, 10, 30, match="points")) is None
    assert rules.after_set(standing(1000, 10, 30, match="points")) == Verdict("target", (0,))
    assert rules.after_set(standing(995, 10, 30, match="points", target=900)) == Verdict("target", (0,))
    assert rules.after_set(standing(995, 10, 30, match="points", rounds_played=19)) is None


def test_sn_61_of_several_over_the_line_the_highest_wins_and_equals_play_on() -> None:
    assert rules.after_set(standing(1010, 1045, 300, match="points")) == Verdict("target", (1,))
    assert rules.after_set(standing(1040, 1040, 300, match="points")) is None
    assert rules.after_set(standing(1040, 1040, 1045, match="points")) == Verdict("target", (2,))


def test_sn_60_the_totals_are_the_sums_of_the_rounds() -> None:
    sitting = started("snitch", "sums", seats=4, rounds="3").random(random.Random(4))
    rows = [event.values for event in sitting.events if isinstance(event, RowWritten)]
    assert len(rows) == 3
    assert sitting.state.totals == tuple(sum(value or 0 for value in column) for column in zip(*rows, strict=True))
    assert sitting.state.ended == "rounds"


def test_sn_60_every_round_holds_the_points_of_the_pack_less_the_discards() -> None:
    sitting = started("snitch", "all", seats=3).random(random.Random(4))
    final = sitting.state.set
    (row,) = (event.values for event in sitting.events if isinstance(event, RowWritten))
    assert sum(value or 0 for value in row) == 1080 - pack.points(final.discards)


@pytest.mark.parametrize(
    ("name", "taken", "refused"),
    [
        ("match", ("rounds", "points"), ("tricks",)),
        ("rounds", ("1", "20"), ("0", "21")),
        ("target", ("100", "5000"), ("99", "5001")),
        ("open_points", ("true", "false"), ("perhaps",)),
        ("turn_seconds", ("0", "600", "259200"), ("1", "599", "259201")),
        ("defend_seconds", ("600", "86400"), ("0", "599", "86401")),
    ],
)
def test_the_options_have_their_bounds(name: str, taken: tuple[str, ...], refused: tuple[str, ...]) -> None:
    for text in taken:
        assert options.text_of(getattr(options.read(SNITCH, {name: text}), name)) == text
    for text in refused:
        with pytest.raises(Rejected, match="bad_option"):
            options.read(SNITCH, {name: text})


def test_the_presets_are_one_round_and_first_to_a_thousand() -> None:
    assert options.read(SNITCH, {}, "one_round") == options.complete(SNITCH, {})
    found = options.read(SNITCH, {}, "first_to_1000")
    assert (found.match, found.target) == ("points", 1000)
