"""CB-30 to CB-37: the play of the cards."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain import cards
from domain.cards import card_of
from domain.game import SetEnded
from domain.games.callbreak import rules
from domain.games.callbreak.events import CardPlayed, TrickTaken
from domain.games.callbreak.moves import PlayCard, notation
from domain.games.callbreak.state import Trick, beats, evolve
from tests.domain.callbreak import rulebook
from tests.domain.callbreak.positions import allowed, called, chosen, dealt, hand, refused, trick_of
from tests.domain.play import started

PACK = [cards.name(card) for card in range(52)]


@pytest.mark.parametrize("dealer", range(4))
def test_cb_30_the_first_caller_leads_the_first_trick(dealer: int) -> None:
    state, _ = called(dealt(dealer=dealer), 3, 3, 3, 3)
    assert state.turn == (dealer + 1) % 4


def test_cb_30_whoever_takes_a_trick_leads_the_next() -> None:
    sitting = started(dealer=0)
    rng = random.Random(3)
    taken: list[object] = []
    sitting.play(lambda: taken.extend(sitting.any_move(rng)), lambda state: state.sets > 3 or bool(state.rows))
    for index, event in enumerate(taken):
        if isinstance(event, TrickTaken) and event.trick < 13:
            following = next(after for after in taken[index:] if isinstance(after, CardPlayed))
            assert following.seat == event.seat


def test_cb_30_a_set_has_thirteen_tricks_and_then_scores() -> None:
    sitting = started(persons=0, max_sets="1", tie="shared").steady()
    assert [event.trick for event in sitting.events if isinstance(event, TrickTaken)] == list(range(1, 14))
    ends = [event for event in sitting.events if isinstance(event, SetEnded) and event.scores]
    assert len(ends) == 1


def test_cb_30_a_card_out_of_turn_is_refused() -> None:
    state, seat = trick_of("3C QC AC", "JC")
    refusal = refused(state, (seat + 1) % 4, "play 3C")
    assert (refusal.code, refusal.clause) == ("not_your_turn", "CB-30")


def test_cb_30_a_card_that_is_not_held_is_refused() -> None:
    state, seat = trick_of("3C QC AC", "JC")
    refusal = refused(state, seat, "play KC")
    assert (refusal.code, refusal.clause, refusal.values) == ("not_held", "CB-30", {"card": "KC"})


def test_cb_31_the_leader_may_play_any_card_trumps_included() -> None:
    assert allowed("2S AH KD 3C", "") == {"2S", "AH", "KD", "3C"}


def test_cb_32_a_player_must_follow_the_suit_led() -> None:
    """Spades could be played by who held the suit led (rawhat/spades#13)."""
    assert allowed("3C 9C 2S AH", "AC") == {"3C", "9C"}
    state, seat = trick_of("3C 9C 2S AH", "AC")
    refusal = refused(state, seat, "play AH")
    assert (refusal.code, refusal.clause) == ("must_follow", "CB-32")
    assert refusal.values == {"cards": ["3C", "9C"], "led": "C", "top": "AC"}


def test_cb_32_a_void_player_must_trump() -> None:
    assert allowed("2S 9S AH", "KD") == {"2S", "9S"}
    state, seat = trick_of("2S 9S AH", "KD")
    refusal = refused(state, seat, "play AH")
    assert (refusal.code, refusal.clause) == ("must_trump", "CB-32")


def test_cb_32_without_the_suit_and_without_trump_any_card_will_do() -> None:
    assert allowed("AH 2C", "7S") == {"AH", "2C"}
    assert allowed("AH 2C", "7D") == {"AH", "2C"}


def test_cb_33_a_card_that_beats_the_winning_one_must_be_played_but_not_the_highest() -> None:
    assert allowed("3C QC AC 5S", "JC") == {"QC", "AC"}
    state, seat = trick_of("3C QC AC 5S", "JC")
    refusal = refused(state, seat, "play 3C")
    assert (refusal.code, refusal.clause, refusal.values["cards"]) == ("must_beat", "CB-33", ["QC", "AC"])


def test_cb_33_the_card_to_beat_is_the_one_now_winning_not_the_last_one() -> None:
    assert allowed("KD TD", "4D QD 9D") == {"KD"}


def test_cb_33_a_discarded_ace_is_nothing_to_beat() -> None:
    assert allowed("9D 3D", "5D AH") == {"9D"}


def test_cb_33_a_trump_must_be_overtrumped() -> None:
    assert allowed("4S JS AH", "KD 7S") == {"JS"}
    state, seat = trick_of("4S JS AH", "KD 7S")
    assert refused(state, seat, "play 4S").code == "must_beat"


def test_cb_33_when_trump_is_led_it_must_be_beaten_too() -> None:
    assert allowed("9S 5S AH", "7S") == {"9S"}


def test_cb_33_must_beat_false_leaves_the_suit_free() -> None:
    assert allowed("3C QC AC 5S", "JC", must_beat=False) == {"3C", "QC", "AC"}


def test_cb_34_who_cannot_beat_is_free_within_the_suit() -> None:
    assert allowed("3C 9C 2S AS", "JC") == {"3C", "9C"}


def test_cb_34_under_a_trump_the_suit_led_is_free() -> None:
    assert allowed("3D AD 9S", "KD 2S") == {"3D", "AD"}


def test_cb_35_undertrumping_is_compulsory() -> None:
    assert allowed("4S 3S AH 2C", "KD 7S") == {"4S", "3S"}
    state, seat = trick_of("4S 3S AH 2C", "KD 7S")
    assert refused(state, seat, "play AH").code == "must_trump"


def test_cb_35_if_beats_asks_for_a_trump_only_when_it_wins() -> None:
    assert allowed("4S 3S AH 2C", "KD 7S", must_trump="if_beats") == {"4S", "3S", "AH", "2C"}
    assert allowed("4S 9S AH 2C", "KD 7S", must_trump="if_beats") == {"9S"}
    assert allowed("4S 9S AH 2C", "KD 7S", must_trump="if_beats", must_beat=False) == {"4S", "9S"}
    assert allowed("4S 9S AH 2C", "KD", must_trump="if_beats") == {"4S", "9S"}


def test_cb_35_never_lets_a_void_player_throw_anything() -> None:
    assert allowed("4S JS AH", "KD", must_trump="never") == {"4S", "JS", "AH"}


def test_cb_35_with_must_beat_false_a_trump_is_still_compulsory() -> None:
    assert allowed("4S JS AH", "KD 7S", must_beat=False) == {"4S", "JS"}


def test_cb_36_the_last_card_is_always_legal() -> None:
    for card in PACK[:51]:
        for wish in ({}, {"must_trump": "if_beats"}, {"must_trump": "never"}, {"must_beat": False}):
            assert allowed(card, "AC", **wish) == {card}


def test_cb_37_the_highest_trump_takes_the_trick_else_the_highest_of_the_suit_led() -> None:
    """Trump did not beat the suit led (OWASP/cornucopia#1350, rbtying/shengji#259, rbtying/shengji#264)."""

    def winner(trick: str, trump: str, leader: int = 0) -> int:
        played = [((leader + index) % 4, card_of(card)) for index, card in enumerate(trick.split())]
        return rules.trick_winner(played, cards.SUITS.index(trump))

    assert winner("5C AH KC AD", "S", leader=3) == 1
    assert winner("AS 2H KS 3H", "H", leader=1) == 0
    assert winner("AS 2S 3S 4S", "S") == 0


def test_cb_37_a_played_trick_says_who_took_it() -> None:
    state, seat = trick_of("3H", "AS 2H KS", trump="H", leader=1)
    assert rules.decide(state, seat, PlayCard(card_of("3H"))) == (CardPlayed(0, card_of("3H")), TrickTaken(0, 1))


@st.composite
def positions(draw: st.DrawFn) -> tuple[list[str], list[str], str, rulebook.Wish]:
    """A hand of up to thirteen cards, up to three cards on the table, a trump and options."""
    suits = draw(st.sampled_from(["SHDC", "SH", "SHD"]))
    pack = draw(st.permutations([card for card in PACK if card[1] in suits]))
    table = draw(st.integers(0, 3))
    held = draw(st.integers(1, 13))
    wish = rulebook.Wish(draw(st.booleans()), draw(st.sampled_from(["always", "if_beats", "never"])))
    return pack[table : table + held], pack[:table], draw(st.sampled_from("SHDC")), wish


@settings(max_examples=300, deadline=None)
@given(position=positions())
def test_legal_plays_are_those_of_the_rule_text(
    position: tuple[list[str], list[str], str, rulebook.Wish],
) -> None:
    held, table, trump, wish = position
    options = {"must_beat": wish.must_beat, "must_trump": wish.must_trump}
    wanted = rulebook.legal(held, table, trump, wish)
    assert allowed(" ".join(held), " ".join(table), trump=trump, **options) == set(wanted)
    assert wanted, "CB-36: never empty while a card is held"


@pytest.mark.parametrize("must_beat", [True, False])
@pytest.mark.parametrize("must_trump", ["always", "if_beats", "never"])
def test_many_random_positions_agree_with_the_rule_text(must_beat: bool, must_trump: str) -> None:
    rng = random.Random(7)
    options = chosen(must_beat=must_beat, must_trump=must_trump)
    wish = rulebook.Wish(must_beat, must_trump)
    for _ in range(1500):
        pack = rng.sample(range(52), rng.randint(4, 16))
        table, held = pack[: rng.randint(0, 3)], pack[3:]
        trump = rng.randrange(4)
        top = table[0] if table else -1
        for card in table[1:]:
            top = card if beats(card, top, trump) else top
        ours = rules.legal_hand(cards.mask(held), table[0] if table else -1, top, trump, options)
        names = [cards.name(card) for card in table]
        wanted = rulebook.legal([cards.name(card) for card in held], names, cards.SUITS[trump], wish)
        assert set(cards.names(ours)) == set(wanted)


@settings(max_examples=200, deadline=None)
@given(pack=st.permutations(PACK), count=st.integers(1, 4), leader=st.integers(0, 3), trump=st.sampled_from("SHDC"))
def test_trick_winners_are_those_of_the_rule_text(pack: list[str], count: int, leader: int, trump: str) -> None:
    """A trick went to the wrong player (UNIZAR-30226-2025-01/guignote-backend#39)."""
    trick = [((leader + index) % 4, card) for index, card in enumerate(pack[:count])]
    ours = rules.trick_winner([(seat, card_of(card)) for seat, card in trick], cards.SUITS.index(trump))
    assert ours == rulebook.winner(trick, trump)
    state, _ = trick_of("2S", " ".join(pack[: min(count, 3)]), trump=trump, leader=leader)
    assert state.winner == rulebook.winner(trick[:3], trump)


def test_a_whole_game_is_judged_as_by_the_rule_text() -> None:
    """Every move of some random games under all rules of play, and the scores at the end of each set."""
    rng = random.Random(11)
    for number in range(6):
        wish = rulebook.Wish(number % 2 == 0, ["always", "if_beats", "never"][number % 3])
        sitting = started(
            word=str(number),
            max_sets="1",
            tie="shared",
            min_total_calls="0",
            must_beat=str(wish.must_beat).lower(),
            must_trump=wish.must_trump,
            trump_mode=["fixed", "last_card"][number % 2],
        )
        while sitting.state.phase == "playing":
            state = sitting.state.set
            if state.called == 4:
                trump = cards.SUITS[state.trump]
                held, table = cards.names(state.hands[state.turn]), [cards.name(card) for card in state.trick]
                ours = {notation(move).removeprefix("play ") for move in rules.legal(state, state.turn)}
                assert ours == set(rulebook.legal(held, table, trump, wish))
                taken = _taken(sitting.state.set.tricks)
            happened = sitting.any_move(rng)
        last = next(event for event in happened if isinstance(event, TrickTaken))
        taken[last.seat] += 1
        assert sum(taken) == 13
        calls = state.calls
        assert sitting.state.totals == tuple(rulebook.score(calls[seat], taken[seat]) for seat in range(4))


def _taken(tricks: tuple[Trick, ...]) -> list[int]:
    return [sum(trick.winner == seat for trick in tricks) for seat in range(4)]


def test_a_hand_is_held_until_it_is_played() -> None:
    state, _ = called(dealt(dealer=0), 3, 3, 3, 3)
    assert state.hands is not None
    before = state.hands[1]
    facts = rules.decide(state, 1, PlayCard(card_of("KS")))
    after = evolve(state, facts[0])
    assert after.hands is not None
    assert after.hands[1] == before & ~hand("KS")
