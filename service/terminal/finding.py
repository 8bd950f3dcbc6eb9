"""Whom and which chat an operator means."""

from __future__ import annotations

import re

from service.directory import Directory
from service.terminal.looking import Wrong
from service.text import Texts, archiving, operating

_NUMBER = re.compile(r"(?:tg:)?([0-9]{1,20})")
_CHAT = re.compile(r"(?:chat:)?(-?[0-9]{1,20})")


async def person_named(directory: Directory, texts: Texts, who: str, *, new: bool = False) -> str:
    """The actor of `person:<id>`, `tg:<number>`, a Telegram number or a name. Raises Wrong: unknown (unless `new`, and
    it is a number), or several of that name."""
    people = await directory.everything("people")
    if who.startswith("person:"):
        found = [who] if who.removeprefix("person:") in people.values() or await directory.names([who]) else []
    else:
        key = who if ":" in who else f"tg:{who}"
        found = [f"person:{people[key]}"] if key in people else []
        names = await directory.everything("names")
        found = found or sorted(actor for actor, name in names.items() if name.casefold() == who.casefold())
    if len(found) > 1:
        raise Wrong(archiving.several(texts, who, found))
    if not found and new and (number := _NUMBER.fullmatch(who)) is not None:
        return await directory.person(f"tg:{number[1]}")
    if not found:
        raise Wrong(archiving.nobody(texts, who))
    return found[0]


async def identity(directory: Directory, texts: Texts, who: str) -> str:
    """The outside identity of whoever is meant, who need not be known here if a Telegram number is given. Raises
    Wrong."""
    number = _NUMBER.fullmatch(who)
    if number is not None:
        return f"tg:{number[1]}"
    key = await directory.person_key(await person_named(directory, texts, who))
    if key is None:
        raise Wrong(operating.no_number(texts, who))
    return key


async def home_named(directory: Directory, texts: Texts, chat: str) -> str:
    """The home of a chat's number, or a home itself. Raises Wrong."""
    homes = await directory.everything("homes")
    number = _CHAT.fullmatch(chat)
    found = homes.get(f"chat:{number[1]}") if number is not None else chat if chat in homes.values() else None
    if found is None:
        raise Wrong(operating.no_such_chat(texts, chat))
    return found
