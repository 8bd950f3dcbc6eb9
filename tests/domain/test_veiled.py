"""No struct that holds a seed or a hand shows it: not to `repr`, not to a traceback of rich."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from rich.pretty import pretty_repr

from domain import cards, table
from domain.events import RowWritten, SeedRevealed, SetUndone
from domain.finding import Finding
from domain.game import Adjustment, Brought
from domain.games.callbreak import events as callbreak
from domain.games.callbreak.events import DealVoided
from domain.games.chinchon.events import HandsOpened, HandsShown
from domain.games.chitchat.state import Shown
from domain.games.taichi.events import AnswerTold
from domain.settling import standing
from domain.shuffle import NO_MOVES, Given, Seeded
from domain.table import Row, Table, View
from domain.veiled import Veiled
from tests.domain.play import Sitting, started


def _keyed() -> Sitting:
    """A set in its second trick, the trump card shown."""
    return started(word="veiled", persons=0, redeal="", min_total_calls="0").steady(
        lambda state: len(state.set.tricks) == 1
    )


def _holders(state: Table) -> list[Any]:
    """Everything that holds a secret of this table."""
    rules = state.rules
    assert state.seed is not None
    assert state.next_seed is not None
    source = Seeded(state.seed, state.digest)
    found: list[Any] = [state, state.set, source, standing(state), Brought(salt=state.seed, source=source)]
    found.append(Given({"deal:1": source.order("deal:1", cards.PACK)}))
    for seat in range(4):
        seen = rules.observe(state.set, seat)
        scene = rules.scene(seen)
        found += [seen, table.observe(state, seat), rules.guess(seen, Seeded(b"any", NO_MOVES)), scene]
        found += [*scene.zones, *scene.choices, *(zone.cards for zone in scene.zones)]
    return found


@pytest.mark.parametrize("shown", [repr, str, pretty_repr])
def test_nothing_that_holds_secrets_shows_them(shown: Any) -> None:
    state = _keyed().state
    assert state.set.hands is not None
    for holder in _holders(state):
        text = shown((holder, [holder], {"state": holder}))
        assert not re.search(r"\b[2-9TJQKA][SHDC]\b", text), type(holder)
        for seed in (state.seed, state.next_seed):
            assert seed is not None
            assert seed.hex() not in text
            assert repr(seed)[2:-1] not in text
        for hand in state.set.hands:
            assert str(hand) not in text
            assert str(cards.cards(hand))[1:-1] not in text


_SECRET = {"seed", "next_seed", "hands", "hand", "packs", "salt", "stock", "source", "final", "set"}
_PUBLIC = {
    SeedRevealed,
    AnswerTold,
    DealVoided,
    HandsOpened,
    HandsShown,
    Shown,
    RowWritten,
    Finding,
    Row,
    View,
    Adjustment,
    SetUndone,
    callbreak.HandsOpened,
}  # what everybody may see, and numbers of sets


def _structs(kind: type[Any]) -> Iterator[type[Any]]:
    for found in kind.__subclasses__():
        yield found
        yield from _structs(found)


def test_every_struct_of_the_domain_with_such_a_field_is_veiled() -> None:
    structs = [kind for kind in _structs(msgspec.Struct) if kind.__module__.startswith("domain.")]
    assert Table in structs
    open_ones = [kind for kind in structs if _SECRET & set(kind.__struct_fields__) and not issubclass(kind, Veiled)]
    assert set(open_ones) <= _PUBLIC


def test_a_table_shows_which_one_it_is() -> None:
    state = _keyed().state
    assert repr(state) == "Table(id='t-1', phase='playing')"
    assert repr(state.set) == f"Set(dealer={state.set.dealer}, moves=8)"
    assert repr(Seeded(b"x", b"y")) == "Seeded()"
