"""Judges a record: plays it through the rules and says the first thing that is not as they say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from domain import options, record, sheet, voiding
from domain.audit_set import LONGEST, There, by_name, compare_end, play, standing_now
from domain.audit_words import Lexicons, decided, lexicon, lexicon_of
from domain.finding import Finding, Wrong, wrong
from domain.game import Adjustment, FirstDealer, Game, SetEnded, Setup, Standing, Verdict
from domain.games import GAMES
from domain.record import Corrupt, Record, rows_of, written
from domain.rejected import Rejected, malformed
from domain.table import Row

__all__ = ["Finding", "Lexicons", "audit_record", "unjudged"]

_CUT_SHORT = (None, "vote", "closed")  # ends that no rule of a game decides


def audit_record(data: bytes, lexicons: Lexicons | None = None) -> Finding | None:
    """The first thing that is wrong with the bytes of a record, or None for one that is as the rules say.

    `lexicons`: the dictionary of a name; LookupError for one that is not there (`unjudged` says so). Without it words
    are taken as the record tells them. Never raises: what is no record at all is a finding too (`not_a_record`).
    """
    try:
        found = record.read(data)
    except Corrupt as error:
        return Finding("not_a_record", values={"text": str(error)})
    try:
        _judge(found, lexicons)
    except Wrong as wrong_:
        return wrong_.finding
    return None


def unjudged(found: Record, lexicons: Lexicons) -> tuple[str, ...]:
    """The dictionaries that a record names and that are not there: its words cannot be judged."""
    rules = GAMES.get(found.game)
    if rules is None or rules.dictionary is None:
        return ()
    named = dict.fromkeys(name for played in found.sets if isinstance(name := played.extra.get("words"), str))
    return tuple(name for name in named if lexicon_of(name, lexicons) is None)


def _judge(found: Record, lexicons: Lexicons | None) -> None:
    rules = _rules(found)
    chosen = _options(rules, found)
    clauses = rules.clauses
    if not rules.seats[0] <= found.seats <= rules.seats[1]:
        raise wrong("wrong_seats", clause=clauses["seats"], fewest=rules.seats[0], most=rules.seats[1])
    if not _first_dealer(rules, chosen, found):
        raise wrong("wrong_first_dealer", clause=clauses["first_dealer"])
    owners: list[There] = ["there"] * found.seats
    standing = Standing(chosen, "", None, (0,) * found.seats, 0, (False,) * found.seats, None)
    rows: list[Row] = []
    dealer, playing, clause = found.first_dealer.seat, tuple[int, ...](), clauses["first_dealer"]
    verdict: Verdict | None = None
    for index, played in enumerate(found.sets):
        number = index + 1
        if verdict is not None:
            raise wrong("game_is_over", number, 0, clauses[verdict.ended], ended=verdict.ended)
        if played.dealer != dealer:
            raise wrong("wrong_dealer", number, 0, clause, expected=dealer, found=played.dealer)
        setup = Setup(chosen, found.seats, dealer, 1, playing, standing.totals, decided(rules, number, played))
        words = lexicon(rules, chosen, number, played, lexicons)
        state, ended, facts, confirmed = play(rules, setup, number, played, owners, standing, words)
        compare_end(rules, number, played, setup, state, ended)
        standing = _after(standing, ended, owners, state, index)
        if ended.scores is not None:
            rows.append(Row(index, ended.scores, "score"))
            adjusted = rules.adjust(standing)
            rows += [Row(index, row.values, row.kind) for row in adjusted]
            standing = _adjusted(standing, adjusted)
        unpunished = standing.totals
        if confirmed and ended.scores is not None and not _was_over(rules, standing):
            raise wrong("game_goes_on", number, len(played.moves), clauses["moves"], found="confirm")
        rows = _punished(rules, standing, rows, facts)
        standing = _with_sheet(standing, rows)
        verdict = voiding.verdict(rules, standing, unpunished if standing.totals != unpunished else ())
        if verdict is not None and found.ended is None and number == len(found.sets) and _waits(rules, state):
            verdict = None
        elif verdict is None:
            verdict = rules.too_few(standing_now(standing, owners, state))
        deal = rules.next_deal(standing)
        dealer, playing, clause = deal.dealer, deal.playing, clauses["next_dealer"]
    _compare_sheet(rules, found, rows, standing)
    _compare_result(rules, found, verdict, standing)


def _was_over(rules: Game, standing: Standing) -> bool:
    """Whether a set ended the game when its last card was played; who has left since then is not asked."""
    everybody = msgspec.structs.replace(standing, left=(False,) * len(standing.left))
    return any(rules.after_set(one) is not None for one in (standing, everybody))


def _waits(rules: Game, state: Any) -> bool:
    """Whether the result still waits for some seat to confirm it."""
    return rules.contestable(state) and bool(rules.to_act(rules.confirming(state)))


def _punished(rules: Game, standing: Standing, rows: list[Row], facts: Sequence[Any]) -> list[Row]:
    """The sheet with the penalties that follow from the facts of a set, one after the other."""
    for fact in facts:
        now = msgspec.structs.replace(standing, rows=tuple(rows))
        for row in rules.penal(now, fact):
            at = now.set if row.set is None else row.set
            rows = list(sheet.written(tuple(rows), Row(at, row.values, row.kind)))
    return rows


def _with_sheet(standing: Standing, rows: Sequence[Row]) -> Standing:
    """How things stand with the whole sheet."""
    adjusted = tuple(Adjustment(row.kind, row.values) for row in rows if row.kind != "score")
    totals = sheet.totals(rows, len(standing.left))
    return msgspec.structs.replace(standing, totals=totals, adjusted=adjusted, rows=tuple(rows))


def _after(before: Standing, ended: SetEnded, owners: Sequence[There], state: Any, index: int) -> Standing:
    scores = ended.scores or (0,) * len(owners)
    return Standing(
        before.options,
        ended.outcome,
        ended.scores,
        tuple(total + (score or 0) for total, score in zip(before.totals, scores, strict=True)),
        before.scored_sets + (not ended.void),
        tuple(owner == "left" for owner in owners),
        state,
        before.adjusted,
        before.rows,
        index,
    )


def _adjusted(standing: Standing, rows: Sequence[Adjustment]) -> Standing:
    """How things stand with further rows written."""
    totals = standing.totals
    for row in rows:
        totals = tuple(total + (value or 0) for total, value in zip(totals, row.values, strict=True))
    return msgspec.structs.replace(standing, totals=totals, adjusted=(*standing.adjusted, *rows))


def _rules(found: Record) -> Game:
    if found.format != record.FORMAT:
        raise wrong("unknown_format", text=found.format[:LONGEST], expected=record.FORMAT)
    rules = GAMES.get(found.game)
    if rules is None:
        raise wrong("no_such_game", name=found.game[:LONGEST], names=tuple(GAMES))
    if found.ruleset != rules.ruleset:
        raise wrong("unknown_ruleset", text=found.ruleset[:LONGEST], expected=rules.ruleset)
    return rules


def _options(rules: Game, found: Record) -> Any:
    """All options by name, each within its bounds, and together such as a table may have."""
    allowed = options.bounds(rules.options)
    for name in found.options:
        if name not in allowed:
            raise wrong("no_such_option", name=name[:LONGEST], names=list(allowed))
    for name in allowed:
        if name not in found.options:
            raise wrong("option_missing", name=name)
    try:
        chosen = options.stored(rules.options, found.options)
        for name, bound in allowed.items():
            options.read_value(name, options.text_of(getattr(chosen, name)), bound)
        rules.check(chosen)
    except Rejected as refusal:
        raise Wrong(Finding(refusal.code, clause=refusal.clause, values=refusal.values)) from None
    return chosen


class _Drawn(msgspec.Struct, frozen=True):
    """A pack of which a record tells the first cards, or the seats of which it tells the first."""

    first: tuple[int, ...]

    def order(self, label: str, items: Sequence[int]) -> tuple[int, ...]:
        """What was drawn, then the rest; Rejected `wrong_pack` where it cannot have been drawn."""
        rest = list(items)
        for item in self.first:
            if item not in rest:
                raise malformed("wrong_pack", label=label)
            rest.remove(item)
        return (*self.first, *rest)


def _first_dealer(rules: Game, chosen: Any, found: Record) -> bool:
    """Whether the first dealer was found in a way of the game's, with the draws that it takes and no other."""
    told = found.first_dealer
    if not 0 <= told.seat < found.seats:
        return False
    if told.how == "host":
        return rules.host_names_dealer and not told.draws
    known = by_name(rules, rules.packs(Setup(chosen, found.seats, told.seat, 1)))
    if not set(told.draws) <= set(known):
        return False
    draws = tuple(known[name] for name in told.draws)
    try:
        expected = rules.first_dealer(chosen, found.seats, _Drawn(draws or (told.seat,)))
    except Rejected:
        return False
    return expected == FirstDealer(told.how, told.seat, draws)


# The whole game


def _compare_sheet(rules: Game, found: Record, rows: list[Row], standing: Standing) -> None:
    """The columns and their sums."""
    tenths = rules.tenths(standing.options)
    expected = rows_of(rows if rules.sheet else (), found.seats, tenths)
    if len(found.rows) != found.seats:
        raise wrong("wrong_rows", clause=rules.clauses["rows"], expected=found.seats, found=len(found.rows))
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
        raise wrong("wrong_rows", *place, rules.clauses["rows"], seat=seat, expected=due)
    totals = [written(total, tenths) for total in standing.totals]
    if list(found.totals) != totals:
        place = _place(found, len(found.sets) - 1)
        raise wrong("wrong_totals", *place, rules.clauses["totals"], expected=totals, found=found.totals)


def _place(found: Record, index: int) -> tuple[int | None, int | None]:
    """The set of an index, and its last move."""
    if 0 <= index < len(found.sets):
        return index + 1, len(found.sets[index].moves)
    return None, None


def _compare_result(rules: Game, found: Record, verdict: Verdict | None, standing: Standing) -> None:
    """How the game ended and who won."""
    place = _place(found, len(found.sets) - 1)
    if verdict is not None:
        if found.ended != verdict.ended:
            clause = rules.clauses[verdict.ended]
            raise wrong("wrong_end", *place, clause, expected=verdict.ended, found=found.ended)
        possible = [verdict.winners]
    elif found.ended in _CUT_SHORT:
        possible = [()]
    else:
        possible = _winners_for_want_of_players(rules, found, standing)
        if not possible:
            nearest = rules.clauses.get(found.ended or "") or rules.clauses.get("target")
            raise wrong("game_goes_on", *place, nearest, found=(found.ended or "")[:LONGEST])
    if found.winners not in possible:
        raise wrong("wrong_winners", *place, rules.clauses["winners"], expected=possible[0], found=found.winners)


def _winners_for_want_of_players(rules: Game, found: Record, standing: Standing) -> list[tuple[int, ...]]:
    """The winners there can be where a set that is not told was cut short because more of the players had left.

    They left one after another, some may have come back, and the game was over when the last of them left.
    """
    possible: list[tuple[int, ...]] = []
    goes_on: list[tuple[bool, ...]] = [standing.left]
    for left in goes_on:  # it grows meanwhile
        for seat in range(found.seats):
            after = (*left[:seat], not left[seat], *left[seat + 1 :])
            owners: list[There] = ["left" if gone else "there" for gone in after]
            over = rules.too_few(standing_now(standing, owners, standing.final))
            if over is None or not after[seat]:
                goes_on += [after] if after not in goes_on else []
            elif over.ended == found.ended and over.winners not in possible:
                possible.append(over.winners)
    return possible
