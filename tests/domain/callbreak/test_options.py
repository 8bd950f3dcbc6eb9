"""Section 9: options, their bounds, what goes together, presets."""

from __future__ import annotations

from typing import Any

import pytest

from domain import options
from domain.game import Rejected
from domain.games.callbreak import CALLBREAK
from domain.games.callbreak.options import Options
from domain.options import Bounds

DEFAULTS = {
    "trump_mode": "fixed",
    "fixed_trump": "S",
    "redeal": ("four_aces", "no_trump", "no_court"),
    "min_call": 1,
    "max_call": 13,
    "min_total_calls": 9,
    "must_beat": True,
    "must_trump": "always",
    "scoring": "points",
    "target": 300,
    "court_ranks": "AKQ",
    "substitute": False,
    "target_cmp": "ge",
    "tie": "play_on",
    "enforcement": "strict",
    "audit": "accuse",
    "false_accusation": "none",
    "hidden_call_test": "estimate",
    "penalty": "negate_best",
    "max_sets": 0,
    "turn_seconds": 86400,
}


def _read(preset: str | None = None, **texts: str) -> Options:
    found: Options = options.read(CALLBREAK, texts, preset)
    return found


def _refused(preset: str | None = None, **texts: str) -> Rejected:
    with pytest.raises(Rejected) as refusal:
        _read(preset, **texts)
    return refusal.value


def test_the_rulesets_defaults_are_those_of_the_source() -> None:
    """The limit of a match was 100 by default instead of 10 (johnameyer/cards-ts#96)."""
    assert {name: getattr(Options(), name) for name in Options.__struct_fields__} == DEFAULTS


def test_a_table_that_chooses_nothing_stores_nothing() -> None:
    assert options.differing(_read()) == {}


def test_options_are_read_from_their_texts() -> None:
    found = _read(
        trump_mode="last_card",
        fixed_trump="h",
        redeal="no_court,no_trump",
        must_beat="no",
        min_call="2",
        target="50",
        turn_seconds="0",
        must_trump="IF_BEATS",
    )
    assert found.trump_mode == "last_card"
    assert found.fixed_trump == "H"
    assert found.redeal == ("no_trump", "no_court")
    assert (found.must_beat, found.min_call, found.target, found.turn_seconds) == (False, 2, 50, 0)
    assert found.must_trump == "if_beats"


@pytest.mark.parametrize("text", ["", " ", "none", "-"])
def test_a_list_may_be_empty(text: str) -> None:
    assert _read(redeal=text).redeal == ()


def test_bounds_are_in_the_order_of_the_table_and_of_its_values() -> None:
    allowed = options.bounds(Options)
    assert list(allowed) == list(DEFAULTS)
    assert allowed["redeal"] == Bounds("list_of", values=("four_aces", "no_trump", "no_court"))
    assert allowed["must_beat"] == Bounds("flag")
    assert allowed["target"] == Bounds("integer", low=50, high=2000, also=(0,))
    assert allowed["turn_seconds"] == Bounds("integer", low=30, high=259200, also=(0,))
    assert allowed["must_trump"] == Bounds("one_of", values=("always", "if_beats", "never"))


@pytest.mark.parametrize(
    ("name", "lowest", "highest"),
    [("min_call", 1, 13), ("max_call", 1, 13), ("min_total_calls", 0, 26), ("target", 50, 2000), ("max_sets", 0, 100)],
)
def test_a_number_out_of_bounds_is_refused_with_the_bounds(name: str, lowest: int, highest: int) -> None:
    for number in (lowest - 1, highest + 1, 10**8, 10**30):
        if (name, number) == ("target", 0):
            continue
        refusal = _refused(**{name: str(number)})
        assert (refusal.code, refusal.kind) == ("bad_option", "malformed")
        assert (refusal.values["bounds"].low, refusal.values["bounds"].high) == (lowest, highest)
    for number in (lowest, highest):
        texts = {name: str(number), "min_total_calls": "0", **({"max_sets": "1"} if name == "target" else {})}
        texts[name] = str(number)
        if name != "max_call" or number > 1:
            assert getattr(_read(**texts), name) == number


@pytest.mark.parametrize("text", ["1", "29", "259201"])
def test_cb_60_turns_have_30_seconds_to_three_days_or_no_clock(text: str) -> None:
    """Moves that take days are not possible (GreyWolfDev/Werewolf#471)."""
    assert _refused(turn_seconds=text).code == "bad_option"
    assert [_read(turn_seconds=text).turn_seconds for text in ("0", "30", "259200")] == [0, 30, 259200]


@pytest.mark.parametrize("text", ["", "ten", "1.5", "-1", "+3", "٣", "1e2", "0x10", "3 4", "9" * 10_000, "²"])
def test_what_is_no_number_is_refused(text: str) -> None:
    refusal = _refused(target=text)
    assert refusal.code == "bad_option"
    assert refusal.values["name"] == "target"
    assert len(refusal.values["text"]) <= 200


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("must_beat", "maybe"),
        ("substitute", ""),
        ("trump_mode", "first_card"),
        ("fixed_trump", "X"),
        ("fixed_trump", "♠"),
        ("redeal", "no_hope"),
        ("redeal", "no_trump,no_trump"),
        ("redeal", "no_trump no_court"),
        ("tie", "x" * 10_000),
    ],
)
def test_a_value_that_is_not_on_the_list_is_refused_with_the_list(name: str, text: str) -> None:
    refusal = _refused(**{name: text})
    assert (refusal.code, refusal.values["name"]) == ("bad_option", name)
    assert refusal.values["bounds"] == options.bounds(Options)[name]


@pytest.mark.parametrize("name", ["", "Target", "targets", "x" * 10_000, "target ", "🂡"])
def test_an_option_that_does_not_exist_is_refused_with_those_that_do(name: str) -> None:
    refusal = _refused(**{name: "1"})
    assert (refusal.code, refusal.kind) == ("no_such_option", "malformed")
    assert refusal.values["names"] == list(DEFAULTS)
    assert len(refusal.values["name"]) <= 200


def test_cb_21_the_least_call_is_not_above_the_highest() -> None:
    refusal = _refused(min_call="5", max_call="4")
    assert (refusal.code, refusal.clause) == ("min_call_over_max_call", "CB-21")
    assert _read(min_call="4", max_call="4").min_call == 4


def test_cb_22_a_total_that_can_never_be_called_is_refused() -> None:
    refusal = _refused(max_call="2", min_total_calls="9")
    assert (refusal.code, refusal.clause) == ("min_total_out_of_reach", "CB-22")
    assert _read(max_call="3", min_total_calls="12").min_total_calls == 12


def test_cb_45_without_target_and_cap_a_game_would_have_no_end() -> None:
    refusal = _refused(target="0")
    assert (refusal.code, refusal.clause) == ("no_end", "CB-45")
    assert _read(target="0", max_sets="5").max_sets == 5


@pytest.mark.parametrize(
    ("name", "text"),
    [
        *[("enforcement", "honour"), ("enforcement", "strict"), ("audit", "auto"), ("audit", "accuse")],
        *[("false_accusation", text) for text in ("none", "minus10", "mirror")],
        *[("hidden_call_test", text) for text in ("estimate", "certain", "vote", "off")],
        *[("penalty", text) for text in ("negate_best", "fail_call", "redeal_only")],
    ],
)
def test_everything_of_section_7_may_be_chosen(name: str, text: str) -> None:
    assert getattr(_read(**{name: text}), name) == text


def test_decimal_scoring_implies_no_target_and_five_sets_unless_they_are_set() -> None:
    found = _read(scoring="decimal")
    assert (found.target, found.max_sets) == (0, 5)
    found = _read(scoring="decimal", max_sets="3")
    assert (found.target, found.max_sets) == (0, 3)
    found = _read(scoring="decimal", target="60")
    assert (found.target, found.max_sets) == (60, 5)
    found = _read(scoring="decimal", target="60", max_sets="0")
    assert (found.target, found.max_sets) == (60, 0)
    found = _read(scoring="points")
    assert (found.target, found.max_sets) == (300, 0)


def test_the_preset_source_is_all_defaults() -> None:
    assert _read("source") == _read()


def test_the_preset_app_is_what_most_apps_play() -> None:
    wanted: dict[str, Any] = {
        "scoring": "decimal",
        "target": 0,
        "max_sets": 5,
        "max_call": 8,
        "min_total_calls": 0,
        "redeal": [],
        "must_trump": "if_beats",
        "tie": "shared",
    }
    assert options.differing(_read("app")) == wanted


def test_an_option_goes_before_the_preset() -> None:
    found = _read("app", max_sets="2", max_call="13")
    assert (found.max_sets, found.max_call, found.tie) == (2, 13, "shared")


def test_a_preset_that_does_not_exist_is_refused_with_those_that_do() -> None:
    refusal = _refused("casino")
    assert (refusal.code, refusal.values) == ("no_such_preset", {"name": "casino", "names": ["source", "app"]})


@pytest.mark.parametrize(
    "values",
    [{"target": "300"}, {"target": 3.5}, {"redeal": "no_trump"}, {"must_beat": 1}, {"tie": "x"}, {"target": 99999}],
)
def test_stored_options_that_cannot_be_are_refused(values: dict[str, Any]) -> None:
    with pytest.raises(Rejected, match="bad_options"):
        options.stored(Options, values)


def test_every_option_is_on_offer_in_full() -> None:
    assert options.offered(CALLBREAK) == options.bounds(CALLBREAK.options)
