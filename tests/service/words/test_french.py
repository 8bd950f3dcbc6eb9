"""The French dictionary: headwords, why other words are refused, and which words are one family (TC-40, TC-41)."""

from __future__ import annotations

import pytest

from domain.games.taichi import deck as game_deck
from service.words import DATA, fold, lexicon, lists, one_family
from service.words.building import deck, hand, hunspell

OWN_ENTRY = """
cheval chanter finir être avoir heureux beau bel long vieux œil nez voix souris pays cours temps secours
fatigué marié passé content mort ouvert amusant couvert
vacances ciseaux ténèbres obsèques archives maths lunettes gens mœurs
nouvelle cuisinière cafetière bonne reine vache fille vue
le la les un une des du aux je moi lui leur qui dont où quand afin parce dix cent vers chez hélas oui
vraiment souvent hier demain jamais presque
kiwi wagon xylophone yaourt zèbre weekend smartphone selfie emoji podcast streaming télétravail vegan
covoiturage kilomètre gramme watt français lundi dieu lune soleil
"""

REFUSED = {
    "chevaux": ("plural", "cheval"),
    "yeux": ("plural", "œil"),
    "maisons": ("plural", ""),
    "heureuse": ("feminine", "heureux"),
    "heureuses": ("plural", "heureux"),
    "actrice": ("feminine", ""),
    "mange": ("verb_form", ""),
    "mangé": ("verb_form", ""),
    "mangeons": ("verb_form", ""),
    "vont": ("verb_form", ""),
    "furent": ("verb_form", "être"),
    "mangeant": ("verb_form", ""),
    "portes": ("plural_or_verb_form", ""),
    "celles": ("plural", ""),
    "mes": ("plural", ""),
    "France": ("proper_noun", ""),
    "Marseille": ("proper_noun", ""),
    "Nathalie": ("proper_noun", ""),
    "SNCF": ("abbreviation", ""),
    "kg": ("abbreviation", ""),
    "xiv": ("numeral", ""),
    "zxcvb": ("not_in_dictionary", ""),
    "y": ("too_short", ""),
    "arc-en-ciel": ("not_letters", ""),
    "aujourd'hui": ("not_letters", ""),
}
KNOWN_WRONG = {
    ("organe", "organiser"),
    ("note", "notaire"),
    ("ferme", "ferment"),
    ("panier", "panique"),
    ("rose", "rosée"),
}
"""Strangers that are seen as family all the same; harmless, for one says another word."""


@pytest.mark.parametrize("word", OWN_ENTRY.split())
def test_a_word_with_an_entry_of_its_own_is_accepted(word: str) -> None:
    assert lexicon("fr").rule(word).accepted


@pytest.mark.parametrize(("word", "why"), REFUSED.items())
def test_a_refusal_names_its_reason_and_the_word_it_is_a_form_of(word: str, why: tuple[str, str]) -> None:
    ruling = lexicon("fr").rule(word)
    assert (ruling.accepted, ruling.reason) == (False, why[0])
    assert not why[1] or ruling.of == why[1]


def test_accents_and_capitals_do_not_count_and_the_answer_shows_how_the_word_is_written() -> None:
    typed = [lexicon("fr").rule(word) for word in ("école", "ECOLE", "ecole", " École ")]
    assert {(ruling.word, ruling.shown, ruling.accepted) for ruling in typed} == {("ecole", "école", True)}
    assert lexicon("fr").rule("COEUR").shown == "cœur"
    assert lexicon("fr").rule("Ça").word == "ca"


def test_a_word_is_accepted_if_one_of_its_spellings_is_a_headword() -> None:
    # `peche` is a fruit, a sin, or a form of the verbs; `marche` a noun twice and a form.
    assert lexicon("fr").rule("péché").accepted
    assert lexicon("fr").rule("marche").accepted


@pytest.mark.parametrize("line", hand.lines("fr_pairs"), ids=" ".join)
def test_words_of_one_family_are_told_from_strangers(line: list[str]) -> None:
    sign, first, second = line
    judge = lexicon("fr")
    alike = one_family(judge.rule(first), judge.rule(second))
    assert alike is (sign == "=" or (first, second) in KNOWN_WRONG)


def test_a_form_is_of_the_family_of_its_word() -> None:
    judge = lexicon("fr")
    assert one_family(judge.rule("chanteuses"), judge.rule("chanter"))


@pytest.mark.parametrize("name", ["fr_participles", "fr_plural", "fr_own", "fr_function", "fr_recent"])
def test_whatever_stands_in_a_list_of_accepted_words_is_a_headword(name: str) -> None:
    assert {word for word in hand.words(name) if not lexicon("fr").rule(word).accepted} == set()


def test_whatever_stands_in_the_list_of_refused_words_is_refused_for_that_reason() -> None:
    lines = [line for line in hand.lines("fr_refused") if not lexicon("fr").rule(line[0]).accepted]
    assert len(lines) > 140  # some are spelled like another word without accents (`murs`, `surs`)
    reasons = {line[0]: (lexicon("fr").rule(line[0]).reason, line[1]) for line in lines}
    assert {word: pair for word, pair in reasons.items() if pair[1] not in pair[0]} == {}


def test_a_computer_player_has_words_for_every_letter_and_none_that_one_would_not_say() -> None:
    judge = lexicon("fr")
    unsaid = {fold(word) for word in hand.words("fr_unsaid")}
    for letter in "abcdefghijklmnopqrstuvwxyz":
        words = judge.common(letter)
        assert len(words) >= 3, letter
        assert unsaid.isdisjoint(words)
        assert all(word[0] == letter and judge.rule(word).accepted for word in words)
    apple_or_country = judge.common("c").index("canada")
    assert apple_or_country > judge.common("c").index("canal"), "a name is no good example of a headword"


def test_a_slur_is_playable() -> None:
    assert all(lexicon("fr").rule(word).accepted for word in hand.words("fr_unsaid"))


def test_the_shipped_dictionary_is_the_first_version() -> None:
    judge = lexicon("fr")
    assert (judge.name, len(judge)) == ("fr-1", 68_355)


def test_affix_rules_make_the_forms_of_a_stem() -> None:
    # Given two rules of the kind that the dictionary has, and two stems
    rules = hunspell.rules(
        [
            "SFX X. Y 2",
            "SFX X. 0 0/L'D' [ul] is:sg",
            "SFX X. al aux/D' al is:pl",
            "PFX L' 0 l' . dp:le",
        ]
    )
    horse, and_ = hunspell.stems(["2", "cheval/X.() po:nom is:mas", "et po:mg po:cjco"])
    # When their forms are made
    made = [(form.word, set(form.tags)) for form in hunspell.forms(horse, rules)]
    # Then a stem that wants an affix is a word by its rules alone, another as it stands
    assert made == [("cheval", {"is:sg"}), ("chevaux", {"is:pl"})]
    assert [form.word for form in hunspell.forms(and_, rules)] == ["et"]


def test_the_method_of_the_deck_gives_the_english_deck_from_the_english_shares() -> None:
    # Given the shares that the English deck was made from (TC-2)
    told = "e61 a53 i50 r49 t46 n43 o42 l37 s36 c30 u25 d21 p21 m20 y17 h17 g16 b14 f10 v9 w7 k6 x2 z2 q1 j1"
    shares = {part[0]: int(part[1:]) - at / 1000 for at, part in enumerate(told.split())}
    # Then its copies and double cards follow
    assert deck.copies(shares) == {"e": 4, "a": 4} | dict.fromkeys("irtnols", 3) | dict.fromkeys("cudpm", 2)
    assert deck.doubles(shares) == ["bf", "gh", "jy", "kv", "qz", "wx"]


def test_a_spread_of_a_deck_gives_every_symbol_fifteen_cards_and_as_good_a_mean() -> None:
    shares = {letter: (26 - at) / 26 for at, letter in enumerate("eirsantouclmdpghbfvqxyjkzw")}
    piles = deck.spread(shares)
    assert [len(pile) for pile in piles] == [15, 15, 15]
    assert sorted(card for pile in piles for card in pile if len(card) == 2) == deck.doubles(shares)
    means = [sum(deck.weight(card, shares) for card in pile) / 15 for pile in piles]
    assert max(means) - min(means) < 0.01


def test_the_french_deck_of_the_game_is_the_one_that_the_shipped_dictionary_gives() -> None:
    # Given the words of fr-1 that people know
    known = lists.read(DATA / "fr-1.words")
    heads = known.heads.decode("ascii").split("\n")
    shares = deck.shares([heads[number] for number in lists.numbers(known.common)])
    # When its deck is made
    piles = deck.spread(shares)
    # Then it is the game's, with the same order of letters for ties
    made = [
        f"{'/'.join(card.upper())}:{symbol}"
        for pile, symbol in zip(piles, game_deck.SYMBOLS, strict=True)
        for card in pile
    ]
    assert sorted(made) == sorted(game_deck.names(game_deck.PACKS["fr"]))
    assert deck.order(shares) == game_deck.COMMONEST["fr"]
