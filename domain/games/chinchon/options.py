"""Chinchón's options (rules section 9): names, defaults, bounds, presets, and what does not go together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec

from domain.rejected import Rejected


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """All options of ruleset `chinchon/1`; the defaults are the source's."""

    deck: Literal["52", "48", "40"] = "52"  # CH-11
    jokers: Annotated[int, msgspec.Meta(ge=0, le=2)] = 0  # CH-11
    joker_value: Annotated[int, msgspec.Meta(ge=1, le=50)] = 25  # CH-34
    ace: Literal["both", "low"] = "both"  # CH-31
    ace_value: Annotated[int, msgspec.Meta(ge=1, le=10)] = 10  # CH-34
    meld_max: Annotated[int, msgspec.Meta(ge=4, le=7)] = 4  # CH-30
    cut_rule: Literal["two_melds", "threshold"] = "two_melds"  # CH-40
    cut_max: Annotated[int, msgspec.Meta(ge=0, le=20)] = 5  # CH-40
    no_cut_first_lap: bool = False  # CH-24
    bonus_complete: Annotated[int, msgspec.Meta(ge=-50, le=0)] = -10  # CH-50
    chinchon_pays: Literal["win", "-25", "-50"] = "win"  # CH-43
    noncutter_complete: Annotated[int, msgspec.Meta(ge=-10, le=50)] = 20  # CH-50
    noncutter_chinchon: Annotated[int, msgspec.Meta(ge=-50, le=100)] = 50  # CH-50
    laying_off: bool = False  # CH-35
    target: Annotated[int, msgspec.Meta(ge=20, le=500)] = 100  # CH-52
    end_mode: Literal["first_loser", "elimination"] = "first_loser"  # CH-52
    rebuy: Literal["none", "highest", "second"] = "none"  # CH-52
    reshuffle: Literal["all", "keep_top"] = "all"  # CH-25
    no_return: bool = False  # CH-22
    first_dealer: Literal["seven", "random"] = "seven"  # CH-12
    declare: Literal["auto", "manual"] = "auto"  # section 7
    enforcement: Literal["strict", "honour"] = "strict"  # section 7
    invalid_cut: Literal["fine50", "play_on", "own20"] = "fine50"  # section 7
    pile_history: Literal["on", "top_only"] = "on"  # section 6
    max_turns: Annotated[int, msgspec.Meta(ge=0, le=500, extra={"low": 10, "also": (0,)})] = 60  # CH-27
    turn_seconds: Annotated[int, msgspec.Meta(ge=0, le=259200, extra={"low": 30, "also": (0,)})] = 86400  # CH-70


PRESETS: dict[str, dict[str, str]] = {
    "source": {},
    "spanish": {
        "deck": "40",
        "ace": "low",
        "ace_value": "1",
        "meld_max": "7",
        "cut_rule": "threshold",
        "cut_max": "5",
        "noncutter_complete": "0",
        "noncutter_chinchon": "0",
        "laying_off": "true",
        "end_mode": "elimination",
        "reshuffle": "keep_top",
        "first_dealer": "random",
    },
}


def implied(chosen: Mapping[str, Any]) -> dict[str, Any]:
    """Nothing follows from any option."""
    return {}


def check(options: Options) -> None:
    """Refuses entering again where nobody drops out (`rebuy_without_elimination`)."""
    if options.rebuy != "none" and options.end_mode != "elimination":
        raise Rejected("rebuy_without_elimination", clause="CH-52", rebuy=options.rebuy)


def hints(options: Options) -> bool:
    """Whether a player is told what his cards are worth: not where it is for him to know (CH-61, CH-62)."""
    return options.enforcement == "strict" and options.declare == "auto"
