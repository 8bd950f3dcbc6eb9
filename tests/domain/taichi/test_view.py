"""TC-4, TC-10: what one may know, and what is shown."""

from __future__ import annotations

import msgspec

from domain.games.taichi.deck import name, names
from domain.games.taichi.view import Observation, observe, scene
from tests.domain.taichi.turns import Turns

PILE = "S:P T:P E:L R:Y O:Y"


def test_an_observation_has_these_fields_and_no_other() -> None:
    assert set(Observation.__struct_fields__) == {
        *("seat", "options", "seats", "dealer", "phase", "turn", "turns", "open", "auto_turned", "words", "counts"),
        *("bets", "piled", "deck", "discards", "done", "found", "answers", "opened", "hidden", "card", "answer"),
        *("left", "away", "spoken", "objection", "objections", "ruled", "legal", "may_say", "may_object"),
    }, "a new field: may everybody know it?"


def test_what_lies_open_and_what_was_said_is_public_and_won_cards_are_only_counted() -> None:
    turns = Turns(PILE, 3)
    turns.play("0 turn", "0 word sun", "0 turn", "0 word site")
    seen = observe(turns.state, None)
    assert names(seen.open) == ["S:P", "T:P"]
    assert [word for _, word in seen.words] == ["sun", "site"]
    assert seen.counts == (1, 1, 1)
    zones = {zone.name: [placed.card for placed in zone.cards] for zone in scene(seen).zones}
    assert zones == {"open": ["S:P", "T:P"]}


def test_discards_lie_face_up() -> None:
    turns = Turns(PILE, 3)
    turns.play("0 turn", "0 no_word", "1 pass", "2 pass")
    zones = {zone.name: [placed.card for placed in zone.cards] for zone in scene(observe(turns.state, 1)).zones}
    assert zones == {"discards": ["S:P"]}


def test_a_bet_is_not_shown_before_it_is_lost() -> None:
    turns = Turns("S:P T:P E:L R:Y", 2, stacks={1: "M:Y"})
    turns.play("0 turn", "0 word sun", "0 stop", "1 challenge")
    seen = observe(turns.state, 0)
    assert seen.bets == (1,)
    assert name(turns.state.bets[0][1]) not in msgspec.json.encode(scene(seen)).decode()
    turns.play("0 ready", "1 ready", "0 pass", "1 pass")
    assert "M:Y" in names(observe(turns.state, 0).discards)


def test_the_choices_are_the_listed_moves() -> None:
    turns = Turns(PILE, 3)
    turns.play("0 turn", "0 word sun")
    shown = scene(observe(turns.state, 0))
    assert [choice.move for choice in shown.choices] == ["turn", "stop"]
    assert shown.prompt == "choose"
    assert scene(observe(turns.state, 1)).choices == ()


def test_what_is_asked_has_a_name_of_its_own() -> None:
    turns = Turns(PILE, 4, duel="own_clock")
    found = [scene(observe(turns.state, 0)).prompt]
    for line in ("0 turn", "0 word sun", "1 object", "2 agree", "3 disagree", "0 stop", "1 challenge", "2 decline"):
        turns.do(line)
        found.append(scene(observe(turns.state, 0)).prompt)
    turns.play("3 decline", "0 ready", "1 ready")
    found.append(scene(observe(turns.state, 0)).prompt)
    turns.do("0 open")
    found.append(scene(observe(turns.state, 0)).prompt)
    assert found == [
        *("card", "word", "choose", "objection", "objection", "choose", "ask", "ask", "ask", "open", "duel"),
    ]


def test_the_last_card_is_announced() -> None:
    turns = Turns("S:P", 2, deck=2)
    turns.do("0 turn")
    assert scene(observe(turns.state, 0)).prompt == "last"


def test_each_seat_shows_what_it_has_done() -> None:
    turns = Turns(PILE, 3)
    turns.play("0 turn", "0 word sun", "0 stop", "1 challenge", "2 challenge", "1 ready")
    seats = [{fact.name for fact in facts} for facts in scene(observe(turns.state, None)).seats]
    assert seats == [{"cards"}, {"cards", "bet", "ready"}, {"cards", "bet"}]
