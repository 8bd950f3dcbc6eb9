"""Records with an edited pack, deal or move: each is refused with the set, the move and the clause."""

from __future__ import annotations

from typing import Any

import pytest

from tests.domain.edited_records import a_record, audit, edited, index_of, where
from tests.domain.play import started

# The pack and the deal


def test_cb_3_a_card_changed_in_the_pack() -> None:
    def edit(found: dict[str, Any]) -> None:
        found["sets"][0]["deck"][7] = "Z9"

    finding = edited(edit)
    assert finding.code == "not_a_card"
    assert where(finding) == (1, 0, "CB-3")
    assert finding.values == {"text": "Z9", "card_number": 8}


def test_cb_3_a_card_twice_in_the_pack() -> None:
    def edit(found: dict[str, Any]) -> None:
        deck = found["sets"][0]["deck"]
        deck[7] = deck[8]

    finding = edited(edit)
    assert finding.code == "card_twice"
    assert where(finding) == (1, 0, "CB-3")
    assert finding.values == {"card": a_record()["sets"][0]["deck"][8]}


@pytest.mark.parametrize(("code", "keep"), [("cards_missing", 51), ("cards_missing", 0)])
def test_cb_3_a_pack_too_small(code: str, keep: int) -> None:
    finding = edited(lambda found: found["sets"][0].update(deck=found["sets"][0]["deck"][:keep]))
    assert (finding.code, *where(finding)) == (code, 1, 0, "CB-3")


def test_cb_3_a_pack_too_large() -> None:
    finding = edited(lambda found: found["sets"][0]["deck"].append("AS"))
    assert (finding.code, *where(finding)) == ("card_twice", 1, 0, "CB-3")


def test_cb_3_a_joker_is_not_in_the_pack() -> None:
    finding = edited(lambda found: found["sets"][0]["deck"].__setitem__(0, "X1"))
    assert finding.code == "not_a_card"


def test_cb_10_two_cards_of_the_pack_swapped() -> None:
    """Somebody then plays what he does not hold, or the deal is one that may not be played."""

    def edit(found: dict[str, Any]) -> None:
        deck = found["sets"][0]["deck"]
        deck[0], deck[1] = deck[1], deck[0]

    finding = edited(edit)
    assert finding.set == 1
    assert finding.clause is not None


def test_cb_5_another_first_dealer() -> None:
    finding = edited(lambda found: found["first_dealer"].update(seat=1))
    assert (finding.code, *where(finding)) == ("wrong_dealer", 1, 0, "CB-5")
    assert finding.values == {"expected": 1, "found": 0}


@pytest.mark.parametrize("seat", [-1, 4, 10**15])
def test_cb_5_a_first_dealer_who_is_no_seat(seat: int) -> None:
    finding = edited(lambda found: found["first_dealer"].update(seat=seat))
    assert (finding.code, finding.clause) == ("wrong_first_dealer", "CB-5")


def test_cb_42_a_wrong_dealer_later() -> None:
    finding = edited(lambda found: found["sets"][1].update(dealer=0))
    assert (finding.code, *where(finding)) == ("wrong_dealer", 2, 0, "CB-42")


def test_cb_12_a_wrong_trump() -> None:
    finding = edited(lambda found: found["sets"][0]["extra"].update(trump="H"))
    assert (finding.code, finding.set, finding.clause) == ("wrong_extra", 1, "CB-12")


def test_cb_15_wrong_reasons_of_a_redeal() -> None:
    found = a_record()
    index = index_of("redeal", found)
    found["sets"][index]["extra"]["reasons"] = [[0, "four_aces"]]
    finding = audit(found)
    assert finding is not None
    assert (finding.code, *where(finding)) == ("wrong_extra", index + 1, 0, "CB-15")


def test_cb_15_reasons_where_there_was_no_redeal() -> None:
    finding = edited(lambda found: found["sets"][0]["extra"].update(reasons=[[0, "no_trump"]]))
    assert (finding.code, finding.set, finding.clause) == ("wrong_extra", 1, "CB-15")


def test_cb_15_a_forbidden_deal_that_is_played_all_the_same() -> None:
    found = a_record()
    index = index_of("redeal", found)
    found["sets"][index] |= {"moves": ["0 call 3"], "outcome": "scored", "scores": [1, 2, 3, 4]}
    finding = audit(found)
    assert finding is not None
    assert (finding.code, *where(finding)) == ("move_after_end", index + 1, 1, "CB-15")


def test_cb_15_a_redeal_without_a_reason() -> None:
    found = a_record()
    found["sets"][0] |= {"moves": [], "outcome": "redeal", "scores": None}
    finding = audit(found)
    assert finding is not None
    assert (finding.code, *where(finding)) == ("wrong_outcome", 1, 0, "CB-15")


# Moves


def _swap(moves: list[Any], at: int) -> None:
    moves[at], moves[at + 1] = moves[at + 1], moves[at]


def test_two_moves_of_two_seats_swapped_are_found_wherever_they_are() -> None:
    tried = 0
    moves = a_record()["sets"][0]["moves"]
    for at in range(len(moves) - 1):
        one, other = moves[at], moves[at + 1]
        if not isinstance(one, str) or not isinstance(other, str) or one[0] == other[0]:
            continue
        found = a_record()
        _swap(found["sets"][0]["moves"], at)
        finding = audit(found)
        assert finding is not None
        assert (finding.code, *where(finding)) == (
            "not_your_turn",
            1,
            at + 1,
            "CB-20" if " call " in one else "CB-30",
        )
        tried += 1
    assert tried > 30


def test_a_card_changed_in_a_move() -> None:
    for at in range(10, 40):
        found = a_record()
        moves = found["sets"][0]["moves"]
        if not isinstance(moves[at], str) or not isinstance(moves[at + 4], str):
            continue
        if moves[at][-2:] == moves[at + 4][-2:]:
            continue
        moves[at] = moves[at][:-2] + moves[at + 4][-2:]
        finding = audit(found)
        assert finding is not None
        assert finding.set == 1
        assert finding.move is not None
        assert finding.move >= at + 1
        assert str(finding.clause).startswith("CB-")


def test_cb_30_a_card_that_the_seat_does_not_hold() -> None:
    found = a_record()
    deck, moves = found["sets"][0]["deck"], found["sets"][0]["moves"]
    at = next(at for at, move in enumerate(moves) if isinstance(move, str) and " play " in move)
    seat = int(moves[at][0])
    foreign = deck[(seat - 1) % 4 - 1]
    moves[at] = f"{seat} play {foreign}"
    finding = audit(found)
    assert finding is not None
    assert (finding.code, *where(finding)) == ("not_held", 1, at + 1, "CB-30")


def test_cb_21_a_call_out_of_range() -> None:
    found = a_record()
    moves = found["sets"][0]["moves"]
    at = next(at for at, move in enumerate(moves) if isinstance(move, str) and " call " in move and "auto" not in move)
    moves[at] = moves[at][:7] + "14"
    finding = audit(found)
    assert finding is not None
    assert (finding.code, *where(finding)) == ("call_out_of_range", 1, at + 1, "CB-21")


def test_a_move_after_the_end_of_a_set() -> None:
    found = a_record()
    moves = found["sets"][0]["moves"]
    moves.append("0 play 2C")
    finding = audit(found)
    assert finding is not None
    assert (finding.code, *where(finding)) == ("move_after_end", 1, len(moves), "CB-30")


def test_cb_22_a_move_after_low_calls() -> None:
    found = a_record()
    index = index_of("low_calls", found)
    moves = found["sets"][index]["moves"]
    moves.append("0 play 2C")
    finding = audit(found)
    assert finding is not None
    assert (finding.code, *where(finding)) == ("move_after_end", index + 1, len(moves), "CB-22")


@pytest.mark.parametrize("cut", [1, 5, 30])
def test_moves_missing_at_the_end_of_a_set(cut: int) -> None:
    found = a_record()
    moves = found["sets"][0]["moves"]
    del moves[-cut:]
    finding = audit(found)
    assert finding is not None
    assert (finding.code, *where(finding)) == ("moves_missing", 1, len(moves) + 1, "CB-30")


def test_a_move_missing_in_the_middle() -> None:
    found = a_record()
    moves = found["sets"][0]["moves"]
    at = next(at for at in range(8, 60) if isinstance(moves[at], str))
    del moves[at]
    finding = audit(found)
    assert finding is not None
    assert (finding.set, finding.move) == (1, at + 1)


@pytest.mark.parametrize(
    "entry",
    [
        "",
        "0",
        "play QS",
        "0 play",
        "0 play 10H",
        "0 PLAY QS",
        "x play QS",
        "0 sing",
        "0  call 3",
        "00 call 3",
        "01 call 3",
        "100 call 3",
        "0 call ٣",
    ],
)
def test_a_move_that_is_not_in_exact_notation(entry: str) -> None:
    found = a_record()
    found["sets"][0]["moves"].insert(0, entry)
    finding = audit(found)
    assert finding is not None
    assert (finding.set, finding.move) == (1, 1)
    assert finding.code in {"not_a_move", "not_a_card", "not_your_turn"}
    assert str(finding.clause).startswith("CB-")


def test_cb_60_the_clocks_move_is_the_one_of_the_rule() -> None:
    found = a_record()
    moves = found["sets"][0]["moves"]
    at = next(at for at, move in enumerate(moves) if isinstance(move, str) and " auto call " in move)
    due = moves[at]
    moves[at] = due[:-1] + ("3" if due[-1] == "2" else "2")
    finding = audit(found)
    assert finding is not None
    assert (finding.code, *where(finding)) == ("wrong_auto_move", 1, at + 1, "CB-60")
    assert finding.values["expected"] == due


def test_cb_60_a_move_said_to_be_the_clocks_that_is_not() -> None:
    sitting = started(persons=0, max_sets="1", tie="shared", redeal="")
    sitting.moves("call 13", "call 13", "call 13", "call 13")
    found = a_record(sitting.steady())
    moves = found["sets"][0]["moves"]
    moves[0] = moves[0].replace("call", "auto call")
    finding = audit(found)
    assert finding is not None
    assert (finding.code, *where(finding)) == ("wrong_auto_move", 1, 1, "CB-60")


# Coming and going


def test_cb_61_a_seat_that_left_is_played_by_the_clock() -> None:
    found = a_record()
    moves = found["sets"][0]["moves"]
    at = next(at for at, move in enumerate(moves) if move == {"returned": 1})
    del moves[at]
    finding = audit(found)
    assert finding is not None
    assert (finding.code, *where(finding)) == ("left_seat_moved", 1, at + 1, "CB-61")


@pytest.mark.parametrize(
    ("entry", "code"),
    [
        ({"left": 1}, "already_left"),
        ({"returned": 0}, "not_away"),
        ({"left": 7}, "no_such_seat"),
        ({"left": True}, "no_such_seat"),
        ({"left": "1"}, "no_such_seat"),
        ({"left": None}, "no_such_seat"),
        ({"convicted": 1, "proof": [5, 3]}, "unknown_event"),
        ({}, "unknown_event"),
        ({"left": 2, "returned": 2}, "unknown_event"),
    ],
)
def test_cb_61_what_may_not_stand_in_braces(entry: dict[str, Any], code: str) -> None:
    found = a_record()
    assert found["sets"][0]["moves"][0] == {"left": 1}
    found["sets"][0]["moves"].insert(1, entry)
    finding = audit(found)
    assert finding is not None
    assert (finding.code, finding.set, finding.move) == (code, 1, 2)


def test_cb_62_a_set_that_goes_on_with_fewer_than_two() -> None:
    found = a_record()
    found["sets"][0]["moves"][1:1] = [{"left": 2}, {"left": 3}]
    finding = audit(found)
    assert finding is not None
    assert (finding.code, *where(finding)) == ("too_few_players", 1, 3, "CB-62")
