"""TC-51 to TC-60: the second deck, the last card, the end, and who has won."""

from __future__ import annotations

import pytest

from domain.game import SetEnded, Standing, Verdict
from domain.games.taichi import asking, rules
from domain.games.taichi.deck import card_of, names
from domain.games.taichi.events import Awarded, CardTurned, DuelBegan, PileEmpty, Reshuffled, public_move
from domain.games.taichi.options import Options
from tests.domain.taichi.turns import Turns, awarded, gains


def test_the_discards_become_the_second_deck_right_after_the_last_card_of_the_first() -> None:
    turns = Turns("S:P", 2, discards="T:P E:L")
    facts = turns.do("0 turn")
    assert facts == (CardTurned(0, card_of("S:P")), Reshuffled(2))
    assert (turns.state.deck, turns.state.piled, turns.state.discards) == (2, 2, ())
    assert names(turns.state.open) == ["S:P"]


def test_no_discards_yet_and_it_is_tried_again_when_a_card_is_wanted() -> None:
    turns = Turns("S:P", 3, discards="")
    assert turns.do("0 turn") == (CardTurned(0, card_of("S:P")),)
    turns.play("0 word sun", "0 stop", "1 decline", "2 decline")
    assert turns.state.discards == ()  # he took the only card
    facts = turns.do("1 turn")
    assert [type(fact) for fact in facts] == [PileEmpty, Awarded, SetEnded]
    assert facts[-1] == SetEnded("out_of_cards", (2, 1, 1))


def test_a_card_is_wanted_and_there_are_discards_by_now() -> None:
    turns = Turns("S:P T:Y", 2, discards="")
    turns.play("0 turn", "0 word sun", "0 turn", "0 word site", "0 stop", "1 decline")
    assert names(turns.state.discards) == ["S:P"]
    facts = turns.do("1 turn")
    assert facts == (PileEmpty(1), Reshuffled(1), CardTurned(1, card_of("S:P"), after=True))
    assert turns.state.last
    assert [rules_line for rules_line in map(_line, facts) if rules_line] == ["1 turn"]


def _line(fact: object) -> str | None:
    return public_move(fact)


def test_there_is_nothing_to_turn_in_the_middle_of_a_turn_and_the_active_player_is_paid() -> None:
    turns = Turns("S:P T:P", 2)
    turns.play("0 turn", "0 word sun", "0 turn", "0 word site")
    facts = turns.do("0 turn")
    assert gains(facts) == {0: ["S:P", "T:P"]}
    assert turns.ended == SetEnded("out_of_cards", (3, 1))


def test_a_challenge_needs_a_card_and_there_is_none() -> None:
    turns = Turns("S:P T:P", 3)
    turns.play("0 turn", "0 word sun", "0 turn", "0 word site", "0 stop", "1 challenge")
    facts = turns.do("2 decline")
    assert gains(facts) == {0: ["S:P", "T:P"]}
    assert turns.stack(1) == ["U:P"]  # his bet is back
    assert turns.ended == SetEnded("out_of_cards", (3, 1, 1))


def test_all_decline_and_the_active_player_is_paid_as_usual() -> None:
    turns = Turns("S:P T:P", 2)
    turns.play("0 turn", "0 word sun", "0 turn", "0 word site", "0 stop")
    assert gains(turns.do("1 decline")) == {0: ["T:P"]}
    assert turns.ended is None


def test_the_card_of_a_duel_may_empty_the_first_deck() -> None:
    turns = Turns("S:P T:P", 2, discards="E:L O:Y")
    turns.play("0 turn", "0 word sun", "0 stop", "1 challenge", "0 ready")
    facts = turns.do("1 ready")
    assert facts[1:] == (DuelBegan(card_of("T:P")), Reshuffled(2))


def test_tc_c58_one_card_left_in_deck_2_a_stop_cannot_be_challenged() -> None:
    turns = Turns("S:P T:P", 3, deck=2)
    turns.play("0 turn", "0 word sun")
    facts = turns.do("0 stop")
    assert awarded(facts).why == "unchallenged"
    assert gains(facts) == {0: ["S:P"]}
    assert turns.state.turn == 1
    assert turns.asked() == {"card": (1,)}


def test_the_last_card_with_a_word_takes_a_symbol_and_the_game_is_over() -> None:
    turns = Turns("S:P T:P", 3, deck=2)
    turns.play("0 turn", "0 word sun", "0 turn")
    facts = turns.do("0 word site")
    assert awarded(facts).why == "last_word"
    assert gains(facts) == {0: ["S:P", "T:P"]}
    assert turns.ended == SetEnded("played_out", (3, 1, 1))
    assert asking.to_act(turns.state) == ()


def test_the_last_card_without_a_word_is_rescued_and_the_game_is_over() -> None:
    turns = Turns("S:P", 3, deck=2)
    turns.play("0 turn", "0 no_word", "2 word sun")
    facts = turns.do("1 pass")
    assert gains(facts) == {2: ["S:P"]}
    assert turns.ended == SetEnded("played_out", (1, 1, 2))


def test_a_second_deck_is_not_shuffled_again() -> None:
    turns = Turns("S:P", 2, deck=2, discards="T:P")
    assert len(turns.do("0 turn")) == 1


@pytest.mark.parametrize(
    ("scores", "winning"),
    [((9, 9, 4), (0, 1)), ((9, None, 10), (2,)), ((None, None), ()), ((0, 0), (0, 1))],
)
def test_most_cards_win_and_equal_ones_share_it(scores: tuple[int | None, ...], winning: tuple[int, ...]) -> None:
    standing = Standing(Options(), "played_out", scores, (0,) * len(scores), 1, (False,) * len(scores), None)
    assert rules.after_set(standing) == Verdict("played_out", winning)
