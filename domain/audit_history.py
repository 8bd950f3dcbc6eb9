"""Judges a table's history: every commit is decided again from its command, with the seeds that are revealed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from domain import options, record, shuffle, table
from domain.audit import audit_record
from domain.commands import (
    Act,
    AddComputer,
    Answer,
    Close,
    Command,
    CutDeck,
    Expire,
    Fresh,
    Join,
    Leave,
    Move,
    NoteOutage,
    Open,
    Propose,
    RemoveComputer,
    Return,
    SetOptions,
    Start,
)
from domain.decide import decide
from domain.draft import SeedMissing
from domain.events import (
    Agreed,
    Asked,
    Dealt,
    DeckCut,
    Declined,
    Expired,
    Joined,
    Left,
    Opened,
    OptionsSet,
    OutageNoted,
    Over,
    Present,
    ProposalOff,
    Proposed,
    Returned,
    SeedRevealed,
    Started,
    Unseated,
)
from domain.finding import Finding
from domain.game import PLAIN, Brought
from domain.games import GAMES
from domain.rejected import Rejected
from domain.table import Table


class Commit(msgspec.Struct, frozen=True):
    """What a stream holds of one command: when (milliseconds UTC), who, and the events it caused."""

    time: int
    actor: str
    events: tuple[Any, ...]


def audit_history(commits: Sequence[Commit]) -> Finding | None:
    """The first thing in a table's history that the rules do not say, or None.

    Each revealed seed must fit the commitment published before its deal; with those seeds each commit is decided again
    and must come out event for event (so every shuffle, redeal, clock move, row and result is derived anew); what hangs
    on a seed that is still secret is judged once it is revealed. The record made from the history is judged as well.
    The chain of hashes is the caller's affair.
    """
    seeds = {
        shuffle.commitment(event.seed): event.seed
        for commit in commits
        for event in commit.events
        if type(event) is SeedRevealed
    }
    judge = _Judge({**seeds, **_choices(commits)})
    for version, commit in enumerate(commits, 1):
        if not judge.judge(version, commit):
            break
    finding = judge.finding or _seed_that_does_not_fit(commits)
    if finding is not None or judge.state is None or not judge.state.sets:
        return finding
    return audit_record(record.write(record.record(judge.judged)))


def _choices(commits: Sequence[Commit]) -> dict[bytes, bytes]:
    """Salt and choice of everything that was hidden for a while and is told, by what promised it."""
    events = [event for commit in commits for event in commit.events]
    rules = next((GAMES.get(event.game) for event in events if type(event) is Opened), None)
    told = [] if rules is None else [rules.revealed(event) for event in events if type(event) in rules.events]
    return {hashlib.sha256(found).digest(): found for found in told if found is not None}


def _seed_that_does_not_fit(commits: Sequence[Commit]) -> Finding | None:
    """A revealed seed must be the one that was promised, before its deal, by its SHA-256 (CB-11)."""
    promised, following, sets, clause = b"", b"", 0, None
    for version, commit in enumerate(commits, 1):
        for event in commit.events:
            match event:
                case Opened(game=game, commitment=commitment):
                    promised = commitment
                    clause = GAMES[game].clauses["shuffle"] if game in GAMES else None
                case Dealt(commitment=commitment):
                    sets += 1
                    following = commitment or following
                case SeedRevealed(seed=seed):
                    if shuffle.commitment(seed) != promised:
                        return Finding("seed_does_not_fit", sets or None, 0 if sets else None, clause, version=version)
                    promised, following = following, b""
                case _:
                    pass
    return None


class _Judge:
    """Folds the commits that are as they should be, and stops at the first that is not or that cannot be judged."""

    def __init__(self, known: dict[bytes, bytes]) -> None:
        self.known = known
        self.state: Table | None = None
        self.judged: list[Any] = []
        self.finding: Finding | None = None
        self.moves = 0

    def judge(self, version: int, commit: Commit) -> bool:
        """Whether to go on."""
        if self.state is not None and self.state.phase == "playing" and self.state.seed is None:
            return False  # the set that is being played: to be judged once its seed is revealed
        whole, expected = True, tuple[Any, ...]()
        try:
            expected = self._decide(commit)
        except Rejected as refusal:
            self.finding = self._found(version, refusal.code, refusal.clause, refusal.values)
            return False
        except _StillHidden:
            expected = commit.events
        except SeedMissing as missing:
            whole, expected = False, missing.facts
        except _Unexplained:
            self.finding = self._found(version, "no_command_causes_this")
            return False
        found = commit.events if whole else commit.events[: len(expected)]
        if found != expected:
            self.finding = self._found(version, "wrong_events", None, _difference(expected, found))
            return False
        self._fold(found)
        return whole

    def _decide(self, commit: Commit) -> tuple[Any, ...]:
        if commit.actor == "clock" and commit.events and all(type(event) is OutageNoted for event in commit.events):
            return self._outages(commit)
        return decide(self.state, _command(self.state, commit, self.known))

    def _outages(self, commit: Commit) -> tuple[Any, ...]:
        """Outages alone: noted one by one, or by an `Expire` that was not due after all."""
        state, facts = self.state, ()
        for event in commit.events:
            facts = (*facts, *decide(state, Command("", "clock", commit.time, "", NoteOutage(event.stop))))
            state = table.fold("", state, [event])
        return facts

    def _fold(self, events: Iterable[Any]) -> None:
        for event in events:
            if type(event) is Dealt:
                self.moves = 0
            elif self.state is not None and type(event) in self.state.rules.events:
                self.moves += self.state.rules.public_move(event) is not None
            self.state = table.fold("", self.state, [event], lambda promised, _: self.known.get(promised))
            self.judged.append(event)

    def _found(
        self, version: int, code: str, clause: str | None = None, values: dict[str, Any] | None = None
    ) -> Finding:
        state = self.state
        if state is None or not state.sets:
            return Finding(code, clause=clause, values=values or {}, version=version)
        clause = clause or state.rules.clauses["moves"]
        return Finding(code, state.sets, self.moves + 1, clause, values or {}, version)


def _difference(expected: tuple[Any, ...], found: tuple[Any, ...]) -> dict[str, Any]:
    """The first event that differs, as the rules and as the history have it."""
    for ours, theirs in zip(expected, found, strict=False):
        if ours != theirs:
            return {"expected": _plain(ours), "found": _plain(theirs)}
    shorter = min(len(expected), len(found))
    return {
        "expected": _plain(expected[shorter]) if shorter < len(expected) else None,
        "found": _plain(found[shorter]) if shorter < len(found) else None,
    }


def _plain(event: Any) -> Any:
    return msgspec.to_builtins(event)


class _Unexplained(Exception):
    """Events that no command causes."""


class _StillHidden(Exception):
    """A choice that was never told: whether it might be made cannot be judged."""


def _command(state: Table | None, commit: Commit, known: Mapping[bytes, bytes]) -> Command:
    """The command that must have caused a commit; raises _Unexplained."""
    fresh = quiet = None
    for event in commit.events:
        if type(event) is Opened or (type(event) is Dealt and event.sealed):
            fresh = Fresh(event.commitment, event.sealed)
        if type(event) is Asked:
            quiet = next((decision.quiet for decision in event.open if decision.start == commit.time), None)
    act, seat, brought = _act(state, commit, known)
    return Command(
        "",
        commit.actor,
        commit.time,
        "",
        act,
        seat=seat,
        fresh=fresh,
        quiet=quiet,
        verdict=brought.verdict,
        order=brought.order,
        salt=brought.salt,
        hidden=brought.hidden,
    )


def _act(state: Table | None, commit: Commit, known: Mapping[bytes, bytes]) -> tuple[Act, int | None, Brought]:
    """What was asked for, from what it caused; the seat, for those who own several; what a move brought."""
    move = None if state is None else _move(state, commit.events, known)
    if move is not None:
        seat, made, brought = move
        return Move(made), seat, brought
    return *_act_of_the_table(state, commit), PLAIN


def _act_of_the_table(state: Table | None, commit: Commit) -> tuple[Act, int | None]:
    events = commit.events
    outages = tuple(event.stop for event in events if type(event) is OutageNoted)
    first = next((event for event in events if type(event) is not OutageNoted), None)
    if isinstance(first, Opened):
        return Open(first.game, _stored(GAMES.get(first.game), first.options), seated=len(events) > 1), None
    if state is None:
        raise _Unexplained
    match first:
        case Expired(decision=number):
            return Expire(number, outages), None
        case _ if outages:
            raise _Unexplained
        case Returned() | Present():
            return Return(), None
        case Joined(owner=owner):
            if owner.startswith("computer:"):
                return AddComputer(owner.removeprefix("computer:")), None
            return Join(), None
        case Unseated(seat=seat):
            return (Leave() if table.seat_of(state, commit.actor) == seat else RemoveComputer()), None
        case OptionsSet(options=values):
            return SetOptions(_stored(state.rules, values)), None
        case DeckCut(seat=seat, number=number):
            return CutDeck(number), seat
        case Started(how=how, dealer=dealer):
            return Start(dealer if how == "host" else None), None
        case Left(seat=seat):
            return Leave(), seat
        case Proposed(what=what, seat=wanted):
            return Propose(what, wanted), None
        case Agreed(seat=seat):
            return Answer(True), seat
        case Declined(seat=seat):
            return Answer(False), seat
        case ProposalOff(why="withdrawn"):
            return Answer(False), None
        case SeedRevealed() if type(events[-1]) is Over:
            return Close(), None
        case _:
            raise _Unexplained


def _stored(rules: Any, values: dict[str, Any]) -> Any:
    if rules is None:
        return None  # `decide` refuses a game that is not there
    return options.stored(rules.options, values)


def _move(state: Table, events: tuple[Any, ...], known: Mapping[bytes, bytes]) -> tuple[int, Any, Brought] | None:
    """The move that a seat's owner made; None where the commit is something else."""
    kinds = state.rules.events
    at = 1 if events and isinstance(events[0], Returned | Present) else 0
    while at < len(events) and type(events[at]) in kinds and _move_of(state, events, at, known) is None:
        at += 1  # what followed from being back, or is settled before the move counts
    if at < len(events) and type(events[at]) in kinds:
        return _move_of(state, events, at, known)
    if events and type(events[0]) in kinds:
        raise _Unexplained
    return None


def _move_of(
    state: Table, events: tuple[Any, ...], at: int, known: Mapping[bytes, bytes]
) -> tuple[int, Any, Brought] | None:
    rules, event = state.rules, events[at]
    try:
        if type(event) in rules.secrets:
            return _hidden_move(state, events, at, known)
        if rules.move_of is not None:
            return rules.move_of(event)
        line = rules.public_move(event)
    except IndexError:  # a seat or a number that no table has
        raise _Unexplained from None
    if line is None:
        return None
    seat, _, notation = line.partition(" ")
    return int(seat), rules.read(notation), PLAIN


def _hidden_move(
    state: Table, events: tuple[Any, ...], at: int, known: Mapping[bytes, bytes]
) -> tuple[int, Any, Brought]:
    """The move of a choice that was hidden; raises _StillHidden for one that was never told and caused nothing else."""
    rules, event = state.rules, events[at]
    assert rules.hidden_move is not None
    found = known.get(event.commitment)
    if found is not None:
        return rules.hidden_move(event, found)
    others = [other for other in (*events[:at], *events[at + 1 :]) if type(other) not in (Returned, Present, Asked)]
    if all(type(other) in rules.events and rules.public_move(other) is None for other in others):
        raise _StillHidden
    raise _Unexplained
