"""What every shipped dictionary keeps, whatever its language: whole, quick, and a reason for every refused form."""

from __future__ import annotations

import time
import timeit

import pytest

from service.words import DATA, LANGUAGES, Dictionary, lexicon, lists, one_family

EVERY = pytest.mark.parametrize("language", list(LANGUAGES))


@EVERY
def test_headwords_are_folded_sorted_and_accepted(language: str) -> None:
    words = lists.read(DATA / f"{LANGUAGES[language]}.words").heads.decode().split("\n")
    judge = lexicon(language)
    assert words == sorted(set(words))
    assert all(word.isascii() and word.isalpha() and word.islower() and len(word) > 1 for word in words)
    assert all(word in judge for word in words)
    assert all(judge.rule(word).accepted for word in words[::97])


@EVERY
def test_every_refused_form_is_found_with_its_reason_and_is_no_headword(language: str) -> None:
    read = lists.read(DATA / f"{LANGUAGES[language]}.words")
    judge = lexicon(language)
    forms = [line.split(" ", 1)[0] for line in read.forms.decode().split("\n")]
    assert forms == sorted(set(forms))
    assert [form for form in forms if form in judge] == []
    for form in [forms[0], *forms[::211], forms[-1]]:
        ruling = judge.rule(form)
        assert not ruling.accepted
        assert ruling.reason in lists.REASONS.values()


@EVERY
def test_the_name_in_the_file_is_the_files_name(language: str) -> None:
    assert lexicon(language).name == LANGUAGES[language]


@EVERY
def test_it_loads_in_a_tenth_of_a_second(language: str) -> None:
    path = DATA / f"{LANGUAGES[language]}.words"
    assert min(timeit.repeat(lambda: Dictionary.load(path), timer=time.process_time, number=1, repeat=5)) < 0.1


@EVERY
def test_looking_up_takes_a_microsecond_and_comparing_two_words_five(language: str) -> None:
    judge = lexicon(language)
    first, second = judge.common("s")[:2]
    assert min(timeit.repeat(lambda: first in judge, number=10_000, repeat=5)) < 0.010
    both = min(timeit.repeat(lambda: one_family(judge.rule(first), judge.rule(second)), number=2_000, repeat=5))
    assert both < 0.010


def test_a_language_without_a_dictionary_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        lexicon("xx")


@EVERY
def test_the_licences_of_what_a_dictionary_holds_are_beside_it(language: str) -> None:
    assert len((DATA / f"{LANGUAGES[language]}.LICENSE.txt").read_text(encoding="utf-8")) > 500
