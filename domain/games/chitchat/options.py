"""Chit Chat's options: names, defaults, bounds, presets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """All options of ruleset `chitchat/1`; the defaults are the rule paper's."""

    open_discards: bool = True  # CC-13
    on_timeout: Literal["lose", "autoplay"] = "lose"  # CC-62
    turn_seconds: Annotated[int, msgspec.Meta(ge=3600, le=259200)] = 86400  # CC-62


PRESETS: dict[str, dict[str, str]] = {"source": {}}


def implied(chosen: Mapping[str, Any]) -> dict[str, Any]:
    """Nothing: no option follows from another."""
    return {}


def check(options: Options) -> None:
    """Refuses nothing: any values within their bounds go together."""
