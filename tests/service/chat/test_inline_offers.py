from __future__ import annotations

import random

import msgspec
import pytest

from domain.game import Game
from domain.games import GAMES
from domain.shuffle import NO_MOVES, Seeded
from domain.table import Table
from service.chat.api import tokens
from service.chat.api.tokens import MoveToken
from service.chat.hands import inline
from service.text import cards, language
from tests.domain.play import SHORT, Sitting, started

TEXTS = language("en")
BOT = "tabletalk_bot"
NAMES = ["Ann", "Bob", "Cleo", "Dan", "Eve", "Fay", "Gus", "Hal"]


def offers(state: Table, seat: int, text: str = "") -> list[inline.Offer]:
    return inline.offers(TEXTS, TEXTS, state, seat, NAMES[: len(state.seats)], BOT, text)


def moves(found: list[inline.Offer]) -> list[str]:
    """What can be played of it, in notation."""
    read = [tokens.linked(offer.id) for offer in found]
    return [token.move for token in read if isinstance(token, MoveToken)]


def asked(state: Table) -> list[int]:
    return [seat for ask in state.rules.to_act(state.set) for seat in ask.seats]


@pytest.fixture(params=sorted(GAMES))
def sitting(request: pytest.FixtureRequest) -> Sitting:
    return started(request.param, "inline", **SHORT.get(request.param, {}))


def along(sitting: Sitting, most: int = 120) -> list[Table]:
    """States of a game that is played at random."""
    rng, states = random.Random("inline"), []
    for _ in range(most):
        if sitting.state.phase == "playing":
            states.append(sitting.state)
            sitting.any_move(rng)
    return states


def test_every_legal_move_that_fits_is_on_offer_and_none_that_gives_the_game_up(sitting: Sitting) -> None:
    for state in along(sitting):
        rules: Game = state.rules
        if rules.alone is not None and rules.alone(state.set):
            continue
        for seat in asked(state):
            legal = {rules.notation(move) for move in rules.legal(state.set, seat) if move not in rules.gives_up}
            found = offers(state, seat)
            assert len(found) <= inline.MOST
            assert set(moves(found)) <= legal
            assert set(moves(found)) == legal or len(legal) > inline.MOST
            assert len({offer.id for offer in found}) == len(found)
            assert all(1 <= len(offer.id.encode()) <= 64 for offer in found)


def test_what_a_tap_sends_says_one_move_and_its_link_the_same(sitting: Sitting) -> None:
    for state in along(sitting):
        for seat in asked(state):
            for offer in offers(state, seat):
                token = tokens.linked(offer.id)
                if isinstance(token, MoveToken):
                    assert tokens.linked(offer.html.partition("?start=")[2].partition('"')[0]) == token
                    assert offer.html.endswith(f"▶ {cards.move(language(), token.move).replace('_', ' ')}</a>")


def test_cards_that_cannot_be_played_all_send_the_same_words(sitting: Sitting) -> None:
    sent = set()
    for state in along(sitting):
        for seat in range(len(state.seats)):
            sent |= {offer.html for offer in offers(state, seat) if offer.id.startswith("n:")}
    assert len(sent) <= 1
    assert not any("start=" in html for html in sent)


def test_nothing_on_offer_tells_of_another_hand(sitting: Sitting) -> None:
    for number, state in enumerate(along(sitting, 40)):
        for seat in range(len(state.seats)):
            source = Seeded(bytes([number]) * 32, NO_MOVES)
            other = state.rules.guess(state.rules.observe(state.set, seat), source)
            assert offers(msgspec.structs.replace(state, set=other), seat) == offers(state, seat)


def test_an_answer_that_nobody_may_see_yet_is_not_on_offer() -> None:
    """Tai Chi Chuan's duels by one's own clock: who answers in the group has told everybody."""
    rules = GAMES["taichi"]
    assert rules.alone is not None
    alone = rules.alone
    for number in range(20):
        sitting = started("taichi", f"duel {number}", duel="own_clock")
        sitting.steady(lambda state: alone(state.set))
        if sitting.state.phase == "playing":
            break
    state = sitting.state
    assert state.phase == "playing"
    sitting.moves("open")
    for after in (state, sitting.state):
        for seat in asked(after):
            assert moves(offers(after, seat)) == []
            assert moves(offers(after, seat, "word satellite")) == []


def test_a_word_that_is_typed_is_on_offer_alone_where_one_is_wanted() -> None:
    sitting = started("taichi", "word")
    sitting.moves("turn")
    [seat] = asked(sitting.state)
    [offer] = offers(sitting.state, seat, "Café")
    assert moves([offer]) == ["word cafe"]
    assert moves(offers(sitting.state, seat, "")) == ["no_word"]
    assert moves(offers(sitting.state, seat, "two words")) == ["no_word"]
    long = msgspec.structs.replace(sitting.state, id="abcdefghjk-123456789")
    assert moves(offers(long, seat, f"word {'a' * 40}")) == [], "too long for a link: a word for a command"
