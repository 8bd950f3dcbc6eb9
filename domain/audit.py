"""Judges a record: plays it through the rules and says the first thing that is not as they say."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import msgspec

from domain import options, record
from domain.game import Game, SetEnded, Setup, Standing, Verdict
from domain.games import GAMES
from domain.record import Corrupt, PlayedSet, Record, rows_of, written
from domain.rejected import Rejected
from domain.shuffle import Given
from domain.table import Row

_MOVE = re.compile(r"(\d{1,2}) (auto )?(.{1,200})", re.ASCII | re.DOTALL)
_CUT_SHORT = (None, "vote", "too_few_players", "closed")  # ends that no rule of the game decides
_FOUND_DEALER = ("random", "host", "seven")
_LONGEST = 200


class Finding(msgspec.Struct, frozen=True):
    """The first thing that is wrong: a code with values, and where.

    `set` counts from 1; `move` too, over the entries of the set's `moves`: 0 is the deal, and what is said of the set
    as a whole (its outcome, its scores) belongs to its last move. None: not about a set. `version` is the commit, where
    a table's history was judged. `clause` names the rule.
    """

    code: str
    set: int | None = None
    move: int | None = None
    clause: str | None = None
    values: dict[str, Any] = {}
    version: int | None = None


class _Wrong(Exception):
    """Carries the finding out of the depth of a game."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.code)
        self.finding = finding


def _wrong(
    code: str, set_: int | None = None, move: int | None = None, clause: str | None = None, **values: Any
) -> _Wrong:
    return _Wrong(Finding(code, set_, move, clause, values))


def audit_record(data: bytes) -> Finding | None:
    """The first thing that is wrong with the bytes of a record, or None for one that is as the rules say.

    Never raises: what is no record at all is a finding too (`not_a_record`).
    """
    try:
        found = record.read(data)
    except Corrupt as error:
        return Finding("not_a_record", values={"text": str(error)})
    try:
        _judge(found)
    except _Wrong as wrong:
        return wrong.finding
    return None


def _judge(found: Record) -> None:
    rules = _rules(found)
    chosen = _options(rules, found)
    clauses = rules.clauses
    if not rules.seats[0] <= found.seats <= rules.seats[1]:
        raise _wrong("wrong_seats", clause=clauses["seats"], fewest=rules.seats[0], most=rules.seats[1])
    if found.first_dealer.how not in _FOUND_DEALER or not 0 <= found.first_dealer.seat < found.seats:
        raise _wrong("wrong_first_dealer", clause=clauses["first_dealer"])
    tenths = rules.tenths(chosen)
    left = [False] * found.seats
    totals = [0] * found.seats
    rows: list[Row] = []
    dealer, clause = found.first_dealer.seat, clauses["first_dealer"]
    verdict: Verdict | None = None
    for index, played in enumerate(found.sets):
        number = index + 1
        if verdict is not None:
            raise _wrong("game_is_over", number, 0, clauses[verdict.ended], ended=verdict.ended)
        if played.dealer != dealer:
            raise _wrong("wrong_dealer", number, 0, clause, expected=dealer, found=played.dealer)
        state, ended = _play(rules, chosen, found.seats, number, played, left)
        _compare_end(rules, number, played, state, ended, tenths)
        dealer, clause = rules.next_dealer(state), clauses["next_dealer"]
        if ended.scores is not None:
            rows.append(Row(index, ended.scores, "score"))
            totals = [total + (score or 0) for total, score in zip(totals, ended.scores, strict=True)]
            verdict = rules.after_set(Standing(chosen, ended.outcome, tuple(totals), len(rows), tuple(left)))
    _compare_sheet(rules, found, rows, [written(total, tenths) for total in totals], tenths)
    _compare_result(rules, found, verdict)


def _rules(found: Record) -> Game:
    if found.format != record.FORMAT:
        raise _wrong("unknown_format", text=found.format[:_LONGEST], expected=record.FORMAT)
    rules = GAMES.get(found.game)
    if rules is None:
        raise _wrong("no_such_game", name=found.game[:_LONGEST], names=tuple(GAMES))
    if found.ruleset != rules.ruleset:
        raise _wrong("unknown_ruleset", text=found.ruleset[:_LONGEST], expected=rules.ruleset)
    return rules


def _options(rules: Game, found: Record) -> Any:
    """All options by name, each within its bounds, and together such as a table may have."""
    allowed = options.bounds(rules.options)
    for name in found.options:
        if name not in allowed:
            raise _wrong("no_such_option", name=name[:_LONGEST], names=list(allowed))
    for name in allowed:
        if name not in found.options:
            raise _wrong("option_missing", name=name)
    try:
        chosen = options.stored(rules.options, found.options)
        for name, bound in allowed.items():
            options.read_value(name, options.text_of(getattr(chosen, name)), bound)
        rules.check(chosen)
    except Rejected as refusal:
        raise _Wrong(Finding(refusal.code, clause=refusal.clause, values=refusal.values)) from None
    return chosen


# One set


def _play(
    rules: Game, chosen: Any, seats: int, number: int, played: PlayedSet, left: list[bool]
) -> tuple[Any, SetEnded]:
    """The set played move by move: its last state, and how it ended. `left` is kept up to date."""
    setup = Setup(chosen, seats, played.dealer, 1)
    source = Given({"deal:1": _pack(rules, setup, number, played.deck)})
    state = rules.start(setup, source)
    ended: SetEnded | None = None
    facts = rules.opening(state)
    for at, entry in enumerate(played.moves, 1):
        state, ended = _apply(rules, state, facts, source, ended)
        if ended is not None:
            raise _wrong("move_after_end", number, at, rules.clauses[ended.outcome], outcome=ended.outcome)
        if isinstance(entry, str):
            facts = _move(rules, state, number, at, entry, left)
        else:
            facts = ()
            _come_and_go(rules, number, at, entry, left)
    state, ended = _apply(rules, state, facts, source, ended)
    if ended is None:
        last = len(played.moves)
        if last == 0 and played.outcome in rules.clauses:
            raise _wrong("wrong_outcome", number, 0, rules.clauses[played.outcome], expected=None, found=played.outcome)
        raise _wrong("moves_missing", number, last + 1, rules.clauses["moves"])
    return state, ended


def _apply(
    rules: Game, state: Any, facts: tuple[Any, ...], source: Given, ended: SetEnded | None
) -> tuple[Any, SetEnded | None]:
    for fact in facts:
        if isinstance(fact, SetEnded):
            ended = fact
        else:
            state = rules.evolve(state, fact, source if type(fact) in rules.shuffles else None)
    return state, ended


def _pack(rules: Game, setup: Setup, number: int, deck: tuple[str, ...]) -> tuple[int, ...]:
    """The pack in dealing order; every card of the game once."""
    clause = rules.clauses["pack"]
    wanted = rules.pack(setup)
    by_name = {rules.card_name(card): card for card in wanted}
    for at, name in enumerate(deck, 1):
        if name not in by_name:
            raise _wrong("not_a_card", number, 0, clause, text=name[:_LONGEST], card_number=at)
    counts = Counter(deck)
    for card in wanted:
        name, due = rules.card_name(card), wanted.count(card)
        if counts[name] > due:
            raise _wrong("card_twice", number, 0, clause, card=name)
    missing = [rules.card_name(card) for card in wanted if counts[rules.card_name(card)] < wanted.count(card)]
    if missing:
        raise _wrong("cards_missing", number, 0, clause, cards=missing)
    return tuple(by_name[name] for name in deck)


def _move(rules: Game, state: Any, number: int, at: int, entry: str, left: list[bool]) -> tuple[Any, ...]:
    """What one move of the record causes."""
    read = _MOVE.fullmatch(entry)
    if read is None:
        raise _wrong("not_a_move", number, at, rules.clauses["moves"], text=entry[:_LONGEST])
    seat, auto = int(read[1]), read[2] is not None
    try:
        move = rules.read(read[3])
        facts = rules.decide(state, seat, move, auto)
    except Rejected as refusal:
        clause = refusal.clause or rules.clauses["moves"]
        raise _Wrong(Finding(refusal.code, number, at, clause, {**refusal.values, "text": entry[:_LONGEST]})) from None
    if auto:
        due = rules.timeout(state, seat)
        if move != due:
            expected = f"{seat} auto {rules.notation(due)}"
            raise _wrong("wrong_auto_move", number, at, rules.clauses["timeout"], text=entry, expected=expected)
    elif left[seat]:
        raise _wrong("left_seat_moved", number, at, rules.clauses["away"], seat=seat)
    return facts


def _come_and_go(rules: Game, number: int, at: int, entry: dict[str, Any], left: list[bool]) -> None:
    """`{"left": 1}` and `{"returned": 1}` between the moves (CB-61, CB-62)."""
    if len(entry) != 1 or next(iter(entry)) not in ("left", "returned"):
        raise _wrong("unknown_event", number, at, names=[key[:40] for key in entry][:5])
    ((what, seat),) = entry.items()
    if type(seat) is not int or not 0 <= seat < len(left):
        raise _wrong("no_such_seat", number, at, rules.clauses["away"], seats=len(left))
    if left[seat] == (what == "left"):
        code = "already_left" if left[seat] else "not_away"
        raise _wrong(code, number, at, rules.clauses["away"], seat=seat)
    left[seat] = what == "left"
    if left.count(False) < 2:
        raise _wrong("too_few_players", number, at, rules.clauses["too_few_players"])


def _compare_end(rules: Game, number: int, played: PlayedSet, state: Any, ended: SetEnded, tenths: bool) -> None:
    """The set's outcome, `extra` and scores."""
    last = len(played.moves)
    if played.outcome != ended.outcome:
        clause = rules.clauses[ended.outcome]
        found = played.outcome[:_LONGEST]
        raise _wrong("wrong_outcome", number, last, clause, expected=ended.outcome, found=found)
    expected = rules.extra(state)
    for key in sorted({*expected, *(key for key in played.extra if f"extra.{key}" in rules.clauses)}):
        if played.extra.get(key) != expected.get(key):
            clause = rules.clauses[f"extra.{key}"]
            raise _wrong("wrong_extra", number, last, clause, name=key, expected=expected.get(key))
    scores = ended.scores
    due = None if scores is None else tuple(None if score is None else written(score, tenths) for score in scores)
    if played.scores != due:
        raise _wrong("wrong_scores", number, last, rules.clauses["scores"], expected=due, found=played.scores)


# The whole game


def _compare_sheet(rules: Game, found: Record, rows: list[Row], totals: list[int | float], tenths: bool) -> None:
    """The columns and their sums."""
    expected = rows_of(rows, found.seats, tenths)
    if len(found.rows) != found.seats:
        raise _wrong("wrong_rows", clause=rules.clauses["rows"], expected=found.seats, found=len(found.rows))
    for seat, (ours, theirs) in enumerate(zip(expected, found.rows, strict=True)):
        cells = [list(cell) for cell in theirs]
        if cells == ours:
            continue
        at = next((i for i, (one, other) in enumerate(zip(ours, cells, strict=False)) if one != other), None)
        if at is None:
            at = min(len(ours), len(cells))
        cell = ours[at] if at < len(ours) else cells[at]
        place = _place(found, int(cell[0]))
        due = ours[at] if at < len(ours) else None
        raise _wrong("wrong_rows", *place, rules.clauses["rows"], seat=seat, expected=due)
    if list(found.totals) != totals:
        place = _place(found, len(found.sets) - 1)
        raise _wrong("wrong_totals", *place, rules.clauses["totals"], expected=totals, found=found.totals)


def _place(found: Record, index: int) -> tuple[int | None, int | None]:
    """The set of an index, and its last move."""
    if 0 <= index < len(found.sets):
        return index + 1, len(found.sets[index].moves)
    return None, None


def _compare_result(rules: Game, found: Record, verdict: Verdict | None) -> None:
    """How the game ended and who won."""
    place = _place(found, len(found.sets) - 1)
    if verdict is None:
        if found.ended not in _CUT_SHORT:
            clause = rules.clauses.get(found.ended or "", rules.clauses["target"])
            raise _wrong("game_goes_on", *place, clause, found=(found.ended or "")[:_LONGEST])
    elif found.ended != verdict.ended:
        raise _wrong("wrong_end", *place, rules.clauses[verdict.ended], expected=verdict.ended, found=found.ended)
    winners = () if verdict is None else verdict.winners
    if found.winners != winners:
        raise _wrong("wrong_winners", *place, rules.clauses["winners"], expected=winners, found=found.winners)
