"""Section 7 at a table of honour: any cut is taken, and what the cards prove is paid at once (CH-60, CH-61, CH-63)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from domain import cards, record
from domain.audit import audit_record
from domain.game import SetEnded
from domain.games.chinchon import CHINCHON, closing, rules
from domain.games.chinchon.events import CutFailed, CutMade, Discarded, DrewStock, HandsOpened, Reshuffled
from domain.games.chinchon.moves import CUTS, Cut
from domain.games.chinchon.scene import scene
from domain.games.chinchon.state import evolve
from domain.games.chinchon.view import observe
from tests.domain.chinchon.positions import (
    COMPLETE,
    LOOSE,
    cut_by,
    hand,
    listed,
    moved,
    refused,
    round_of,
    row,
    standing,
)
from tests.domain.play import started

EIGHT = f"{LOOSE} 3H"
HONOUR: dict[str, Any] = {"enforcement": "honour"}


def test_a_strict_table_refuses_what_a_table_of_honour_takes() -> None:
    strict = round_of(EIGHT, COMPLETE, drew="stock", drawn="3H")
    assert refused(strict, "cut 3H").code == "cannot_cut"
    state, facts = moved(round_of(EIGHT, COMPLETE, drew="stock", drawn="3H", **HONOUR), "cut 3H")
    assert isinstance(facts[0], CutMade)
    assert facts[-1] == SetEnded("invalid_cut", (50, 0))
    assert rules.to_act(state) == ()


@pytest.mark.parametrize("other", [COMPLETE, "2C 3C 4C 5C 6C 7C 8C", "2C 3D 5H 7S 9D JC KH"])
def test_only_who_cut_pays_whatever_the_others_hold(other: str) -> None:
    """CH-61: the round was not validly closed, so neither a complete hand nor a chinchón costs anything."""
    state, ended = cut_by("4H 5H 6H 7H 2S 9D KC", other, **HONOUR)
    assert (ended.outcome, ended.scores) == ("invalid_cut", (50, 0))
    assert state.opened is not None
    assert dict(state.opened.hands)[1] == tuple(sorted(row(other))), "all hands are opened"


def test_own20_is_what_lies_loose_and_twenty() -> None:
    _, ended = cut_by("4H 5H 6H 7H 2S 9D KC", COMPLETE, invalid_cut="own20", **HONOUR)
    assert ended == SetEnded("invalid_cut", (2 + 9 + 10 + 20, 0))


def test_seats_that_are_out_score_nothing() -> None:
    _, ended = cut_by(LOOSE, "", "2C 3D 5H 7S 9D JC KH", **HONOUR)
    assert ended.scores == (50, None, 0)


def test_the_fine_can_end_the_game() -> None:
    """CH-52 after CH-61: 60 and 50 are over the target, and the other has won."""
    now = standing((110, 20), outcome="invalid_cut", scores=(50, 0), **HONOUR)
    verdict = rules.after_set(now)
    assert verdict is not None
    assert (verdict.ended, verdict.winners) == ("target", (1,))
    assert rules.losers(now, verdict.winners) == (0,)


def test_a_valid_cut_is_a_valid_cut() -> None:
    _, ended = cut_by(COMPLETE, LOOSE, **HONOUR)
    assert (ended.outcome, ended.scores) == ("cut", (-10, 50))


def test_not_to_cut_with_a_complete_hand_is_no_offence() -> None:
    """CH-63: its price is the fine of CH-50."""
    state = round_of(f"{COMPLETE} KC", LOOSE, drew="stock", drawn="KC", **HONOUR)
    state, facts = moved(state, "discard KC")
    assert [type(fact) for fact in facts] == [Discarded]
    assert CHINCHON.breaches(state) == ()


@pytest.mark.parametrize(
    ("move", "code"), [("draw stock", "already_drew"), ("discard 9C", "not_your_card"), ("cut 9C", "not_your_card")]
)
def test_what_cannot_happen_at_a_table_is_refused_in_both_modes(move: str, code: str) -> None:
    """CH-60."""
    for mode in ("strict", "honour"):
        assert refused(round_of(EIGHT, COMPLETE, drew="stock", drawn="3H", enforcement=mode), move).code == code


def test_nobody_cuts_in_the_first_lap_where_that_is_the_rule() -> None:
    state = round_of(EIGHT, COMPLETE, drew="stock", drawn="3H", turns=1, no_cut_first_lap=True, **HONOUR)
    assert refused(state, "cut 3H").code == "no_cut_first_lap"


@pytest.mark.parametrize("held", [EIGHT, f"{COMPLETE} KC"])
def test_the_buttons_are_alike_for_all_cards_and_nothing_hints(held: str) -> None:
    """A hand that may cut looks like one that may not: no list, no result, no points, no melds laid apart."""
    state = round_of(held, LOOSE if held != EIGHT else COMPLETE, drew="stock", drawn=held.split()[-1], **HONOUR)
    assert {move for move in listed(state) if move.startswith("cut")} == {f"cut {card}" for card in held.split()}
    seen = observe(state, 0)
    assert (seen.cuts, seen.loose) == ((), None)
    shown = scene(seen)
    for kind in ("discard", "cut_any"):
        buttons = [choice for choice in shown.choices if choice.kind == kind]
        assert sorted(choice.value for choice in buttons) == sorted(held.split())
        assert {choice.note for choice in buttons} == {""}
    assert "loose" not in {fact.name for fact in shown.facts}
    zone = next(zone for zone in shown.zones if zone.name == "hand")
    suits = [cards.SUITS.index(placed.card[1]) for placed in zone.cards]
    assert suits == sorted(suits), "by suits, not by melds"
    assert [at for at in range(len(suits)) if not at or suits[at] != suits[at - 1]] == list(zone.groups)


def test_the_clock_cuts_with_a_chinchon_and_else_never() -> None:
    """CH-70 holds here too: the clock commits no offence."""
    state = round_of(EIGHT, COMPLETE, drew="stock", drawn="3H", **HONOUR)
    assert CHINCHON.timeout(state, 0) == CHINCHON.read("discard 3H")
    winning = round_of("2C 3C 4C 5C 6C 7C 8C KD", COMPLETE, drew="stock", drawn="KD", **HONOUR)
    assert CHINCHON.timeout(winning, 0) == CUTS[cards.card_of("KD")]


def test_a_computer_player_cuts_only_as_the_rules_allow() -> None:
    for held, cuts in ((EIGHT, False), (f"{COMPLETE} KC", True)):
        state = round_of(held, LOOSE if cuts else COMPLETE, drew="stock", drawn=held.split()[-1], **HONOUR)
        move = CHINCHON.player("steady", observe(state, 0))
        assert isinstance(move, Cut) == cuts
        assert not cuts or move.card in closing.cuts(state)


# invalid_cut=play_on


PLAY_ON: dict[str, Any] = {**HONOUR, "invalid_cut": "play_on"}


def test_the_card_is_discarded_the_hand_lies_open_and_the_next_player_goes_on() -> None:
    state, facts = moved(round_of(EIGHT, COMPLETE, drew="stock", drawn="3H", **PLAY_ON), "cut 3H")
    assert facts == (CutFailed(0, cards.card_of("3H"), cards.cards(hand(LOOSE))),)
    assert (state.turn, state.pile[-1], state.exposed) == (1, cards.card_of("3H"), (0,))
    for looks in (1, None):
        zone = next(zone for zone in scene(observe(state, looks)).zones if zone.name == "exposed")
        assert (zone.owner, {placed.card for placed in zone.cards}) == (0, set(LOOSE.split()))
        assert "known" not in {zone.name for zone in scene(observe(state, looks)).zones}


@pytest.mark.parametrize("history", ["on", "top_only"])
def test_the_hand_stays_open_with_what_it_draws_and_sheds(history: str) -> None:
    state = round_of(EIGHT, COMPLETE, drew="stock", drawn="3H", pile_history=history, **PLAY_ON)
    state, _ = moved(state, "cut 3H", "draw stock", "discard 9S")
    after, facts = moved(state, "draw stock")
    card = after.drawn
    assert facts == (DrewStock(0, False, card),), "it comes into an open hand"
    assert dict(observe(after, 1).exposed)[0] == cards.cards(hand(LOOSE) | 1 << card)
    later, _ = moved(after, "discard KC")
    assert dict(observe(later, 1).exposed)[0] == cards.cards(hand(LOOSE) & ~hand("KC") | 1 << card)
    public = msgspec.structs.replace(state, hands=None, stock=None)
    told = evolve(evolve(public, facts[0]), Discarded(0, cards.card_of("KC")))
    assert observe(told, None) == observe(later, None), "whoever has no key sees the same"


class _Order:
    """A source that leaves everything in its order."""

    def order(self, label: str, items: Sequence[int]) -> tuple[int, ...]:
        return tuple(items)


def test_a_hand_that_lies_open_can_still_cut_well() -> None:
    state = round_of("5S 5H 5D 8S 8H KD QC 2C", LOOSE, drew="stock", drawn="2C", stock="JC 8D 9C", **PLAY_ON)
    state, _ = moved(state, "cut 2C", "draw stock", "discard JC", "draw stock")
    _, facts = moved(state, "cut KD")
    assert isinstance(facts[1], HandsOpened)
    assert facts[-1] == SetEnded("cut", (10, 50))


def test_the_stock_and_the_last_turn_are_as_after_any_discard() -> None:
    _, facts = moved(
        round_of(EIGHT, COMPLETE, drew="stock", drawn="3H", stock="", **PLAY_ON), "cut 3H", source=_Order()
    )
    assert [type(fact) for fact in facts] == [CutFailed, Reshuffled]
    last = round_of(EIGHT, COMPLETE, drew="stock", drawn="3H", turns=119, **PLAY_ON)
    _, facts = moved(last, "cut 3H")
    assert facts[1:] == (SetEnded("dead"),)


def test_an_account_tells_each_invalid_cut_with_a_card_that_lay_loose() -> None:
    state, _ = moved(round_of(EIGHT, COMPLETE, drew="stock", drawn="3H", **PLAY_ON), "cut 3H")
    (breach,) = CHINCHON.breaches(state)
    assert (breach.seat, breach.what, breach.move, breach.settled) == (0, "invalid_cut", "cut 3H", True)
    assert cards.name(breach.card) == "KC"
    ended, _ = cut_by("4H 5H 6H 7H 2S 9D KC", COMPLETE, **HONOUR)
    assert [(one.seat, one.what, cards.name(one.card)) for one in CHINCHON.breaches(ended)] == [
        (0, "invalid_cut", "KC")
    ]


def test_the_fine_can_throw_a_player_out_of_an_elimination() -> None:
    now = standing((20, 105, 40), outcome="invalid_cut", scores=(0, 50, 0), cutter=1, end_mode="elimination", **HONOUR)
    assert rules.after_set(now) is None
    assert rules.next_deal(now).playing == (0, 2)
    assert rules.losers(now, ()) == (1,)


# Records


def _record() -> dict[str, Any]:
    """A game of which the first round ends with an invalid cut of seat 1."""
    sitting = started("chinchon", "audited", seats=2, target="20", **HONOUR)
    while sitting.state.phase == "playing":
        held = sitting.state.set
        cheats = sitting.asked() == 1 and held.drew and held.drawn not in closing.cuts(held)
        sitting.move(CUTS[held.drawn] if cheats else CHINCHON.timeout(held, sitting.asked()))
    return record.record(sitting.events)


def test_a_record_of_an_invalid_cut_is_right_and_says_so_in_its_outcome() -> None:
    told = _record()
    assert [(one["outcome"], one["scores"]) for one in told["sets"]] == [("invalid_cut", [0, 50])]
    assert (told["ended"], told["winners"]) == ("target", [0])
    assert audit_record(record.write(told)) is None


@pytest.mark.parametrize(
    ("key", "value", "code", "clause"),
    [
        ("scores", [0, 0], "wrong_scores", "CH-50"),
        ("scores", [20, 50], "wrong_scores", "CH-50"),
        ("outcome", "cut", "wrong_outcome", "CH-61"),
        ("outcome", "dead", "wrong_outcome", "CH-61"),
    ],
)
def test_a_record_that_lets_it_pass_is_wrong(key: str, value: Any, code: str, clause: str) -> None:
    told = _record()
    told["sets"][0][key] = value
    found = audit_record(record.write(told))
    assert found is not None
    assert (found.code, found.clause, found.set) == (code, clause, 1)


def test_a_strict_tables_record_with_such_a_cut_is_wrong_at_the_cut() -> None:
    told = _record()
    told["options"]["enforcement"] = "strict"
    found = audit_record(record.write(told))
    assert found is not None
    assert (found.code, found.clause, found.move) == ("cannot_cut", "CH-40", len(told["sets"][0]["moves"]))
