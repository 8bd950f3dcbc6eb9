"""Who is there, whose turn is next, and who is asked in a window, in the order of the table from the active player."""

from __future__ import annotations

from domain.games.taichi.state import Set


def there(state: Set) -> tuple[int, ...]:
    """The seats whose owners are neither away nor gone (TC-70, TC-71)."""
    return tuple(seat for seat in range(state.seats) if seat not in state.away and seat not in state.left)


def clockwise(state: Set) -> tuple[int, ...]:
    """The other seats that are there, from the active player's left (TC-28)."""
    present = there(state)
    order = ((state.turn + step) % state.seats for step in range(1, state.seats))
    return tuple(seat for seat in order if seat in present)


def following(state: Set) -> int:
    """Whose turn is next (TC-29): the active player's own where nobody else is there, -1 where nobody is."""
    return next(iter((*clockwise(state), *(seat for seat in there(state) if seat == state.turn))), -1)


def asked_in_window(state: Set) -> tuple[int, ...]:
    """The seats that may still answer in a rescue round, about a challenge, or in it; ascending.

    Who is away may give a word in a rescue round, and is back with it; he is not asked in challenges (TC-70).
    """
    match state.phase:
        case "rescue":
            asked = tuple(seat for seat in range(state.seats) if seat != state.turn and seat not in state.left)
        case "ask":
            asked = tuple(seat for seat in clockwise(state) if state.stacks[seat])  # TC-33
        case "ready" | "duel":
            asked = state.fighters
        case _:
            asked = ()
    return tuple(sorted(seat for seat in asked if seat not in state.done))


def waited_for(state: Set) -> tuple[int, ...]:
    """Those of them without whose answer the window does not close: nobody waits in a rescue round for who is away."""
    asked = asked_in_window(state)
    return tuple(seat for seat in asked if seat not in state.away) if state.phase == "rescue" else asked


def voters(state: Set, speaker: int, objector: int) -> tuple[int, ...]:
    """Those who are not concerned in an objection (TC-43), ascending; nobody where only two are there."""
    present = there(state)
    if len(present) < 3:
        return ()
    return tuple(seat for seat in present if seat not in (speaker, objector))


def objectors(state: Set) -> tuple[int, ...]:
    """The seats that may object to the last verdict, ascending."""
    spoken = state.spoken
    if spoken is None or not state.options.objections or state.objection is not None:
        return ()
    if state.phase not in ("word", "choose", "rescue"):
        return ()
    own = spoken.seat if spoken.accepted else None
    return tuple(seat for seat in there(state) if seat != own and voters(state, spoken.seat, seat))


def open_votes(state: Set) -> tuple[int, ...]:
    """Those who have yet to vote on an objection, ascending."""
    held = state.objection
    if held is None:
        return ()
    voted = [seat for seat, _ in held.votes]
    return tuple(seat for seat in held.voters if seat not in voted and seat not in state.left)
