"""The English dictionary: which words it takes, why it refuses others, which are one family (TC-40 to TC-42)."""

from __future__ import annotations

from pathlib import Path

import pytest

from domain.game import Lexicon
from service.words import lexicon, one_family
from service.words.building import hand

HERE = Path(__file__).parent
ENGLISH = lexicon("en")


def lines(name: str) -> list[str]:
    text = (HERE / f"{name}.txt").read_text(encoding="utf-8")
    return [line for line in text.splitlines() if not line.startswith("#")]


def same_family(first: str, second: str) -> bool:
    return one_family(ENGLISH.rule(first), ENGLISH.rule(second))


def test_it_is_the_lexicon_that_games_ask() -> None:
    asked: Lexicon = ENGLISH
    assert asked.name == "en-1"


@pytest.mark.parametrize("line", lines("tricky"), ids=lambda line: line.split()[0])
def test_tricky_words_are_judged_right(line: str) -> None:
    word, verdict, why = line.split(maxsplit=2)
    assert ENGLISH.rule(word).accepted is (verdict == "Y"), why


@pytest.mark.parametrize(
    ("case", "word", "accepted"),
    [
        ("TC-C19", "mice", False),
        ("TC-C20", "runs", False),
        ("TC-C21", "running", False),
        ("TC-C22", "ran", False),
        ("TC-C23", "building", True),
        ("TC-C25", "scissors", True),
        ("TC-C26", "paris", False),
        ("TC-C28", "the", True),
        ("TC-C31", "larger", False),
    ],
)
def test_worked_cases_of_words(case: str, word: str, accepted: bool) -> None:
    assert ENGLISH.rule(word).accepted is accepted, case


@pytest.mark.parametrize(
    ("case", "first", "second", "same"),
    [
        ("TC-C35", "satellite", "satisfactory", False),
        ("TC-C36", "south", "southern", True),
        ("TC-C38", "nation", "nationality", True),
        ("TC-C39", "state", "station", False),
    ],
)
def test_worked_cases_of_families(case: str, first: str, second: str, same: bool) -> None:
    assert same_family(first, second) is same, case


@pytest.mark.parametrize(
    ("word", "reason", "of"),
    [
        ("mice", "plural", "mouse"),
        ("houses", "plural_or_verb_form", "house"),
        ("runs", "plural_or_verb_form", "run"),
        ("went", "verb_form", "go"),
        ("swimming", "verb_form", "swim"),
        ("crowned", "verb_form", "crown"),
        ("biggest", "comparative", "big"),
        ("selfies", "plural_or_verb_form", "selfie"),
        ("doses", "plural_or_verb_form", "dose"),
        ("things", "plural", "thing"),
        ("england", "proper_noun", ""),
        ("emma", "proper_noun", ""),
        ("sunday", "proper_noun", ""),
        ("nato", "abbreviation", ""),
        ("kg", "abbreviation", ""),
        ("xiv", "numeral", ""),
        ("riden", "not_in_dictionary", ""),
        ("a", "too_short", ""),
        ("don't", "not_letters", ""),
        ("ice cream", "not_letters", ""),
        ("", "not_letters", ""),
        ("слово", "not_letters", ""),
        ("r2d2", "not_letters", ""),
    ],
)
def test_a_refusal_says_why(word: str, reason: str, of: str) -> None:
    ruling = ENGLISH.rule(word)
    assert (ruling.accepted, ruling.reason, ruling.of) == (False, reason, of)


@pytest.mark.parametrize("word", ["Satellite", "SATELLITE", " satellite ", "sätellíte", "ｓatellite"])
def test_capitals_accents_and_spaces_around_do_not_count(word: str) -> None:
    ruling = ENGLISH.rule(word)
    assert (ruling.accepted, ruling.word) == (True, "satellite")


def test_the_reason_says_what_the_lenient_option_lets_through() -> None:
    assert ENGLISH.rule("swam").reason == "verb_form"
    assert ENGLISH.rule("runs").reason == "plural_or_verb_form"
    assert ENGLISH.rule("Norway").reason == "proper_noun"


def test_a_form_is_of_the_family_of_the_word_that_it_is_a_form_of() -> None:
    assert same_family("swam", "swimmer")
    assert not same_family("swam", "swan")


@pytest.mark.parametrize("line", lines("english_pairs"))
def test_families(line: str) -> None:
    first, kin, second = line.split()
    assert ENGLISH.rule(first).accepted
    assert ENGLISH.rule(second).accepted
    assert same_family(first, second) is (kin == "=")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("sign", "signal"),
        ("create", "creature"),
        ("organ", "organize"),
        ("universe", "university"),
        ("import", "important"),
        ("genetic", "originate"),
    ],
)
def test_what_only_looks_like_a_family_is_none(first: str, second: str) -> None:
    assert not same_family(first, second)


def test_no_word_that_the_builder_keeps_apart_is_a_family() -> None:
    joined = []
    for line in hand.lines("en_apart"):
        sides = [side.split() for side in " ".join(line).split("|")]
        for index, side in enumerate(sides):
            others = [word for other in sides[index + 1 :] for word in other if word not in side]
            joined += [
                (one, other)
                for one in side
                for other in others
                if one in ENGLISH and other in ENGLISH and same_family(one, other)
            ]
    assert joined == []


def test_recent_words_of_everyday_are_known() -> None:
    recent = hand.words("en_recent")
    assert len(recent) >= 300
    assert {word for word in recent if word not in ENGLISH} == set()
    asked = ["offline", "hashtag", "smartphone", "podcast", "selfie", "emoji", "blog", "website", "online", "email"]
    assert [word for word in asked if word not in ENGLISH] == []


def test_function_words_are_known() -> None:
    assert [word for word in hand.words("en_function") if len(word) > 1 and word not in ENGLISH] == []


def test_a_computer_player_has_words_for_every_letter_and_no_slur() -> None:
    by_letter = {letter: ENGLISH.common(letter) for letter in "abcdefghijklmnopqrstuvwxyz"}
    assert all(word.startswith(letter) and word in ENGLISH for letter, words in by_letter.items() for word in words)
    assert sum(map(len, by_letter.values())) > 15_000
    assert [letter for letter, words in by_letter.items() if len(words) < 4] == []
    assert by_letter["s"][:1] == ("she",)
    unsaid = hand.words("en_unsaid")
    assert [word for words in by_letter.values() for word in words if word in unsaid] == []
    assert "bitch" in ENGLISH
