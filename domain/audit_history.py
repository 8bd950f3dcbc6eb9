"""Judges a table's history: every commit is decided again from its command, with the seeds that are revealed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from domain import record, shuffle, table
from domain.audit import audit_record
from domain.audit_commands import Commit, StillHidden, Unexplained, command_of
from domain.audit_words import Lexicons, lexicon_of
from domain.commands import (
    Command,
    NoteOutage,
)
from domain.decide import decide
from domain.draft import SeedMissing
from domain.events import (
    Dealt,
    Opened,
    OutageNoted,
    Over,
    SeedRevealed,
)
from domain.finding import Finding
from domain.game import SetEnded
from domain.games import GAMES
from domain.rejected import Rejected
from domain.table import Table

__all__ = ["Commit", "audit_history"]


def audit_history(commits: Sequence[Commit], lexicons: Lexicons | None = None) -> Finding | None:
    """The first thing in a table's history that the rules do not say, or None.

    Each revealed seed must fit the commitment published before its deal; with those seeds each commit is decided again
    and must come out event for event (so every shuffle, redeal, clock move, row and result is derived anew); what hangs
    on a seed that is still secret is judged once it is revealed. The record made from the history is judged as well.
    With `lexicons` every word, refused ones too, is judged by its dictionary again. The chain of hashes is the caller's
    affair.
    """
    judge = Judge(promised(commits), lexicons)
    for version, commit in enumerate(commits, 1):
        if not judge.judge(version, commit):
            break
    finding = judge.finding or seed_that_does_not_fit(commits)
    if finding is not None or judge.state is None or not judge.state.sets:
        return finding
    return audit_record(record.write(record.record(judge.judged)), lexicons)


def promised(commits: Sequence[Commit]) -> dict[bytes, bytes]:
    """Every seed that is revealed and every hidden choice that is told, by the SHA-256 that promised it."""
    seeds = {
        shuffle.commitment(event.seed): event.seed
        for commit in commits
        for event in commit.events
        if type(event) is SeedRevealed
    }
    return {**seeds, **_choices(commits)}


def _choices(commits: Sequence[Commit]) -> dict[bytes, bytes]:
    """Salt and choice of everything that was hidden for a while and is told, by what promised it."""
    events = [event for commit in commits for event in commit.events]
    rules = next((GAMES.get(event.game) for event in events if type(event) is Opened), None)
    told = [] if rules is None else [rules.revealed(event) for event in events if type(event) in rules.events]
    return {hashlib.sha256(found).digest(): found for found in told if found is not None}


def seed_that_does_not_fit(commits: Sequence[Commit]) -> Finding | None:
    """A revealed seed must be the one that was promised, before its deal, by its SHA-256 (CB-11). It must be revealed
    in the commit in which its set is scored, or the game over: without it no deal would be judged."""
    promised, following, sets, clause = b"", b"", 0, None
    used = True  # by a deal, or by a lobby
    for version, commit in enumerate(commits, 1):
        owed = False
        for event in commit.events:
            match event:
                case Opened(game=game, commitment=commitment):
                    promised = commitment
                    clause = GAMES[game].clauses["shuffle"] if game in GAMES else None
                case Dealt(commitment=commitment):
                    if owed:
                        break
                    sets += 1
                    used = True
                    following = commitment or following
                case SetEnded(void=False):
                    owed = True
                case Over():
                    owed = owed or used
                case SeedRevealed(seed=seed):
                    owed = used = False
                    if shuffle.commitment(seed) != promised:
                        return Finding("seed_does_not_fit", sets or None, 0 if sets else None, clause, version=version)
                    promised, following = following, b""
                case _:
                    pass
        if owed:
            return Finding("seed_not_revealed", sets or None, 0 if sets else None, clause, version=version)
    return None


class Judge:
    """Folds the commits that are as they should be, and stops at the first that is not or that cannot be judged."""

    def __init__(self, known: dict[bytes, bytes], lexicons: Lexicons | None) -> None:
        self.known = known
        self.lexicons = lexicons
        self.state: Table | None = None
        self.judged: list[Any] = []
        self.finding: Finding | None = None
        self.moves = 0

    def is_sealed(self) -> bool:
        """Whether a set is being played whose seed was not revealed: to be judged once it is."""
        state = self.state
        return state is not None and state.phase == "playing" and state.seed is None and state.pending is None

    def judge(self, version: int, commit: Commit) -> bool:
        """Whether to go on."""
        if self.is_sealed():
            return False
        whole, expected = True, tuple[Any, ...]()
        try:
            expected = self._decide(commit)
        except Rejected as refusal:
            self.finding = self._found(version, refusal.code, refusal.clause, refusal.values)
            return False
        except StillHidden:
            expected = commit.events
        except SeedMissing as missing:
            whole, expected = False, missing.facts
        except Unexplained:
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
        return decide(self.state, self._judged_by_the_dictionary(command_of(self.state, commit, self.known)))

    def _judged_by_the_dictionary(self, command: Command) -> Command:
        """The command with the dictionary's own verdict on its word, where there is one."""
        state = self.state
        if command.verdict is None or state is None or self.lexicons is None or state.rules.dictionary is None:
            return command
        lexicon = lexicon_of(state.rules.dictionary(state.options), self.lexicons)
        if lexicon is None:
            return command
        return msgspec.structs.replace(command, verdict=lexicon.rule(command.verdict.word))

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
