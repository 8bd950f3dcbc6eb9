"""What people write to us: each command to whoever carries it out, everything else as a move or as nothing."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import msgspec

from domain.games import GAMES
from service.chat.api import commands
from service.chat.api.incoming import Said
from service.chat.bells import nudging, reminders, vacations
from service.chat.board import paging
from service.chat.hall import Hall
from service.chat.hands import moving, planning
from service.chat.people import admin, choices, privacy
from service.chat.proof import accusing, auditing, exporting, fairness
from service.chat.tables import finding, lobby, looking, pairs
from service.engine import Unreadable


async def handle(hall: Hall, said: Said) -> None:
    """Answers a command, a move written in private, or one in reply to a message of ours.

    Raises StoreDown; may then be called again.
    """
    hall.places.note_message(said.chat, said.message)
    pair, rest = pairs.split(said.text)
    if pair is not None and (said.private or said.command is not None):
        name = await finding.named(hall, said, pair)
        if name is None:
            await hall.answer(said, hall.say("no_table_called", pair=pair))
            return
        said = msgspec.structs.replace(said, text=rest, table=name)
    await carry_out(hall, said)


async def carry_out(hall: Hall, said: Said) -> None:
    """Does what was written, at the table that was named or chosen."""
    try:
        if said.command in GAMES:
            await lobby.open_table(hall, said, said.command)
        elif said.command is not None and (known := COMMANDS.get(said.command)) is not None:
            await known(hall, said)
        elif said.command is not None and any(moving.verb(said.command) in rules.examples for rules in GAMES.values()):
            await moving.play(hall, said)
        elif said.command is None and said.reply and not said.private and not said.forwarded:
            await moving.replied(hall, said)
        elif said.command is not None:
            await commands.unknown(hall, said)
        elif said.private:
            await moving.written(hall, said)
    except Unreadable as fault:
        await hall.answer(said, hall.say(f"parked_{fault.why}"))


COMMANDS: dict[str, Callable[[Hall, Said], Awaitable[None]]] = {
    "start": looking.start,
    "help": commands.help_,
    "new": lobby.choose_game,
    "options": lobby.options,
    "cut": lobby.cut,
    "leave": lobby.leave,
    "accuse": accusing.accuse,
    "plan": planning.plan,
    "forced": planning.forced,
    "back": vacations.back,
    "away": vacations.leave_until,
    "nudge": nudging.nudge,
    "reminders": reminders.reminders,
    "end": lobby.end,
    "rules": looking.rules,
    "hand": looking.hand,
    "table": looking.show_table,
    "score": paging.tell_score,
    "log": paging.tell_log,
    "export": exporting.export,
    "audit": auditing.audit,
    "fair": fairness.fair,
    "standings": looking.standings,
    "mytables": looking.mytables,
    "invite": lobby.invite,
    "language": choices.language,
    "privacy": privacy.privacy,
    "forget": privacy.forget,
    "settings": choices.settings,
    "pause": admin.pause,
    "resume": admin.resume,
    "close": admin.close,
    "void": admin.void,
    "penalty": admin.penalty,
    "kick": admin.kick,
    "standin": admin.stand_in,
    "replace": admin.replace,
}
