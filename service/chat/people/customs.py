"""What a group and a person have chosen for themselves: language, time zone, quiet hours, pins, reminders.

A group's customs belong to its home, so a chat that migrates keeps them; a person's habits to the actor.
"""

from __future__ import annotations

from typing import Literal
from zoneinfo import ZoneInfo

import msgspec

from domain.clock import Quiet
from eventstore.store import home
from service.directory import Directory
from service.text import Texts, language, languages, nearest

Reminders = Literal["both", "half", "late", "none"]
_DAY = 1440  # minutes


class Customs(msgspec.Struct, frozen=True, omit_defaults=True):
    """A group's choices: its language (None: nobody has chosen), its time zone (IANA), quiet hours as minutes after
    local midnight (`end` may be on the next day), and whether the table's message is pinned."""

    language: str | None = None
    zone: str = "UTC"
    quiet: tuple[int, int] | None = None
    pin: bool = True


class Habits(msgspec.Struct, frozen=True, omit_defaults=True):
    """A person's choices: a language (None: that of his program, `program`), which reminders he wants, whether moves
    to which there is no alternative are made for him."""

    language: str | None = None
    program: str = ""
    reminders: Reminders = "both"
    forced: bool = False


class Preferences:
    """The customs of homes and the habits of people. Held in memory; whatever is set is stored first."""

    def __init__(self, directory: Directory) -> None:
        self._directory = directory
        self._customs: dict[str, Customs] = {}
        self._habits: dict[str, Habits] = {}

    async def load(self) -> None:
        """Reads all of them; once before anything else, and again where another process may have set some."""
        customs, habits = await self._directory.everything("customs"), await self._directory.everything("habits")
        self._customs = {name: msgspec.json.decode(text, type=Customs) for name, text in customs.items()}
        self._habits = {actor: msgspec.json.decode(text, type=Habits) for actor, text in habits.items()}

    async def learn(self, actor: str, name: str | None) -> None:
        """Reads anew what a person and a home have chosen: another process may have stored it."""
        habits = await self._directory.get("habits", actor)
        if habits is not None:
            self._habits[actor] = msgspec.json.decode(habits, type=Habits)
        customs = None if name is None else await self._directory.get("customs", name)
        if name is not None and customs is not None:
            self._customs[name] = msgspec.json.decode(customs, type=Customs)

    def of_home(self, name: str) -> Customs:
        """The customs of a home."""
        return self._customs.get(name, Customs())

    def of_person(self, actor: str) -> Habits:
        """The habits of a person."""
        return self._habits.get(actor, Habits())

    async def set_home(self, name: str, customs: Customs) -> None:
        """From now on these are the customs of a home. Raises ValueError for hours or a language that are none."""
        ZoneInfo(customs.zone)  # a KeyError (ZoneInfoNotFoundError) is said by whoever read it: see `zone_of`
        if customs.quiet is not None:
            start, end = customs.quiet
            if not (0 <= start < _DAY and 0 <= end <= _DAY) or start == end % _DAY:
                raise ValueError("no hours of a day")
        if customs.language is not None and customs.language not in languages():
            raise ValueError("no language that there are texts in")
        await self._directory.put("customs", name, msgspec.json.encode(customs).decode())
        self._customs[name] = customs

    async def set_person(self, actor: str, habits: Habits) -> None:
        """From now on these are the habits of a person."""
        if habits != self.of_person(actor):
            await self._directory.put("habits", actor, msgspec.json.encode(habits).decode())
            self._habits[actor] = habits

    async def heard(self, actor: str, program: str) -> None:
        """Notes the language of somebody's program (`pt-BR`; "" says nothing)."""
        if program:
            await self.set_person(actor, msgspec.structs.replace(self.of_person(actor), program=program))

    def quiet(self, table: str) -> Quiet | None:
        """The quiet hours in force at a table; None for none."""
        customs = self.of_home(home(table))
        return None if customs.quiet is None else Quiet(*customs.quiet, customs.zone)

    def spoken_at(self, name: str) -> Texts:
        """The texts that a home is spoken to in: English until somebody chooses."""
        return language(self.of_home(name).language or "en")

    def spoken_to(self, actor: str, name: str | None = None) -> Texts:
        """The texts for somebody alone: in the language he chose, else that of his program; where we do not speak that,
        that of the home in which he is (None: English)."""
        habits = self.of_person(actor)
        if habits.language is not None:
            return language(habits.language)
        program = nearest(habits.program)
        if program != "en" or habits.program.casefold().startswith("en") or name is None:
            return language(program)
        return self.spoken_at(name)


def zone_of(text: str) -> str | None:
    """The IANA name of a time zone, however its letters are written; None for none."""
    from zoneinfo import available_timezones  # reads a folder: only when somebody sets a zone

    wanted = text.strip().replace(" ", "_").casefold()
    return next((zone for zone in sorted(available_timezones()) if zone.casefold() == wanted), None)
