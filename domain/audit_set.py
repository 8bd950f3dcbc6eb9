"""Plays one set of a record through the rules: its packs, its moves one by one, its end."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import msgspec

from domain import voiding
from domain.audit_words import as_named
from domain.finding import Finding, Wrong, wrong
from domain.game import BY_CLOCK, PLAIN, Brought, Game, Lexicon, SetEnded, Setup, Standing, asked
from domain.record import PlayedSet, written
from domain.rejected import Rejected, malformed
from domain.shuffle import Given

_COMES_OR_GOES = frozenset({"left", "returned", "away", "stand_in", "penalty"})
_MOVE = re.compile(r"(0|[1-9]\d?) (auto )?(.{1,200})", re.ASCII | re.DOTALL)
LONGEST = 200  # characters of a record that a finding repeats
There = Literal["there", "left", "away"]
"""Whether a seat's owner is there, as far as the record tells: it tells of `away` only where something follows."""


class Played(NamedTuple):
    """A set that was played: its last state, how it ended, the game's facts, and whether its result was confirmed."""

    state: Any
    ended: SetEnded
    facts: list[Any]
    confirmed: bool


def play(
    rules: Game,
    setup: Setup,
    number: int,
    played: PlayedSet,
    owners: list[There],
    before: Standing,
    lexicon: Lexicon | None = None,
) -> Played:
    """`owners` is kept up to date. `before`: how things stood at the deal; `lexicon` judges the words, if there are
    any."""
    return _Played(rules, setup, number, played, owners, before, lexicon).play()


class _Played:
    def __init__(
        self,
        rules: Game,
        setup: Setup,
        number: int,
        played: PlayedSet,
        owners: list[There],
        before: Standing,
        lexicon: Lexicon | None,
    ) -> None:
        self.rules = rules
        self.number = number
        self.played = played
        self.owners = owners
        self.before = before
        self.lexicon = lexicon
        self.at = 0  # the entry being judged
        self.on: int | None = None  # a seat for which the clock has more moves to make
        self.played_for: set[int] = set()  # seats for which a computer player plays
        self.closing: tuple[str, ...] = ()  # questions that were open when too few were left
        self.too_few: Wrong | None = None
        self.ended: SetEnded | None = None
        self.facts: list[Any] = []
        self.confirmed = False
        self.due: list[dict[str, Any]] = []  # what has to be told next
        self.source = Given(_packs(rules, setup, number, played))
        self.state = rules.start(setup, self.source)

    def play(self) -> Played:
        self._apply(self.rules.opening(self.state))
        if self.before.outcome == voiding.OUTCOME and self.ended is None:
            gone = [(seat, owner) for seat, owner in enumerate(self.owners) if owner != "there"]
            self._apply(voiding.absent(self.rules, self.state, gone))
        for at, entry in enumerate(self.played.moves, 1):
            self.at = at
            if self.due or (isinstance(entry, dict) and not _COMES_OR_GOES.issuperset(entry)):
                self._told(entry)
                continue
            if self.ended is not None and not self.rules.contestable(self.state):
                outcome = self.ended.outcome
                raise wrong("move_after_end", self.number, at, self.rules.clauses[outcome], outcome=outcome)
            if self.on is not None and not (isinstance(entry, str) and entry.startswith(f"{self.on} auto ")):
                raise wrong("clock_goes_on", self.number, at, self.rules.clauses["timeout"], seat=self.on)
            self._apply(self._move(entry) if isinstance(entry, str) else self._come_or_go(entry))
        self.at += 1
        if self.due:
            self._told(None)
        undone = self.ended is None or self.rules.contestable(self.state)
        if undone and self.played.outcome == voiding.OUTCOME:
            return Played(self.state, voiding.VOIDED, self.facts, False)  # no rule of a game decides it
        if self.ended is None:
            raise self.too_few or self._unfinished()
        return Played(self.state, self.ended, self.facts, self.confirmed)

    def _told(self, entry: str | dict[str, Any] | None) -> None:
        """What follows from the moves and must be told between them, no more and no less."""
        expected = self.due.pop(0) if self.due else None
        if entry != expected:
            clause = self.rules.clauses["moves"]
            if expected is None:
                assert isinstance(entry, dict)
                raise wrong("unknown_event", self.number, self.at, names=[key[:40] for key in entry][:5])
            raise wrong("event_missing", self.number, self.at, clause, expected=expected)

    def _apply(self, facts: tuple[Any, ...]) -> None:
        for fact in facts:
            if isinstance(fact, SetEnded):
                self.ended = fact
                continue
            self.facts.append(fact)
            entry = self.rules.entry(fact)
            self.due += [] if entry is None else [entry]
            try:
                source = self.source if type(fact) in self.rules.shuffles else None
                self.state = self.rules.evolve(self.state, fact, source)
            except Rejected as refusal:  # a new stock that is none
                clause = self.rules.clauses.get("reshuffle", self.rules.clauses["pack"])
                raise Wrong(Finding(refusal.code, self.number, self.at, clause, refusal.values)) from None

    def _move(self, entry: str) -> tuple[Any, ...]:
        """What one move of the record causes."""
        rules, number, at = self.rules, self.number, self.at
        read = _MOVE.fullmatch(entry)
        if read is None:
            raise wrong("not_a_move", number, at, rules.clauses["moves"], text=entry[:LONGEST])
        seat, auto = int(read[1]), read[2] is not None
        if seat >= len(self.owners):
            raise wrong("no_such_seat", number, at, rules.clauses["moves"], seats=len(self.owners))
        if self.too_few is not None and not self._closes(seat):
            raise self.too_few
        try:
            move = rules.read(read[3])
            accuses = rules.accuses(move) is not None
            if self.ended is not None and not accuses:
                self.state, self.confirmed = rules.confirming(self.state), True
            was_open = self.ended is None
            self._apply(rules.untold(self.state, seat, move))
            if was_open and self.ended is not None:
                outcome = self.ended.outcome
                raise wrong("move_after_end", number, at, rules.clauses[outcome], outcome=outcome)
            facts = rules.decide(self.state, seat, move, self._brought(move, auto))
        except Rejected as refusal:
            clause = refusal.clause or rules.clauses["moves"]
            values = {**refusal.values, "text": entry[:LONGEST]}
            raise Wrong(Finding(refusal.code, number, at, clause, values)) from None
        asks = asked(rules.to_act(self.state), seat)
        self.on = None
        if auto:
            after = self.state
            for fact in facts:
                if not isinstance(fact, SetEnded):
                    after = rules.evolve(after, fact, self.source if type(fact) in rules.shuffles else None)
            again = None if isinstance(facts[-1], SetEnded) else asked(rules.to_act(after), seat)
            if asks is not None and again is not None and asks.key == again.key:
                self.on = seat
            due = rules.timeout(self.state, seat)
            if move != due:
                expected = f"{seat} auto {rules.notation(due)}"
                raise wrong("wrong_auto_move", number, at, rules.clauses["timeout"], text=entry, expected=expected)
        elif seat in self.played_for:
            pass  # its owner is as absent as before
        elif accuses and not was_open:
            pass  # he may have come back in the next set
        elif self.owners[seat] == "left":
            raise wrong("left_seat_moved", number, at, rules.clauses["away"], seat=seat)
        else:
            self.owners[seat] = "there"
        return facts

    def _brought(self, move: Any, auto: bool) -> Brought:
        """A record tells moves in the order in which they counted; a word's verdict is the dictionary's."""
        if not self.rules.brings:
            return BY_CLOCK if auto else PLAIN
        word = None if self.rules.word_of is None else self.rules.word_of(self.state, move)
        verdict = None if word is None or self.lexicon is None else self.lexicon.rule(word)
        return Brought(auto, verdict, order=self.at, source=self.source, told=True)

    def _come_or_go(self, entry: dict[str, Any]) -> tuple[Any, ...]:
        """`{"left": 1}` and `{"returned": 1}` between the moves; `{"away": 1}` where something follows from it;
        `{"stand_in": 1}`: a computer player plays on for an absent owner."""
        if self.too_few is not None:
            raise self.too_few
        rules, number, at = self.rules, self.number, self.at
        clause = rules.clauses["away"]
        if len(entry) != 1:
            raise wrong("unknown_event", number, at, names=[key[:40] for key in entry][:5])
        ((what, seat),) = entry.items()
        if what == "penalty":
            return self._penalty(seat)
        if type(seat) is not int or not 0 <= seat < len(self.owners):
            raise wrong("no_such_seat", number, at, clause, seats=len(self.owners))
        self._apply(rules.untold(self.state, seat, None))
        was = self.owners[seat]
        match what:
            case "left":
                if was == "left":
                    raise wrong("already_left", number, at, clause, seat=seat)
                facts = self._gone(seat, "left", "left")
                if self.ended is None and (not facts or type(facts[-1]) is not SetEnded):
                    self._enough()
            case "returned":
                if was == "there":
                    raise wrong("not_away", number, at, clause, seat=seat)
                self.played_for.discard(seat)
                facts = self._gone(seat, "returned", "there")
            case "stand_in":
                if seat in self.played_for:
                    raise wrong("unknown_event", number, at, names=["stand_in"])
                self.played_for.add(seat)
                self.owners[seat] = "left" if was == "left" else "away"
                facts = ()
            case _:
                facts = self._gone(seat, "away", "away")
                if was != "there" or not facts:
                    raise wrong("unknown_event", number, at, names=["away"])
        return facts

    def _penalty(self, notation: Any) -> tuple[Any, ...]:
        """What an administrator had punished: as an accusation that is proved."""
        rules, number, at = self.rules, self.number, self.at
        try:
            move = rules.read(notation if isinstance(notation, str) else "")
            accused = rules.accuses(move)
            if accused is None or accused >= len(self.owners):
                raise malformed("not_a_move", text=str(notation)[:LONGEST])
            return rules.penalise(self.state, move)
        except Rejected as refusal:
            clause = refusal.clause or rules.clauses["moves"]
            values = {"text": str(notation)[:LONGEST], **refusal.values}
            raise Wrong(Finding(refusal.code, number, at, clause, values)) from None

    def _gone(self, seat: int, what: Literal["left", "away", "returned"], now: There) -> tuple[Any, ...]:
        self.owners[seat] = now
        return self.rules.gone(self.state, seat, what)

    def _enough(self) -> None:
        """A set of which more is told was not cut short by those who left; but answers that had come before may have
        been stated only when the leaving closed their window."""
        over = self.rules.too_few(standing_now(self.before, self.owners, self.state))
        if over is None:
            return
        self.too_few = wrong("too_few_players", self.number, self.at, self.rules.clauses[over.ended])
        if self.rules.move_of is None:
            raise self.too_few
        self.closing = tuple(ask.key for ask in self.rules.to_act(self.state))

    def _closes(self, seat: int) -> bool:
        ask = asked(self.rules.to_act(self.state), seat)
        return ask is not None and ask.key in self.closing

    def _unfinished(self) -> Wrong:
        last, outcome, clauses = len(self.played.moves), self.played.outcome, self.rules.clauses
        if last == 0 and outcome in clauses:
            return wrong("wrong_outcome", self.number, 0, clauses[outcome], expected=None, found=outcome)
        return wrong("moves_missing", self.number, last + 1, clauses["moves"])


def standing_now(before: Standing, owners: Sequence[There], state: Any) -> Standing:
    """How things stand when somebody leaves."""
    left = tuple(owner == "left" for owner in owners)
    standing = Standing(before.options, "", None, before.totals, before.scored_sets, left, state, before.adjusted)
    return msgspec.structs.replace(standing, rows=before.rows, set=before.set)


def _packs(rules: Game, setup: Setup, number: int, played: PlayedSet) -> dict[str, tuple[int, ...]]:
    """The packs of the set, by label: every card of the game once."""
    found: dict[str, tuple[int, ...]] = {}
    wanted = rules.packs(setup)
    for label, pack in wanted.items():
        kind = label.partition(":")[0]
        names = played.deck if kind == "deal" else played.extra.get(kind)
        if not isinstance(names, list | tuple) or not all(isinstance(name, str) for name in names):
            raise wrong("wrong_extra", number, 0, rules.clauses["pack"], name=kind, expected=_names(rules, pack))
        found[label] = _pack(rules, pack, number, names)
    every = by_name(rules, wanted)
    for index, stock in enumerate(played.reshuffles, 1):
        found[f"reshuffle:{index}"] = tuple(_card(rules, every, number, name, at) for at, name in enumerate(stock, 1))
    return found


def by_name(rules: Game, packs: Mapping[str, tuple[int, ...]]) -> dict[str, int]:
    """Every card of some packs by its name."""
    return {rules.card_name(card): card for pack in packs.values() for card in pack}


def _names(rules: Game, cards: Iterable[int]) -> list[str]:
    return [rules.card_name(card) for card in cards]


def _card(rules: Game, known: Mapping[str, int], number: int, name: str, at: int) -> int:
    if name not in known:
        raise wrong("not_a_card", number, 0, rules.clauses["pack"], text=name[:LONGEST], card_number=at)
    return known[name]


def _pack(rules: Game, wanted: tuple[int, ...], number: int, names: Sequence[str]) -> tuple[int, ...]:
    """A pack in dealing order."""
    clause = rules.clauses["pack"]
    known = {rules.card_name(card): card for card in wanted}
    found = tuple(_card(rules, known, number, name, at) for at, name in enumerate(names, 1))
    counts, due = Counter(found), Counter(wanted)
    for card in wanted:
        if counts[card] > due[card]:
            raise wrong("card_twice", number, 0, clause, card=rules.card_name(card))
    missing = [rules.card_name(card) for card in dict.fromkeys(wanted) if counts[card] < due[card]]
    if missing:
        raise wrong("cards_missing", number, 0, clause, cards=missing)
    return found


def compare_end(rules: Game, number: int, played: PlayedSet, setup: Setup, state: Any, ended: SetEnded) -> None:
    """The set's outcome, `extra`, `reshuffles` and scores."""
    last = len(played.moves)
    if played.outcome != ended.outcome:
        clause = rules.clauses[ended.outcome]
        found = played.outcome[:LONGEST]
        raise wrong("wrong_outcome", number, last, clause, expected=ended.outcome, found=found)
    dealt = {label.partition(":")[0] for label in rules.packs(setup)} - {"deal"}
    expected = {**rules.extra(state), **as_named(rules, setup.options, played)}
    for key in sorted({*expected, *played.extra} - dealt):
        if key not in expected or played.extra.get(key) != expected[key]:
            clause = rules.clauses.get(f"extra.{key}", rules.clauses["moves"])
            raise wrong("wrong_extra", number, last, clause, name=key[:LONGEST], expected=expected.get(key))
    stocks = tuple(tuple(_names(rules, stock)) for stock in rules.reshuffles(state))
    if played.reshuffles != stocks:
        raise wrong("wrong_extra", number, last, rules.clauses["pack"], name="reshuffles", expected=stocks)
    tenths = rules.tenths(setup.options)
    scores = ended.scores
    due = None if scores is None else tuple(None if score is None else written(score, tenths) for score in scores)
    if played.scores != due:
        raise wrong("wrong_scores", number, last, rules.clauses["scores"], expected=due, found=played.scores)
