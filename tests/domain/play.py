"""Plays games through commands, `decide` and the fold, for the tests: any game, any table, chosen or random moves."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from domain import options, table
from domain.clock import Quiet
from domain.commands import Act, AddComputer, Command, CutDeck, Expire, Fresh, Join, Move, Open, Start
from domain.decide import decide, legal
from domain.game import SALT, Decided, Hidden, Lexicon
from domain.games import GAMES
from domain.shuffle import commitment
from domain.table import Table
from tests.domain.taichi.lexicon import FEW

PERSONS = tuple(f"person:{name}" for name in ("ann", "bob", "cat", "dan", "eve", "fay", "gus", "hal"))
SEALED = b"sealed, and of no interest"
CHOICE = b"sealed choice: "
SHORT: dict[str, dict[str, Any]] = {
    "callbreak": {"max_sets": "2", "tie": "shared"},
    "chinchon": {"target": "20", "cut_rule": "threshold", "cut_max": "20"},
}
"""Options with which a game ends soon, also at random; none where it does so anyway."""
LEXICONS: dict[str, Lexicon] = {"taichi": FEW}
"""The dictionary of a game of words."""


class Commit(msgspec.Struct, frozen=True):
    """The events of one command, and who and when."""

    time: int
    actor: str
    events: tuple[Any, ...]


class Sitting:
    """A table that is played: its keyed state, its commits, and the seeds, which come one after another from a word."""

    def __init__(self, word: str = "word", name: str = "t-1") -> None:
        self.name = name
        self.word = word
        self.time = 1_000_000
        self.quiet: Quiet | None = None
        self.order = 0
        self.lexicon: Lexicon | None = None  # of a game of words
        self.kept: tuple[Decided, ...] = ()  # what earlier tables decided
        self.commits: list[Commit] = []
        self.seeds: dict[bytes, bytes] = {}
        self._state: Table | None = None
        self._fresh: Fresh | None = None

    @property
    def state(self) -> Table:
        assert self._state is not None
        return self._state

    @property
    def events(self) -> list[Any]:
        return [event for commit in self.commits for event in commit.events]

    def unseal(self, promised: bytes, sealed: bytes) -> bytes | None:
        if sealed.startswith(CHOICE):
            return sealed.removeprefix(CHOICE)
        assert sealed == SEALED
        return self.seeds[promised]

    def fresh(self) -> Fresh:
        """The next seed, the same one until a commit has used it."""
        if self._fresh is None:
            seed = hashlib.sha256(f"{self.word}/{len(self.seeds)}".encode()).digest()
            self._fresh = Fresh(commitment(seed), SEALED)
            self.seeds[self._fresh.commitment] = seed
        return self._fresh

    def command(
        self, actor: str, act: Act, seat: int | None = None, decision: int | None = None, admin: bool = False
    ) -> Command:
        """The command with all that the service would bring: a seed, a word's verdict, what hides a choice."""
        verdict, hidden, salt = None, None, b""
        if isinstance(act, Move) and self._state is not None and self._state.phase == "playing":
            rules = self._state.rules
            word = None if rules.word_of is None else rules.word_of(self._state.set, act.move)
            if word is not None:
                assert self.lexicon is not None, "a game of words wants a dictionary"
                verdict = self.lexicon.rule(word)
            choice = None if rules.hides is None else rules.hides(self._state.set, act.move)
            if choice is not None:
                salt = bytes([len(self.commits) % 256]) * SALT
                hidden = Hidden(hashlib.sha256(salt + choice).digest(), CHOICE + salt + choice)
        return Command(
            self.name,
            actor,
            self.time,
            f"c{len(self.commits)}",
            act,
            decision=decision,
            seat=seat,
            fresh=self.fresh(),
            quiet=self.quiet,
            verdict=verdict,
            order=self.order,
            salt=salt,
            hidden=hidden,
            kept=self.kept,
            admin=admin,
        )

    def do(
        self, actor: str, act: Act, seat: int | None = None, decision: int | None = None, *, admin: bool = False
    ) -> tuple[Any, ...]:
        """The events of a command that must be taken; Rejected passes through and changes nothing."""
        events = decide(self._state, self.command(actor, act, seat, decision, admin))
        assert events, "a command that is taken causes something"
        self.apply(Commit(self.time, actor, events))
        return events

    def apply(self, commit: Commit) -> None:
        if any(getattr(event, "sealed", b"") for event in commit.events):
            self._fresh = None
        self._state = table.fold(self.name, self._state, commit.events, self.unseal)
        self.commits.append(commit)

    def copy(self) -> Sitting:
        """A sitting that goes on from here on its own."""
        other = Sitting(self.word, self.name)
        other.__dict__.update(self.__dict__)
        other.commits, other.seeds = list(self.commits), dict(self.seeds)
        return other

    def asked(self) -> int:
        """A seat that is to act (the first of those asked)."""
        return self.state.rules.to_act(self.state.set)[0].seats[0]

    def move(self, move: Any, seat: int | None = None) -> tuple[Any, ...]:
        """A move by the seat's owner; the seat that is asked where none is named."""
        seat = self.asked() if seat is None else seat
        return self.do(self.state.seats[seat].owner, Move(move), seat)

    def moves(self, *notations: str) -> None:
        """Moves in notation, each by whoever is asked."""
        for notation in notations:
            self.move(self.state.rules.read(notation))

    def expire(self) -> tuple[Any, ...]:
        """Lets the clock run to the earliest deadline, and expires that decision."""
        due, number = min(
            (due, decision.id)
            for decision in self.state.decisions
            if (due := table.deadline(self.state, decision)) is not None
        )
        self.time = max(self.time, due)
        return self.do("clock", Expire(number))

    def any_move(self, rng: random.Random) -> tuple[Any, ...]:
        """A random legal move of a random seat that is asked; none that gives the game up."""
        rules = self.state.rules
        seat = rng.choice([seat for ask in rules.to_act(self.state.set) for seat in ask.seats])
        return self.move(rng.choice([move for move in legal(self.state, seat) if move not in rules.gives_up]), seat)

    def steady_move(self) -> tuple[Any, ...]:
        """The move that the computer player makes."""
        seat, rules = self.asked(), self.state.rules
        seen = rules.observe(self.state.set, seat)
        if rules.speaker is not None and self.lexicon is not None:
            return self.move(rules.speaker("steady", seen, self.lexicon), seat)
        return self.move(rules.player("steady", seen), seat)

    def play(self, step: Callable[[], Any], until: Callable[[Table], bool] = lambda state: False) -> Sitting:
        """Repeats a step until the game is over, or until the state is as wanted."""
        for _ in range(20_000):
            if self.state.phase != "playing" or until(self.state):
                return self
            step()
        raise AssertionError("a game without an end")

    def random(self, rng: random.Random, until: Callable[[Table], bool] = lambda state: False) -> Sitting:
        return self.play(lambda: self.any_move(rng), until)

    def steady(self, until: Callable[[Table], bool] = lambda state: False) -> Sitting:
        return self.play(self.steady_move, until)


def chosen(game: str, texts: Mapping[str, str], preset: str | None = None) -> Any:
    """A game's options from texts."""
    return options.read(GAMES[game], texts, preset)


def lobby(
    game: str = "callbreak",
    word: str = "word",
    *,
    persons: int | None = None,
    seats: int | None = None,
    preset: str | None = None,
    **texts: str,
) -> Sitting:
    """A lobby of `seats` seats, the first `persons` of them persons (None: all), the rest computer players."""
    seats = GAMES[game].seats[1] if seats is None else seats
    persons = seats if persons is None else persons
    sitting = Sitting(word)
    sitting.lexicon = LEXICONS.get(game)
    host = PERSONS[0] if persons else "operator"
    sitting.do(host, Open(game, chosen(game, texts, preset), seated=persons > 0))
    for person in PERSONS[1:persons]:
        sitting.do(person, Join())
    for _ in range(seats - persons):
        sitting.do(host, AddComputer())
    return sitting


def started(
    game: str = "callbreak",
    word: str = "word",
    *,
    persons: int | None = None,
    seats: int | None = None,
    preset: str | None = None,
    dealer: int | None = None,
    cuts: Mapping[int, int] | None = None,
    kept: tuple[Decided, ...] = (),
    **texts: str,
) -> Sitting:
    """A table whose first set has been dealt."""
    sitting = lobby(game, word, persons=persons, seats=seats, preset=preset, **texts)
    for seat, number in (cuts or {}).items():
        sitting.do(sitting.state.seats[seat].owner, CutDeck(number), seat)
    sitting.kept = kept
    sitting.do(sitting.state.host, Start(dealer))
    return sitting
