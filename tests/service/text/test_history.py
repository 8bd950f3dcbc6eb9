"""Events as lines, and what the end of a set says."""

from __future__ import annotations

import random

from domain import events, table
from domain.events import EVERY_EVENT, Joined, Left, OptionsSet, Over, RowWritten, SeedRevealed
from domain.game import SetEnded
from domain.games import GAMES
from domain.games.callbreak.events import (
    Called,
    CardPlayed,
    DealVoided,
    TrickTaken,
)
from service.text import history, language
from service.text.words import words
from tests.domain.edited_records import eventful
from tests.domain.play import started

TEXTS = language("en")
NAMES = ["Ann", "Bob", "Cat", "Dan"]
RULES = started().state.rules


def said(event: object) -> str | None:
    return history.line(TEXTS, RULES, event, NAMES)


def test_moves_and_tricks_are_told_by_name() -> None:
    assert said(Called(1, 4)) == "Bob called 4"
    assert said(CardPlayed(0, 8)) == "Ann played 10♠"
    assert said(TrickTaken(3, 13)) == "Dan took trick 13"


def test_what_the_clock_did_is_told_as_such() -> None:
    assert said(CardPlayed(2, 51, auto=True)) == "Cat played A♣ (by the clock)"


def test_a_void_deal_says_why_and_shows_the_cards() -> None:
    line = said(DealVoided(((1, "no_court"),), ((1, (0, 8)),)))
    assert line == "Bob: no ace, king or queen (10♠ 2♠)"
    line = said(
        DealVoided(((1, "no_trump"), (1, "no_court"), (3, "four_aces")), ((1, (20, 21)), (3, (12, 25, 38, 51))))
    )
    assert line == "Bob: no trump, no ace, king or queen (10♥ 9♥); Dan: all four aces (A♣ A♦ A♥ A♠)"


def test_whoever_reads_of_himself_reads_a_sentence_too() -> None:
    told = history.line(TEXTS, RULES, DealVoided(((0, "no_trump"),), ((0, (13,)),)), ["You", *NAMES[1:]])
    assert told == "You: no trump (2♥)"


def test_who_joins_is_the_last_seat() -> None:
    assert said(Joined("person:dan")) == "Dan sat down"


def test_options_are_told_as_they_are_typed() -> None:
    assert said(OptionsSet({"target": 100, "redeal": ["no_trump"]})) == "Options: target=100, redeal=no_trump"
    assert said(OptionsSet({})) == "Options: the usual ones"


def test_every_event_of_an_eventful_game_has_a_line_or_is_clockwork() -> None:
    silent = {"table.asked", "table.present"}
    for event in eventful().events:
        line = said(event)
        assert line != history.tag(event), "no words for it"
        if history.tag(event) not in silent | {"table.set_ended", "table.expired"}:
            assert line, history.tag(event)


def test_every_kind_of_event_there_is_has_words() -> None:
    known = set(history.WORDED).union(*(words(slug).events for slug in GAMES))
    assert {history.tag_of(kind) for kind in EVERY_EVENT} - known == set()


def test_the_end_of_a_game_names_the_winners() -> None:
    assert said(Over("target", (1,))) == "The game is over, the target was reached. Winner: Bob"
    assert said(Over("closed", ())) == "The game is over without a winner: it was closed"


def test_every_ending_and_outcome_of_a_game_has_words() -> None:
    endings = {event.ended for event in eventful().events if isinstance(event, Over)}
    outcomes = {event.outcome for event in eventful().events if isinstance(event, SetEnded)}
    assert endings <= set(history.ENDINGS)
    assert outcomes <= {"scored", *words("callbreak").outcomes}


def test_a_set_that_ended_gives_its_scores_the_totals_and_a_fingerprint() -> None:
    sitting = started(redeal="", min_total_calls="0")
    rng = random.Random(1)
    while sitting.state.scored == 0:
        sitting.any_move(rng)
    commit = sitting.commits[-1]
    view = table.observe(sitting.state, None)
    lines = history.result(TEXTS, view, commit.events, RULES, NAMES, bytes(32))
    row = next(event for event in commit.events if isinstance(event, RowWritten))
    assert lines[0].startswith(f"Set 1: Ann {row.values[0]} · Bob {row.values[1]} · ")
    assert lines[1].startswith("Total: Ann ")
    assert lines[-1] == "Fingerprint: aaaaaaaaaaaaaaaaaaaa"
    assert not any(event.seed.hex() in " ".join(lines) for event in commit.events if isinstance(event, SeedRevealed))


def test_a_commit_in_the_middle_of_a_set_has_no_result() -> None:
    sitting = started(redeal="")
    view = table.observe(sitting.state, None)
    assert history.result(TEXTS, view, (Called(0, 3), Left(1)), RULES, NAMES, bytes(32)) == []


def test_a_line_needs_nothing_but_the_stored_event() -> None:
    for event in eventful().events:
        [again] = events.decode(events.encode([event]))
        assert said(again) == said(event)
