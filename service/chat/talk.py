"""What people write to us: each command to whoever carries it out, everything else as a move or as nothing."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from domain.games import GAMES
from service.chat import lobby, looking, moving
from service.chat.hall import Hall
from service.chat.incoming import Said
from service.engine import Unreadable


async def handle(hall: Hall, said: Said) -> None:
    """Answers a command, a move written in private, or one in reply to a message of ours.

    Raises StoreDown; may then be called again.
    """
    hall.places.note_message(said.chat, said.message)
    try:
        if said.command in GAMES:
            await lobby.open_table(hall, said, said.command)
        elif said.command is not None and (known := COMMANDS.get(said.command)) is not None:
            await known(hall, said)
        elif said.command is not None and any(moving.verb(said.command) in rules.examples for rules in GAMES.values()):
            await moving.play(hall, said)
        elif said.command is None and said.reply and not said.private and not said.forwarded:
            await moving.replied(hall, said)
        elif said.private:
            await (moving.written(hall, said) if said.command is None else looking.help_(hall, said))
    except Unreadable as fault:
        await hall.answer(said, hall.say(f"parked_{fault.why}"))


COMMANDS: dict[str, Callable[[Hall, Said], Awaitable[None]]] = {
    "start": looking.start,
    "help": looking.help_,
    "options": lobby.options,
    "cut": lobby.cut,
    "leave": lobby.leave,
    "back": lobby.back,
    "end": lobby.end,
    "rules": looking.rules,
    "hand": looking.hand,
    "table": looking.show_table,
    "score": looking.score,
    "standings": looking.standings,
    "mytables": looking.mytables,
}
