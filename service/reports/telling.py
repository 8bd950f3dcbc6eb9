"""Makes the account of a table from its commits alone: no key, no names, so nothing that is hidden can be in it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from domain import audit, events, record, sheet, table
from domain.events import (
    Dealt,
    Joined,
    Opened,
    Over,
    RowWritten,
    SeatTaken,
    SeedRevealed,
    SetUndone,
    UnknownEvent,
    Unseated,
)
from domain.game import Adjustment, Game, SetEnded
from domain.settling import standing
from domain.table import Table
from eventstore.chain import fingerprint
from eventstore.record import Commit
from service.engine import shipped
from service.reports.account import (
    Account,
    Accusation,
    Act,
    Automatic,
    Fault,
    Penalty,
    SeatAccount,
    SetAccount,
)
from service.reports.acting import act_of, punishes
from service.reports.proving import offences, with_missing
from service.reports.reading import (
    SENSELESS,
    Foreign,
    Told,
    chain_fault,
    dealt_again,
    foreign_events,
    form_fault,
    known_rules,
    opened_with,
    rules_fault,
)

_replace = msgspec.structs.replace


def with_reasons(account: Account, reasons: Mapping[str, str]) -> Account:
    """The account with the words of administrators' acts, by their SHA-256 (hex); words that do not fit stay out."""

    def why(reason: str) -> str:
        words = reasons.get(reason, "")
        return words if words and hashlib.sha256(words.encode()).hexdigest() == reason else ""

    return _replace(account, acts=tuple(_replace(act, why=why(act.reason)) for act in account.acts))


def account_of(name: str, commits: Sequence[Commit]) -> Account:
    """The account of the table `name`, of all its commits in order, whatever they hold."""
    broken = chain_fault(commits)
    opened = opened_with(commits)
    head = commits[-1] if commits else None
    empty = Account(
        table=name,
        game="" if opened is None else opened.game,
        ruleset="" if opened is None else opened.ruleset,
        options={} if opened is None else opened.options,
        verdict="wrong",
        commits=len(commits),
        fingerprint="" if head is None else fingerprint(head.hash),
        began=commits[0].time if commits else 0,
        last=0 if head is None else head.time,
    )
    if broken is not None:
        return _replace(empty, fault=broken)
    rules = None if opened is None else known_rules(opened)
    fault = form_fault(commits) or rules_fault(commits)
    teller = _Teller(name, rules, fault)
    for commit in commits:
        try:
            read = events.decode(commit.events) if rules is not None else foreign_events(commit.events)
            teller.tell(Told(commit.version, commit.time, commit.actor, read))
        except UnknownEvent:
            fault = fault or Fault("unreadable", "unknown_event", commit.version)
            break
        except SENSELESS as senseless:
            if rules is not None and fault is None:
                raise  # what the rules found right makes sense: the fault is ours, and no word against the history
            fault = fault or Fault("senseless", type(senseless).__name__, commit.version)
            break
    found = teller.account(_replace(empty, fault=fault))
    if found.fault is None and rules is None:
        again = dealt_again(commits)
        sets = [_replace(one, deal_is="verified") if one.set <= again else one for one in found.sets]
        found = _replace(found, sets=tuple(sets))
    if found.fault is None and rules is not None and rules.dictionary is not None and found.sets:
        found = _replace(found, words_unjudged=_words_unjudged(commits))
    return found


def fault_of(name: str, commits: Sequence[Commit]) -> Fault | None:
    """The first thing that is wrong with a table: its chain, its promises, or what the rules say. Never raises."""
    found = chain_fault(commits) or form_fault(commits) or rules_fault(commits)
    opened = opened_with(commits)
    if found is None and (opened is None or known_rules(opened) is None):
        found = account_of(name, commits).fault
    return found


def _words_unjudged(commits: Sequence[Commit]) -> tuple[str, ...]:
    told = record.write(record.record(event for commit in commits for event in events.decode(commit.events)))
    return audit.unjudged(record.read(told), shipped)


class _Teller:
    """Follows a table and gathers what belongs to each set."""

    def __init__(self, name: str, rules: Game | None, fault: Fault | None) -> None:
        self._name = name
        self._rules = rules
        self._fault = fault
        self._state: Table | None = None
        self._sets: list[SetAccount] = []
        self._finals: dict[int, Any] = {}  # of each set, from 0, its last state as everybody may see it
        self._lines: dict[tuple[int, str], int] = {}  # of (set from 0, a move without `auto`) its version
        self._convicted: set[tuple[int, int]] = set()  # of (set from 0, seat)
        self._penalties: list[Penalty] = []
        self._evidence: list[tuple[Adjustment, dict[str, Any]]] = []  # in this commit: rows that follow, and from what
        self._acts: list[Act] = []
        self._owners: list[str] = []
        self._promised = self._following = b""
        self._options: dict[str, Any] = {}
        self._over: Over | None = None

    def tell(self, commit: Told) -> None:
        """The next commit."""
        self._act(commit)
        self._evidence = []
        for event in commit.events:
            before = self._state
            if self._rules is not None:
                self._state = table.evolve(self._name, before, event)
            handler = _HANDLERS.get(type(event))
            if handler is not None:
                handler(self, commit, event)
            else:
                self._moved(commit, event, before)
            self._note_final()

    def _note_final(self) -> None:
        state = self._state
        if state is None or not self._sets:
            return
        self._finals[len(self._sets) - 1] = state.set
        if state.contested is not None:
            self._finals[state.contested_set] = state.contested

    def _change(self, index: int, **changes: Any) -> None:
        self._sets[index] = _replace(self._sets[index], **changes)

    def _opened(self, _: Told, event: Opened) -> None:
        self._promised = event.commitment

    def _sat_down(self, _: Told, event: Joined) -> None:
        self._owners.append(event.owner)

    def _got_up(self, _: Told, event: Unseated) -> None:
        del self._owners[event.seat]

    def _taken(self, _: Told, event: SeatTaken) -> None:
        self._owners[event.seat] = event.owner

    def _dealt(self, commit: Told, event: Dealt) -> None:
        self._following = event.commitment or self._following
        found = SetAccount(
            set=len(self._sets) + 1,
            version=commit.version,
            dealer=event.dealer,
            deal=event.deal,
            commitment=self._promised.hex(),
            deal_is="sealed",
            moves=0,
            moves_are="unjudged",
        )
        self._sets.append(found)

    def _revealed(self, commit: Told, event: SeedRevealed) -> None:
        """Every set since the last reveal was dealt from this seed."""
        fits = hashlib.sha256(event.seed).digest() == self._promised
        for index, one in enumerate(self._sets):
            if one.seed is None:
                self._change(index, seed=event.seed.hex(), revealed=commit.version, deal_is="fits" if fits else "wrong")
        if not fits and self._fault is None:
            number = len(self._sets) or None
            self._fault = Fault("rules", "seed_does_not_fit", commit.version, number, 0 if number else None)
        self._promised, self._following = self._following, b""

    def _ended(self, _: Told, event: SetEnded) -> None:
        self._change(len(self._sets) - 1, outcome=event.outcome, scores=event.scores, void=event.void)

    def _undone(self, _: Told, event: SetUndone) -> None:
        self._change(event.set, undone=True, outcome=event.outcome, scores=None)

    def _row(self, commit: Told, event: RowWritten) -> None:
        if event.kind in sheet.PENAL:
            at = max(len(self._sets), 1)
            why = tuple(told for due, told in self._evidence if (due.kind, due.values) == (event.kind, event.values))
            self._penalties.append(Penalty(at, event.set + 1, event.kind, event.values, True, commit.version, why))

    def _game_over(self, _: Told, event: Over) -> None:
        self._over = event

    def _moved(self, commit: Told, event: Any, before: Table | None) -> None:
        """An event of the game: perhaps a move."""
        if isinstance(event, Foreign):
            if self._sets:
                one = self._sets[-1]
                late = event.fields.get("auto") is True
                seat = event.fields.get("seat")
                made = Automatic(commit.version, seat if type(seat) is int else -1, event.tag)
                self._change(-1, moves=one.moves + 1, automatic=(*one.automatic, made) if late else one.automatic)
            return
        rules = self._rules
        if rules is None or type(event) not in rules.events or not self._sets:
            return
        index = len(self._sets) - 1
        if before is not None and before.contested is not None and type(event) in rules.late:
            index = before.contested_set
        after = self._state
        if before is not None and after is not None:
            final = after.contested if index != len(self._sets) - 1 else after.set
            now = _replace(standing(before), final=final, set=index)
            self._evidence += [(row, msgspec.to_builtins(event)) for row in rules.penal(now, event)]
        entry = rules.entry(event)
        if entry is not None and type(seat := entry.get("convicted")) is int:
            self._convicted.add((index, seat))
        line = rules.public_move(event)
        if line is not None:
            self._line(commit, index, rules, line)

    def _line(self, commit: Told, index: int, rules: Game, line: str) -> None:
        one = self._sets[index]
        first, _, rest = line.partition(" ")
        seat = int(first)
        if rest.startswith("auto "):
            made = Automatic(commit.version, seat, rest.removeprefix("auto "))
            self._change(index, moves=one.moves + 1, automatic=(*one.automatic, made))
            rest = rest.removeprefix("auto ")
        else:
            self._change(index, moves=one.moves + 1)
        self._lines.setdefault((index, f"{first} {rest}"), commit.version)
        accused = rules.accuses(rules.read(rest))
        if accused is not None:
            said = (*self._sets[index].accusations, Accusation(commit.version, seat, accused, rest))
            self._change(index, accusations=said)

    def _act(self, commit: Told) -> None:
        number, state = len(self._sets), self._state
        if state is not None and state.contested is not None and punishes(commit):
            number = state.contested_set + 1
        if (found := act_of(commit, number)) is not None:
            self._acts.append(found)

    def account(self, empty: Account) -> Account:
        """The account, of all that was told."""
        fault = self._fault or empty.fault
        state, known = self._state, self._rules is not None
        sets = [self._judged(index, one, fault) for index, one in enumerate(self._sets)]
        return _replace(
            empty,
            verdict="wrong" if fault is not None else "right" if known else "unjudged",
            fault=fault,
            seats=tuple(SeatAccount(seat, owner) for seat, owner in enumerate(self._owners)),
            sets=tuple(sets),
            penalties=with_missing(self._penalties, fault),
            acts=tuple(self._acts),
            ended=None if self._over is None else self._over.ended,
            winners=() if self._over is None else self._over.winners,
            options=empty.options if state is None else msgspec.to_builtins(state.options),
            tenths=state is not None and state.rules.tenths(state.options),
        )

    def _judged(self, index: int, one: SetAccount, fault: Fault | None) -> SetAccount:
        """The set with how far it was judged, and the offences that its cards prove."""
        rules = self._rules
        if rules is None:
            return one
        at = None if fault is None else fault.set
        if fault is not None and at == one.set:
            one = _replace(one, moves_are="wrong")
        elif fault is not None and (at is None or one.set > at):
            return one
        elif one.seed is not None:
            one = _replace(one, moves_are="right", deal_is="verified" if one.deal_is == "fits" else one.deal_is)
        if self._is_open(index, one):
            return _replace(one, open=True)
        if (final := self._finals.get(index)) is None:
            return one
        convicted = {seat for of, seat in self._convicted if of == index}
        lines = {line: version for (of, line), version in self._lines.items() if of == index}
        return _replace(one, offences=offences(rules, final, lines, convicted))

    def _is_open(self, index: int, one: SetAccount) -> bool:
        """Whether somebody may still say what a set's cards prove: then that is the players' affair alone."""
        state = self._state
        if state is None or state.phase != "playing":
            return False
        waits = state.pending is not None and not one.undone and index == len(self._sets) - 1
        return one.outcome is None or state.contested_set == index or waits


_HANDLERS: dict[type, Callable[[_Teller, Told, Any], None]] = {
    Opened: _Teller._opened,
    Joined: _Teller._sat_down,
    Unseated: _Teller._got_up,
    SeatTaken: _Teller._taken,
    Dealt: _Teller._dealt,
    SeedRevealed: _Teller._revealed,
    SetEnded: _Teller._ended,
    SetUndone: _Teller._undone,
    RowWritten: _Teller._row,
    Over: _Teller._game_over,
}
