from __future__ import annotations

import random

import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domain import table
from domain.commands import CutDeck, Propose
from domain.shuffle import NO_MOVES, Seeded
from domain.table import Row, Table, observe
from service.chat.api import names
from service.chat.api.post import Post
from service.chat.board import paging, show
from service.text import language
from tests.domain.play import Sitting, lobby, started

TEXTS = language()
NAMES = ["Ann", "Bob", "<b>Cleo</b> & co", "Dan"]
BOT = "tabletalk_bot"
modest = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def sitting_after(moves: int, word: str, trump_mode: str = "fixed") -> Sitting:
    sitting = started(word=word, max_sets="2", tie="shared", trump_mode=trump_mode)
    rng = random.Random(word)
    for _ in range(moves):
        if sitting.state.phase == "playing":
            sitting.any_move(rng)
    return sitting


def everything_for(state: Table, seat: int) -> tuple[Post, Post, str, Post]:
    """All that a seat is shown."""
    view, public = observe(state, seat), observe(state, None)
    return (
        show.table(TEXTS, public, NAMES, BOT),
        show.hand(TEXTS, view, NAMES),
        show.peek(TEXTS, view, NAMES),
        paging.score_page(TEXTS, public, NAMES, bytes(32), None),
    )


@modest
@given(st.integers(0, 110), st.integers(0, 10**6).map(str), st.integers(0, 3))
def test_states_that_differ_only_in_what_a_seat_may_not_know_look_the_same_to_it(
    moves: int, word: str, seat: int
) -> None:
    """Cards that lie face down can be read; spectators see names (throneteki/throneteki#5, mtgred/netrunner#6124)."""
    state = sitting_after(moves, word, trump_mode="last_card").state
    if state.set is None:
        return
    for salt in range(3):
        source = Seeded(word.encode().ljust(32, b"x"), bytes([salt]) * 32)
        other = state.rules.guess(state.rules.observe(state.set, seat), source)
        guessed = msgspec.structs.replace(state, set=other, seed=bytes(32), next_seed=bytes(32), digest=NO_MOVES)
        assert everything_for(guessed, seat) == everything_for(state, seat)


@modest
@given(st.integers(0, 110), st.integers(0, 10**6).map(str))
def test_every_message_fits_into_telegrams_limits(moves: int, word: str) -> None:
    """A text is over 4,096 characters (HKUDS/nanobot#694)."""
    sitting = sitting_after(moves, word)
    for seat in range(4):
        *posts, alert, score = everything_for(sitting.state, seat)
        assert len(alert) <= 200
        for post in (*posts, score):
            assert isinstance(post, Post)
            assert 0 < len(post.html) < 4096
            assert sum(map(len, post.rows)) <= 100
            assert "<b>Cleo" not in post.html
            assert "& co" not in post.html.replace("&amp; co", "")


def test_the_one_who_is_asked_and_nobody_else_gets_moves_to_press() -> None:
    state = sitting_after(10, "buttons").state
    [asked] = observe(state, None).waiting
    for seat in range(4):
        labels = [button.text for row in show.hand(TEXTS, observe(state, seat), NAMES).rows for button in row]
        assert len(labels) == (len(state.rules.legal(state.set, seat)) if seat == asked else 0)
    assert all(len(row) <= 5 for row in show.hand(TEXTS, observe(state, asked), NAMES).rows)


def test_a_group_sees_no_move_to_press() -> None:
    state = sitting_after(10, "buttons").state
    labels = [button.text for row in show.table(TEXTS, observe(state, None), NAMES, BOT).rows for button in row]
    assert labels == ["My hand", "Play", "Play in private"]


def test_a_lobby_says_who_sits_what_is_free_and_what_is_special() -> None:
    sitting = lobby(persons=2, seats=2, target="0", max_sets="3")
    sitting.do("person:bob", CutDeck(17))
    post = show.table(TEXTS, observe(sitting.state, None), NAMES[:2], BOT)
    for words in ("1. Ann", "2. Bob ✂", "3. (free)", "4. (free)", "max_sets=3", "2 more to go"):
        assert words in post.html
    assert "17" not in post.html


def test_only_whoever_has_not_agreed_is_asked_to() -> None:
    sitting = sitting_after(5, "vote")
    sitting.do("person:ann", Propose("end"))
    view = observe(sitting.state, None)
    assert "Agreed so far: Ann" in show.table(TEXTS, view, NAMES, BOT).html
    for seat in range(4):
        labels = [b.text for row in show.hand(TEXTS, observe(sitting.state, seat), NAMES).rows for b in row]
        assert ("Agree" in labels) == (seat != 0)


def test_a_game_that_is_over_says_who_won_and_the_sheet() -> None:
    sitting = started(max_sets="1", target="0", tie="shared").steady()
    state = sitting.state
    assert table.observe(state, None).phase == "over"
    post = show.table(TEXTS, observe(state, None), NAMES, BOT)
    assert "Winner: " in post.html
    assert "<pre>" in post.html
    for shown in (post, show.hand(TEXTS, observe(state, 1), NAMES)):
        assert [button.text for row in shown.rows for button in row] == ["Once more"]


def test_of_a_long_game_the_last_rows_are_shown_and_they_fit_into_a_message() -> None:
    view = observe(started(max_sets="1", target="0", tie="shared").steady().state, None)
    long = msgspec.structs.replace(view, rows=tuple(Row(n, (-130, -130, -130, -130), "score") for n in range(300)))
    wide = ["&" * 20] * 4
    assert len(paging.score_page(TEXTS, long, wide, bytes(32), None).html) < 4096
    post = show.table(TEXTS, long, wide, BOT)
    assert len(post.html) < 4096
    assert "the first 240 sets are left out" in post.html
    assert "\n300 " in post.html


def test_whoever_let_the_clock_play_is_named_until_he_plays_himself() -> None:
    state = sitting_after(6, "late").state
    late = msgspec.structs.replace(state.seats[1], expiries=1)
    slow = msgspec.structs.replace(state, seats=(state.seats[0], late, *state.seats[2:]))
    said = "Time was up for Bob: the clock made the move."
    assert said in show.table(TEXTS, observe(slow, None), NAMES, BOT).html
    assert said in show.hand(TEXTS, observe(slow, 3), NAMES).html
    assert said not in show.table(TEXTS, observe(state, None), NAMES, BOT).html


def test_a_result_holds_the_whole_seed_so_that_it_can_be_checked() -> None:
    html = show.result(TEXTS, ["Set 1"], bytes(range(32))).html
    assert f"<code>{bytes(range(32)).hex()}</code>" in html
    assert html.endswith("<i>How to check the deal: /fair</i>")


def test_names_from_right_to_left_stay_in_their_places() -> None:
    state = started(max_sets="1", target="0", tie="shared").steady().state
    owners = [seat.owner for seat in state.seats]
    called = names.shown(TEXTS, state.seats, dict(zip(owners, ("Ann", "محمد", "علي", "דן"), strict=True)))
    assert called == ["Ann", "\u2068محمد\u2069", "\u2068علي\u2069", "\u2068דן\u2069"]
    html = show.table(TEXTS, observe(state, None), called, BOT).html
    sheet = html[html.index("<pre>") : html.index("</pre>")]
    assert "\u2068" not in sheet
    assert [sheet.count(f"\u200e{name}") for name in ("محمد", "علي", "דן")] == [1, 1, 1]
