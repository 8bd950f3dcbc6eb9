"""The laws that every game keeps, on random games with random options; the example of a sixth game keeps them too."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any

import msgspec
import msgspec.inspect
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from domain import cards, events, options, table
from domain.commands import Leave, Move
from domain.decide import decide, legal
from domain.game import CLAUSES, Brought, Game, Rejected, SetEnded, asked
from domain.games import GAMES
from domain.shuffle import NO_MOVES, Seeded
from tests.domain.high_card import HIGH_CARD
from tests.domain.play import SHORT, Sitting, started
from tests.domain.sixth import registered

modest = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
every_game = pytest.mark.parametrize("game", [*GAMES, HIGH_CARD.slug])
words = st.integers(0, 10**6).map(str)


@pytest.fixture(autouse=True, scope="module")
def _sixth() -> Iterator[None]:
    with registered():
        yield


@st.composite
def option_texts(draw: st.DrawFn, game: str) -> dict[str, Any]:
    """Some options of a game as texts, each within its bounds; together they may be refused."""
    found: dict[str, Any] = {}
    for name, allowed in options.bounds(GAMES[game].options).items():
        if not draw(st.integers(0, 2)):
            match allowed.kind:
                case "flag":
                    found[name] = draw(st.sampled_from(["true", "false"]))
                case "integer":
                    found[name] = str(draw(st.one_of(st.integers(allowed.low, allowed.high))))
                case "one_of":
                    found[name] = draw(st.sampled_from(allowed.values))
                case "list_of":
                    found[name] = ",".join(draw(st.lists(st.sampled_from(allowed.values), unique=True)))
    return found


@st.composite
def sittings(draw: st.DrawFn, game: str) -> Sitting:
    """A table in the middle of a random game with random options that are on offer."""
    rules = GAMES[game]
    texts: dict[str, Any] = {}
    few = SHORT.get(game, {}) if draw(st.booleans()) else {}
    for name, text in draw(option_texts(game)).items():
        try:
            options.read(rules, {**texts, name: text, **few})
        except Rejected:
            continue  # not on offer, or not with the others
        texts[name] = text
    sitting = started(game, draw(words), seats=draw(st.integers(*rules.seats)), **{**texts, **few})
    rng = random.Random(draw(st.integers(0, 10**6)))
    absences = draw(st.booleans())
    for _ in range(draw(st.integers(0, 100))):
        if sitting.state.phase != "playing":
            break
        if not absences or not _absence(sitting, rng):
            sitting.any_move(rng)
    return sitting


def _absence(sitting: Sitting, rng: random.Random) -> bool:
    """Now and then somebody lets his time pass, or leaves."""
    chance = rng.random()
    if chance < 0.1 and any(decision.seconds is not None for decision in sitting.state.decisions):
        sitting.expire()
        return True
    here = [seat.owner for seat in sitting.state.seats if not seat.left]
    if chance < 0.12 and here:
        sitting.do(rng.choice(here), Leave())
        return True
    return False


def _seats(sitting: Sitting) -> range:
    return range(len(sitting.state.seats))


def _asked(sitting: Sitting) -> set[int]:
    if sitting.state.phase != "playing":
        return set()
    return {seat for ask in sitting.state.rules.to_act(sitting.state.set) for seat in ask.seats}


def _every_move(sitting: Sitting, rng: random.Random) -> list[Any]:
    """Moves of all sorts, legal or not: what the notation can say of numbers, cards and pairs of them."""
    rules = sitting.state.rules
    names = [rules.card_name(card) for card in cards.PACK]
    some = rng.sample(names, 4)
    arguments = ["", *names, *map(str, (*range(16), 99, 1000)), *(f"{a} {b}" for a in some for b in some)]
    found = []
    for word in rules.examples:
        for argument in (*arguments, *(line.partition(" ")[2] for line in rules.examples.values())):
            try:
                found.append(rules.read(f"{word} {argument}".strip()))
            except Rejected:
                continue  # no move of this game
    return found


@every_game
@modest
@given(data=st.data())
def test_decide_accepts_exactly_what_legal_lists(game: str, data: st.DataObject) -> None:
    """The buttons allowed a card that the rules did not (freeboardgames/FreeBoardGames.org#2015)."""
    sitting = data.draw(sittings(game))
    for seat in _seats(sitting):
        listed = legal(sitting.state, seat)
        assert len(set(listed)) == len(listed)
        open_ended = sitting.state.rules.open_ended
        others = {move for move in _every_move(sitting, random.Random(seat)) if not open_ended(move)}
        assert not any(map(open_ended, listed))
        for move in {*listed, *others}:
            command = sitting.command(sitting.state.seats[seat].owner, Move(move), seat)
            if move in listed:
                assert decide(sitting.state, command)
            else:
                with pytest.raises(Rejected) as refusal:
                    decide(sitting.state, command)
                assert str(refusal.value) == refusal.value.code
                assert re.fullmatch("[a-z_]+", refusal.value.code)


@every_game
@modest
@given(data=st.data(), choice=words)
def test_a_refusal_that_may_be_said_before_everybody_tells_of_no_hand(
    game: str, data: st.DataObject, choice: str
) -> None:
    """Whoever held other cards, as far as the others know, would be told the same."""
    sitting = data.draw(sittings(game))
    state, rules = sitting.state, sitting.state.rules
    if state.phase != "playing":
        return
    elsewhere = rules.guess(rules.observe(state.set, None), Seeded(choice.encode(), NO_MOVES))
    for seat in _asked(sitting):
        for move in _every_move(sitting, random.Random(seat)):
            said = [_code(rules, found, seat, move) for found in (state.set, elsewhere)]
            if set(said) & rules.open_refusals:
                assert said[0] == said[1], f"{rules.notation(move)}: {said}"


def _code(rules: Game, state: Any, seat: int, move: Any) -> str:
    try:
        rules.decide(state, seat, move, Brought(source=Seeded(b"whichever", NO_MOVES)))
    except Rejected as refusal:
        return refusal.code
    return ""


@every_game
@modest
@given(data=st.data())
def test_only_whoever_is_asked_can_move_and_somebody_is_until_the_end(game: str, data: st.DataObject) -> None:
    sitting = data.draw(sittings(game))
    can = {seat for seat in _seats(sitting) if legal(sitting.state, seat)}
    assert can == _asked(sitting)
    assert bool(can) == (sitting.state.phase == "playing")
    for decision in sitting.state.decisions:
        assert set(decision.seats) & can
    for seat in can:
        found = table.decision_of(sitting.state, seat)
        ask = asked(sitting.state.rules.to_act(sitting.state.set), seat)
        assert found is not None
        assert ask is not None
        assert found.key == ask.key


@every_game
@modest
@given(word=words, choice=st.integers(0, 10**6))
def test_random_play_ends(game: str, word: str, choice: int) -> None:
    rng = random.Random(choice)
    seats = rng.randint(*GAMES[game].seats)
    sitting = started(game, word, seats=seats, **SHORT.get(game, {})).random(rng)
    assert sitting.state.phase == "over"
    assert sitting.state.ended is not None
    assert sitting.state.decisions == ()
    assert not any(legal(sitting.state, seat) for seat in _seats(sitting))


@every_game
def test_computer_players_play_legally_to_the_end(game: str) -> None:
    for word in ("a", "b", "c"):
        for seats in range(GAMES[game].seats[0], GAMES[game].seats[1] + 1):
            sitting = started(game, word, persons=0, seats=seats, **SHORT.get(game, {})).steady()
            assert sitting.state.phase == "over"
            assert sitting.state.ended != "closed"


@every_game
@modest
@given(data=st.data())
def test_stored_events_fold_to_the_same_state_with_the_key(game: str, data: st.DataObject) -> None:
    sitting = data.draw(sittings(game))
    state = None
    for commit in sitting.commits:
        stored = events.encode(commit.events)
        assert events.decode(stored) == commit.events
        assert events.encode(events.decode(stored)) == stored
        state = table.fold(sitting.name, state, events.decode(stored), sitting.unseal)
    assert state == sitting.state


@every_game
@modest
@given(data=st.data())
def test_without_the_key_the_fold_stops_at_what_everybody_may_see(game: str, data: st.DataObject) -> None:
    sitting = data.draw(sittings(game))
    keyed, public = None, None
    for commit in sitting.commits:
        keyed = table.fold(sitting.name, keyed, commit.events, sitting.unseal)
        public = table.fold(sitting.name, public, commit.events)
        assert keyed is not None
        assert public is not None
        assert public.seed is None
        assert public.next_seed is None
        assert _bytes(table.observe(public, None)) == _bytes(table.observe(keyed, None))


@every_game
@modest
@given(data=st.data())
def test_the_same_seeds_and_moves_give_the_same_game_byte_for_byte(game: str, data: st.DataObject) -> None:
    sitting = data.draw(sittings(game))
    again = Sitting(sitting.word)
    again.fresh()
    first, *rest = sitting.commits
    again.apply(first)
    for commit in rest:
        line = next((x for x in map(sitting.state.rules.public_move, _game_events(game, commit.events)) if x), None)
        if line is None or commit.actor == "clock":
            again.fresh()
            again.apply(commit)
        else:
            seat, _, notation = line.partition(" ")
            again.time = commit.time
            again.move(sitting.state.rules.read(notation), int(seat))
            assert events.encode(again.commits[-1].events) == events.encode(commit.events)
    assert again.state == sitting.state


def _game_events(game: str, of_a_commit: tuple[Any, ...]) -> list[Any]:
    return [event for event in of_a_commit if type(event) in GAMES[game].events]


def _bytes(value: Any) -> bytes:
    """A view as bytes, without the game's functions and with the names of the structs."""
    return msgspec.json.encode(msgspec.structs.asdict(value) if isinstance(value, msgspec.Struct) else value)


def _flat(row: Any) -> list[int]:
    return [card for item in row for card in _flat(item)] if isinstance(row, list | tuple) else [row]


def _cards_in(value: Any) -> set[int]:
    """The cards that the stored form of an event names, by their numbers in fields called so."""
    found: set[int] = set()
    match value:
        case dict():
            for key, item in value.items():
                if key == "card":
                    found.add(item)
                elif key == "cards" and not isinstance(item, int):  # a number of cards names none
                    found |= set(item)
                elif key in ("hands", "melds"):
                    found |= {card for _, row in item for card in _flat(row)}
                else:
                    found |= _cards_in(item)
        case list():
            for item in value:
                found |= _cards_in(item)
        case _:
            pass  # numbers and words elsewhere are no cards
    return found


@every_game
@modest
@given(data=st.data())
def test_no_event_names_a_card_that_not_everybody_may_see(game: str, data: st.DataObject) -> None:
    """What a commit names lies on the table for everybody before it or after some event of it.

    Reports: tobymao/18xx#955, tobymao/18xx#888.
    """
    sitting = data.draw(sittings(game))
    rules = GAMES[game]
    state, last = None, set[str]()
    for commit in sitting.commits:
        named, seen = set[int](), set(last)
        for event in commit.events:
            named |= _cards_in(msgspec.to_builtins(event))
            state = table.fold(sitting.name, state, [event])
            assert state is not None
            if state.set is not None:
                scene = rules.scene(rules.observe(state.set, None))
                last = {placed.card for zone in scene.zones for placed in zone.cards}
                seen |= last
        assert {rules.card_name(card) for card in named} <= seen


@every_game
@modest
@given(data=st.data(), choice=words)
def test_an_observation_holds_no_secret(game: str, data: st.DataObject, choice: str) -> None:
    """Two states that differ only in what a seat may not know look the same to it, byte for byte.

    Reports: boardgameio/boardgame.io#399, boardgameio/boardgame.io#1159.
    """
    sitting = data.draw(sittings(game))
    state, rules = sitting.state, sitting.state.rules
    for seat in (*_seats(sitting), None):
        seen = rules.observe(state.set, seat)
        other = rules.guess(seen, Seeded(choice.encode(), NO_MOVES))
        elsewhere = msgspec.structs.replace(state, set=other, seed=b"another", next_seed=b"yet another")
        assert _bytes(table.observe(elsewhere, seat)) == _bytes(table.observe(state, seat))
        assert msgspec.json.encode(rules.scene(rules.observe(other, seat))) == msgspec.json.encode(rules.scene(seen))


@every_game
@modest
@given(data=st.data())
def test_a_view_names_no_seed_that_is_not_revealed(game: str, data: st.DataObject) -> None:
    sitting = data.draw(sittings(game))
    for seat in (*_seats(sitting), None):
        view = msgspec.to_builtins(table.observe(sitting.state, seat))
        assert sitting.state.seed not in [value for value in view.values() if isinstance(value, bytes)]
        assert set(view) == {
            *("table", "game", "seat", "phase", "options", "host", "seats", "away", "commitment", "sets", "dealer"),
            *("asked", "waiting", "due", "rows", "totals", "tenths", "last_set", "ended", "winners", "set"),
            *("paused", "stand_in", "proposal", "contested", "contested_set", "pending"),
        }, "a new field of the view: is it public?"


@every_game
@modest
@given(data=st.data(), choice=words)
def test_a_guess_fits_the_observation(game: str, data: st.DataObject, choice: str) -> None:
    sitting = data.draw(sittings(game))
    rules = sitting.state.rules
    for seat in (*_seats(sitting), None):
        seen = rules.observe(sitting.state.set, seat)
        other = rules.guess(seen, Seeded(choice.encode(), NO_MOVES))
        assert rules.observe(other, seat) == seen
        if sitting.state.phase == "playing":
            for player in _seats(sitting):
                assert bool(rules.legal(other, player)) == bool(rules.legal(sitting.state.set, player))


@every_game
@modest
@given(data=st.data())
def test_moves_read_back_from_their_notation(game: str, data: st.DataObject) -> None:
    sitting = data.draw(sittings(game))
    rules = sitting.state.rules
    for seat in _seats(sitting):
        seen = rules.observe(sitting.state.set, seat)
        for move in legal(sitting.state, seat):
            written = rules.notation(move)
            assert re.fullmatch("[a-z_]+( [A-Za-z0-9.:/]+)*", written)
            assert rules.read(written) == move
            assert rules.parse(written, seen) == move
            assert rules.parse(f"  {written.upper()} ", seen) == move
        assert tuple(seen.legal) == tuple(map(rules.notation, rules.legal(sitting.state.set, seat)))


_ODD = st.one_of(
    st.text(max_size=60),
    st.text(alphabet="call playQS♠♥10 AКСТ4٤②ſ\x00\n‮️-_.", max_size=30),
    st.sampled_from(["🂡", "♠", "", " ", "play", "call", "call -1", "play QS extra", "\x00", "play К♠", "call ٤"]),
    st.integers(1, 10_000).map(lambda number: "play " + "Q" * number),
    st.integers(1, 10_000).map(lambda number: "9" * number),
    st.just("😀" * 10_000),
)


@every_game
@settings(modest, max_examples=200)
@given(data=st.data(), text=_ODD)
@example(data=None, text="x" * 10_000)
def test_whatever_is_typed_is_a_move_or_a_refusal(game: str, data: Any, text: str) -> None:
    """Malformed, ambiguous, or read; never another exception, and no refusal repeats more than a line."""
    sitting = _TYPED.setdefault(game, started(game, "typed", **SHORT.get(game, {})))
    rules = sitting.state.rules
    for seat in (sitting.asked(), None):
        seen = rules.observe(sitting.state.set, seat)
        try:
            move = rules.parse(text, seen)
        except Rejected as refusal:
            _check_refusal(refusal)
        else:
            assert rules.read(rules.notation(move)) == move
    try:
        rules.read(text)
    except Rejected as refusal:
        _check_refusal(refusal)


_TYPED: dict[str, Sitting] = {}


def _check_refusal(refusal: Rejected) -> None:
    kinds = {"malformed", "ambiguous"}
    long = [value for value in refusal.values.values() if isinstance(value, str) and len(value) > 100]
    if refusal.kind not in kinds or long:
        raise AssertionError(f"{refusal.code} {refusal.kind}")


@every_game
@settings(modest, max_examples=100)
@given(data=st.data())
def test_options_read_back_from_their_text(game: str, data: st.DataObject) -> None:
    rules = GAMES[game]
    try:
        found = options.read(rules, data.draw(option_texts(game)))
    except Rejected as refusal:
        _check_options_refusal(refusal)
        return
    texts = {name: options.text_of(getattr(found, name)) for name in found.__struct_fields__}
    assert options.read(rules, texts) == found
    assert options.stored(rules.options, options.differing(found)) == found
    assert options.stored(rules.options, options.everything(found)) == found
    assert msgspec.json.decode(msgspec.json.encode(options.everything(found))) == options.everything(found)


def _check_options_refusal(refusal: Rejected) -> None:
    if not re.fullmatch("[a-z_]+", refusal.code):
        raise AssertionError(refusal.code)


@every_game
def test_the_presets_and_the_defaults_are_on_offer(game: str) -> None:
    rules = GAMES[game]
    for preset in (None, *rules.presets):
        chosen = options.read(rules, {}, preset)
        assert options.stored(rules.options, options.differing(chosen)) == chosen


@every_game
def test_a_finished_set_asks_nobody(game: str) -> None:
    sitting = started(game, "finished", **SHORT.get(game, {}))
    rng = random.Random(1)
    state = None
    while sitting.state.phase == "playing":
        before = sitting.state
        happened = sitting.any_move(rng)
        state = before.set
        for event in happened:
            if type(event) is SetEnded:
                assert before.rules.to_act(state) == ()
                break
            if type(event) in before.rules.events:
                state = before.rules.evolve(state, event, None)
    assert state is not None


@every_game
def test_the_identity_of_a_game_is_well_formed(game: str) -> None:
    rules = GAMES[game]
    assert rules.slug == game
    assert re.fullmatch(rf"{game}/[1-9]\d*", rules.ruleset)
    assert 1 < rules.seats[0] <= rules.seats[1]
    tags = [str(msgspec.inspect.type_info(kind).tag) for kind in rules.events]  # type: ignore[attr-defined]
    assert len(set(tags)) == len(tags)
    assert all(tag.startswith(f"{game}.") for tag in tags)
    assert set(CLAUSES) <= set(rules.clauses)
    for word, move in rules.examples.items():
        assert move.split()[0] == word
        assert rules.notation(rules.read(move)) == move
