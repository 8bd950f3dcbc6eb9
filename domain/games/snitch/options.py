"""Snitch's options (rules, section "Options"): names, defaults, bounds, presets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """All options of ruleset `snitch/1`."""

    match: Literal["rounds", "points"] = "rounds"  # SN-60
    rounds: Annotated[int, msgspec.Meta(ge=1, le=20)] = 1  # SN-60
    target: Annotated[int, msgspec.Meta(ge=100, le=5000)] = 1000  # SN-60
    open_points: bool = False  # SN-65
    turn_seconds: Annotated[int, msgspec.Meta(ge=0, le=259200, extra={"low": 600, "also": (0,)})] = 86400  # SN-72
    defend_seconds: Annotated[int, msgspec.Meta(ge=600, le=86400)] = 28800  # SN-70


PRESETS: dict[str, dict[str, str]] = {
    "one_round": {},
    "first_to_1000": {"match": "points", "target": "1000"},
}


def implied(chosen: Mapping[str, Any]) -> dict[str, Any]:
    """Nothing follows from any option."""
    return {}


def check(options: Options) -> None:
    """Any options go together: `rounds` is of account in a match of rounds, `target` in one for points (SN-60)."""
