"""What players of word games found illogical in their dictionaries is judged alike, with a reason that is said."""

from __future__ import annotations

import pytest

from service.words import lexicon, one_family

ENGLISH = lexicon("en")


@pytest.mark.parametrize(("word", "of"), [("cats", "cat"), ("cards", "card"), ("gases", "gas"), ("houses", "house")])
def test_no_plural_in_s_counts_and_the_word_it_is_of_is_named(word: str, of: str) -> None:
    """Some plurals taken and others not is disconcerting (cwackerfuss/reactle#730)."""
    ruling = ENGLISH.rule(word)
    assert (ruling.accepted, ruling.of) == (False, of)
    assert ruling.reason in {"plural", "plural_or_verb_form"}
    assert ENGLISH.rule(of).accepted


@pytest.mark.parametrize("word", ["gas", "bus", "glass", "lens", "species", "news", "scissors", "mathematics"])
def test_a_word_that_only_ends_in_s_is_no_plural(word: str) -> None:
    """A noun in -s is not cut to something else (ozlo/gown#1)."""
    assert ENGLISH.rule(word).accepted


@pytest.mark.parametrize("word", ["texas", "idaho", "ohio", "alaska", "london", "paris", "norway"])
def test_no_name_of_a_place_counts(word: str) -> None:
    """Elsewhere "Texas" yes and "Idaho" no (lynn/hello#112): a dictionary takes all names of places or none."""
    ruling = ENGLISH.rule(word)
    assert (ruling.accepted, ruling.reason) == (False, "proper_noun")


def test_a_plural_is_of_the_right_word_and_is_no_word_of_its_own() -> None:
    """Elsewhere "doses" gave "dos" (nltk/nltk#2567), and plurals such as "things" stayed (yohasebe/lemmatizer#13)."""
    assert [(ENGLISH.rule(word).of, ENGLISH.rule(word).accepted) for word in ("doses", "things")] == [
        ("dose", False),
        ("thing", False),
    ]


def test_another_spelling_is_a_word_and_of_the_same_family_and_not_what_the_usual_one_is_a_form_of() -> None:
    """Elsewhere "instal" was listed as what "install" is a form of (bjascob/LemmInflect#7)."""
    install, instal = ENGLISH.rule("install"), ENGLISH.rule("instal")
    assert (install.accepted, install.of) == (True, "")
    assert one_family(install, instal)


def test_words_that_only_derivation_links_are_no_family() -> None:
    """Elsewhere "genetic" was grouped with "originate" (gutfeeling/word_forms#2)."""
    genetic, originate = ENGLISH.rule("genetic"), ENGLISH.rule("originate")
    assert (genetic.accepted, originate.accepted) == (True, True)
    assert not one_family(genetic, originate)
    assert one_family(ENGLISH.rule("origin"), originate)
