"""What administrators may do at a table: pause it and let it go on, close it, send somebody away, give a seat away.

Each act is asked back once, says who did it and why where everybody reads it, and goes into the table's history. The
players themselves do the same by agreement: without the right, `/pause` and `/kick` are proposals to the others.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import NamedTuple

import msgspec
import structlog

from domain import contesting
from domain.commands import Act, Close, Kick, Pause, Penalty, Propose, Replace, Resume, SetStandIn, Void
from domain.table import Table, seat_of
from service.chat.api.incoming import Said
from service.chat.hall import Hall
from service.chat.people import members
from service.chat.tables import acts, finding, lobby
from service.chat.tables.wishes import CHAT
from service.engine import Done

log = structlog.get_logger()

_LONGEST_REASON = 200  # characters


class Case(NamedTuple):
    """A table, who wants something there, and whether he is an administrator of its chat."""

    state: Table
    actor: str
    admin: bool
    by: str  # what he is called


async def pause(hall: Hall, said: Said) -> None:
    """`/pause [why]`: by an administrator at once, by a player as a proposal to the others."""
    case = await _case(hall, said)
    if case is None:
        return
    if case.admin:
        await _carry_out(hall, said, case, Pause, said.text, "pause")
    else:
        await propose(hall, said, case.state, case.actor, Propose("pause"))


async def resume(hall: Hall, said: Said) -> None:
    """`/resume`: by an administrator; where the players agreed to pause, by any of them."""
    case = await _case(hall, said)
    if case is None:
        return
    if case.admin:
        await _carry_out(hall, said, case, Resume, said.text, "resume")
    else:
        await acts.carry_out(hall, said, case.state, case.actor, Resume(), hall.say("resumed", by=case.by))


async def close(hall: Hall, said: Said) -> None:
    """`/close [why]`: ends a table without a winner. Players close a lobby as by `/end`."""
    case = await _case(hall, said)
    if case is not None and not case.admin and case.state.phase == "lobby":
        await lobby.end(hall, msgspec.structs.replace(said, table=case.state.id))
    elif case is not None and await _may(hall, said, case):
        await _carry_out(hall, said, case, Close, said.text, "close")


async def void(hall: Hall, said: Said) -> None:
    """`/void [why]`: the set that is played does not count; for administrators alone."""
    case = await _case(hall, said)
    if case is not None and await _may(hall, said, case):
        await _carry_out(hall, said, case, Void, said.text, "void")


async def penalty(hall: Hall, said: Said) -> None:
    """`/penalty Bob 5 [why]`: what Bob played to trick 5 is punished as the rules say, if the cards on the table prove
    it; for administrators alone."""
    case = await _case(hall, said)
    if case is None or not await _may(hall, said, case):
        return
    seat, rest = await _seat(hall, case.state, said.text)
    which, _, why = rest.partition(" ")
    move = None if seat is None else contesting.accusing(case.state.rules, seat, which)
    if seat is None or move is None:
        await hall.answer(said, hall.say("penalty_form"))
        return
    name = (await hall.views.names(case.state))[seat]
    act: Callable[[str], Act] = lambda reason: Penalty(move, reason)  # noqa: E731 - given on, as in `kick`
    await _carry_out(hall, said, case, act, why, "penalty", name=name, number=which)


async def kick(hall: Hall, said: Said) -> None:
    """`/kick 2 [why]`, `/kick Bob [why]`: by an administrator at once, by a player as a proposal to the others."""
    case = await _case(hall, said)
    if case is None:
        return
    seat, why = await _seat(hall, case.state, said.text)
    if seat is None:
        await hall.answer(said, hall.say("kick_form"))
        return
    name = (await hall.views.names(case.state))[seat]
    if case.admin:
        held = case.state.seats[seat]
        if said.sure and case.state.phase == "lobby" and not held.computer:
            await members.send_away(hall, case.state, held.owner)
        await _carry_out(hall, said, case, lambda reason: Kick(seat, reason), why, "kick", name=name)
    else:
        await propose(hall, said, case.state, case.actor, Propose("kick", seat))


async def stand_in(hall: Hall, said: Said) -> None:
    """`/standin on`, `/standin off`: by an administrator at once, by a player as a proposal to the others."""
    case = await _case(hall, said)
    if case is None:
        return
    wanted, _, why = said.text.partition(" ")
    if wanted not in ("on", "off"):
        await hall.answer(said, hall.say("standin_form"))
    elif case.admin:
        await _carry_out(hall, said, case, lambda reason: SetStandIn(wanted == "on", reason), why, f"standin_{wanted}")
    else:
        await propose(hall, said, case.state, case.actor, Propose(f"stand_in_{wanted}"))


async def replace(hall: Hall, said: Said) -> None:
    """`/replace 2 [why]`, in reply to a message of whoever is to take the seat; a newcomer who writes it for himself
    asks the players whether he may take a seat that is free."""
    case = await _case(hall, said)
    if case is None:
        return
    seat, why = await _seat(hall, case.state, said.text)
    newcomer = seat_of(case.state, case.actor) is None and said.meant is None and not case.admin
    if newcomer and seat is not None:
        await propose(hall, said, case.state, case.actor, Propose("seat", seat))
        return
    if not await _may(hall, said, case):
        return
    if seat is None or said.meant is None:
        await hall.answer(said, hall.say("replace_form"))
        return
    name, owner = (await hall.views.names(case.state))[seat], await hall.actor(said.meant)
    act: Callable[[str], Act] = lambda reason: Replace(seat, owner, reason)  # noqa: E731 - given on, as in `kick`
    await _carry_out(hall, said, case, act, why, "replace", name=name, other=said.meant.name)


async def propose(hall: Hall, said: Said, state: Table, actor: str, proposal: Propose) -> None:
    """Proposes something to the other players, whose buttons are under the table's message."""
    outcome = await acts.carry_out(hall, said, state, actor, proposal, "")
    if isinstance(outcome, Done):
        await acts.show_proposal(hall, said, state.id)


async def _case(hall: Hall, said: Said) -> Case | None:
    actor = CHAT if said.group else await finding.actor(hall, said)
    if actor is None:
        return None
    state = await finding.table(hall, said, None if actor == CHAT else actor)
    if state is None:
        return None
    if actor == CHAT:
        return Case(state, actor, True, hall.say("an_administrator"))
    assert said.user is not None, "whoever is not the group is a person"
    known = await hall.places.names([actor])
    return Case(state, actor, await administers(hall, state, said.user.id, actor, fresh=said.sure), known[actor])


async def administers(hall: Hall, state: Table, user: int, actor: str, *, fresh: bool = False) -> bool:
    """Whether somebody has an administrator's rights at a table; where it is in no group its host has them."""
    chat = hall.places.chat(state.id)
    if chat is None or chat > 0:
        return actor == state.host
    return await hall.rights.standing(chat, user, fresh=fresh) == "admin"


async def _may(hall: Hall, said: Said, case: Case) -> bool:
    if not case.admin:
        together = hall.places.together(case.state.id)
        await hall.answer(said, hall.say("admins_only" if together else "host_only"))
    return case.admin


async def _seat(hall: Hall, state: Table, text: str) -> tuple[int | None, str]:
    """The seat that a text begins with, by its number or its name, and the rest: the reason."""
    first, _, rest = text.partition(" ")
    if first.isascii() and first.isdigit():
        number = int(first[:4])
        return (number - 1, rest.strip()) if 1 <= number <= len(state.seats) else (None, "")
    names = await hall.views.names(state)
    found = [seat for seat, name in enumerate(names) if f"{text} ".casefold().startswith(f"{name} ".casefold())]
    seat = max(found, key=lambda one: len(names[one]), default=None)
    return (None, "") if seat is None else (seat, text[len(names[seat]) :].strip())


async def _carry_out(
    hall: Hall, said: Said, case: Case, act: Callable[[str], Act], why: str, what: str, **values: str
) -> None:
    """Asks back; then does it, keeps the reason beside the history, and says it where the table is."""
    state = case.state
    pair = await hall.pairs.of(state.id)
    if not said.sure:
        await acts.ask_back(hall, said, case.actor, state.id, hall.say(f"sure_{what}", pair=pair, **values))
        return
    why = " ".join(why.split())[:_LONGEST_REASON]
    reason = hashlib.sha256(why.encode()).hexdigest() if why else ""
    if reason:
        await hall.directory.put("reasons", f"{state.id} {reason}", why)
    outcome = await hall.submit(said.update, state.id, case.actor, act(reason), admin=True)
    if not isinstance(outcome, Done):
        await acts.refuse(hall, said, outcome)
        return
    log.info("administrator's act", act=what, table=state.id, actor=case.actor, reason=reason)
    done = hall.say(f"done_{what}", pair=pair, by=case.by, **values)
    told = f"{done} {hall.say('reason', why=why)}" if why else done
    await hall.answer(said, told)
    home = hall.places.chat(state.id)
    if home is not None and home != said.chat:
        await hall.tell(said.update, "told_there", home, told, await hall.places.thread(state.id))
