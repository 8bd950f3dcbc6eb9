"""The commands as Telegram lists them, by scope and language; help about one of them, and what a mistyped one meant."""

from __future__ import annotations

from difflib import get_close_matches

from telegram import (
    Bot,
    BotCommand,
    BotCommandScope,
    BotCommandScopeAllChatAdministrators,
    BotCommandScopeAllGroupChats,
    BotCommandScopeAllPrivateChats,
)

from domain.games import GAMES
from service.chat.api.incoming import Said
from service.chat.hall import Hall
from service.text import Texts, language, languages
from service.text.chat import EXAMPLES, admin_commands, commands, moves

_NEAR, _VERY_NEAR = 0.6, 0.8  # how like a command of ours a word is that was written to us, or to nobody
_LONGEST = 256  # characters of a description; Bot API, BotCommand
_IN_PRIVATE = frozenset({"mytables", "forget", "invite"})  # no use in a group
_IN_GROUPS = frozenset({"standings"})


async def register(bot: Bot) -> None:
    """Tells Telegram which commands there are: in private chats, in groups, for their administrators, in each language
    (Bot API, setMyCommands). Raises TelegramError."""
    for code in languages():
        texts = language(code)
        for scope, known in _listed(texts):
            listed = [BotCommand(name, words[:_LONGEST]) for name, words in known]
            await bot.set_my_commands(listed, scope=scope, language_code=None if code == "en" else code[:2])


def _listed(texts: Texts) -> list[tuple[BotCommandScope, list[tuple[str, str]]]]:
    everybody = commands(texts)
    group = [(name, words) for name, words in everybody if name not in _IN_PRIVATE]
    private = [(name, words) for name, words in everybody if name not in _IN_GROUPS]
    return [
        (BotCommandScopeAllPrivateChats(), private),
        (BotCommandScopeAllGroupChats(), group),
        (BotCommandScopeAllChatAdministrators(), [*group, *admin_commands(texts)]),
    ]


def what_i_can_do(hall: Hall) -> str:
    """Every command in a line, and what of a group I listen to."""
    return "\n".join([hall.say("help", moves=moves(hall.texts)), hall.say("hears")])


async def help_(hall: Hall, said: Said) -> None:
    """`/help` alone says what I can do, `/help kick` how one command is used."""
    wanted = said.text.removeprefix("/").partition(" ")[0].casefold()
    if not wanted:
        await hall.answer(said, what_i_can_do(hall))
        return
    words = _known(hall.texts).get(wanted)
    if words is None:
        await _suggest(hall, said, wanted, _NEAR)
        return
    moved = next((rules.examples[wanted] for rules in GAMES.values() if wanted in rules.examples), wanted)
    example = EXAMPLES.get(wanted, f"/{moved}")
    await hall.answer(said, hall.say("help_with", command=f"/{wanted}", words=words, example=example))


async def unknown(hall: Hall, said: Said) -> None:
    """A command that is none of ours: a suggestion, if it was written to us or can hardly be meant for another bot."""
    addressed = said.private or said.addressed
    await _suggest(hall, said, said.command or "", _NEAR if addressed else _VERY_NEAR, quiet=not addressed)


async def _suggest(hall: Hall, said: Said, word: str, near: float, *, quiet: bool = False) -> None:
    known = _known(hall.texts)
    found = get_close_matches(word, known, n=1, cutoff=near) if len(word) > 2 else []
    if found:
        await hall.answer(said, hall.say("did_you_mean_command", command=f"/{found[0]}", words=known[found[0]]))
    elif not quiet:
        await hall.answer(said, hall.say("no_such_command", command=f"/{word[:32]}"))


def _known(texts: Texts) -> dict[str, str]:
    return dict([*commands(texts), *admin_commands(texts)])
