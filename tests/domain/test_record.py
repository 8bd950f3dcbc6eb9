"""Records: what stands in them, and that they hold nothing that is still secret."""

from __future__ import annotations

import json
import random
import re
from typing import Any

import pytest

from domain import cards, record
from domain.audit import audit_record
from domain.commands import Answer, Close, Leave, Propose, Return
from domain.events import Dealt, SeedRevealed
from domain.game import SetEnded
from domain.games.callbreak.events import Called, DealVoided
from domain.games.callbreak.options import Options
from domain.record import Corrupt
from tests.domain.play import PERSONS, Sitting, lobby, started


def _finished(word: str = "record", **texts: Any) -> Sitting:
    return started(word=word, **{"max_sets": "2", "tie": "shared", **texts}).steady()


def _record(sitting: Sitting) -> dict[str, Any]:
    found = record.record(sitting.events)
    assert audit_record(record.write(found)) is None
    return found


def test_a_record_has_exactly_the_keys_of_its_format() -> None:
    found = _record(_finished())
    assert list(found) == [
        *("format", "game", "ruleset", "options", "seats", "first_dealer", "sets", "rows", "totals", "winners"),
        "ended",
    ]
    assert (found["format"], found["game"], found["ruleset"]) == ("tabletalk-record/1", "callbreak", "callbreak/1")
    assert (found["seats"], found["ended"]) == (4, "max_sets")


def test_a_record_holds_all_options_defaults_too() -> None:
    found = _record(_finished(redeal="no_trump"))["options"]
    assert found["redeal"] == ["no_trump"]
    assert found["target"] == 300
    assert found["hidden_call_test"] == "estimate"
    assert list(found) == list(Options.__struct_fields__)


def test_the_first_dealer_is_told_with_how_he_was_found() -> None:
    assert _record(_finished())["first_dealer"]["how"] == "random"
    named = _record(started(dealer=2, max_sets="1", tie="shared").steady())
    assert named["first_dealer"] == {"how": "host", "seat": 2}
    assert named["sets"][0]["dealer"] == 2


def test_the_deck_is_in_dealing_order() -> None:
    sitting = started(dealer=1, redeal="", max_sets="1", tie="shared")
    hands = [cards.names(hand) for hand in sitting.state.set.hands]
    (one,) = _record(sitting.steady())["sets"]
    for index, card in enumerate(one["deck"]):
        assert card in hands[(1 + 1 + index) % 4]
    assert len(one["deck"]) == 52
    assert one["reshuffles"] == []


def test_moves_are_in_order_and_exact_notation() -> None:
    one = _record(_finished())["sets"][-1]
    assert len(one["moves"]) == 56
    assert all(re.fullmatch(r"[0-3] (call \d+|play [2-9TJQKA][SHDC])", move) for move in one["moves"])


def test_a_move_that_the_clock_made_says_so_and_a_computers_own_does_not() -> None:
    sitting = started(persons=1, dealer=3, max_sets="1", tie="shared", redeal="")
    sitting.expire()
    found = _record(sitting.steady())["sets"][0]["moves"]
    assert found[0].startswith("0 auto call ")
    assert not any("auto" in move for move in found[1:])


def test_who_left_and_came_back_stands_between_the_moves_in_braces() -> None:
    sitting = started(dealer=3, max_sets="1", tie="shared", redeal="")
    sitting.moves("call 4", "call 3")
    sitting.do(PERSONS[2], Leave())
    sitting.expire()
    sitting.do(PERSONS[2], Return())
    found = _record(sitting.steady())["sets"][0]["moves"]
    assert found[:3] == ["0 call 4", "1 call 3", {"left": 2}]
    assert found[3].startswith("2 auto call ")
    assert found[4] == {"returned": 2}


def test_a_substitute_in_a_leavers_seat_counts_as_returned() -> None:
    sitting = started(dealer=3, max_sets="1", tie="shared", redeal="", substitute="true")
    sitting.do(PERSONS[2], Leave())
    sitting.do("person:new", Propose("seat", 2))
    for person in (PERSONS[0], PERSONS[1], PERSONS[3]):
        sitting.do(person, Answer(True))
    assert _record(sitting.steady())["sets"][0]["moves"][:2] == [{"left": 2}, {"returned": 2}]


def test_redeals_and_low_calls_are_sets_of_their_own() -> None:
    sitting = _voids()
    outcomes = [event.outcome for event in sitting.events if isinstance(event, SetEnded)]
    found = _record(sitting)["sets"]
    assert [one["outcome"] for one in found] == outcomes
    assert {"redeal", "low_calls", "scored"} <= set(outcomes)
    for one in found:
        assert one["extra"]["trump"] == "S"
        if one["outcome"] == "redeal":
            assert (one["moves"], one["scores"]) == ([], None)
            seat, reason = one["extra"]["reasons"][0]
            assert (type(seat), reason in {"four_aces", "no_trump", "no_court"}) == (int, True)
        if one["outcome"] == "low_calls":
            assert (len(one["moves"]), one["scores"], "reasons" in one["extra"]) == (4, None, False)
    assert [cell[0] for cell in _record(sitting)["rows"][0]] == [
        index for index, outcome in enumerate(outcomes) if outcome == "scored"
    ]


def _voids() -> Sitting:
    """A finished game with a forbidden deal, a set of too few calls, and scored sets."""
    rng = random.Random(2)
    for word in map(str, range(50)):
        sitting = started(word=word, max_sets="2", tie="shared", min_total_calls="18").random(rng)
        outcomes = {event.outcome for event in sitting.events if isinstance(event, SetEnded)}
        if len(outcomes) == 3:
            return sitting
    raise AssertionError("no such game among fifty")


def test_rows_and_totals_are_those_of_the_table() -> None:
    sitting = _finished()
    found = _record(sitting)
    assert found["totals"] == list(sitting.state.totals)
    assert found["winners"] == list(sitting.state.winners)
    for seat in range(4):
        assert [cell[1:] for cell in found["rows"][seat]] == [[row.values[seat], "score"] for row in sitting.state.rows]


def test_decimal_scores_are_numbers_with_one_decimal() -> None:
    sitting = started(preset="app").steady()
    data = record.write(_record(sitting)).decode()
    scores = [one["scores"] for one in json.loads(data)["sets"]]
    assert all(isinstance(score, float) for one in scores for score in one)
    assert re.search(r'"scores": \[(-?\d+\.\d(, )?){4}\]', data)
    assert json.loads(data)["totals"] == [total / 10 for total in sitting.state.totals]


def test_the_record_of_a_running_table_ends_with_the_last_set_whose_seed_is_revealed() -> None:
    sitting = started(persons=0, max_sets="3", tie="shared").steady(lambda state: len(state.rows) == 2)
    for _ in range(10):
        found = _record(sitting)
        assert len(found["rows"][0]) == 2
        assert found["sets"][-1]["outcome"] == "scored"
        assert (found["ended"], found["winners"]) == (None, [])
        assert found["totals"] == list(sitting.state.totals)
        sitting.steady_move()


def test_void_sets_under_a_seed_that_is_still_secret_are_left_out() -> None:
    rng = random.Random(1)
    sitting = started(max_sets="2", tie="shared", min_total_calls="26", redeal="no_trump")
    sitting.random(rng, lambda state: bool(state.rows))
    sitting.moves("call 1", "call 1", "call 1", "call 1")
    assert sitting.state.deals > 1
    assert _record(sitting)["sets"][-1]["outcome"] == "scored"
    assert len(_record(sitting)["sets"]) < sitting.state.sets - 1
    sitting.random(rng)
    assert len(_record(sitting)["sets"]) == sitting.state.sets


def test_a_set_that_was_cut_short_is_left_out_but_the_void_ones_before_it_are_told() -> None:
    sitting = started(redeal="", dealer=0)
    sitting.moves("call 1", "call 1", "call 1", "call 1", "call 3")
    sitting.do("operator", Close())
    found = _record(sitting)
    assert [one["outcome"] for one in found["sets"]] == ["low_calls"]
    assert (found["ended"], found["winners"], found["totals"]) == ("closed", [], [0, 0, 0, 0])


def test_a_game_that_was_closed_in_its_first_set_has_a_record_without_sets() -> None:
    sitting = started(redeal="")
    sitting.do("operator", Close())
    assert _record(sitting)["sets"] == []


def test_nothing_of_a_secret_deal_is_in_the_record_of_a_table() -> None:
    sitting = started()
    found = record.record(sitting.events)
    assert found["sets"] == []
    assert not any(isinstance(event, SeedRevealed) for event in sitting.events)


def test_cuts_are_no_moves_of_a_set() -> None:
    sitting = started(cuts={0: 5, 2: 51}, max_sets="1", tie="shared").steady()
    assert not any("cut_deck" in str(move) for one in _record(sitting)["sets"] for move in one["moves"])


def test_the_same_game_gives_the_same_bytes_and_they_read_back() -> None:
    one, other = record.write(_record(_finished())), record.write(_record(_finished()))
    assert one == other
    assert one.endswith(b"}\n")
    assert json.loads(one) == _record(_finished())
    assert record.read(one).totals == tuple(_record(_finished())["totals"])


def test_a_lobby_has_no_record() -> None:
    with pytest.raises(ValueError, match="never started"):
        record.record(lobby().events)


def test_every_deal_of_a_finished_game_is_in_its_record() -> None:
    sitting = _voids()
    deals = [event.dealer for event in sitting.events if isinstance(event, Dealt)]
    assert [one["dealer"] for one in _record(sitting)["sets"]] == deals
    assert any(isinstance(event, DealVoided) for event in sitting.events)
    assert any(isinstance(event, Called) for event in sitting.events)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"null",
        b"[]",
        b"\xff\xfe\x00",
        b"9" * 100_000,
        b"[" * 100_000,
        b'{"a":' * 50_000,
        b'{"format": 1}',
        b'{"format": "tabletalk-record/1"}',
    ],
)
def test_what_is_no_record_is_corrupt_and_nothing_else(data: bytes) -> None:
    with pytest.raises(Corrupt):
        record.read(data)
