"""The account of a table in words: what was promised, dealt, judged, proved, paid for, and done by right of office."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import tzinfo
from typing import Any

import msgspec

from domain import events
from domain.game import SetEnded
from domain.games import GAMES
from domain.table import Seat
from service.reports.account import Account, Accusation, Act, Automatic, Fault, Offence, Penalty, SetAccount
from service.text import Texts, cards, findings, history, history_tools, moments, people, sheet
from service.text import marked as _
from service.text.people import plain
from service.text.words import game_name, words

_LONGEST = 120
_MOST = 12  # moves by the clock that a line lists

DEALS: dict[str, str] = {
    "verified": _("deal verified"),
    "fits": _("the seed is the one that was promised; the deal was not made again"),
    "sealed": _("seed not revealed yet"),
    "wrong": _("THE SEED IS NOT THE ONE THAT WAS PROMISED"),
}
MOVES: dict[str, str] = {
    "right": _("every move judged"),
    "unjudged": _("moves not judged"),
    "wrong": _("SOMETHING IS WRONG HERE"),
}
_VERDICTS: dict[str, str] = {
    "right": _("Nothing is wrong with this history."),
    "wrong": _("Something is wrong: {fault}"),
    "unjudged": _(
        "Its chain holds and its seeds are those that were promised. This program does not know the rules {ruleset}, "
        "so it judged no move."
    ),
}
_ACTS: dict[str, str] = {
    "pause": _("{who} paused the table"),
    "resume": _("{who} let the table go on"),
    "stand_in": _("{who} decided whether a computer player stands in for whoever is absent"),
    "kick": _("{who} sent somebody away"),
    "replace": _("{who} gave a seat to somebody else"),
    "void": _("{who} decided that the set does not count"),
    "close": _("{who} closed the table"),
    "penalty": _("{who} had a penalty written that the rules say"),
}


def names(texts: Texts, account: Account, known: Mapping[str, str]) -> list[str]:
    """What the seats are called: `known` maps actors to names."""
    return people.names_of(texts, owners(account), known)


def owners(account: Account) -> tuple[Seat, ...]:
    """The seats with whoever has them in the end."""
    return tuple(Seat(seat.owner) for seat in account.seats)


def actors(account: Account) -> list[str]:
    """The people whose names an account can use."""
    found = {seat.owner for seat in account.seats} | {act.actor for act in account.acts}
    return sorted(actor for actor in found if actor.startswith("person:"))


def lines(texts: Texts, account: Account, called: Sequence[str], known: Mapping[str, str]) -> list[str]:
    """The whole account, a line a fact; what belongs to a set is indented below it."""
    found = [title(texts, account)]
    found += [f"  {line}" for line in before_the_sets(texts, account, known)]
    for one in account.sets:
        found.append(set_line(texts, account, one))
        found += [f"  {line}" for line in below_set(texts, account, one, called, known)]
    return [*found, *notes(texts, account), verdict(texts, account)]


def title(texts: Texts, account: Account) -> str:
    """The table, its rules, how much of it there is."""
    said = texts.ngettext("{table} · {ruleset} · {n} commit", "{table} · {ruleset} · {n} commits", account.commits)
    return said.format(
        table=plain(account.table, _LONGEST), ruleset=plain(account.ruleset, _LONGEST) or "-", n=account.commits
    )


def game(texts: Texts, account: Account) -> str:
    """What people call the game; one that this release does not know by its word."""
    return game_name(texts, account.game) if account.game in GAMES else plain(account.game, _LONGEST)


def verdict(texts: Texts, account: Account) -> str:
    """What follows from all of it, in a sentence."""
    said = "" if account.fault is None else fault(texts, account.fault)
    template = texts.gettext(_VERDICTS[account.verdict])
    return template.format(fault=said, ruleset=plain(account.ruleset, _LONGEST))


def notes(texts: Texts, account: Account) -> list[str]:
    """What the verdict does not cover."""
    return [findings.unjudged(texts, plain(name, _LONGEST)) for name in account.words_unjudged]


def fault(texts: Texts, found: Fault) -> str:
    """The first thing that is wrong, with its place."""
    where = "" if found.version is None else texts.gettext("version {number}").format(number=found.version)
    match found.kind:
        case "rules":
            return findings.finding(texts, found)
        case "senseless":
            said = history_tools.senseless(texts, where, found.code)
        case "form":
            said = history_tools.misformed(texts, where, found.code)
        case "unreadable":
            said = history_tools.unknown_event(texts, where, 0)
        case "chain" if found.code == "no_commits":
            said = texts.gettext("there are no commits")
        case "chain":
            said = history_tools.broken(texts, where, 0, found.code == "gap")
    return said.removeprefix(": ")


def set_line(texts: Texts, account: Account, one: SetAccount) -> str:
    """A set: its deal, its moves, how it ended."""
    said = texts.gettext("Set {number} (from version {version}): {deal}; {moves}")
    moved = texts.ngettext("{n} move", "{n} moves", one.moves).format(n=one.moves)
    judged = f"{moved}, {texts.gettext(MOVES[one.moves_are])}"
    line = said.format(number=one.set, version=one.version, deal=texts.gettext(DEALS[one.deal_is]), moves=judged)
    ended = outcome(texts, account, one)
    return f"{line}; {ended}" if ended else line


def outcome(texts: Texts, account: Account, one: SetAccount) -> str:
    """How a set ended, where that is not plainly that it was scored."""
    if one.outcome is None:
        return texts.gettext("still played") if one.open else texts.gettext("cut short")
    rules = GAMES.get(account.game)
    if rules is None:
        said = plain(one.outcome, _LONGEST)
    else:
        said = history.line(texts, rules, SetEnded(one.outcome), ()) or ""
    if one.undone:
        return texts.gettext("taken out of the score: {outcome}").format(outcome=said)
    return said


def before_the_sets(texts: Texts, account: Account, known: Mapping[str, str], zone: tzinfo | None = None) -> list[str]:
    """What was done by right of office before the first deal."""
    return [act(texts, one, known, zone) for one in account.acts if one.set == 0]


def below_set(
    texts: Texts,
    account: Account,
    one: SetAccount,
    called: Sequence[str],
    known: Mapping[str, str],
    zone: tzinfo | None = None,
) -> list[str]:
    """Everything else about a set."""
    found = automatic(texts, one.automatic, called)
    found += [accusation(texts, said, called) for said in one.accusations]
    found += [offence(texts, account, said, called) for said in one.offences]
    if one.open and one.outcome is not None:
        found.append(texts.gettext("what its cards prove is told when nobody may object to it any more"))
    found += [
        line for said in account.penalties if said.set == one.set for line in penalty(texts, account, said, called)
    ]
    return found + [act(texts, said, known, zone) for said in account.acts if said.set == one.set]


def automatic(texts: Texts, moves: Iterable[Automatic], called: Sequence[str]) -> list[str]:
    """The moves that the clock made."""
    made = [
        f"{_name(called, one.seat)} {cards.move(texts, plain(one.move, _LONGEST))} ({one.version})" for one in moves
    ]
    if not made:
        return []
    said = texts.ngettext(
        "{n} move by the clock (version): {moves}", "{n} moves by the clock (versions): {moves}", len(made)
    )
    return [said.format(n=len(made), moves=", ".join([*made[:_MOST], *(["…"] if len(made) > _MOST else [])]))]


def accusation(texts: Texts, one: Accusation, called: Sequence[str]) -> str:
    """That somebody called another's conduct in question."""
    said = texts.gettext("version {version}: {seat} accused {accused} ({move})")
    move = plain(one.move, _LONGEST)
    return said.format(version=one.version, seat=_name(called, one.seat), accused=_name(called, one.accused), move=move)


def offence(texts: Texts, account: Account, one: Offence, called: Sequence[str]) -> str:
    """A move against the rules, the card that proves it, and the numbers of both events."""
    what = words(account.game).offences.get(one.what)
    said = texts.gettext("offence: {seat} played {move} (version {version}) and {what}: {proof}").format(
        seat=_name(called, one.seat),
        move=cards.move(texts, one.move),
        version=one.version,
        what=one.what.replace("_", " ") if what is None else texts.gettext(what),
        proof=proof(texts, one),
    )
    if one.convicted:
        return said
    return f"{said}. {texts.gettext('Nobody objected in time, so it costs nothing.')}"


def proof(texts: Texts, one: Offence) -> str:
    """The card that proves an offence, and where everybody saw it."""
    if one.shown_at is None:
        return texts.gettext("{card} was shown").format(card=cards.card(texts, one.card))
    return texts.gettext("{card} was played later (version {version})").format(
        card=cards.card(texts, one.card), version=one.shown_at
    )


def penalty(texts: Texts, account: Account, one: Penalty, called: Sequence[str]) -> list[str]:
    """A penalty, whether it is due and applied, and what it follows from."""
    values = ", ".join(
        f"{_name(called, seat)} {sheet.points(value, account.tenths)}"
        for seat, value in enumerate(one.values)
        if value is not None
    )
    what = texts.gettext(sheet.note(account.game, one.kind))
    row = texts.gettext("{what} in row {row}: {values}").format(what=what, row=one.row, values=values)
    if one.version is None:
        return [texts.gettext("DUE AND NOT APPLIED: {row}").format(row=row)]
    if not one.due:
        return [texts.gettext("APPLIED AND NOT DUE (version {version}): {row}").format(version=one.version, row=row)]
    said = texts.gettext("due and applied (version {version}): {row}").format(version=one.version, row=row)
    return [said, *(f"  {line}" for told in one.evidence for line in _event(texts, account, told, called))]


def act(texts: Texts, one: Act, known: Mapping[str, str], zone: tzinfo | None = None) -> str:
    """What was done by right of office, by whom and why."""
    template = _ACTS.get(one.act)
    done = one.act if template is None else texts.gettext(template).format(who=who(texts, one.actor, known))
    said = texts.gettext("version {version}, {time}: {done}").format(
        version=one.version, time=moments.stamp(one.time, zone), done=done
    )
    if one.why:
        return f"{said}. {texts.gettext('Why: {why}').format(why=plain(one.why, 200))}"
    return f"{said}. {texts.gettext('Reason: {hash}…').format(hash=one.reason[:12])}" if one.reason else said


def who(texts: Texts, actor: str, known: Mapping[str, str]) -> str:
    """Who did something by right of office."""
    match actor:
        case "operator":
            return texts.gettext("The operator")
        case "chat":
            return texts.gettext("An administrator")
        case "clock":
            return texts.gettext("The service")
        case _:
            return plain(known.get(actor, "")) or texts.gettext("An administrator")


def _event(texts: Texts, account: Account, told: dict[str, Any], called: Sequence[str]) -> list[str]:
    """The event that something follows from, in the game's words."""
    (event,) = events.decode(b"[" + msgspec.json.encode(told) + b"]")
    return history.lines(texts, GAMES[account.game], event, called, account.tenths)


def _name(called: Sequence[str], seat: int) -> str:
    return called[seat] if 0 <= seat < len(called) else f"#{seat}"
