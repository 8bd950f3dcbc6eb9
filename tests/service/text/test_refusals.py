"""Every refusal has a short sentence with its values, the same whether it comes fresh or out of the store."""

from __future__ import annotations

import msgspec
import pytest

from domain import options
from domain.games import GAMES
from domain.games.callbreak.moves import parse
from domain.rejected import Rejected, malformed
from service.engine import Refused
from service.text import language
from service.text.refusals import SENTENCES, bounds, refusal, sentence_of
from service.text.words import words
from tests.service.text.codes import refusals

TEXTS = language("en")
CALLBREAK = GAMES["callbreak"]


def said(rejected: Rejected) -> str:
    """The sentence, which must be the same for what the engine keeps of the refusal."""
    fresh = refusal(TEXTS, rejected)
    values = msgspec.json.decode(msgspec.json.encode(msgspec.to_builtins(rejected.values)))
    assert refusal(TEXTS, Refused(rejected.code, rejected.kind, rejected.clause, values)) == fresh
    return fresh


def refused_options(given: dict[str, str], preset: str | None = None) -> str:
    with pytest.raises(Rejected) as caught:
        options.read(CALLBREAK, given, preset)
    return said(caught.value)


def test_every_code_that_the_domain_raises_has_a_sentence() -> None:
    assert {"must_beat", "must_follow", "need_4_players", "table_over", "bad_option"} <= refusals()
    assert [code for code in refusals() if not sentence_of(code)] == []


def test_no_sentence_is_left_over_from_a_code_that_nobody_raises() -> None:
    every = set(SENTENCES).union(*(words(slug).refusals for slug in GAMES))
    assert every - refusals() - {"need_more_players"} == set()


def test_a_code_has_one_sentence_whatever_the_game() -> None:
    told: dict[str, str] = dict(SENTENCES)
    for slug in GAMES:
        for code, sentence in words(slug).refusals.items():
            assert told.setdefault(code, sentence) == sentence, f"{slug}: {code}"


def test_sentences_end_as_sentences_do() -> None:
    every = [*SENTENCES.values(), *(text for slug in GAMES for text in words(slug).refusals.values())]
    assert [text for text in every if text[-1] not in ".?"] == []


def test_a_card_that_does_not_beat_is_refused_with_what_would() -> None:
    rejected = Rejected("must_beat", clause="CB-33", cards=["AS", "TH"], led="S", top="JS")
    assert said(rejected) == "You must beat J♠: A♠ 10♥. (CB-33)"


def test_a_suit_that_is_not_held_is_named_by_its_symbol() -> None:
    rejected = Rejected("must_trump", clause="CB-32", cards=["2S"], led="D", top="4D")
    assert said(rejected) == "You have no ♦, so you must play a trump: 2♠. (CB-32)"


def test_a_call_out_of_range_is_refused_with_the_range_in_words() -> None:
    assert said(Rejected("call_out_of_range", clause="CB-21", low=1, high=13)) == (
        "A call is a number from 1 to 13. (CB-21)"
    )


def test_an_ambiguous_card_is_answered_with_the_candidates() -> None:
    assert said(Rejected("which_card", kind="ambiguous", candidates=["QS", "QH"])) == "Which one do you mean: Q♠ or Q♥?"


def test_an_option_that_does_not_exist_is_answered_with_those_that_do() -> None:
    assert refused_options({"colour": "red"}).startswith("There is no option “colour”. There are: trump_mode, ")


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("target", "1", "0 or a number from 50 to 2000"),
        ("must_beat", "perhaps", "on or off"),
        ("fixed_trump", "X", "one of S, H, D, C"),
        ("redeal", "no_jack", "a list, by commas, of four_aces, no_trump, no_court (or none)"),
    ],
)
def test_a_wrong_value_is_refused_with_the_bounds_in_words(name: str, value: str, words: str) -> None:
    assert refused_options({name: value}) == f"The option {name} must be {words}."


def test_every_option_of_every_game_has_its_bounds_in_words() -> None:
    for game in GAMES.values():
        for allowed in options.bounds(game.options).values():
            assert bounds(TEXTS, allowed)


def test_what_somebody_typed_comes_back_short_and_without_control_characters() -> None:
    text = said(malformed("not_a_card", text="\u202ea\x1b[31m\n" + "x" * 500))
    assert len(text) < 160
    assert not {"\u202e", "\x1b", "\n"} & set(text)


def test_braces_in_what_somebody_typed_are_only_characters() -> None:
    assert "{0} {cards}" in said(malformed("not_a_card", text="{0} {cards}"))


def test_an_unknown_code_gets_a_polite_sentence() -> None:
    assert said(Rejected("from_the_future", clause="CB-99", depth=3)) == "That is not possible here. (CB-99)"


def test_a_refusal_kept_by_another_release_with_other_values_gets_a_polite_sentence() -> None:
    assert said(Rejected("must_beat")) == "That is not possible here."


def test_ten_thousand_characters_are_no_move() -> None:
    with pytest.raises(Rejected) as caught:
        parse("x" * 10_000, None)  # type: ignore[arg-type]  # refused before anybody looks at the hand
    assert said(caught.value) == "I cannot read that as a move. Examples: call 4, play QS."
