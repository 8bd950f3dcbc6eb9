"""TC-43: objections to a verdict, decided by those who are not concerned."""

from __future__ import annotations

from typing import Any

import pytest

from domain import record
from domain.audit import audit_record
from domain.audit_history import Commit, audit_history
from domain.game import Decided
from domain.games.taichi import asking
from domain.games.taichi.events import Objected, ObjectionDecided, Voted, WordRefused, WordSaid
from domain.games.taichi.moves import read
from domain.games.taichi.view import observe
from tests.domain.play import Sitting, started
from tests.domain.taichi.lexicon import FEW
from tests.domain.taichi.turns import Turns


def _refused(seats: int = 4, **options: Any) -> Turns:
    """Seat 0 has said `mice`, and the dictionary has refused it."""
    turns = Turns("M:P I:Y E:L", seats, **options)
    turns.play("0 turn", "0 word mice")
    return turns


def test_a_refusal_is_turned_over_by_a_majority_of_those_not_concerned() -> None:
    turns = _refused()
    assert turns.do("0 object") == (Objected(0, (1, 2, 3), refused=True),)
    assert turns.asked() == {"objection": (1, 2, 3)}
    assert turns.legal(1) == ["agree", "disagree"]
    turns.play("1 agree", "3 disagree")
    facts = turns.do("2 agree")
    assert facts[1] == ObjectionDecided(0, "mice", True, True)
    assert isinstance(facts[2], WordSaid)
    assert turns.state.phase == "choose"


def test_a_tie_leaves_the_dictionary_right_and_so_does_silence() -> None:
    turns = _refused()
    turns.do("1 object")
    turns.play("2 agree", "3 disagree")
    assert turns.state.phase == "word"
    assert turns.refused("2 object").code == "nothing_to_object"  # once is enough
    turns = _refused()
    turns.play("0 object", "1 agree")
    facts = turns.expire("objection")
    assert facts[:2] == (Voted(2, False, refused=True, auto=True), Voted(3, False, refused=True, auto=True))
    assert turns.state.phase == "word"


def test_an_accepted_word_may_be_turned_over_and_another_must_be_said() -> None:
    turns = Turns("M:P I:Y", 4)
    turns.play("0 turn", "0 word may", "1 object")
    assert asking.to_act(turns.state)[0].seats == (2, 3)
    facts = turns.play("2 agree", "3 agree")
    assert facts[-1] == ObjectionDecided(0, "may", False, True)
    assert turns.state.phase == "word"
    assert turns.state.words == ()
    refused = turns.do("0 word may")
    assert isinstance(refused[0], WordRefused)
    assert refused[0].reason == "overruled"
    turns.do("0 word man")
    assert turns.legal(0) == ["turn", "stop"]


def test_what_was_decided_holds_for_the_rest_of_the_game() -> None:
    turns = Turns("M:P M:Y M:L", 4, stacks={1: "", 2: "", 3: ""})
    turns.play("0 turn", "0 word mice", "0 object", "1 agree", "2 agree", "3 agree", "0 stop")
    turns.play("1 turn", "1 word mice")
    assert turns.legal(1) == ["turn", "stop"]
    assert turns.state.ruled == (Decided("mice", "", True),)


def test_a_family_may_be_argued_about() -> None:
    turns = Turns("C:P A:Y", 4)
    turns.play("0 turn", "0 word create", "0 turn")
    refused = turns.do("0 word creature")[0]
    assert isinstance(refused, WordRefused)
    assert (refused.reason, refused.of) == ("same_family", "create")
    facts = turns.play("0 object", "1 agree", "2 agree", "3 agree")
    assert facts[1] == ObjectionDecided(0, "creature", True, True, "create")
    assert [said.word for said in turns.state.words] == ["create", "creature"]


def test_a_rescuers_word_may_be_turned_over_and_he_may_try_again() -> None:
    turns = Turns("M:P I:Y", 4)
    turns.play("0 turn", "0 no_word", "1 word may")
    turns.play("2 object", "0 agree", "3 agree")
    assert turns.asked() == {"rescue": (1, 2, 3)}
    turns.play("1 word man", "2 pass", "3 pass")
    assert turns.stack(1) == ["U:P", "M:P"]


def test_while_there_is_a_vote_nobody_else_is_asked() -> None:
    turns = _refused()
    turns.do("1 object")
    assert turns.refused("0 word man").code == "objection_open"
    assert turns.refused("0 no_word").code == "objection_open"
    assert turns.refused("2 object").code == "objection_open"


def test_with_two_players_nobody_is_unconcerned() -> None:
    turns = Turns("M:P", 2)
    turns.do("0 turn")
    assert turns.refused("0 word mice").code == "plural"
    turns.do("0 word man")
    assert turns.refused("1 object").code == "nobody_to_judge"


@pytest.mark.parametrize("gone", ["left", "away"])
def test_who_is_not_there_has_no_say(gone: str) -> None:
    turns = Turns("M:P", 4)
    turns.gone(3, gone)
    turns.play("0 turn", "0 word man")
    assert turns.do("1 object") == (Objected(1, (2,)),)


def test_the_option_turns_it_off() -> None:
    turns = Turns("M:P", 4, objections=False)
    turns.play("0 turn", "0 word man")
    assert turns.refused("1 object").code == "no_objections"


def test_one_does_not_object_to_ones_own_word() -> None:
    turns = Turns("M:P", 4)
    turns.play("0 turn", "0 word man")
    assert not observe(turns.state, 0).may_object
    assert observe(turns.state, 1).may_object
    assert turns.refused("0 object").code == "nobody_to_judge"


def test_there_is_no_objection_in_a_challenge_nor_when_the_window_is_over() -> None:
    turns = Turns("M:P I:Y", 4)
    turns.play("0 turn", "0 word man", "0 stop")
    assert turns.refused("1 object").code == "nothing_to_object"
    turns = Turns("M:P I:Y", 4)
    turns.play("0 turn", "0 word man", "0 turn")
    assert turns.refused("1 object").code == "nothing_to_object"


def test_the_voters_leave_and_the_dictionary_is_right() -> None:
    turns = _refused(4)
    turns.do("1 object")
    turns.gone(2)
    turns.gone(3)
    assert turns.state.objection is None
    assert turns.state.phase == "word"


def test_whoever_said_the_word_leaves_and_there_is_nothing_to_decide() -> None:
    turns = _refused(4)
    turns.do("1 object")
    turns.gone(0)
    assert turns.asked() == {"rescue": (1, 2, 3)}


def _play(sitting: Sitting, seat: int, *lines: str) -> None:
    for line in lines:
        sitting.move(read(line), seat)


def test_an_objection_stands_in_the_record_only_where_a_word_had_counted() -> None:
    sitting = started("taichi", "objects", seats=4, dealer=3)
    _play(sitting, 0, "turn")
    first = sitting.state.set.open[0]
    word = next(word for letter in sitting.state.rules.card_name(first)[0].lower() for word in _words(letter))
    _play(sitting, 0, f"word {word}")
    _play(sitting, 1, "object")
    _play(sitting, 2, "agree")
    _play(sitting, 3, "agree")
    again = [other for other in _words(word[0]) if other != word]
    _play(sitting, 0, f"word {again[0]}")
    _play(sitting, 0, "stop")
    sitting.play(sitting.expire)
    found = record.record(sitting.events)
    assert found["sets"][0]["moves"][:7] == [
        *("0 turn", f"0 word {word}", "1 object", "2 agree", "3 agree"),
        *(f"0 word {again[0]}", "0 stop"),
    ]
    assert audit_record(record.write(found)) is None
    assert audit_history([Commit(one.time, one.actor, one.events) for one in sitting.commits]) is None


def _words(letter: str) -> list[str]:
    return list(FEW.common(letter))
