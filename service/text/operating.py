"""What the operator's commands say: acts at a table, bans, announcements, maintenance."""

from __future__ import annotations

from collections.abc import Sequence

from service.text import Texts, moments
from service.text import marked as _
from service.text.people import plain
from service.text.refusals import Refusal, filled, refusal

_LONGEST = 200

_QUESTIONS: dict[str, str] = {
    "void": _("Have the set that is played at {table} not count?"),
    "penalty": _("Have what {name} played to trick {other} at {table} punished as the rules say?"),
    "kick": _("Send {name} away from {table}?"),
    "replace": _("Give the seat of {name} at {table} to {other}, with the cards and the score?"),
    "pause": _("Pause {table}?"),
    "resume": _("Let {table} go on?"),
    "close": _("Close {table} for good, without a winner?"),
}
_DONE: dict[str, str] = {
    "void": _("The set at {table} does not count; version {version}."),
    "penalty": _("{name} is punished at {table} for trick {other}; version {version}."),
    "kick": _("{name} had to leave {table}; version {version}."),
    "replace": _("The seat of {name} at {table} is {other}'s now; version {version}."),
    "pause": _("{table} is paused; version {version}."),
    "resume": _("{table} goes on; version {version}."),
    "close": _("{table} is closed; version {version}."),
}


def question(texts: Texts, what: str, table: str, name: str, other: str) -> str:
    """Whether an act is meant seriously."""
    said = texts.gettext(_QUESTIONS[what]).format(table=table, name=name, other=other)
    return texts.gettext("{question} [y/N] ").format(question=said)


def is_yes(texts: Texts, answer: str) -> bool:
    """Whether the answer to `question` is yes."""
    return answer.strip().casefold() in {"y", "yes", texts.gettext("yes").casefold()}


def done(texts: Texts, what: str, table: str, name: str, other: str, version: int) -> str:
    """An act was carried out, in which commit."""
    return texts.gettext(_DONE[what]).format(table=table, name=name, other=other, version=version)


def not_done(texts: Texts) -> str:
    """The question was not answered with yes."""
    return texts.gettext("nothing was changed")


def ask_or_yes(texts: Texts) -> str:
    """Nobody can be asked."""
    return texts.gettext("nobody is there to be asked: --yes means it")


def no_such_seat(texts: Texts, names: Sequence[str]) -> str:
    """A seat by number or name that there is not."""
    seats = ", ".join(f"{number} {name}" for number, name in enumerate(names, 1))
    return texts.gettext("there is no such seat; there are: {seats}").format(seats=seats)


def no_such_move(texts: Texts, what: str) -> str:
    """A penalty for something that nobody can be accused of."""
    return texts.gettext("nobody can be accused of “{what}” there").format(what=plain(what, 40))


_REFUSED: dict[str, str] = {
    "already_seated": _("That person has a seat at this table already."),
    "bad_accusation": _("That cannot be punished: {why}."),
    "no_penalties": _("The rules of this game have no penalties that could be written."),
    "maintenance": _("During maintenance nobody takes a seat (tabletalk maintenance off)."),
}


def refused(texts: Texts, outcome: Refusal) -> str:
    """Why an act was refused, in words for an operator, who has no seat."""
    said = _REFUSED.get(outcome.code)
    if said is None:
        return refusal(texts, outcome)
    values = filled(texts, outcome.values, ())
    told = texts.gettext(said).format_map({"why": "", **values})
    return f"{told} ({outcome.clause})" if outcome.clause else told


def punished(texts: Texts, name: str, number: int) -> str:
    """Why a penalty may be refused: one is written in the sheet already, for the set `number` (from 1)."""
    return texts.gettext("For set {number} a penalty of {name} is written already.").format(name=name, number=number)


def several_tables(texts: Texts, called: str, tables: Sequence[str]) -> str:
    """A pair of words that several tables are called by."""
    return texts.gettext("several tables are called {called}: {tables}").format(
        called=plain(called, _LONGEST), tables=", ".join(tables)
    )


def no_such_chat(texts: Texts, chat: str) -> str:
    """A chat that the deployment does not know."""
    return texts.gettext("no table was ever opened in {chat}").format(chat=plain(chat, _LONGEST))


def bad_stale(texts: Texts) -> str:
    """--stale with something else."""
    return texts.gettext("--stale must be a length of time, such as 12h, 3d or 2w")


def nothing_such(texts: Texts) -> str:
    """No table fits what was asked for."""
    return texts.gettext("No such tables.")


# Bans


def bad_until(texts: Texts) -> str:
    """--until with something else."""
    return texts.gettext("--until must be a day to come, such as 2026-12-31 or “5 days”")


def no_number(texts: Texts, who: str) -> str:
    """Somebody whose Telegram number is not known."""
    return texts.gettext("{who} is nobody of Telegram that is known here: give the Telegram number").format(
        who=plain(who, _LONGEST)
    )


def banned(texts: Texts, key: str, until: int | None, reason: str) -> str:
    """A ban: of whom, until when, why."""
    if until is None:
        said = texts.gettext("{key} may open and join no table").format(key=plain(key, _LONGEST))
    else:
        said = texts.gettext("{key} may open and join no table until {day}").format(
            key=plain(key, _LONGEST), day=moments.date(texts, until - 1)
        )
    return f"{said} ({plain(reason, _LONGEST)})" if reason else said


def unbanned(texts: Texts, key: str) -> str:
    """A ban is over."""
    return texts.gettext("{key} may open and join tables again").format(key=plain(key, _LONGEST))


def not_banned(texts: Texts, key: str) -> str:
    """There is no such ban."""
    return texts.gettext("{key} is not banned").format(key=plain(key, _LONGEST))


def nobody_banned(texts: Texts) -> str:
    """There are no bans."""
    return texts.gettext("Nobody is banned.")


# Announcements


def announced(texts: Texts, chats: int, new: bool) -> str:
    """How many chats will be told; `new`: it was not announced before."""
    if not new:
        return texts.gettext("This has been announced already; every chat is told once.")
    return texts.ngettext(
        "{n} chat with a running table is told by the bot, within its limits.",
        "{n} chats with running tables are told by the bot, within its limits.",
        chats,
    ).format(n=chats)


def progress(texts: Texts, text: str, sent: int, gone: int, chats: int) -> str:
    """How far an announcement has come."""
    said = texts.gettext("{sent} of {chats} told, {gone} cannot be reached: {text}")
    return said.format(sent=sent, chats=chats, gone=gone, text=plain(text, 60))


def nobody_to_tell(texts: Texts) -> str:
    """Nothing is announced where nobody would hear it."""
    return texts.gettext("no chat has a running table: nobody is told, and the same words may be announced later")


def no_announcements(texts: Texts) -> str:
    """There is none."""
    return texts.gettext("Nothing is being announced.")


def bad_text(texts: Texts, longest: int) -> str:
    """An announcement that is empty or too long."""
    return texts.gettext("the words must be 1 to {longest} characters").format(longest=longest)


# Maintenance


def on_or_off(texts: Texts) -> str:
    """Neither on nor off."""
    return texts.gettext("maintenance is on or off")


def resting(texts: Texts, paused: int, before: int) -> str:
    """The deployment rests: so many tables were paused now, so many were before."""
    said = texts.ngettext("Maintenance: {n} table is paused", "Maintenance: {n} tables are paused", paused)
    told = said.format(n=paused)
    if before:
        told += texts.ngettext(" ({n} was before)", " ({n} were before)", before).format(n=before)
    return told


def goes_on(texts: Texts, resumed: int) -> str:
    """The deployment does not rest any more."""
    return texts.ngettext(
        "Maintenance is over: {n} table goes on", "Maintenance is over: {n} tables go on", resumed
    ).format(n=resumed)


def no_new_game(texts: Texts, since: int, reason: str) -> str:
    """Why nobody plays at the terminal while the deployment rests."""
    said = texts.gettext("{rests}: tables wait until it is over (tabletalk maintenance off)")
    return said.format(rests=rests(texts, since, reason))


def why_paused(texts: Texts, why: str) -> str:
    """That a table is paused, and why, where it is known."""
    said = texts.gettext("The table is paused")
    return f"{said} ({plain(why, _LONGEST)})" if why else said


def paused(texts: Texts) -> str:
    """The phase of a table that is paused, in a list."""
    return texts.gettext("paused")


def did_not_rest(texts: Texts) -> str:
    """Maintenance is ended that there was not."""
    return texts.gettext("There was no maintenance: nothing was changed.")


def rests(texts: Texts, since: int, reason: str) -> str:
    """That it rests, since when and why."""
    said = texts.gettext("Maintenance since {time}").format(time=moments.stamp(since))
    return f"{said} ({plain(reason, _LONGEST)})" if reason else said


def works(texts: Texts) -> str:
    """That it does not rest."""
    return texts.gettext("No maintenance.")


def unreadable(texts: Texts, count: int) -> str:
    """Tables that could not be paused or resumed, for they cannot be read."""
    return texts.ngettext(
        "{n} table cannot be read and was left as it is (tabletalk audit --all)",
        "{n} tables cannot be read and were left as they are (tabletalk audit --all)",
        count,
    ).format(n=count)
