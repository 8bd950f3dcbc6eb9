"""What a move that somebody wrote means: in the game's own notation, or else as our languages spell it."""

from __future__ import annotations

from typing import Any

from domain.rejected import Rejected
from domain.table import Table
from service.text import spelled


def read(state: Table, seat: int | None, text: str, reader: str = "en") -> Any:
    """The move that the text means to whoever sits there (None: to whoever sees no hand), as `spelled.move`.

    `reader`: the language that he is spoken to in.
    """
    blind = state.rules.observe(state.set, None)
    return spelled.move(state.rules, text, state.rules.observe(state.set, seat), reader, blind)


def suggestion(state: Table, text: str, reader: str = "en") -> str | None:
    """The notation of the move that a text with slips of the pen may have meant, to ask about; None for none.

    No hand is looked at, so that the question is the same for everybody.
    """
    try:
        read(state, None, text, reader)
    except Rejected as rejected:
        put_right = spelled.slip(text, state.rules.examples) if rejected.kind == "malformed" else None
    else:
        return None
    if put_right is None:
        return None
    try:
        found = read(state, None, put_right, reader)
    except Rejected:
        return None
    return None if state.rules.open_ended(found) else str(state.rules.notation(found))
