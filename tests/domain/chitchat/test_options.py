"""The options of Chit Chat."""

from __future__ import annotations

import pytest

from domain import options
from domain.game import Rejected
from domain.games.chitchat import CHITCHAT
from domain.games.chitchat.options import Options


def test_the_defaults_are_those_of_the_rules() -> None:
    assert options.everything(Options()) == {"open_discards": True, "on_timeout": "lose", "turn_seconds": 86400}
    assert options.read(CHITCHAT, {}, "source") == Options()


@pytest.mark.parametrize("seconds", ["0", "3599", "259201"])
def test_cc_62_a_clock_has_an_hour_to_three_days(seconds: str) -> None:
    with pytest.raises(Rejected, match="bad_option"):
        options.read(CHITCHAT, {"turn_seconds": seconds})


def test_every_option_is_on_offer() -> None:
    assert set(options.offered(CHITCHAT)) == {"open_discards", "on_timeout", "turn_seconds"}
    chosen = options.read(CHITCHAT, {"open_discards": "off", "on_timeout": "autoplay", "turn_seconds": "3600"})
    assert chosen == Options(open_discards=False, on_timeout="autoplay", turn_seconds=3600)
