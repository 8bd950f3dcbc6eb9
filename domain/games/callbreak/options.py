"""Call Break's options (rules section 9): names, defaults, bounds, presets, and what does not go together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec

from domain.rejected import Rejected

Reason = Literal["four_aces", "no_trump", "no_court"]
_Call = Annotated[int, msgspec.Meta(ge=1, le=13)]


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """All options of ruleset `callbreak/1`; the defaults are the source's."""

    trump_mode: Literal["fixed", "last_card"] = "fixed"  # CB-12
    fixed_trump: Literal["S", "H", "D", "C"] = "S"  # CB-12
    redeal: tuple[Reason, ...] = ("four_aces", "no_trump", "no_court")  # CB-15
    min_call: _Call = 1  # CB-21
    max_call: _Call = 13  # CB-21
    min_total_calls: Annotated[int, msgspec.Meta(ge=0, le=26)] = 9  # CB-22
    must_beat: bool = True  # CB-33
    must_trump: Literal["always", "if_beats", "never"] = "always"  # CB-35
    scoring: Literal["points", "decimal"] = "points"  # CB-40
    target: Annotated[int, msgspec.Meta(ge=0, le=2000, extra={"low": 50, "also": (0,)})] = 300  # CB-4, CB-43
    court_ranks: Literal["AKQ", "AKQJ"] = "AKQ"  # CB-15
    substitute: bool = False  # CB-61
    target_cmp: Literal["ge", "gt"] = "ge"  # CB-43
    tie: Literal["play_on", "shared"] = "play_on"  # CB-44
    enforcement: Literal["strict", "honour"] = "strict"  # section 7
    audit: Literal["accuse", "auto"] = "accuse"  # CB-55
    false_accusation: Literal["none", "minus10", "mirror"] = "none"  # CB-55
    hidden_call_test: Literal["estimate", "certain", "vote", "off"] = "estimate"  # CB-56
    penalty: Literal["negate_best", "fail_call", "redeal_only"] = "negate_best"  # CB-52
    max_sets: Annotated[int, msgspec.Meta(ge=0, le=100)] = 0  # CB-45
    turn_seconds: Annotated[int, msgspec.Meta(ge=0, le=259200, extra={"low": 30, "also": (0,)})] = 86400  # CB-60


PRESETS: dict[str, dict[str, str]] = {
    "source": {},
    "app": {
        "scoring": "decimal",
        "target": "0",
        "max_sets": "5",
        "min_call": "1",
        "max_call": "8",
        "min_total_calls": "0",
        "redeal": "",
        "must_trump": "if_beats",
        "tie": "shared",
    },
}


def implied(chosen: Mapping[str, Any]) -> dict[str, Any]:
    """What `scoring=decimal` brings with it unless set: no target, five sets."""
    return {"target": 0, "max_sets": 5} if chosen.get("scoring") == "decimal" else {}


def check(options: Options) -> None:
    """Refuses what could never be played or never end."""
    if options.min_call > options.max_call:
        raise Rejected("min_call_over_max_call", clause="CB-21", low=options.min_call, high=options.max_call)
    if options.min_total_calls > 4 * options.max_call:
        raise Rejected(
            "min_total_out_of_reach", clause="CB-22", total=options.min_total_calls, most=4 * options.max_call
        )
    if options.target == 0 and options.max_sets == 0:
        raise Rejected("no_end", clause="CB-45")
