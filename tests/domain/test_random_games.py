"""Games at random, with people who leave and clocks that run out: each ends, is as the rules say, and keeps its cards.

`RANDOM_GAMES=1000` plays so many of each game; a failure names the number of the game, which is its seed.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from typing import Any

import pytest

from domain import cards, options, table
from domain.audit_history import Commit, audit_history
from domain.commands import Leave, Return
from domain.decide import legal
from domain.events import Dealt
from domain.game import Rejected, Setup
from domain.games import GAMES
from domain.table import Table, away
from tests.domain.play import Sitting, started

COUNT = int(os.environ.get("RANDOM_GAMES", "6"))
_LONG = 1500  # steps; whoever plays at random may never end some games, so then all play sensibly


def _callbreak(held: Any) -> list[int]:
    """All cards of a set: in the hands, in the trick, and taken."""
    assert held.hands is not None
    found = [card for hand in held.hands for card in cards.cards(hand)]
    return [*found, *held.trick, *(card for trick in held.tricks for card in trick.cards)]


def _chinchon(held: Any) -> list[int]:
    """In the hands, in the stock, on the discard pile, and the card somebody cut with."""
    assert held.hands is not None
    assert held.stock is not None
    stock = held.stock[len(held.stock) - held.left :]
    closing = [held.closing] if held.closing >= 0 else []
    return [*(card for hand in held.hands for card in cards.cards(hand)), *stock, *held.pile, *closing]


def _chitchat(held: Any) -> list[int]:
    """In the hands, in the pile, in the sequence, discarded, taken as points; and the kings."""
    assert held.hands is not None
    assert held.pile is not None
    assert held.pets is not None
    lying = [laid.card for laid in held.seq]
    return [*held.hands[0], *held.hands[1], *held.pile, *lying, *held.discards, *sum(held.points, ()), *held.pets]


def _snitch(held: Any) -> list[int]:
    """In the hands (those of leavers too), in the stock, on the discard pile, in sets, in a challenge, out of play."""
    assert held.hands is not None
    assert held.stock is not None
    stock = held.stock[len(held.stock) - held.left :]
    sets = [card for stack in held.stacks for laid in stack for card in laid]
    return [*(card for hand in held.hands for card in hand), *stock, *held.discards, *sets, *held.laid, *held.removed]


def _taichi(held: Any) -> list[int]:
    """In the pile, open, discarded, in the stacks, betted, out of play, and the card that not all have seen."""
    assert held.pile is not None
    hidden = [] if held.card is None else [held.card]
    bets = [card for _seat, card in held.bets]
    return [*held.pile, *held.open, *held.discards, *sum(held.stacks, ()), *bets, *held.out, *hidden]


WHEREABOUTS: dict[str, Callable[[Any], list[int]]] = {
    "callbreak": _callbreak,
    "chinchon": _chinchon,
    "chitchat": _chitchat,
    "snitch": _snitch,
    "taichi": _taichi,
}

# Options that let cards travel other ways, or games end in others; each game takes some of them.
VARIED: dict[str, dict[str, tuple[str, ...]]] = {
    "callbreak": {"trump_mode": ("fixed", "last_card"), "must_trump": ("always", "if_beats", "never")},
    "chinchon": {
        "deck": ("52", "48", "40"),
        "jokers": ("0", "1", "2"),
        "ace": ("both", "low"),
        "meld_max": ("4", "7"),
        "cut_rule": ("two_melds", "threshold"),
        "chinchon_pays": ("win", "-25", "-50"),
        "laying_off": ("true", "false"),
        "end_mode": ("first_loser", "elimination"),
        "rebuy": ("highest", "second"),
        "reshuffle": ("all", "keep_top"),
        "no_return": ("true", "false"),
        "no_cut_first_lap": ("true", "false"),
        "max_turns": ("10", "60"),
        "enforcement": ("honour", "honour", "strict"),
        "invalid_cut": ("own20", "play_on"),
        "declare": ("manual", "auto"),
    },
    "chitchat": {"open_discards": ("true", "false"), "on_timeout": ("lose", "autoplay")},
    "taichi": {
        "language": ("en", "fr"),
        "unchallenged": ("letter", "symbol"),
        "duel": ("live", "own_clock"),
        "lenient": ("true", "false"),
        "objections": ("true", "false"),
        "word_seconds": ("30", "172800"),
    },
    "snitch": {"match": ("rounds", "points"), "rounds": ("1", "3"), "target": ("300",), "open_points": ("true",)},
}


class Watch:
    """Follows a sitting event by event: after each of them every card of the pack is somewhere, exactly once."""

    def __init__(self, game: str) -> None:
        self.where = WHEREABOUTS[game]
        self.state: Table | None = None
        self.pack: list[int] = []
        self.commits = 0

    def look(self, sitting: Sitting) -> None:
        for commit in sitting.commits[self.commits :]:
            for event in commit.events:
                before = self.state
                self.state = table.fold(sitting.name, before, [event], sitting.unseal)
                if type(event) is Dealt:
                    assert before is not None
                    self.pack = _pack(before, event)
                if self.pack:
                    assert self.state is not None
                    assert sorted(self.where(self.state.set)) == self.pack, event
        self.commits = len(sitting.commits)
        assert self.state == sitting.state


def _pack(state: Table, dealt: Dealt) -> list[int]:
    setup = Setup(state.options, len(state.seats), dealt.dealer, dealt.deal, dealt.playing)
    return sorted(card for pack in state.rules.packs(setup).values() for card in pack)


def _options(game: str, preset: str | None, rng: random.Random) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, values in VARIED[game].items():
        chosen = {**found, name: rng.choice(values)}
        if rng.random() < 0.3:
            try:
                options.read(GAMES[game], chosen, preset)
            except Rejected:
                continue  # not with the others
            found = chosen
    return found


def play(game: str, number: int) -> Sitting:
    """Game `number`, watched to its end: seats, persons, options and how wildly they play come from the number."""
    rng = random.Random(number)
    rules = GAMES[game]
    seats = rng.randint(*rules.seats)
    preset = rng.choice(list(rules.presets) or [None])
    persons = rng.randint(0, seats)
    chosen = _options(game, preset, rng)
    sitting = started(game, f"random {number}", seats=seats, persons=persons, preset=preset, **chosen)
    wild = rng.choice((0.0, 0.1, 0.5, 1.0))
    restless = rng.choice((0.0, 0.01, 0.05))
    watch = Watch(game)
    watch.look(sitting)

    def step() -> None:
        calm = len(sitting.commits) > _LONG
        if calm or rng.random() >= restless or not _disturb(sitting, rng):
            _move(sitting, rng, 0.0 if calm else wild)
        watch.look(sitting)

    return sitting.play(step)


def _disturb(sitting: Sitting, rng: random.Random) -> bool:
    """Somebody leaves, comes back, or lets his time run out; False where there is nobody who could."""
    state = sitting.state
    persons = [seat for seat, held in enumerate(state.seats) if not held.computer]
    timed = any(table.deadline(state, decision) is not None for decision in state.decisions)
    if not persons or not timed:
        return False
    if rng.random() < 0.6:
        sitting.expire()
        return True
    seat = rng.choice(persons)
    sitting.do(state.seats[seat].owner, Return() if away(state, seat) else Leave(), seat)
    return True


def _move(sitting: Sitting, rng: random.Random, wild: float) -> None:
    """The clock plays for whoever is away; whoever is there plays sensibly, or at random."""
    state = sitting.state
    seat = sitting.asked()
    if away(state, seat):
        sitting.expire()
    elif rng.random() < wild:
        choices = [move for move in legal(state, seat) if move not in state.rules.gives_up]
        sitting.move(rng.choice(choices), seat)
    else:
        sitting.steady_move()


@pytest.mark.timeout(max(120, COUNT))
@pytest.mark.parametrize("game", list(GAMES))
def test_a_random_game_ends_and_never_loses_or_doubles_a_card(game: str) -> None:
    for number in range(COUNT):
        try:
            sitting = play(game, number)
            assert sitting.state.phase == "over"
            history = [Commit(commit.time, commit.actor, commit.events) for commit in sitting.commits]
            assert audit_history(history) is None  # its record too
        except Exception as error:
            error.add_note(f"{game}, game {number}")
            raise


@pytest.mark.parametrize("game", list(GAMES))
def test_the_watch_sees_a_card_that_is_lost(game: str) -> None:
    watch = Watch(game)
    everywhere = watch.where
    watch.where = lambda held: everywhere(held)[1:]
    with pytest.raises(AssertionError):
        watch.look(started(game, "watched"))
